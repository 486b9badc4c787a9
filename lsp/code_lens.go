package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// maxLensHunks is how many hunks of an action in one file get lenses of their
// own; with more, one set of lenses stands at the first.
const maxLensHunks = 20

// CodeLens implements textDocument/codeLens: apply, discard and diff above the
// hunks of the top action, and where the others stand in the stack.
func (s *session) CodeLens(_ context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	out := []protocol.CodeLens{}
	st, path, ok := s.locate(p.TextDocument.URI)
	if !ok || off(s.settings().CodeLens) {
		return out, nil
	}
	for _, fh := range st.member.FileHunks(path) {
		hunks := fh.File.Hunks
		if len(hunks) > maxLensHunks {
			hunks = hunks[:1]
		}
		for _, h := range hunks {
			r := toRange(fh.File.Text, h.Start, h.End, s.client.encoding)
			for _, command := range s.lensCommands(st, fh.Action) {
				out = append(out, protocol.CodeLens{
					Range:   r,
					Command: command,
					Data:    protocol.LSPAny(wire.Encode(wire.ActionData{Action: fh.Action.ID, Hunk: h.ID})),
				})
			}
		}
	}
	return out, nil
}

func (s *session) lensCommands(st *seat, a pending.ActionView) []protocol.Command {
	preview := showCommand(st, "Diff: "+a.Label, a.ID)
	if unresolvable(a) != "" {
		preview.Title = fmt.Sprintf("%d of %d pending: %s", a.Above+1, a.Depth, a.Label)
		return []protocol.Command{preview}
	}
	return []protocol.Command{
		resolveCommand(st, "Apply", "apply", wire.ResolveParams{ID: a.ID}),
		resolveCommand(st, "Discard", "discard", wire.ResolveParams{ID: a.ID}),
		preview,
	}
}
