package textedit

// Rebase moves the half-open byte span [start, end) across one change of the
// text it lies in. ok is false when the change touched the span's own bytes: the
// span then no longer covers the text it was made for and the result is
// meaningless.
//
// A change that only abuts the span does not touch it: text inserted at start
// pushes the span right, text inserted at end stays outside. A change that
// deletes right up to an empty span moves it; one that encloses it loses it.
func Rebase(start, end int, change Edit) (newStart, newEnd int, ok bool) {
	delta := len(change.New) - (change.End - change.Start)
	switch {
	case change.End <= start:
		return start + delta, end + delta, true
	case change.Start >= end:
		return start, end, true
	default:
		return 0, 0, false
	}
}
