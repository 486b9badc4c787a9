package astedit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// lostComments returns a warning for every comment inside a hit that its
// rewriting leaves out.
func (w *rewriter) lostComments(t *flat.Tree, path string, h *hit) []Warning {
	var warnings []Warning
	for i, end := h.node, h.node+int(t.Nodes[h.node].Skip); i < end; i++ {
		n := &t.Nodes[i]
		if n.Flags&flat.Extra == 0 || n.Flags&flat.Named == 0 || !strings.Contains(t.Lang.KindName(n.Kind), "comment") {
			continue
		}
		comment := string(t.NodeText(i))
		if i == h.node || w.keeps(h, int(n.Start), int(n.End), comment) {
			continue
		}
		line := 1 + bytes.Count(w.text[:n.Start], []byte{'\n'})
		warnings = append(warnings, Warning{
			Kind: WarnLostComment, Path: path, Line: line,
			Message: fmt.Sprintf("the rewrite drops the comment %s", quote(comment)),
		})
	}
	return warnings
}

// keeps says whether a comment inside h survives: in a capture that the template
// uses, and there in the hits that enclose it, or in the template's own text.
func (w *rewriter) keeps(h *hit, start, end int, comment string) bool {
	for _, part := range w.rules[h.op].template.parts {
		if part.slot < 0 && strings.Contains(part.text, comment) {
			return true
		}
	}
	c, ok := w.keeper(h, start, end)
	if !ok {
		return false
	}
	if c.Start == h.Start && c.End == h.End {
		return true
	}
	for _, in := range h.inner {
		if in.Start <= start && end <= in.End {
			return w.keeps(in, start, end, comment)
		}
	}
	return true
}
