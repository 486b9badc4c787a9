package astedit

import (
	"context"
	"strings"
)

// completions are what a pattern that does not parse may lack at its end. The
// first that makes it parse is suggested.
var completions = []string{"", " {}", " { $$$BODY }", ":\n    $$$BODY", "\n  $$$BODY\nend", "()", ";", " = $VALUE", " then\n  $$$BODY\nend"}

// suggestForm returns a form of a pattern that parses cleanly where the pattern
// does not: with its brackets closed, and perhaps a body. "" when none is found.
func suggestForm(ctx context.Context, pattern string, l *language, opts CompileOptions) string {
	closed := strings.TrimSpace(pattern) + openBrackets(pattern)
	for _, c := range completions {
		form := closed + c
		if form == pattern {
			continue
		}
		if p, err := compile(ctx, form, l, opts); err == nil && p.wide && p.readings[0].root.op == opInternal {
			return form
		}
		if ctx.Err() != nil {
			return ""
		}
	}
	return ""
}

// openBrackets returns what closes the brackets that a pattern leaves open,
// quotes and comments not understood.
func openBrackets(pattern string) string {
	var open []byte
	for i := range len(pattern) {
		switch c := pattern[i]; c {
		case '(':
			open = append(open, ')')
		case '[':
			open = append(open, ']')
		case '{':
			open = append(open, '}')
		case ')', ']', '}':
			if len(open) > 0 && open[len(open)-1] == c {
				open = open[:len(open)-1]
			}
		}
	}
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == ')' && strings.HasSuffix(strings.TrimSpace(pattern), "(") && i == len(open)-1 {
			b.WriteString("$$$ARGS")
		}
		b.WriteByte(open[i])
	}
	return b.String()
}
