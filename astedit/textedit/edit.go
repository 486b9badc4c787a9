// Package textedit holds the byte-level vocabulary shared by producers of
// edits and by the stack that keeps them: edits, their application and
// rebasing, unified diffs, and the mapping between byte offsets and LSP
// positions. It depends on nothing else in the project.
package textedit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
)

// Edit replaces the bytes [Start, End) of a text with New. Offsets are 0-based
// bytes into the text before any edit of the same batch; Start == End inserts.
type Edit struct {
	Start, End int
	New        string
}

// ErrOverlap is wrapped by [Check] when two edits of one batch cover the same
// byte, or insert inside each other.
var ErrOverlap = errors.New("edits overlap")

// ErrRange is wrapped by [Check] when an edit lies outside the text.
var ErrRange = errors.New("edit out of range")

// Sort orders edits by Start, then End. It is stable, so two insertions at one
// offset keep the order in which they were given, which is the order in which
// their text appears.
func Sort(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Check reports whether sorted edits fit a text of size bytes without
// overlapping. The error wraps [ErrRange] or [ErrOverlap].
func Check(edits []Edit, size int) error {
	end := 0
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > size {
			return fmt.Errorf("%w: [%d,%d) in a text of %d bytes", ErrRange, e.Start, e.End, size)
		}
		if i > 0 && e.Start < end {
			return fmt.Errorf("%w: [%d,%d) starts before byte %d", ErrOverlap, e.Start, e.End, end)
		}
		end = e.End
	}
	return nil
}

// Apply returns src with the edits applied. The edits may be in any order; src
// and edits are left as they are. It fails as [Check] does.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	Sort(sorted)
	if err := Check(sorted, len(src)); err != nil {
		return nil, err
	}
	size := len(src)
	for _, e := range sorted {
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, size)
	last := 0
	for _, e := range sorted {
		out = append(out, src[last:e.Start]...)
		out = append(out, e.New...)
		last = e.End
	}
	return append(out, src[last:]...), nil
}

// Hash identifies a text by its bytes (SHA-256).
type Hash [sha256.Size]byte

// HashOf returns the hash of text.
func HashOf(text []byte) Hash { return sha256.Sum256(text) }

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }
