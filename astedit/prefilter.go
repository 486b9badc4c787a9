package astedit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// prefilter tells from a text's bytes alone that a pattern cannot match it, so
// that it need not be parsed. Each group has the literals of one reading; a text
// must have all of some group.
type prefilter struct {
	groups [][]literal
	gap    *gap // nil if it is not needed, or of the language too little is known
}

// literal is a piece of text that every match contains.
type literal struct {
	text string
	word bool // stands between bytes that are no ASCII letters or digits
	// after, when not empty, is the word before it in the same node.
	after string
}

// newPrefilter collects the literals of a pattern; nil when some reading has
// none, so that anything might match.
func newPrefilter(p *Pattern) *prefilter {
	if p.strictness == Signature {
		return nil
	}
	f := &prefilter{}
	for _, r := range p.readings {
		if r.kind > 0xFFF0 {
			return nil
		}
		c := literalCollector{pattern: p}
		c.collect(r.root)
		if len(c.found) == 0 {
			return nil
		}
		// Long literals are rare ones, look for those first.
		slices.SortFunc(c.found, func(a, b literal) int {
			return cmp.Or(cmp.Compare(len(b.text), len(a.text)), strings.Compare(a.text, b.text), strings.Compare(b.after, a.after))
		})
		f.groups = append(f.groups, slices.Compact(c.found))
		if f.gap == nil && slices.ContainsFunc(c.found, func(l literal) bool { return l.after != "" }) {
			f.gap = newGap(p)
		}
	}
	return f
}

type literalCollector struct {
	pattern *Pattern
	found   []literal
}

func (c *literalCollector) collect(n *patternNode) {
	switch n.op {
	case opTerminal:
		if n.text != "" && (n.named || c.tokenCounts(n)) {
			c.found = append(c.found, literal{text: n.text, word: c.isWord(n)})
		}
	case opInternal:
		afterDots, before := false, ""
		for i := range n.children {
			child := &n.children[i]
			if afterDots && child.trivial() {
				continue
			}
			afterDots = child.op == opMulti
			if c.isWord(child) && before != "" {
				c.found = append(c.found, literal{text: child.text, word: true, after: before})
			} else {
				c.collect(child)
			}
			switch {
			case c.isWord(child):
				before = child.text
			case !child.trivial():
				before = ""
			}
		}
	}
}

// isWord says whether a pattern node is a name.
func (c *literalCollector) isWord(n *patternNode) bool {
	return n.op == opTerminal && n.named && isWord(n.text) && strings.HasSuffix(c.pattern.lang.grammar.KindName(n.kind), "identifier")
}

// tokenCounts says whether an unnamed token must be in the text: it may not be
// overlooked, and its kind is its text. One byte is too common to look for; "not in"
// and "#include" may have other white space in them.
func (c *literalCollector) tokenCounts(n *patternNode) bool {
	s := c.pattern.strictness
	return (s == Smart || s == CST || s == TemplateText) && len(n.text) >= 2 && !c.pattern.lang.AnyCase &&
		!strings.ContainsAny(n.text, "# ") && c.pattern.lang.grammar.KindName(n.kind) == n.text
}

// mayMatch is false only for texts without a match. A nil prefilter lets all
// through.
func (f *prefilter) mayMatch(text []byte) bool {
	if f == nil {
		return true
	}
	for _, group := range f.groups {
		all := true
		for i := range group {
			if all = group[i].in(text, f.gap); !all {
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func (l *literal) in(text []byte, g *gap) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(l.text))
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(l.text)
		if !l.word || startsWord(text, start) && (end == len(text) || !isASCIIWord(text[end])) {
			if l.after == "" || g == nil || g.mayFollow(text, start, l.after) {
				return true
			}
		}
		at = start + 1
	}
}

// startsWord says whether a name may start at an offset: after no letter or digit,
// or after a number, which some grammars end where it can go on no more.
func startsWord(text []byte, at int) bool {
	run := at
	for run > 0 && isASCIIWord(text[run-1]) {
		run--
	}
	return run == at || isDigit(text[run])
}

func isWord(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isWordByte(c byte) bool { return isASCIIWord(c) || c >= 0x80 }

// isASCIIWord leaves out bytes of longer characters: some are letters, some are
// spaces.
func isASCIIWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c)
}
