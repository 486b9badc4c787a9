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
	// Whole lines first: a deleted line is that line, not the end of one and the
	// beginning of the next that happen to look the same.
	prefix := bytes.LastIndexByte(before[:commonPrefix(before, after)], '\n') + 1
	before, after = before[prefix:], after[prefix:]
	suffix := commonSuffix(before, after)
	if i := bytes.IndexByte(before[len(before)-suffix:], '\n'); i >= 0 {
		suffix -= i + 1
	} else {
		suffix = 0
	}
	before, after = before[:len(before)-suffix], after[:len(after)-suffix]
	start += prefix

	if len(before) == 0 || len(after) == 0 {
		return []textedit.Edit{{Start: start, End: start + len(before), New: string(after)}}
	}
	// The differ counts runes, so invalid UTF-8 throws its offsets off.
	if !utf8.Valid(before) || !utf8.Valid(after) {
		return []textedit.Edit{trimmed(start, before, string(after))}
	}
	var out []textedit.Edit
	for _, line := range udiff.Lines(string(before), string(after)) {
		old := before[line.Start:line.End]
		if len(old) == 0 || line.New == "" || len(old)+len(line.New) > fineDiff {
			out = append(out, trimmed(start+line.Start, old, line.New))
			continue
		}
		for _, e := range udiff.Strings(string(old), line.New) {
			out = append(out, textedit.Edit{Start: start + line.Start + e.Start, End: start + line.Start + e.End, New: e.New})
		}
	}
	// Trust nothing that hunks will be moved by.
	if got, err := textedit.Apply(before, shifted(out, -start)); err != nil || !bytes.Equal(got, after) {
		return []textedit.Edit{trimmed(start, before, string(after))}
	}
	return out
}

// trimmed replaces before, which lies at start, by after, without what both begin
// and end with.
func trimmed(start int, before []byte, after string) textedit.Edit {
	if len(before) == 0 || after == "" {
		return textedit.Edit{Start: start, End: start + len(before), New: after}
	}
	prefix := commonPrefix(before, []byte(after))
	before, after = before[prefix:], after[prefix:]
	suffix := commonSuffix(before, []byte(after))
	return textedit.Edit{Start: start + prefix, End: start + prefix + len(before) - suffix, New: after[:len(after)-suffix]}
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
