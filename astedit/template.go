package astedit

import (
	"bytes"
	"slices"
	"strings"
)

// Template is a compiled rewrite for the matches of one pattern. It is immutable
// and safe for concurrent use.
type Template struct {
	parts   []templatePart
	unknown []string
}

// templatePart is literal text, or the place of a capture.
type templatePart struct {
	text   string
	slot   int // index into Match.captures; -1 for literal text
	indent indentation
}

// Template compiles a rewrite. Names that the pattern does not bind stand for
// nothing, as in ast-grep; [Template.Unknown] lists them.
func (p *Pattern) Template(rewrite string) *Template {
	t := &Template{}
	literal := 0
	for i := 0; i < len(rewrite); {
		v, size := templateVar(rewrite[i:])
		if size == 0 {
			i++
			continue
		}
		t.literal(rewrite[literal:i])
		if slot := slices.Index(p.vars, metavar{name: v.name, multi: v.multi}); slot >= 0 {
			t.parts = append(t.parts, templatePart{slot: slot, indent: indentBefore([]byte(rewrite[:i]))})
		} else if !slices.Contains(t.unknown, rewrite[i:i+size]) {
			t.unknown = append(t.unknown, rewrite[i:i+size])
		}
		i += size
		literal = i
	}
	t.literal(rewrite[literal:])
	return t
}

// Unknown lists the metavariables of the rewrite that the pattern does not bind,
// as written.
func (t *Template) Unknown() []string { return slices.Clone(t.unknown) }

func (t *Template) literal(text string) {
	if text != "" {
		t.parts = append(t.parts, templatePart{text: text, slot: -1})
	}
}

// templateVar reads the metavariable at the start of s; size is 0 when there is
// none. `$$A` is the capture of `$$A` or `$A`: they share a name.
func templateVar(s string) (v metavar, size int) {
	run := 0
	for run < len(s) && run < 3 && s[run] == '$' {
		run++
	}
	if run == 0 {
		return v, 0
	}
	n := metavarNameLen(s[run:])
	if n == 0 || run < 3 && isDigit(s[run]) {
		return v, 0
	}
	return metavar{name: s[run : run+n], multi: run == 3}, run + n
}

// Expand returns the text that replaces a match in text, the text that was
// matched. Matches inside it are left as they are.
func (t *Template) Expand(m Match, text []byte) string {
	return t.expand(m, text, usesCRLF(text), func(c Capture) string { return string(text[c.Start:c.End]) })
}

// expand is [Template.Expand] with captures as captured gives them, for a text
// whose lines end in "\r\n" or not.
func (t *Template) expand(m Match, text []byte, crlf bool, captured func(Capture) string) string {
	at := indentBefore(text[:m.Start])
	var b strings.Builder
	for _, part := range t.parts {
		if part.slot < 0 {
			literal := part.text
			if crlf {
				literal = toCRLF(literal)
			}
			b.WriteString(indentLines(literal, at.prefix()))
			continue
		}
		c := m.captures[part.slot]
		if c.Start == c.End {
			continue
		}
		moved := rebase(captured(c), indentBefore(text[:c.Start]), part.indent)
		// Tabs stay, spaces were taken off and come back with the match's own.
		b.WriteString(indentLines(moved, strings.Repeat(" ", at.spaces)))
	}
	return b.String()
}

func (i indentation) prefix() string {
	if i.tabs != "" {
		return i.tabs
	}
	return strings.Repeat(" ", i.spaces)
}

// usesCRLF says whether the first line of a text ends in "\r\n".
func usesCRLF(text []byte) bool {
	i := bytes.IndexByte(text, '\n')
	return i > 0 && text[i-1] == '\r'
}

// toCRLF turns every "\n" that has no "\r" before it into "\r\n".
func toCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}
