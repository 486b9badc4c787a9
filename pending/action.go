package pending

import (
	"encoding/json"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// State is where an action stands in its life.
type State string

// An action is Pending until somebody resolves it, Applying while its edits are
// on their way, and then Applied or Discarded; a failed apply makes it Pending
// again.
const (
	Pending   State = "pending"
	Applying  State = "applying"
	Applied   State = "applied"
	Discarded State = "discarded"
)

// Party names who did something, as the log shows it.
type Party struct {
	// Session is the ULID of the connection.
	Session string `json:"session"`
	// Name is the client's own name and version; it is untrusted text.
	Name string `json:"name"`
	// Editor says that the session can apply edits in buffers of its own.
	Editor bool `json:"editor"`
}

// ToolResult is what a callback or a custom tool reports.
type ToolResult struct {
	Text    string
	Details json.RawMessage
	IsError bool
}

// ActionView is an action at one moment: a copy that never changes and may be
// kept. Its texts and mappers are shared and read-only.
type ActionView struct {
	ID             string
	Label          string
	SourceToolName string
	State          State
	// Stale says that a previewed hunk was lost since somebody last saw the
	// preview, or that a raw edit's text was changed under it.
	Stale bool
	// Orphaned says that the session that owns the callbacks is gone; the action
	// can only be discarded.
	Orphaned  bool
	CreatedAt time.Time
	By        Party
	Details   json.RawMessage
	// Above counts the actions that must be resolved first; 0 is the top.
	Above int
	// Depth is the stack's depth at that moment.
	Depth int
	Files []FileView
}

// FileView is one file of an [ActionView].
type FileView struct {
	// Path is relative to the workspace root, slash-separated.
	Path string
	// Text maps the hunks' offsets; it is the open document's text where the
	// file is open, else the text of the preview.
	Text *textedit.Mapper
	// Version is the open document's version in the session that owns it, nil
	// when the file is not open.
	Version *int32
	Hunks   []HunkView
}

// HunkView is one hunk of a [FileView].
type HunkView struct {
	// ID is unique within its action and survives rebasing.
	ID string
	Hunk
	// Stale says that the text under a raw edit was changed.
	Stale bool
}

// FileHunks is what one action would change in one file.
type FileHunks struct {
	Action ActionView // its Files are left out
	File   FileView
}
