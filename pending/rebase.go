package pending

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// rebaseHunks moves hunks, in place, across edits that lead to text; both are
// sorted, and the edits do not overlap. It costs time in proportion to their
// number.
//
// A hunk whose own bytes an edit touched is dropped, or, with keep, marked stale
// and stretched over what was touched. A stale hunk stretches over what is done
// next to it too, and becomes good again when its stretch holds its text once,
// as after an undo.
func rebaseHunks(hunks []*hunk, edits []textedit.Edit, text []byte, keep bool) []*hunk {
	if len(edits) == 0 {
		return hunks
	}
	out := hunks[:0]
	next, delta, last := 0, 0, 0 // edits[:next] come before last and shift by delta
	stale := false
	for _, h := range hunks {
		if h.start < last || h.stale { // stale hunks may cover others
			next, delta = 0, 0
		}
		last = h.start
		for next < len(edits) && (h.follows(edits[next]) || changesNothing(edits[next])) {
			delta += growth(edits[next])
			next++
		}
		if next == len(edits) || h.precedes(edits[next]) {
			h.start += delta
			h.end += delta
			out = append(out, h)
			stale = stale || h.stale
			continue
		}
		if !keep {
			continue
		}
		start, end := min(h.start, edits[next].Start)+delta, h.end
		shift := delta
		for _, e := range edits[next:] {
			if h.precedes(e) {
				break
			}
			end = max(end, e.End)
			shift += growth(e)
		}
		h.start, h.end, h.stale = start, end+shift, true
		h.revive(text)
		out = append(out, h)
		stale = true
	}
	clear(hunks[len(out):])
	if stale {
		sortHunks(out)
	}
	return out
}

// follows reports whether an edit lies before the hunk and only shifts it.
func (h *hunk) follows(e textedit.Edit) bool { return e.End < h.start || e.End == h.start && !h.stale }

// precedes reports whether an edit lies behind the hunk and leaves it alone.
func (h *hunk) precedes(e textedit.Edit) bool {
	return e.Start > h.end || e.Start == h.end && !h.stale
}

func sortHunks(hunks []*hunk) {
	slices.SortStableFunc(hunks, func(a, b *hunk) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}

// revive makes a stale hunk good again if the text it covers holds what it
// replaces, at one place only.
func (h *hunk) revive(text []byte) {
	if h.before == "" {
		return
	}
	covered := string(text[h.start:h.end])
	if h.taken && strings.Contains(covered, h.after) {
		return // what it was replaced by may hold what it replaced
	}
	at := strings.Index(covered, h.before)
	if at < 0 || at != strings.LastIndex(covered, h.before) {
		return
	}
	h.start += at
	h.end = h.start + len(h.before)
	h.stale, h.taken = false, false
}

func growth(e textedit.Edit) int { return len(e.New) - (e.End - e.Start) }

func changesNothing(e textedit.Edit) bool { return e.Start == e.End && e.New == "" }
