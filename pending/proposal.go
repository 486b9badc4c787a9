package pending

import (
	"context"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// Source is the text a [Proposer] reads: the workspace's open documents first,
// then the disk. It is a snapshot; documents that change later do not show
// through it. Paths are relative to Root and slash-separated.
type Source interface {
	// Root is the absolute workspace root with symlinks resolved.
	Root() string
	// Overlay returns the text of an open document. Callers must not change it.
	Overlay(path string) (text []byte, open bool)
	// Overlays lists the open documents; they need not exist on disk.
	Overlays() []string
}

// Proposer computes an edit and writes nothing. A workspace calls it without
// holding a lock: once to preview, and again at every apply, where the result
// must still contain what was previewed. It must honour ctx.
type Proposer interface {
	Propose(ctx context.Context, src Source) (*Proposal, error)
}

// Proposal is one producer's edit over any number of files.
type Proposal struct {
	// Files is sorted by path and holds only files with hunks.
	Files []FileProposal
	// Limited says that the producer stopped at a limit when it previewed, so
	// further matches of a re-run are expected and not worth a mention.
	Limited bool
}

// FileProposal is the part of a [Proposal] that concerns one file.
type FileProposal struct {
	// Path is relative to the workspace root, slash-separated.
	Path string
	// Text is the whole file the hunks are offsets into.
	Text []byte
	// Hunks are sorted by Start and do not overlap.
	Hunks []Hunk
}

// Hunk replaces Before, the bytes [Start, End) of its file's text, with After.
type Hunk struct {
	Start, End    int
	Before, After string
}

// Edit returns the hunk as a byte edit.
func (h Hunk) Edit() textedit.Edit {
	return textedit.Edit{Start: h.Start, End: h.End, New: h.After}
}

// Replacements counts the hunks of all files.
func (p *Proposal) Replacements() int {
	n := 0
	for _, f := range p.Files {
		n += len(f.Hunks)
	}
	return n
}
