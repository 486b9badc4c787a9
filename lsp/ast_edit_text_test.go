package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// The text of an astEdit is enough to act on.
func TestASTEditText(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1 /* one */)\nlog(2)\n", "broken.js": "log(3)\nfunction (\n"})
	ag := s.agent(dir)
	result, d, err := ag.ASTEdit(s.ctx, wire.ASTEditParams{Ops: []wire.Op{{Pat: "log($A)", Out: "trace($A)"}}, Lang: "js", Limit: 3})
	s.must(err)
	text := result.Content[0].Text
	at := 0
	for _, want := range []string{
		"AST Edit: ", "Pending: nothing is written yet. The action is " + d.ActionID, "  a.js: 2\n",
		"```diff\n@@ 1 a.js:1 @@\n-log(1 /* one */)\n+trace(1)\n@@ 2 a.js:2 @@\n-log(2)\n+trace(2)\n",
		"Warnings that quote code:\n```diff\n\\ a.js:1: ", "comment",
		"do not parse cleanly", "\\ broken.js:2: ",
		"\nNext: call resolve with action \"apply\" or \"discard\" and a reason.",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("after byte %d there is no %q in:\n%s", at, want, text)
		}
		at += i
	}
	if len(d.Changes) != 0 {
		t.Errorf("changes that nobody asked for: %+v", d.Changes)
	}

	// What matches nothing says what it was taken for, and points to what is
	// pending still.
	result, d, err = ag.ASTEdit(s.ctx, wire.ASTEditParams{Ops: []wire.Op{{Pat: "nothing($V)", Out: "x"}}, Lang: "js", Path: wire.StringList{"a.js"}})
	s.must(err)
	if text := result.Content[0].Text; !strings.Contains(text, `the javascript pattern "nothing($V)" reads as (call_expression`) || result.ToolChoice == nil || d.ActionID != "" {
		t.Errorf("nothing found: %s, %+v", text, result.ToolChoice)
	}

	// A fragment's refusal shows the form with context.
	_, _, err = ag.ASTEdit(s.ctx, wire.ASTEditParams{Ops: []wire.Op{{Pat: "a(); b()", Out: "x"}}, Lang: "js"})
	wantKind(t, err, "invalidPattern")
	if !strings.Contains(err.Error(), `"a(); b()" is more than one node`) ||
		!strings.Contains(err.Error(), `"{ a(); b() }" would read as (statement_block `) || !strings.Contains(err.Error(), `"sel": "method_definition"`) {
		t.Errorf("refused with %v", err)
	}
	_, _, err = ag.ASTEdit(s.ctx, wire.ASTEditParams{
		Ops: []wire.Op{{Pat: "class A { $M() { $$$BODY } }", Out: "x"}}, Lang: "js", Sel: "method_definition",
	})
	s.must(err) // the form that the refusal shows is right
}

// Mistakes that agents make, and what they are told to do instead.
func TestASTEditTeaches(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\nx => y\n", "b.go": "package b\n\nfunc F() { fmt.Println(1) }\n", "c.py": "log(2)\n"})
	ag := s.agent(dir)
	for _, c := range []struct {
		name, pat, out string
		p              wire.ASTEditParams
		kind           string // of the refusal; else the text of the result is looked at
		want           []string
	}{
		{"wrong lang", "log($A)", "x", wire.ASTEditParams{Lang: "go"}, "", []string{"- in javascript and python files there are matches: give that as lang instead of go if it is meant.\n", `the go pattern "log($A)" reads as`}},
		{"wrong lang, unparsable", "$A => $B", "x", wire.ASTEditParams{Lang: "go"}, "invalidPattern", []string{"in javascript files there are matches: give that as lang instead of go"}},
		{"no lang", "log($A)", "x", wire.ASTEditParams{}, "languageRequired", []string{"Say which language is meant"}},
		{"words in another form", "fmt.Println($A, $B)", "x", wire.ASTEditParams{Lang: "go"}, "", []string{"b.go: nothing matches, though the pattern's words occur in 1 file", "\nNext: "}},
		{"lower-case metavariable", "log($a)", "x", wire.ASTEditParams{Lang: "js"}, "", []string{"$a is literal text. Write $A for a metavariable."}},
		{"unknown metavariable", "log($A)", "x($B)", wire.ASTEditParams{Lang: "js"}, "", []string{"the rewrite uses $B", "it becomes nothing. The pattern binds $A."}},
		{"unparsable", "log($A", "x", wire.ASTEditParams{Lang: "js"}, "invalidPattern", []string{"This parses: log($A)\n", `"sel": "method_definition"`}},
		{"broken rewrite", "log($A)", "x($A", wire.ASTEditParams{Lang: "js"}, "introducesParseError", []string{"a.js:1:1: ", "Mend the rewrite, or set allowBroken."}},
		{"no such path", "log($A)", "x", wire.ASTEditParams{Lang: "js", Path: wire.StringList{"lib"}}, "notFound", []string{`path "lib" does not exist. Paths are relative to the workspace, ` + dir + "."}},
		{"outside", "log($A)", "x", wire.ASTEditParams{Lang: "js", Path: wire.StringList{"../x"}}, "outsideWorkspace", []string{"Paths are relative to the workspace"}},
		{"no file left", "log($A)", "x", wire.ASTEditParams{Lang: "js", Glob: wire.StringList{"*.go"}}, "", []string{"path, glob and lang leave no file to search in the workspace", "Next: mend path, glob or lang."}},
	} {
		c.p.Ops = []wire.Op{{Pat: c.pat, Out: c.out}}
		result, _, err := ag.ASTEdit(s.ctx, c.p)
		text := ""
		if c.kind != "" {
			wantKind(t, err, c.kind)
			text = fmt.Sprint(err)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		} else {
			text = result.Content[0].Text
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in:\n%s", c.name, want, text)
			}
		}
	}
}
