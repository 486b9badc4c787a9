package lsp_test

import (
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
		"Warnings:\n- a.js:1: ", "comment",
		"do not parse cleanly", "- broken.js:2: ",
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
