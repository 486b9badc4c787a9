package textedit

import "github.com/aymanbagabas/go-udiff"

// Unified returns the unified diff from before to after, headed by a/path and
// b/path, with three lines of context. It is empty when the texts are equal.
func Unified(path, before, after string) string {
	return udiff.Unified("a/"+path, "b/"+path, before, after)
}

// UnifiedEdits is [Unified] for a text and the edits that change it. It costs
// time in proportion to the edits, not to the square of the text.
func UnifiedEdits(path, before string, edits []Edit) (string, error) {
	out := make([]udiff.Edit, len(edits))
	for i, e := range edits {
		out[i] = udiff.Edit{Start: e.Start, End: e.End, New: e.New}
	}
	return udiff.ToUnified("a/"+path, "b/"+path, before, out, udiff.DefaultContextLines)
}
