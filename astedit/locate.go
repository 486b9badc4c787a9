package astedit

import (
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// span is the half-open byte range of a pattern in its placement.
type span struct{ start, end uint32 }

// located is a pattern's node in the tree of its placement; node is -1 when the
// text is several nodes there. Children of the node from keepTo on are the
// placement's.
type located struct {
	node   int
	keepTo uint32
	rank   rank
}

// locator looks for a pattern in the tree of one placement.
type locator struct {
	tree     *flat.Tree
	span     span
	place    placement
	disguise *disguise
}

// locate finds the node that is the pattern, or with a selector the first node
// of that kind in it. ok is false when the placement is no use.
func (l *locator) locate(selector string) (found located, ok bool) {
	t, s := l.tree, l.span
	found = located{keepTo: s.end, rank: l.rank()}
	if l.place.before != "" && found.rank == rankError {
		return found, false
	}
	if selector != "" {
		found.node = l.selected(selector)
		if found.node < 0 {
			return found, false
		}
		found.keepTo = t.Nodes[found.node].End
		return found, true
	}
	i := 0
	for inner := 0; inner >= 0; inner = coveringChild(t, i, s) {
		i = inner
	}
	n := &t.Nodes[i]
	exact := n.Start == s.start && trimmedEnd(t, n) <= s.end
	switch only := onlyChild(t, i, s); {
	case exact && (i != 0 || n.Kind == flat.KindError):
		found.node = i
	case only >= 0:
		found.node = only
	case i != 0 && n.Start == s.start && closedByContext(t, i, s):
		found.node = i
	default:
		found.node = -1
		return found, true
	}
	found.node = innermost(t, found.node)
	return found, true
}

// selected finds the first node of the selected kind inside the pattern's text.
func (l *locator) selected(selector string) int {
	kinds := l.tree.Lang.Kinds(selector)
	for i := range l.tree.Nodes {
		n := &l.tree.Nodes[i]
		if n.Flags&flat.Named != 0 && n.Start >= l.span.start && n.End <= l.span.end && slices.Contains(kinds, n.Kind) {
			return i
		}
	}
	return -1
}

// coveringChild returns the child of i that has the whole span, -1 if none has.
func coveringChild(t *flat.Tree, i int, s span) int {
	for c, end := i+1, i+int(t.Nodes[i].Skip); c < end; c += int(t.Nodes[c].Skip) {
		if t.Nodes[c].Start <= s.start && t.Nodes[c].End >= s.end {
			return c
		}
	}
	return -1
}

// onlyChild returns the child of i that has all there is of the span, -1 when
// there are several. Missing nodes and white space do not count.
func onlyChild(t *flat.Tree, i int, s span) int {
	only := -1
	for c, end := i+1, i+int(t.Nodes[i].Skip); c < end; c += int(t.Nodes[c].Skip) {
		n := &t.Nodes[c]
		if n.Start >= s.end || n.End <= s.start || n.Start == n.End || len(strings.TrimSpace(string(t.NodeText(c)))) == 0 {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = c
	}
	return only
}

// closedByContext says whether all of node i after the span is punctuation of
// the placement, such as the semicolon of a statement.
func closedByContext(t *flat.Tree, i int, s span) bool {
	inside := false
	for c, end := i+1, i+int(t.Nodes[i].Skip); c < end; c += int(t.Nodes[c].Skip) {
		n := &t.Nodes[c]
		switch {
		case n.End <= s.end:
			inside = true
		case n.Start < s.end || n.Flags&flat.Named != 0:
			return false
		}
	}
	return inside
}

// innermost goes down while a node has a single child, which says more than the
// node does. A second child without text does not count.
func innermost(t *flat.Tree, i int) int {
	for {
		n := &t.Nodes[i]
		first := i + 1
		if n.Skip == 1 {
			return i
		}
		second := first + int(t.Nodes[first].Skip)
		end := i + int(n.Skip)
		if second < end {
			s := &t.Nodes[second]
			third := second + int(s.Skip)
			if third < end || s.Flags&flat.Missing == 0 && t.Lang.KindName(s.Kind) != "" {
				return i
			}
		}
		i = first
	}
}

// rank says how cleanly a pattern and its surroundings were read. A list where
// the grammar wants something else, as in switch ($X) { $$$C }, is an ERROR node
// for itself and does no harm. A single metavariable that is one does little,
// but there may be a better place for the pattern.
func (l *locator) rank() rank {
	t := l.tree
	if !t.HasError() {
		return rankClean
	}
	r := rankClean
	for i := range t.Nodes {
		switch n := &t.Nodes[i]; {
		case n.Flags&flat.Missing != 0:
			r = max(r, rankMissing)
		case n.Kind == flat.KindError:
			v, ok := l.disguise.metavar(string(t.NodeText(i)))
			if !ok {
				return rankError
			}
			if !v.multi {
				r = max(r, rankHole)
			}
		}
	}
	return r
}

// trimmedEnd is a node's end without the white space some grammars include.
func trimmedEnd(t *flat.Tree, n *flat.Node) uint32 {
	text := t.Text[n.Start:n.End]
	return n.Start + uint32(len(strings.TrimRight(string(text), " \t\r\n")))
}
