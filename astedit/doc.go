// Package astedit finds and rewrites code by its structure: it takes patterns in
// ast-grep's pattern language, matches them against tree-sitter trees, and
// returns byte-exact edits. It never writes a file.
//
// [Scan] is the whole job: a [Request] and a [Source] in, a [Preview] out.
// [Compile], [Pattern.Match] and [Template] are its parts for callers that have
// one text in hand, [Explain] says how a pattern was read.
//
// Everything is safe for concurrent use unless a comment says otherwise. Bad
// input is an [*Error] with a kind, never a panic.
package astedit
