package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// InlayHint implements textDocument/inlayHint: what would stand there, after
// each hunk in the range.
func (s *session) InlayHint(_ context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	out := []protocol.InlayHint{}
	st, path, ok := s.locate(p.TextDocument.URI)
	if !ok || off(s.settings().InlayHints) {
		return out, nil
	}
	for _, fh := range st.member.FileHunks(path) {
		start, end := fromRange(fh.File.Text, p.Range, s.client.encoding)
		for _, h := range fh.File.Hunks {
			if h.Stale || h.End < start || h.Start > end {
				continue
			}
			out = append(out, protocol.InlayHint{
				Position:    toPosition(fh.File.Text.Position(h.End, s.client.encoding)),
				Label:       protocol.String(hint(h.Hunk)),
				Tooltip:     &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: hoverText(fh, h)},
				PaddingLeft: ptr(true),
				Data:        protocol.LSPAny(wire.Encode(wire.ActionData{Action: fh.Action.ID, Hunk: h.ID})),
			})
		}
	}
	return out, nil
}

// hint is what a hunk would put there, in one short line.
func hint(h pending.Hunk) string {
	if h.After == "" {
		return "→ deleted"
	}
	return "→ " + inline(h.After)
}

// off reports a setting that is on unless it is set to false.
func off(b *bool) bool { return b != nil && !*b }
