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
type prefilter struct{ groups [][]literal }

// literal is a piece of text that every match contains.
type literal struct {
	text string
	word bool // stands between bytes that are no ASCII letters or digits
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
			return cmp.Or(cmp.Compare(len(b.text), len(a.text)), strings.Compare(a.text, b.text))
		})
		f.groups = append(f.groups, slices.Compact(c.found))
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
		if text := n.text; text != "" && (n.named || c.tokenCounts(n)) {
			name := c.pattern.lang.grammar.KindName(n.kind)
			c.found = append(c.found, literal{text: text, word: strings.HasSuffix(name, "identifier") && isWord(text)})
		}
	case opInternal:
		afterDots := false
		for i := range n.children {
			child := &n.children[i]
			if afterDots && child.trivial() {
				continue
			}
			afterDots = child.op == opMulti
			c.collect(child)
		}
	}
}

// tokenCounts says whether an unnamed token must be in the text: it may not be
// overlooked, and its kind is its text. One byte is too common to look for.
func (c *literalCollector) tokenCounts(n *patternNode) bool {
	s := c.pattern.strictness
	return (s == Smart || s == CST || s == TemplateText) && len(n.text) >= 2 && !c.pattern.lang.AnyCase &&
		c.pattern.lang.grammar.KindName(n.kind) == n.text
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
			if all = group[i].in(text); !all {
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func (l *literal) in(text []byte) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(l.text))
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(l.text)
		if !l.word || (start == 0 || !isASCIIWord(text[start-1])) && (end == len(text) || !isASCIIWord(text[end])) {
			return true
		}
		at = start + 1
	}
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
