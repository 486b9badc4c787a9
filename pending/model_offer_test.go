package pending_test

import (
	"context"
	"slices"
	"testing"
)

// offer lets the editor ask for the edit of the top. It looks at it; or it applies
// it and takes it back; or it applies it, and somebody applies the action: only
// the last is anything to the model, and is no more than an apply.
func (m *model) offer(t *testing.T, c *choices) {
	what, partial := c.n(3), c.n(2) == 1
	top, ok := m.d.w.Peek()
	if !ok {
		return
	}
	m.note("offer %d", what)
	edits, err := m.e.member.Offer(context.Background(), top.ID, nil)
	if err == nil && len(edits.Files) > 0 && what > 0 {
		if err := m.e.ApplyEdits(context.Background(), edits); err != nil {
			t.Fatalf("what was offered is refused: %v", err)
		}
	}
	switch {
	case what == 1 && err == nil:
		for _, f := range edits.Files {
			m.e.takeUndo(f.Path)
		}
		// The others have seen their lines go; they may know them again.
		offered := m.stack[len(m.stack)-1]
		for _, a := range m.stack[:len(m.stack)-1] {
			for _, h := range a.hunks {
				if slices.ContainsFunc(offered.hunks, func(o modelHunk) bool { return o.Path == h.Path && o.Line == h.Line }) {
					a.lost[h] = true
				}
			}
		}
	case what == 2:
		m.apply(t, c, partial)
	}
}
