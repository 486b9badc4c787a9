package astedit

import "strings"

// metavar is what a pattern writes as $A, $_, $$A, $$$ or $$$A.
type metavar struct {
	name  string // "" when nothing is captured
	multi bool   // stands for any number of siblings
	named bool   // matches named nodes only; meaningless for multi
}

// disguise is what a metavariable looks like to a grammar that has no "$" in
// identifiers: $NAME becomes open, sigil, NAME, close; each further "$" is one
// more sigil.
type disguise struct {
	open, sigil, close string
	// listClose stands instead of close after a list that is alone between
	// braces or line breaks, to make it a member of a block.
	listClose string
}

// undisguised is for grammars that take "$" as it is.
var undisguised = disguise{sigil: "$"}

// Disguises that several languages share. "zqj" starts no name that anyone
// writes; "Zqj" is for grammars that tell classes by their capital.
var (
	letter = disguise{sigil: "µ"}
	ascii  = disguise{sigil: "zqj"}
	class  = disguise{sigil: "Zqj"}
)

// metavar reads a node's whole text as a metavariable.
func (d *disguise) metavar(text string) (metavar, bool) {
	rest, ok := strings.CutPrefix(text, d.open)
	if !ok {
		return metavar{}, false
	}
	count := 0
	for count < 3 {
		next, more := strings.CutPrefix(rest, d.sigil)
		if !more {
			break
		}
		rest = next
		count++
	}
	listed := false
	if d.listClose != "" && count == 3 {
		rest, listed = strings.CutSuffix(rest, d.listClose)
	}
	if !listed {
		rest, ok = strings.CutSuffix(rest, d.close)
	}
	if !ok || count == 0 {
		return metavar{}, false
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

// apply disguises every metavariable of a pattern.
func (d *disguise) apply(pattern string) string {
	if *d == undisguised || !strings.Contains(pattern, "$") {
		return pattern
	}
	var b strings.Builder
	b.Grow(len(pattern) + 32)
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
		name := metavarNameLen(pattern[i+run:])
		if run != 3 && (name == 0 || isDigit(pattern[i+run])) {
			b.WriteString(pattern[i : i+run])
			i += run
			continue
		}
		b.WriteString(d.open)
		for range run {
			b.WriteString(d.sigil)
		}
		b.WriteString(pattern[i+run : i+run+name])
		end := i + run + name
		if run == 3 && d.listClose != "" && aloneInBlock(pattern[:i], pattern[end:]) {
			b.WriteString(d.listClose)
		} else {
			b.WriteString(d.close)
		}
		i = end
	}
	return b.String()
}

// aloneInBlock says whether what stands between two pieces of a pattern is a
// member of a block by itself.
func aloneInBlock(before, after string) bool {
	left, right := strings.TrimRight(before, " \t\r"), strings.TrimLeft(after, " \t\r")
	return left != "" && strings.ContainsRune("{};\n", rune(left[len(left)-1])) &&
		(right == "" || right[0] == '}' || right[0] == '\n')
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
