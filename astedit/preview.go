package astedit

import "github.com/pending-lsp/pending-lsp/astedit/textedit"

// Preview is what a request would change. Nothing has been written.
type Preview struct {
	// ScopePath is the directory or file searched, relative to the root,
	// slash-separated; "." is the root itself.
	ScopePath string
	// Lang is the language the patterns were compiled for.
	Lang string
	// Files holds the files with hunks, sorted by path.
	Files []FilePreview
	// TotalReplacements counts hunks' rewrites, nested ones included.
	TotalReplacements int
	FilesTouched      int
	FilesSearched     int
	// LimitReached says that Request.Limit cut the list short.
	LimitReached bool
	ParseErrors  []ParseError
	Warnings     []Warning
	// Skipped holds files that were in scope but not searched.
	Skipped []Skipped
}

// FilePreview is the change to one file.
type FilePreview struct {
	// Path is relative to the root, slash-separated.
	Path string
	Lang string
	// Base is the hash of Text.
	Base textedit.Hash
	// Text is what was searched, and what the hunks are offsets into. It is
	// shared: do not change it.
	Text []byte
	// Hunks are sorted by offset and never overlap.
	Hunks []Hunk
	// Overlay says that Text came from an open document, not from the disk.
	Overlay bool
}

// Edits returns the hunks as edits of f.Text.
func (f *FilePreview) Edits() []textedit.Edit {
	edits := make([]textedit.Edit, len(f.Hunks))
	for i, h := range f.Hunks {
		edits[i] = textedit.Edit{Start: h.Start, End: h.End, New: h.After}
	}
	return edits
}

// Hunk replaces the bytes [Start, End) of a file, which read Before, by After.
type Hunk struct {
	Start, End    int
	Before, After string
	// Op is the index into Request.Ops of the outermost rule.
	Op int
	// Nested counts the matches rewritten inside this one.
	Nested   int
	Warnings []Warning
}

// ParseError is a place where a file does not parse. Line and Column are
// 1-based, Column counts bytes.
type ParseError struct {
	Path         string
	Line, Column int
	Message      string
}

// WarningKind says what a [Warning] is about.
type WarningKind string

// The kinds of [Warning].
const (
	// WarnUnknownMetavar: the rewrite uses a name the pattern does not bind.
	WarnUnknownMetavar WarningKind = "unknownMetavariable"
	// WarnLostComment: a comment inside the match is not in the rewrite.
	WarnLostComment WarningKind = "lostComment"
	// WarnBroken: the rewritten text has a syntax error the original had not.
	WarnBroken WarningKind = "introducesParseError"
	// WarnPatternError: the pattern does not parse cleanly in its language.
	WarnPatternError WarningKind = "patternHasError"
	// WarnNoMatch: nothing matched though the pattern's words occur.
	WarnNoMatch WarningKind = "noMatch"
	// WarnInvalidUTF8: replacements of a file are left out, their text is not
	// valid UTF-8.
	WarnInvalidUTF8 WarningKind = "invalidUTF8"
)

// Warning is something the user should look at. Path is empty and Line 0 when
// it is about the request; Line is 1-based.
type Warning struct {
	Kind    WarningKind
	Path    string
	Line    int
	Message string
}

// SkipReason says why a file was not searched.
type SkipReason string

// The reasons for [Skipped].
const (
	SkipBinary      SkipReason = "binary"
	SkipInvalidUTF8 SkipReason = "invalidUTF8"
	SkipTooLarge    SkipReason = "tooLarge"
	SkipUnreadable  SkipReason = "unreadable"
	SkipParseError  SkipReason = "parseError"
	SkipStuck       SkipReason = "parserStuck"
	SkipChanged     SkipReason = "changedWhileRead"
)

// Skipped is a file that was in scope but not searched.
type Skipped struct {
	Path    string
	Reason  SkipReason
	Message string
}
