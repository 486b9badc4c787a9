package lsp

import (
	"context"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Preview previews a structural edit against the disk alone, in the workspace
// around a folder, and returns its details and its unified diff. Nothing is
// pushed and nothing written.
func Preview(ctx context.Context, engine Engine, dir string, params wire.ASTEditParams) (*wire.ASTEditDetails, string, error) {
	preview, hints, err := search(ctx, params, engine.request(params), diskOnly(WorkspaceRoot(dir)))
	if err != nil {
		return nil, "", err
	}
	var diff strings.Builder
	for _, f := range preview.Files {
		d, err := textedit.UnifiedEdits(f.Path, string(f.Text), f.Edits())
		if err != nil {
			return nil, "", err
		}
		diff.WriteString(d)
	}
	details := scanDetails(preview, params.Changes)
	details.Warnings = append(details.Warnings, hints...)
	return &details, diff.String(), nil
}

// Visible makes control characters and direction overrides of untrusted text
// visible, so that it cannot repaint the screen it is shown on.
func Visible(text string) string { return pending.Visible(text) }

// diskOnly reads from the disk below a root, with no open documents.
type diskOnly string

var _ astedit.Source = diskOnly("")

// Root implements [astedit.Source].
func (d diskOnly) Root() string { return string(d) }

// Overlay implements [astedit.Source].
func (diskOnly) Overlay(string) ([]byte, bool) { return nil, false }

// Overlays implements [astedit.Source].
func (diskOnly) Overlays() []string { return nil }
