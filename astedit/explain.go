package astedit

import "context"

// ExplainRequest asks how a pattern is read.
type ExplainRequest struct {
	Pattern    string
	Lang       string // name or alias, required
	Selector   string
	Strictness string
	// Snippet, when not empty, is code to try the pattern on.
	Snippet string
}

// Explanation says how a pattern was read and what it matches.
type Explanation struct {
	Lang string
	// Parsed is the pattern as an S-expression, one for each reading, best
	// first; metavariables stand under their own names.
	Parsed []string
	// Contexts names where each reading was found: "file", "statement", …
	Contexts      []string
	RootKind      string
	Metavariables []string
	Problems      []string
	Suggestions   []string
	// Matches are those in the snippet; nil without a snippet.
	Matches []ExplainMatch
}

// ExplainMatch is one match in a snippet. Start and End are 0-based bytes.
type ExplainMatch struct {
	Start, End int
	Text       string
	Captures   map[string]string
}

// Explain compiles a pattern and says what it was taken for. A pattern that
// cannot be compiled is an explanation with problems, not an error; errors are
// a missing or unknown language and a bad strictness.
func Explain(ctx context.Context, req ExplainRequest) (*Explanation, error) {
	return nil, &Error{Kind: KindUnsupportedLanguage, Message: "no languages are linked yet"}
}
