package pending

import (
	"bytes"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// fineDiff is the size up to which a changed region is compared character by
// character after the lines have been.
const fineDiff = 16 << 10

// diffEdits returns sorted edits that lead from before to after and touch
// little more than what differs, so that hunks elsewhere survive a client that
// sends whole lines or whole files.
func diffEdits(before, after []byte) []textedit.Edit {
	return diffRegion(before, 0, len(before), after)
}

// diffRegion is [diffEdits] for one region of a text; the edits are offsets
// into the whole text.
func diffRegion(text []byte, start, end int, after []byte) []textedit.Edit {
	before := text[start:end]
	if bytes.Equal(before, after) {
		return nil
	}
	prefix := commonPrefix(before, after)
	before, after = before[prefix:], after[prefix:]
	suffix := commonSuffix(before, after)
	before, after = before[:len(before)-suffix], after[:len(after)-suffix]
	start += prefix

	whole := []textedit.Edit{{Start: start, End: start + len(before), New: string(after)}}
	if len(before) == 0 || len(after) == 0 {
		return whole
	}
	// The differ counts runes, so invalid UTF-8 throws its offsets off.
	if !utf8.Valid(before) || !utf8.Valid(after) {
		return whole
	}
	var out []textedit.Edit
	for _, line := range udiff.Lines(string(before), string(after)) {
		old := string(before[line.Start:line.End])
		if len(old)+len(line.New) > fineDiff {
			out = append(out, textedit.Edit{Start: start + line.Start, End: start + line.End, New: line.New})
			continue
		}
		for _, e := range udiff.Strings(old, line.New) {
			out = append(out, textedit.Edit{Start: start + line.Start + e.Start, End: start + line.Start + e.End, New: e.New})
		}
	}
	// Trust nothing that hunks will be moved by.
	if got, err := textedit.Apply(text[start:start+len(before)], shifted(out, -start)); err != nil || !bytes.Equal(got, after) {
		return whole
	}
	return out
}

// shifted returns edits moved by a number of bytes.
func shifted(edits []textedit.Edit, by int) []textedit.Edit {
	out := make([]textedit.Edit, len(edits))
	for i, e := range edits {
		out[i] = textedit.Edit{Start: e.Start + by, End: e.End + by, New: e.New}
	}
	return out
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return i
		}
	}
	return n
}
