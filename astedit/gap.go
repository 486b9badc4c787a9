package astedit

import (
	"bytes"
	"strings"
)

// gap knows what may stand between two neighbours of a pattern in code that
// matches it: white space, tokens and comments. That tells code that uses a.b
// from a table in which both words occur.
type gap struct {
	comments *commentForms
	tokens   map[string]bool // words that tokens consist of
}

// maxGap is how far is looked, in bytes; minified code has lines of a megabyte.
const maxGap = 4 << 10

// newGap returns nil where more may stand between.
func newGap(p *Pattern) *gap {
	if p.lang.Comments == nil || p.broken || p.strictness != Smart && p.strictness != CST {
		return nil
	}
	g := &gap{comments: p.lang.Comments, tokens: map[string]bool{}}
	for _, token := range p.lang.grammar.TokenNames() {
		for _, word := range strings.FieldsFunc(token, func(r rune) bool { return r > 0x7F || !isASCIIWord(byte(r)) }) {
			g.tokens[word] = true
		}
	}
	return g
}

// mayFollow is false only when another name than word comes right before an
// offset.
func (g *gap) mayFollow(text []byte, offset int, word string) bool {
	for at := offset; at > 0; {
		switch c := text[at-1]; {
		case c >= 0x80:
			return true
		case !isASCIIWord(c):
			at--
			continue
		}
		start := at
		for start > 0 && isASCIIWord(text[start-1]) {
			start--
		}
		found := string(text[start:at])
		switch {
		case found == word,
			isDigit(found[0]) && strings.HasSuffix(found, word), // some grammars end a number before a name
			start > 0 && text[start-1] >= 0x80,
			g.inComment(text, start, offset):
			return true
		case !g.tokens[found]:
			return false
		}
		at = start
	}
	return false
}

// inComment says whether the word at start may be in a comment before offset.
func (g *gap) inComment(text []byte, start, offset int) bool {
	if offset-start > maxGap || g.comments.end != "" && bytes.Contains(text[start:offset], []byte(g.comments.end)) {
		return true
	}
	from := max(0, start-maxGap)
	line := text[from:start]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i:]
	} else if from > 0 {
		return true
	}
	for _, begin := range g.comments.line {
		if bytes.Contains(line, []byte(begin)) {
			return true
		}
	}
	return false
}
