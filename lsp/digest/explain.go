package digest

import (
	"fmt"
	"strings"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// maxMatches caps the matches shown of a snippet.
const maxMatches = 10

// Explain words how a pattern is read, and with tried what it matched in the
// snippet.
func Explain(x *wire.ExplainPatternResult, tried bool) string {
	var b strings.Builder
	for i, parsed := range x.Parsed {
		fmt.Fprintf(&b, "Reads as a %s: %s\n", x.Contexts[i], Visible(parsed))
	}
	if len(x.Metavariables) > 0 {
		fmt.Fprintf(&b, "Metavariables: %s\n", strings.Join(x.Metavariables, ", "))
	}
	for _, problem := range x.Problems {
		fmt.Fprintf(&b, "Problem: %s\n", problem)
	}
	for _, suggestion := range x.Suggestions {
		fmt.Fprintf(&b, "Suggestion: %s\n", suggestion)
	}
	if !tried {
		return b.String()
	}
	fmt.Fprintf(&b, "It matches %s in the snippet.\n", Plural(len(x.Matches), "time"))
	for i, m := range x.Matches {
		if i == maxMatches {
			fmt.Fprintf(&b, "- and %d more\n", len(x.Matches)-i)
			break
		}
		fmt.Fprintf(&b, "- bytes %d to %d: %s\n", m.Start, m.End, code(m.Text))
	}
	return b.String()
}
