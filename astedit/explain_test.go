package astedit

import (
	"slices"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name     string
		req      ExplainRequest
		root     string
		vars     []string
		contexts []string
		problem  string // part of some problem, "" for none at all
		hint     string
		matches  int
	}{
		{
			name: "call", req: ExplainRequest{Pattern: "f($A, $$$REST)", Lang: "python", Snippet: "f(1, 2)\nf()\nf(3)"},
			root: "call", vars: []string{"$A", "$$$REST"}, contexts: []string{"file"}, matches: 1,
		},
		{
			name: "several readings", req: ExplainRequest{Pattern: "ast.$T", Lang: "go", Snippet: "package a\nvar x ast.Node = ast.Bad"},
			root: "selector_expression", vars: []string{"$T"}, contexts: []string{"file", "type"}, matches: 2,
		},
		{
			name: "member", req: ExplainRequest{Pattern: "private $N: $T", Lang: "ts", Snippet: "class A { private b: string; }"},
			root: "public_field_definition", vars: []string{"$N", "$T"}, contexts: []string{"class member", "interface member", "parameter", "file"}, matches: 1,
		},
		{
			name: "does not parse", req: ExplainRequest{Pattern: "func ) {{", Lang: "go"},
			root: "ERROR", contexts: []string{"file"}, problem: "does not parse", hint: "stands on its own",
		},
		{
			name: "two nodes", req: ExplainRequest{Pattern: "a(); b()", Lang: "js"}, problem: "more than one node", hint: "block",
		},
		{
			name: "list alone", req: ExplainRequest{Pattern: "$$$A", Lang: "js"}, problem: "stands for a list", hint: "$NAME",
		},
		{
			name: "metavariable alone", req: ExplainRequest{Pattern: "$A", Lang: "js"}, root: "identifier",
			vars: []string{"$A"}, contexts: []string{"file"}, problem: "matches every node", hint: "selector",
		},
		{
			name: "lower-case", req: ExplainRequest{Pattern: "f($arg)", Lang: "js"}, root: "call_expression",
			contexts: []string{"file"}, problem: "$arg is literal", hint: "$ARG",
		},
		{
			name: "bad selector", req: ExplainRequest{Pattern: "f()", Lang: "js", Selector: "call_expresion"},
			problem: "no kind of node", hint: "call_expression",
		},
		{
			name: "other shape", req: ExplainRequest{Pattern: "f($A)", Lang: "js", Snippet: "f(1, 2)"}, root: "call_expression",
			vars: []string{"$A"}, contexts: []string{"file"}, problem: "differs from the pattern", hint: "$$$ARGS",
		},
		{
			name: "other kind", req: ExplainRequest{Pattern: "f($A)", Lang: "js", Snippet: "class A {}"}, root: "call_expression",
			vars: []string{"$A"}, contexts: []string{"file"}, problem: "the snippet has none", hint: "class_declaration",
		},
		{
			name: "broken snippet", req: ExplainRequest{Pattern: "f($A)", Lang: "js", Snippet: "f(1); let x = = 2"}, root: "call_expression",
			vars: []string{"$A"}, contexts: []string{"file"}, problem: "syntax error", matches: 1,
		},
	} {
		x, err := Explain(t.Context(), c.req)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if x.RootKind != c.root || !slices.Equal(x.Metavariables, c.vars) || !slices.Equal(x.Contexts, c.contexts) || len(x.Matches) != c.matches {
			t.Errorf("%s: %+v", c.name, x)
		}
		problems, hints := strings.Join(x.Problems, "\n"), strings.Join(x.Suggestions, "\n")
		if !strings.Contains(problems, c.problem) || c.problem == "" && problems != "" || !strings.Contains(hints, c.hint) {
			t.Errorf("%s: problems %q, suggestions %q", c.name, problems, hints)
		}
	}
	for name, c := range map[string]struct {
		req  ExplainRequest
		kind ErrorKind
	}{
		"no language":      {ExplainRequest{Pattern: "f()"}, KindLanguageRequired},
		"unknown language": {ExplainRequest{Pattern: "f()", Lang: "klingon"}, KindUnsupportedLanguage},
		"bad strictness":   {ExplainRequest{Pattern: "f()", Lang: "js", Strictness: "x"}, KindInvalidRequest},
	} {
		if _, err := Explain(t.Context(), c.req); KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is suggested for a pattern that does not parse does.
func TestExplainSuggestsAForm(t *testing.T) {
	for _, c := range []struct{ lang, pattern, want string }{
		{"js", "f(", "f($$$ARGS)"},
		{"js", "if ($A", "if ($A) {}"},
		{"python", "def f($A)", "def f($A):\n    $$$BODY"},
		{"go", "func $F($A int", "func $F($A int)"},
		{"rust", "match $X", "match $X {}"},
		{"java", "new A<$T>($A", "new A<$T>($A)"},
	} {
		x, err := Explain(t.Context(), ExplainRequest{Pattern: c.pattern, Lang: c.lang})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(x.Suggestions, "This parses: "+c.want) {
			t.Errorf("%s %q: %q", c.lang, c.pattern, x.Suggestions)
		}
	}
}

// The readings of a pattern are S-expressions with its own names.
func TestExplainShowsTheTree(t *testing.T) {
	x, err := Explain(t.Context(), ExplainRequest{Pattern: `f($A, "x")`, Lang: "js"})
	if err != nil {
		t.Fatal(err)
	}
	want := `(call_expression (identifier "f") (arguments "(" $A "," (string "\"" (string_fragment "x") "\"") ")"))`
	if len(x.Parsed) != 1 || x.Parsed[0] != want {
		t.Errorf("got %q", x.Parsed)
	}
}
