package astedit

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// rule is a compiled [Op].
type rule struct {
	pattern   *Pattern
	template  *Template
	prefilter *prefilter
}

// hit is a match of one of several rules, with the hits inside it.
type hit struct {
	Match
	op    int
	inner []*hit
	after *string // the expansion, kept while the enclosing hit is expanded
}

// maxExpansion bounds the text that one match may become, in bytes, for a rewrite
// that repeats a capture grows exponentially with nesting.
const maxExpansion = 64 << 20

// arrange makes a forest of the hits in one text: an enclosing one above those
// it encloses, the first rule winning where two match one range. Matches without
// text are left out. Ranges that overlap otherwise are [KindOverlap].
func arrange(hits []hit, ops []Op) ([]*hit, error) {
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.op, b.op), cmp.Compare(a.node, b.node))
	})
	var top, open []*hit
	for i := range hits {
		h := &hits[i]
		if h.Start == h.End {
			continue
		}
		for len(open) > 0 && open[len(open)-1].End <= h.Start {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			top, open = append(top, h), append(open, h)
			continue
		}
		outer := open[len(open)-1]
		switch {
		case h.Start == outer.Start && h.End == outer.End:
			continue
		case h.End > outer.End:
			return nil, &Error{
				Kind:    KindOverlap,
				Message: "patterns " + quote(ops[outer.op].Pattern) + " and " + quote(ops[h.op].Pattern) + " match code that overlaps.",
				Hint:    "Run them one after the other.",
			}
		}
		outer.inner, open = append(outer.inner, h), append(open, h)
	}
	return top, nil
}

// rewriter expands the hits of one text, inner ones first.
type rewriter struct {
	ctx   context.Context
	rules []rule
	text  []byte
	crlf  bool // the text's lines end in "\r\n"
}

// expand returns the text for a hit. Hits inside a capture are rewritten there;
// those in parts that the template drops are dropped.
func (w *rewriter) expand(h *hit) (string, error) {
	if h.after != nil {
		return *h.after, nil
	}
	failed := w.ctx.Err()
	out := w.rules[h.op].template.expand(h.Match, w.text, w.crlf, func(c Capture) string {
		if failed != nil {
			return ""
		}
		s, err := w.captured(h, c)
		failed = err
		return s
	})
	if failed != nil {
		return "", failed
	}
	for _, in := range h.inner {
		in.after = nil
	}
	if len(out) > maxExpansion {
		return "", &Error{
			Kind:    KindLimit,
			Message: "rewriting nested matches makes too much text.",
			Hint:    "The rewrite repeats a capture in which the pattern matches again; make the pattern narrower.",
		}
	}
	h.after = &out
	return out, nil
}

// captured returns the text of a capture with the hits inside it rewritten. A
// capture that is the whole match is left as it is: the rewrite would feed
// itself.
func (w *rewriter) captured(h *hit, c Capture) (string, error) {
	if c.Start == h.Start && c.End == h.End || len(h.inner) == 0 {
		return string(w.text[c.Start:c.End]), nil
	}
	var b strings.Builder
	at := c.Start
	for _, in := range h.inner {
		if in.Start < c.Start || in.End > c.End {
			continue
		}
		s, err := w.expand(in)
		if err != nil {
			return "", err
		}
		b.Write(w.text[at:in.Start])
		b.WriteString(s)
		at = in.End
	}
	b.Write(w.text[at:c.End])
	return b.String(), nil
}

// nested counts the hits that are rewritten inside a hit.
func (w *rewriter) nested(h *hit) int {
	n := 0
	for _, in := range h.inner {
		if c, ok := w.keeper(h, in.Start, in.End); ok && !(c.Start == h.Start && c.End == h.End) {
			n += 1 + w.nested(in)
		}
	}
	return n
}

// keeper returns the capture in h's template that has the bytes [start, end).
func (w *rewriter) keeper(h *hit, start, end int) (Capture, bool) {
	for _, part := range w.rules[h.op].template.parts {
		if part.slot >= 0 {
			if c := h.captures[part.slot]; c.Start <= start && end <= c.End {
				return c, true
			}
		}
	}
	return Capture{}, false
}
