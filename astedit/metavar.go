package astedit

import "strings"

// metavar is what a pattern writes as $A, $_, $$A, $$$ or $$$A.
type metavar struct {
	name  string // "" when nothing is captured
	multi bool   // stands for any number of siblings
	named bool   // matches named nodes only; meaningless for multi
}

// parseMetavar reads a node's whole text as a metavariable whose sigil is the
// language's expando character.
func parseMetavar(text, sigil string) (metavar, bool) {
	rest, ok := strings.CutPrefix(text, sigil)
	if !ok {
		return metavar{}, false
	}
	count := 1
	for count < 3 {
		next, more := strings.CutPrefix(rest, sigil)
		if !more {
			break
		}
		rest = next
		count++
	}
	if metavarNameLen(rest) != len(rest) {
		return metavar{}, false
	}
	if count == 3 {
		if strings.HasPrefix(rest, "_") {
			rest = ""
		}
		return metavar{name: rest, multi: true}, true
	}
	if rest == "" || isDigit(rest[0]) {
		return metavar{}, false
	}
	if rest[0] == '_' {
		rest = ""
	}
	return metavar{name: rest, named: count == 1}, true
}

// expandMetavars puts the expando in place of every "$" that starts a
// metavariable, so that the grammar reads an identifier there.
func expandMetavars(pattern, expando string) string {
	if expando == "$" || !strings.Contains(pattern, "$") {
		return pattern
	}
	var b strings.Builder
	b.Grow(len(pattern) + 8)
	for i := 0; i < len(pattern); {
		if pattern[i] != '$' {
			b.WriteByte(pattern[i])
			i++
			continue
		}
		run := 1
		for i+run < len(pattern) && pattern[i+run] == '$' {
			run++
		}
		sigil := "$"
		if run == 3 || i+run < len(pattern) && startsMetavarName(pattern[i+run]) {
			sigil = expando
		}
		for range run {
			b.WriteString(sigil)
		}
		i += run
	}
	return b.String()
}

// metavarNameLen returns how many bytes at the start of s can belong to a name.
func metavarNameLen(s string) int {
	n := 0
	for n < len(s) && (startsMetavarName(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}

func startsMetavarName(c byte) bool { return c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
