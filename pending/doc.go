// Package pending keeps the edits that somebody proposed and nobody has decided
// on yet. A [Registry] holds one [Workspace] per root; a workspace holds a LIFO
// stack of actions, the documents its members have open, and the members
// themselves. A [Member] pushes actions and resolves the top one: apply writes
// its hunks, through an [Editor] where a file is open in one and on disk where
// it is not; discard forgets them.
//
// Three promises hold throughout:
//
//   - What was never previewed is never written. An apply runs the producer
//     again and compares the text of every hunk before it writes anything.
//   - A failed apply leaves its action on top and every file as it was; where
//     an editor did part of the work first, the part is taken back and the
//     error says what could not be.
//   - A hunk that is shown covers exactly the bytes it says it replaces, in the
//     text that the owner of the document last sent, or it is marked stale.
//
// Everything here is safe for concurrent use. No lock is held while a
// [Proposer], an [Editor], [Callbacks] or a Notify function runs, so each of
// them may call back into the workspace.
//
// The package knows neither LSP nor syntax trees. Offsets are bytes, paths are
// relative to the workspace root and slash-separated.
package pending
