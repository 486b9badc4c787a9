package pending

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// slowText tells for every byte of a text where it is now, the slow way: the
// model that rebasing is held against.
type slowText struct {
	text []byte
	// origin is the offset of each byte in the first text, -1 for new ones.
	origin []int
}

func newSlowText(text []byte) *slowText {
	s := &slowText{text: text}
	for i := range text {
		s.origin = append(s.origin, i)
	}
	return s
}

func (s *slowText) apply(e textedit.Edit) {
	fresh := slices.Repeat([]int{-1}, len(e.New))
	s.origin = slices.Concat(s.origin[:e.Start], fresh, s.origin[e.End:])
	s.text = slices.Concat(s.text[:e.Start], []byte(e.New), s.text[e.End:])
}

// where returns where the bytes [start, end) of the first text are now, if they
// are all still there with nothing between them.
func (s *slowText) where(start, end int) (at int, ok bool) {
	at = slices.Index(s.origin, start)
	if at < 0 || at+end-start > len(s.origin) {
		return 0, false
	}
	for i := range end - start {
		if s.origin[at+i] != start+i {
			return 0, false
		}
	}
	return at, true
}

func drawText(t *rapid.T, label string) string {
	return rapid.StringOfN(rapid.RuneFrom([]rune("ab\n é😀")), 0, 60, -1).Draw(t, label)
}

func drawEdit(t *rapid.T, text []byte) textedit.Edit {
	start := rapid.IntRange(0, len(text)).Draw(t, "start")
	end := min(len(text), start+rapid.IntRange(0, 8).Draw(t, "deleted"))
	return textedit.Edit{Start: start, End: end, New: rapid.StringOfN(rapid.RuneFrom([]rune("ab\nx")), 0, 6, -1).Draw(t, "new")}
}

func drawHunks(t *rapid.T, text []byte) []*hunk {
	var hunks []*hunk
	at := 0
	for range rapid.IntRange(0, 6).Draw(t, "hunks") {
		if at > len(text) {
			break
		}
		start := rapid.IntRange(at, len(text)).Draw(t, "hunk start")
		end := min(len(text), start+rapid.IntRange(0, 8).Draw(t, "hunk length"))
		hunks = append(hunks, &hunk{id: fmt.Sprint(len(hunks)), start: start, end: end, before: string(text[start:end]), after: "after"})
		at = end + 1
	}
	return hunks
}

// TestRebaseModel holds rebasing across single changes against the slow model:
// a hunk moves with its own bytes, and is lost or stale exactly when some of
// them are gone or something came between them.
func TestRebaseModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawText(t, "text"))
		keep := rapid.Bool().Draw(t, "keep")
		hunks := drawHunks(t, text)
		model := newSlowText(text)
		first := map[string]hunk{}
		for _, h := range hunks {
			first[h.id] = *h
		}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			e := drawEdit(t, model.text)
			model.apply(e)
			hunks = rebaseHunks(hunks, []textedit.Edit{e}, model.text, keep)
		}
		checkCover(t, hunks, model.text)
		left := map[string]*hunk{}
		for _, h := range hunks {
			left[h.id] = h
		}
		if keep && len(left) != len(first) {
			t.Fatalf("%d hunks became %d", len(first), len(left))
		}
		for id, was := range first {
			if was.before == "" {
				continue // no byte to follow
			}
			at, intact := model.where(was.start, was.end)
			h := left[id]
			good := h != nil && !h.stale
			switch {
			case intact && (!good || h.start != at):
				t.Fatalf("hunk %s is intact at %d, but is %+v", id, at, h)
			case !intact && good && !keep:
				t.Fatalf("hunk %s lost its bytes, but is %+v", id, h)
			}
		}
	})
}

// TestRebaseDiff holds rebasing through a diff to its promise, and the diff to
// its own.
func TestRebaseDiff(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := []byte(drawText(t, "before")), []byte(drawText(t, "after"))
		edits := diffEdits(before, after)
		if got, err := textedit.Apply(before, edits); err != nil || !bytes.Equal(got, after) {
			t.Fatalf("diff leads to %q, %v", got, err)
		}
		hunks := rebaseHunks(drawHunks(t, before), edits, after, rapid.Bool().Draw(t, "keep"))
		checkCover(t, hunks, after)
	})
}

// checkCover checks the promise itself: sorted, inside the text, and over the
// bytes to be replaced unless stale.
func checkCover(t interface{ Fatalf(string, ...any) }, hunks []*hunk, text []byte) {
	last := 0
	for _, h := range hunks {
		if h.start < last || h.end < h.start || h.end > len(text) {
			t.Fatalf("hunk %+v lies outside a text of %d bytes or before %d", h, len(text), last)
		}
		if last = h.start; !h.stale && string(text[h.start:h.end]) != h.before {
			t.Fatalf("hunk %+v covers %q", h, text[h.start:h.end])
		}
	}
}

// TestRebaseBatch says that a batch of edits moves hunks as its edits do one by
// one, last first.
func TestRebaseBatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawText(t, "text"))
		var edits []textedit.Edit
		at := 0
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			if at > len(text) {
				break
			}
			start := rapid.IntRange(at, len(text)).Draw(t, "start")
			end := min(len(text), start+rapid.IntRange(0, 4).Draw(t, "deleted"))
			edits = append(edits, textedit.Edit{Start: start, End: end, New: rapid.StringOfN(rapid.RuneFrom([]rune("xy")), 0, 3, -1).Draw(t, "new")})
			at = end + 1
		}
		all := drawHunks(t, text)
		single := make([]*hunk, len(all))
		for i, h := range all {
			c := *h
			single[i] = &c
		}
		after, err := textedit.Apply(text, edits)
		if err != nil {
			t.Fatalf("%v", err)
		}
		all = rebaseHunks(all, edits, after, false)
		step := text
		for _, e := range slices.Backward(edits) {
			if step, err = textedit.Apply(step, []textedit.Edit{e}); err != nil {
				t.Fatalf("%v", err)
			}
			single = rebaseHunks(single, []textedit.Edit{e}, step, false)
		}
		if len(all) != len(single) {
			t.Fatalf("%d hunks at once, %d one by one", len(all), len(single))
		}
		for i := range all {
			if *all[i] != *single[i] {
				t.Fatalf("%+v at once, %+v one by one", all[i], single[i])
			}
		}
	})
}

// TestBatches says that the changes of one message lead to the same text in
// batches as one by one.
func TestBatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawText(t, "text"))
		want := text
		var changes []textedit.Edit
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			e := drawEdit(t, want)
			var err error
			if want, err = textedit.Apply(want, []textedit.Edit{e}); err != nil {
				t.Fatalf("%v", err)
			}
			changes = append(changes, e)
		}
		got, n := text, 0
		for _, batch := range batches(changes) {
			var err error
			if got, err = textedit.Apply(got, batch); err != nil {
				t.Fatalf("%v: %v", batch, err)
			}
			n += len(batch)
		}
		if string(got) != string(want) || n != len(changes) {
			t.Fatalf("%q in %d changes, want %q in %d", got, n, want, len(changes))
		}
	})
	many := make([]textedit.Edit, 1000)
	for i := range many {
		many[i] = textedit.Edit{Start: 10 * i, End: 10*i + 1, New: "xyz"}
	}
	slices.Reverse(many)
	if n := len(batches(many)); n != 1 {
		t.Errorf("1,000 cursors from the end are %d batches", n)
	}
	slices.Reverse(many)
	for i := range many {
		many[i].Start += 2 * i
		many[i].End += 2 * i
	}
	if n := len(batches(many)); n != 1 {
		t.Errorf("1,000 cursors from the start are %d batches", n)
	}
}

func FuzzRebase(f *testing.F) {
	f.Add("package main\n\nfunc main() { old() }\n", "old()", 3, 5, "new text")
	f.Add("aaaa", "aa", 1, 1, "a")
	f.Add("\xff\xfe\r\n\r", "\r", 0, 2, "\xf0\x9f")
	f.Fuzz(func(t *testing.T, text, before string, start, deleted int, inserted string) {
		start = min(max(start, 0), len(text))
		end := min(start+max(deleted, 0), len(text))
		e := textedit.Edit{Start: start, End: end, New: inserted}
		after, err := textedit.Apply([]byte(text), []textedit.Edit{e})
		if err != nil {
			t.Fatal(err)
		}
		for _, keep := range []bool{false, true} {
			for _, edits := range [][]textedit.Edit{{e}, diffEdits([]byte(text), after)} {
				var hunks []*hunk
				for at := 0; before != "" && at+len(before) <= len(text); at++ {
					if text[at:at+len(before)] == before {
						hunks = append(hunks, &hunk{start: at, end: at + len(before), before: before})
						at += len(before) - 1
					}
				}
				checkCover(t, rebaseHunks(hunks, edits, after, keep), after)
			}
		}
	})
}
