package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Hover implements textDocument/hover: what the pending actions would do to the
// code under the cursor.
func (s *session) Hover(_ context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	st, path, ok := s.locate(p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	var text strings.Builder
	var span *protocol.Range
	for _, fh := range st.member.FileHunks(path) {
		at := fh.File.Text.Offset(fromPosition(p.Position), s.client.encoding)
		for _, h := range fh.File.Hunks {
			if at < h.Start || at > h.End {
				continue
			}
			if text.Len() > 0 {
				text.WriteString("\n\n---\n\n")
			}
			text.WriteString(hoverText(fh, h))
			if span == nil {
				span = ptr(toRange(fh.File.Text, h.Start, h.End, s.client.encoding))
			}
		}
	}
	if span == nil {
		return nil, nil
	}
	return &protocol.Hover{
		Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text.String()},
		Range:    span,
	}, nil
}

func hoverText(fh pending.FileHunks, h pending.HunkView) string {
	a := fh.Action
	head := fmt.Sprintf("**%s** (%s, %d of %d pending, by %s)", a.Label, a.SourceToolName, a.Above+1, a.Depth, pending.Visible(a.By.Name))
	if h.Stale {
		return head + "\n\nThe text here changed since the preview; this part no longer applies."
	}
	diff, err := textedit.UnifiedEdits(fh.File.Path, string(fh.File.Text.Text()), []textedit.Edit{h.Edit()})
	if err != nil {
		return head
	}
	fence := fenceFor(diff)
	return head + "\n\n" + fence + "diff\n" + diff + fence
}

// fenceFor returns a code fence longer than any run of backticks in the text,
// so that code cannot break out of it.
func fenceFor(text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", longest+1)
}
