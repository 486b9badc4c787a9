package lsp_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// The main job: an agent proposes, the editor sees, the editor decides.
func TestReview(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{
		"a.js":     "log(1);\nkeep();\nlog(2);\n",
		"lib/b.js": "log('b');\n",
	})
	a, b := filepath.Join(dir, "a.js"), filepath.Join(dir, "lib/b.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)

	// The agent sits in a folder below; it is the same workspace.
	ag := s.agent(filepath.Join(dir, "lib"))
	first := s.edit(ag, "log($$$A)", "trace($$$A)")
	if first.TotalReplacements != 3 || first.Depth != 1 || first.Applied {
		t.Fatalf("details %+v", first)
	}
	s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(a)) == 2 && len(e.Diagnostics(b)) == 1 })
	d := e.Diagnostics(a)[0]
	if got := d.Range; got.Start.Line != 0 || got.End.Character != 6 || d.Severity != protocol.DiagnosticSeverityInformation {
		t.Errorf("diagnostic %+v", d)
	}
	if len(d.RelatedInformation) != 1 || !strings.HasSuffix(string(d.RelatedInformation[0].Location.URI), "lib/b.js") {
		t.Errorf("related %+v", d.RelatedInformation)
	}
	if got := text(t, e, a); got != "log(1);\nkeep();\nlog(2);\n" {
		t.Errorf("a preview changed the buffer: %q", got)
	}

	second := s.edit(ag, "keep()", "kept()")
	s.await(e, "the second action", func() bool { return len(e.Diagnostics(a)) == 3 })

	actions, err := e.CodeActions(s.ctx, a, "log(1)")
	s.must(err)
	want := []string{
		"Apply: AST Edit: 3 replacements in 2 files [1 pending action above it must be resolved first]",
		"Discard: AST Edit: 3 replacements in 2 files [1 pending action above it must be resolved first]",
		"Apply the 2 actions down to: AST Edit: 3 replacements in 2 files",
		"Discard the 2 actions down to: AST Edit: 3 replacements in 2 files",
	}
	if got := titles(actions); !slices.Equal(got, want) {
		t.Errorf("code actions %q, want %q", got, want)
	}
	// Some clients run the command of a disabled action all the same.
	wantKind(t, e.Accept(s.ctx, actions[0], nil), "notTop")

	lenses, err := e.CodeLenses(s.ctx, a)
	s.must(err)
	var lensTitles []string
	for _, l := range lenses {
		lensTitles = append(lensTitles, l.Command.Title)
	}
	wantLenses := []string{
		"Apply", "Discard", "Diff: AST Edit: 1 replacement in 1 file",
		"2 of 2 pending: AST Edit: 3 replacements in 2 files", "2 of 2 pending: AST Edit: 3 replacements in 2 files",
	}
	if !slices.Equal(lensTitles, wantLenses) {
		t.Errorf("lenses %q, want %q", lensTitles, wantLenses)
	}

	// Discard the top, from the editor.
	actions, err = e.CodeActions(s.ctx, a, "keep()", wire.KindDiscard)
	s.must(err)
	discard, err := lsptest.Find(actions, "Discard: ")
	s.must(err)
	var result wire.ToolResult
	s.must(e.Accept(s.ctx, discard, &result))
	if got := result.Content[0].Text; got != "Discarded: AST Edit: 1 replacement in 1 file. Reason: Discarded in the editor" {
		t.Errorf("result %q", got)
	}
	s.await(e, "the discard", func() bool { return len(e.Diagnostics(a)) == 2 })
	if second.ActionID == first.ActionID {
		t.Error("two actions have one id")
	}

	// Apply the one that is now on top.
	actions, err = e.CodeActions(s.ctx, a, "log(2)", "refactor")
	s.must(err)
	apply, err := lsptest.Find(actions, "Apply: ")
	s.must(err)
	if len(apply.Diagnostics) != 1 {
		t.Errorf("the action names %d diagnostics, want the 1 in the range", len(apply.Diagnostics))
	}
	s.must(e.Accept(s.ctx, apply, &result))
	if got := text(t, e, a); got != "trace(1);\nkeep();\ntrace(2);\n" {
		t.Errorf("buffer %q", got)
	}
	if got := read(t, a); got != "log(1);\nkeep();\nlog(2);\n" {
		t.Errorf("an open file was written to disk: %q", got)
	}
	if got := read(t, b); got != "trace('b');\n" {
		t.Errorf("closed file %q", got)
	}
	s.await(e, "no diagnostics", func() bool { return len(e.Diagnostics(a)) == 0 && len(e.Diagnostics(b)) == 0 })
	s.must(e.Undo(s.ctx, a))
	if got := text(t, e, a); got != "log(1);\nkeep();\nlog(2);\n" {
		t.Errorf("after one undo %q", got)
	}

	s.await(e, "word of the apply", func() bool {
		return slices.ContainsFunc(e.Stack(), func(n wire.DidChangeParams) bool { return n.Cause == "apply" })
	})
	causes := []string{}
	for _, n := range e.Stack() {
		causes = append(causes, n.Cause)
		if n.HasPending != (n.Depth > 0) || n.HasPending != (n.ToolChoice == "resolve") && n.Top != nil {
			t.Errorf("inconsistent notification %+v", n)
		}
	}
	for _, cause := range []string{"restore", "push", "discard"} {
		if !slices.Contains(causes, cause) {
			t.Errorf("no didChange with cause %q among %q", cause, causes)
		}
	}
	s.must(e.Shutdown(s.ctx))
	s.must(ag.Close(s.ctx))
}

// What is pending before an editor connects is shown to it.
func TestPendingBeforeTheEditor(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	ag := s.agent(dir)
	s.edit(ag, "log($$$A)", "trace($$$A)")

	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(filepath.Join(dir, "a.js"))) == 1 })
	s.await(e, "the stack", func() bool { n := e.Stack(); return len(n) > 0 && n[len(n)-1].Depth == 1 })
}

// The agent's preview is computed against the editor's unsaved buffer, and what
// is shown follows the typing.
func TestUnsavedBuffer(t *testing.T) {
	for _, enc := range []textedit.Encoding{textedit.UTF8, textedit.UTF16, textedit.UTF32} {
		t.Run(string(enc), func(t *testing.T) {
			s := newServer(t, pending.Options{})
			dir := workspace(t, map[string]string{"a.js": "old();\n"})
			a := filepath.Join(dir, "a.js")
			e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Encodings: []textedit.Encoding{enc}})
			if got := e.Server.Capabilities.PositionEncoding; got != protocol.PositionEncodingKind(enc) {
				t.Fatalf("encoding %q, want %q", got, enc)
			}
			s.must(e.Open(s.ctx, a))
			s.sync(e)
			s.must(e.Replace(s.ctx, a, "old();", "/* 😀é */ log('😀');"))
			s.sync(e)
			s.edit(s.agent(dir), "log($$$A)", "trace($$$A)")
			s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(a)) == 1 })

			s.must(e.Replace(s.ctx, a, "/* ", "/* 👩‍👩‍👧 "))
			s.must(e.Replace(s.ctx, a, "", "first();\r\n"))
			actions, err := e.CodeActions(s.ctx, a, "log('😀')")
			s.must(err)
			if len(actions) != 2 {
				t.Fatalf("actions %q after typing before the hunk", titles(actions))
			}
			if elsewhere, err := e.CodeActions(s.ctx, a, "first"); err != nil || len(elsewhere) != 0 {
				t.Errorf("actions %q, %v where no hunk is", titles(elsewhere), err)
			}
			hover, err := e.Hover(s.ctx, a, "'😀'")
			s.must(err)
			if !strings.Contains(hover, "+/* 👩‍👩‍👧 😀é */ trace('😀');") {
				t.Errorf("hover %q", hover)
			}
			s.must(e.Accept(s.ctx, actions[0], nil))
			if got := text(t, e, a); got != "first();\r\n/* 👩‍👩‍👧 😀é */ trace('😀');\n" {
				t.Errorf("buffer %q", got)
			}
		})
	}
}

// Whatever an editor answers, a failed apply changes nothing and loses nothing.
func TestEditorFailsToApply(t *testing.T) {
	for name, c := range map[string]struct {
		answer lsptest.Answer
		kind   string
	}{
		"refuses":             {lsptest.Refuse, "editorRejected"},
		"answers an error":    {lsptest.Fail, "editorRejected"},
		"lies":                {lsptest.Lie, "editorRejected"},
		"never answers":       {lsptest.Never, "editorTimeout"},
		"applies half of it":  {lsptest.Partial, "editorRejected"},
		"is late but does it": {lsptest.Late, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, quick())
			dir := workspace(t, map[string]string{"a.js": "log(1)\n", "b.js": "log(2)\n", "c.js": "log(3)\n"})
			a, b, c3 := filepath.Join(dir, "a.js"), filepath.Join(dir, "b.js"), filepath.Join(dir, "c.js")
			e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
			s.must(e.Open(s.ctx, a))
			s.sync(e)
			s.must(e.Open(s.ctx, b))
			s.sync(e)
			ag := s.agent(dir)
			s.edit(ag, "log($$$A)", "trace($$$A)")

			e.SetAnswer(c.answer)
			_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply", Reason: "test"})
			if c.kind == "" {
				s.must(err)
				return
			}
			wantKind(t, err, c.kind)
			e.SetAnswer(lsptest.Honest)
			if got := text(t, e, a) + text(t, e, b) + read(t, c3); got != "log(1)\nlog(2)\nlog(3)\n" {
				t.Errorf("a failed apply left %q", got)
			}
			list, err := ag.List(s.ctx)
			s.must(err)
			if list.Depth != 1 || list.Actions[0].State != "pending" {
				t.Errorf("the action is lost: %+v", list)
			}
		})
	}
}
