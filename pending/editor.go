package pending

import (
	"context"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// Editor is how a workspace reaches the buffers of one client. It is called
// without any lock held and must return when ctx ends.
//
// ApplyEdits returns nil when the client says it applied everything; the
// workspace believes it only when the documents show the result. A refusal is
// an [*Error] of kind [EditorRejected] with the client's reason.
type Editor interface {
	ApplyEdits(ctx context.Context, edits BufferEdits) error
}

// BufferEdits is one all-or-nothing request to an [Editor].
type BufferEdits struct {
	Label string
	Files []BufferEdit
}

// BufferEdit changes one file through an editor.
type BufferEdit struct {
	// Path is relative to the workspace root, slash-separated.
	Path string
	// Version is the document's version as its owner last sent it; nil when the
	// file is not open there.
	Version *int32
	// Text is the text the edits are offsets into.
	Text *textedit.Mapper
	// Edits are sorted by Start and do not overlap.
	Edits []textedit.Edit
}
