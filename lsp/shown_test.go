package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// everything is a client that declares all the server can use.
func everything(c *protocol.ClientCapabilities) {
	yes := true
	c.Workspace.InlayHint = &protocol.InlayHintWorkspaceClientCapabilities{RefreshSupport: &yes}
	c.Workspace.TextDocumentContent = &protocol.TextDocumentContentClientCapabilities{}
	c.Workspace.WorkspaceEdit.ChangeAnnotationSupport = &protocol.ChangeAnnotationsSupportOptions{GroupsOnLabel: &yes}
	c.TextDocument.CodeAction.TagSupport = protocol.CodeActionTagOptions{ValueSet: []protocol.CodeActionTag{protocol.CodeActionTagLLMGenerated}}
	c.Window = &protocol.WindowClientCapabilities{
		ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}, WorkDoneProgress: &yes,
	}
}

// start opens a.js in an editor of the given kind and lets an agent propose
// log → trace over a.js and b.js.
func start(t *testing.T, o lsptest.EditorOptions) (s *server, e *lsptest.Editor, dir, a, id string) {
	t.Helper()
	s = newServer(t, pending.Options{})
	dir = workspace(t, map[string]string{"a.js": "log(1);\nkeep();\nlog(2);\n", "b.js": "log(3);\n"})
	a = filepath.Join(dir, "a.js")
	o.Folders = []string{dir}
	e = s.editor(o)
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	id = s.edit(s.agent(dir), "log($$$A)", "trace($$$A)").ActionID
	s.await(e, "diagnostics or word of the push", func() bool { n := e.Stack(); return len(n) > 0 && n[len(n)-1].Depth == 1 })
	return s, e, dir, a, id
}

// Parts of an action are offered where they make a difference, and can be
// applied and discarded.
func TestHunkActions(t *testing.T) {
	s, e, _, a, _ := start(t, lsptest.EditorOptions{Capabilities: everything})
	at := func(text string, only ...protocol.CodeActionKind) []*protocol.CodeAction {
		t.Helper()
		actions, err := e.CodeActions(s.ctx, a, text, only...)
		s.must(err)
		return actions
	}
	const label = "AST Edit: 3 replacements in 2 files"
	want := []string{
		"Apply: " + label, "Discard: " + label,
		"Apply only this change of: " + label, "Discard only this change of: " + label,
		"Apply only this file of: " + label, "Discard only this file of: " + label,
		"Show diff: " + label,
	}
	got := at("log(1)")
	if !slices.Equal(titles(got), want) {
		t.Errorf("actions %q, want %q", titles(got), want)
	}
	for _, action := range got {
		if !slices.Contains(action.Tags, protocol.CodeActionTagLLMGenerated) || action.IsPreferred != nil || strings.HasPrefix(string(*action.Kind), "source") {
			t.Errorf("%s: tags %v, preferred %v, kind %s", action.Title, action.Tags, action.IsPreferred, *action.Kind)
		}
	}
	// The kinds that clients ask for, and the whole file then.
	if got := titles(at("keep()")); len(got) != 0 {
		t.Errorf("actions %q where no hunk is", got)
	}
	if got := titles(at("keep()", wire.KindDiscard)); !slices.Equal(got, []string{want[1], want[5]}) {
		t.Errorf("file-wide discards %q", got)
	}
	if got := titles(at("log(1)", "quickfix")); len(got) != 0 {
		t.Errorf("quick fixes %q", got)
	}

	this, err := lsptest.Find(got, "Apply only this change")
	s.must(err)
	s.must(e.Accept(s.ctx, this, nil))
	if got := text(t, e, a); got != "trace(1);\nkeep();\nlog(2);\n" {
		t.Errorf("after one hunk %q", got)
	}
	this, err = lsptest.Find(at("log(2)"), "Discard only this change")
	s.must(err)
	s.must(e.Accept(s.ctx, this, nil))
	s.await(e, "no diagnostics here", func() bool { return len(e.Diagnostics(a)) == 0 })
	list := s.list(e)
	if list.Depth != 1 || len(list.Actions[0].Files) != 1 || list.Actions[0].Files[0].Path != "b.js" {
		t.Errorf("left over: %+v", list.Actions)
	}
}

func (s *server) list(e *lsptest.Editor) *wire.ListResult {
	s.t.Helper()
	var list wire.ListResult
	s.must(e.Execute(s.ctx, wire.CommandList, nil, &list))
	return &list
}

// One step down in the stack, everything above goes the same way.
func TestCascadeAction(t *testing.T) {
	s, e, dir, a, _ := start(t, lsptest.EditorOptions{})
	s.edit(s.agent(dir), "keep()", "kept()")
	s.await(e, "the second action", func() bool { return len(e.Diagnostics(a)) == 3 })
	actions, err := e.CodeActions(s.ctx, a, "log(1)")
	s.must(err)
	down, err := lsptest.Find(actions, "Apply the 2 actions down to:")
	s.must(err)
	s.must(e.Accept(s.ctx, down, nil))
	if got := text(t, e, a); got != "trace(1);\nkept();\ntrace(2);\n" || s.list(e).HasPending {
		t.Errorf("after the cascade %q, %+v", got, s.list(e))
	}
}

// Clients without disabledSupport are not shown what they cannot do.
func TestNoDisabledSupport(t *testing.T) {
	s, e, dir, a, _ := start(t, lsptest.EditorOptions{NoDisabled: true})
	s.edit(s.agent(dir), "keep()", "kept()")
	s.await(e, "the second action", func() bool { return len(e.Diagnostics(a)) == 3 })
	actions, err := e.CodeActions(s.ctx, a, "log(1)")
	s.must(err)
	for _, action := range actions {
		if strings.HasPrefix(action.Title, "Apply: ") || action.Disabled.Reason != "" {
			t.Errorf("offered %q (%s)", action.Title, action.Disabled.Reason)
		}
	}
}

// Hints show the new code beside the old, and are fetched anew when it changes.
func TestInlayHints(t *testing.T) {
	s, e, _, a, _ := start(t, lsptest.EditorOptions{Capabilities: everything})
	hints := func() []protocol.InlayHint {
		t.Helper()
		p := &protocol.InlayHintParams{Range: protocol.Range{End: protocol.Position{Line: 1}}}
		p.TextDocument.URI = uri.File(a)
		var out []protocol.InlayHint
		s.must(protocol.Call(s.ctx, e.Conn(), protocol.MethodTextDocumentInlayHint, p, &out))
		return out
	}
	got := hints()
	if len(got) != 1 || got[0].Label != protocol.String("→ trace(1)") || got[0].Position != (protocol.Position{Character: 6}) {
		t.Fatalf("hints %+v", got)
	}
	tooltip, _ := got[0].Tooltip.(*protocol.MarkupContent)
	if tooltip == nil || !strings.Contains(tooltip.Value, "-log(1);\n+trace(1);") {
		t.Errorf("tooltip %+v", got[0].Tooltip)
	}
	s.await(e, "a refresh", func() bool { return slices.Contains(e.Refreshed(), protocol.MethodWorkspaceInlayHintRefresh) })
	s.must(e.Replace(s.ctx, a, "", "/**/"))
	if got := hints(); len(got) != 1 || got[0].Position.Character != 10 {
		t.Errorf("after typing %+v", got)
	}
}

// Virtual documents hold both sides of every file, and follow the preview.
func TestVirtualDocuments(t *testing.T) {
	s, e, dir, a, id := start(t, lsptest.EditorOptions{Capabilities: everything})
	fetch := func(u string) (string, error) {
		var out protocol.TextDocumentContentResult
		err := protocol.Call(s.ctx, e.Conn(), protocol.MethodWorkspaceTextDocumentContent, &protocol.TextDocumentContentParams{URI: uri.URI(u)}, &out)
		return out.Text, err
	}
	var preview wire.PreviewResult
	s.must(e.Execute(s.ctx, wire.CommandPreview, args(wire.PreviewParams{Format: "texts"}), &preview))
	if len(preview.Files) != 2 || preview.Files[0].URI != string(uri.File(a)) {
		t.Fatalf("preview %+v", preview)
	}
	before, err := fetch(preview.Files[0].BeforeURI)
	s.must(err)
	after, err := fetch(preview.Files[0].AfterURI)
	s.must(err)
	if before != "log(1);\nkeep();\nlog(2);\n" || after != "trace(1);\nkeep();\ntrace(2);\n" {
		t.Errorf("before %q, after %q", before, after)
	}
	s.must(e.Replace(s.ctx, a, "", "first();\n"))
	s.await(e, "a refresh of the virtual document", func() bool { return slices.Contains(e.Refreshed(), preview.Files[0].AfterURI) })
	if after, err = fetch(preview.Files[0].AfterURI); err != nil || !strings.HasPrefix(after, "first();\ntrace(1)") {
		t.Errorf("after typing %q, %v", after, err)
	}
	// VS Code writes the scheme's slashes its own way.
	diff, err := fetch("pending-lsp:///" + id + "/diff/x.diff")
	s.must(err)
	if !strings.Contains(diff, "--- a/b.js\n+++ b/b.js\n@@ -1 +1 @@\n-log(3);\n+trace(3);\n") {
		t.Errorf("diff %q", diff)
	}
	for _, bad := range []string{"pending-lsp:/" + id + "/after/../secret", "pending-lsp:/" + id, "pending-lsp:/" + id + "/sideways/a.js", "file://" + a} {
		if got, err := fetch(bad); err == nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
	_, err = fetch("pending-lsp:/01ARZ3NDEKTSV4RRFFQ69G5FAV/after/a.js")
	wantKind(t, err, "unknownAction")
	_ = dir
}

// The diff is shown as a virtual document, or as a file that goes with the
// session.
func TestShowDiff(t *testing.T) {
	var path string
	t.Cleanup(func() { // after the sessions have ended
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s outlives the session", path)
		}
	})
	s, e, _, a, id := start(t, lsptest.EditorOptions{Capabilities: everything})
	actions, err := e.CodeActions(s.ctx, a, "log(1)")
	s.must(err)
	show, err := lsptest.Find(actions, "Show diff: ")
	s.must(err)
	s.must(e.Accept(s.ctx, show, nil))
	if shown := e.Shown(); len(shown) != 1 || shown[0].URI != uri.URI("pending-lsp:/"+id+"/diff/"+id+".diff") {
		t.Errorf("shown %+v", shown)
	}

	s, e, _, _, _ = start(t, lsptest.EditorOptions{Capabilities: func(c *protocol.ClientCapabilities) {
		c.Window = &protocol.WindowClientCapabilities{ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}}
	}})
	s.must(e.Execute(s.ctx, wire.CommandPreview, args(wire.PreviewParams{Show: true}), nil))
	shown := e.Shown()
	if len(shown) != 1 || !shown[0].URI.IsFile() {
		t.Fatalf("shown %+v", shown)
	}
	path = shown[0].URI.FsPath()
	if got := read(t, path); !strings.Contains(got, "+trace(3);") {
		t.Errorf("file %q", got)
	}
}

// Settings can change while the server runs; unknown ones are named once.
func TestSettings(t *testing.T) {
	s, e, _, a, _ := start(t, lsptest.EditorOptions{Capabilities: everything, Settings: map[string]any{"diagnostics": "hint", "colour": "red"}})
	s.await(e, "quiet diagnostics", func() bool {
		d := e.Diagnostics(a)
		return len(d) == 2 && d[0].Severity == protocol.DiagnosticSeverityHint
	})
	s.must(e.Configure(s.ctx, map[string]any{"diagnostics": "off", "codeLens": false, "colour": "blue"}))
	s.await(e, "no diagnostics", func() bool { return len(e.Diagnostics(a)) == 0 })
	lenses, err := e.CodeLenses(s.ctx, a)
	s.must(err)
	if len(lenses) != 0 {
		t.Errorf("%d lenses though they are off", len(lenses))
	}
	s.must(e.Configure(s.ctx, map[string]any{"diagnostics": "loud"}))
	s.await(e, "a complaint", func() bool { return len(e.Logged()) == 2 })
	want := []string{
		"pending-lsp: unknown settings: colour",
		`pending-lsp: settings ignored: diagnostics: "loud" is none of information, hint, off`,
	}
	if got := e.Logged(); !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
	s.must(e.Configure(s.ctx, map[string]any{}))
	s.await(e, "diagnostics again", func() bool {
		d := e.Diagnostics(a)
		return len(d) == 2 && d[0].Severity == protocol.DiagnosticSeverityInformation
	})
}

// A client that only pulls diagnostics is served so.
func TestPulledDiagnostics(t *testing.T) {
	s, e, _, a, _ := start(t, lsptest.EditorOptions{Capabilities: func(c *protocol.ClientCapabilities) {
		yes := true
		c.TextDocument.PublishDiagnostics = nil
		c.TextDocument.Diagnostic = &protocol.DiagnosticClientCapabilities{}
		c.Workspace.Diagnostics = &protocol.DiagnosticWorkspaceClientCapabilities{RefreshSupport: &yes}
	}})
	if e.Server.Capabilities.DiagnosticProvider == nil {
		t.Fatal("pulling is not advertised")
	}
	s.await(e, "a refresh", func() bool { return slices.Contains(e.Refreshed(), protocol.MethodWorkspaceDiagnosticRefresh) })
	p := &protocol.DocumentDiagnosticParams{}
	p.TextDocument.URI = uri.File(a)
	var report protocol.FullDocumentDiagnosticReport
	s.must(protocol.Call(s.ctx, e.Conn(), protocol.MethodTextDocumentDiagnostic, p, &report))
	if report.Kind != "full" || len(report.Items) != 2 {
		t.Errorf("report %+v", report)
	}
	if len(e.Diagnostics(a)) != 0 {
		t.Error("diagnostics are pushed too")
	}
}

// Edits carry annotations where the client shows them, for confirmation if
// asked for.
func TestAnnotations(t *testing.T) {
	var edits []jsonrpc2.Message
	s, e, _, a, _ := start(t, lsptest.EditorOptions{
		Capabilities: everything,
		Init:         wire.InitializationOptions{Confirm: true},
		Tap: func(msg jsonrpc2.Message, _ string) {
			if call, ok := msg.(*jsonrpc2.Call); ok && call.Method() == protocol.MethodWorkspaceApplyEdit {
				edits = append(edits, jsonrpc2.NewCall(call.ID(), "", append(jsonrpc2.RawMessage(nil), call.Params()...)))
			}
		},
	})
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil))
	if got := text(t, e, a); got != "trace(1);\nkeep();\ntrace(2);\n" {
		t.Errorf("buffer %q", got)
	}
	var p protocol.ApplyWorkspaceEditParams
	s.must(protocol.Unmarshal(edits[0].(*jsonrpc2.Call).Params(), &p))
	annotation := p.Edit.ChangeAnnotations["a.js#2"]
	if annotation.Label != "AST Edit: 3 replacements in 2 files" || annotation.Description == nil || *annotation.Description != "log(2) → trace(2)" || annotation.NeedsConfirmation == nil {
		t.Errorf("annotations %+v", p.Edit.ChangeAnnotations)
	}
}

// Progress is reported on the request's token, and ends.
func TestProgress(t *testing.T) {
	s, e, _, _, _ := start(t, lsptest.EditorOptions{Capabilities: everything})
	p := &protocol.ExecuteCommandParams{Command: wire.CommandASTEdit, Arguments: args(wire.ASTEditParams{Ops: []wire.Op{{Pat: "keep()", Out: "x()"}}, Lang: "js"})}
	p.WorkDoneToken = protocol.String("t1")
	s.must(protocol.Call(s.ctx, e.Conn(), protocol.MethodWorkspaceExecuteCommand, p, nil))
	s.await(e, "the end of progress", func() bool {
		kinds := e.Progress()
		return len(kinds) >= 2 && kinds[0] == "begin" && kinds[len(kinds)-1] == "end"
	})
}

// Positions are the client's: in its encoding, clamped, on awkward text.
func TestAwkwardText(t *testing.T) {
	for name, source := range map[string]string{
		"CRLF":            "/* é😀 */ log('😀');\r\nlog(2);\r\n",
		"lone CR":         "x = 1;\rlog('é');\r",
		"combining marks": "/* e\u0301 👩‍👩‍👧 */ log(1)",
		"tabs and no end": "\t\tx;\tlog(1)",
		"BOM":             "\ufefflog(1)\n",
		"nothing else":    "log(1)",
		"empty lines":     "\n\n\nlog(1)\n\n\n",
		"other scripts":   "const 名 = log('日本語')\n",
	} {
		for _, enc := range []textedit.Encoding{textedit.UTF8, textedit.UTF16, textedit.UTF32} {
			t.Run(name+" "+string(enc), func(t *testing.T) {
				s := newServer(t, pending.Options{})
				dir := workspace(t, map[string]string{"a.js": source})
				a := filepath.Join(dir, "a.js")
				e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Encodings: []textedit.Encoding{enc}})
				s.must(e.Open(s.ctx, a))
				s.sync(e)
				s.edit(s.agent(dir), "log($A)", "trace($A)")
				s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil))
				if got, want := text(t, e, a), strings.ReplaceAll(source, "log(", "trace("); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

// Paths that URIs find hard.
func TestAwkwardPaths(t *testing.T) {
	for _, name := range []string{"with space.js", "50%25.js", "a#b.js", "q?x=1.js", "ünï.js", "日本/語.js", "[x]/(y)+z.js", "a&b;c=d.js", "~tilde.js"} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, pending.Options{})
			dir := workspace(t, map[string]string{name: "log(1)\n", "closed " + filepath.Base(name): "log(2)\n"})
			path := filepath.Join(dir, name)
			e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Capabilities: everything})
			s.must(e.Open(s.ctx, path))
			s.sync(e)
			s.edit(s.agent(dir), "log($A)", "trace($A)")
			s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(path)) == 1 })
			var preview wire.PreviewResult
			s.must(e.Execute(s.ctx, wire.CommandPreview, args(wire.PreviewParams{Format: "texts"}), &preview))
			for _, f := range preview.Files {
				var out protocol.TextDocumentContentResult
				s.must(protocol.Call(s.ctx, e.Conn(), protocol.MethodWorkspaceTextDocumentContent, &protocol.TextDocumentContentParams{URI: uri.URI(f.AfterURI)}, &out))
				if out.Text != f.After {
					t.Errorf("%s: %q", f.AfterURI, out.Text)
				}
			}
			s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil))
			if got := text(t, e, path); got != "trace(1)\n" {
				t.Errorf("buffer %q", got)
			}
			if got := read(t, filepath.Join(dir, "closed "+filepath.Base(name))); got != "trace(2)\n" {
				t.Errorf("closed file %q", got)
			}
		})
	}
}

// A folder opened through a symlink keeps the client's name for its files.
func TestSymlinkedFolder(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n", "b.js": "log(2)\n"})
	link := filepath.Join(t.TempDir(), "link")
	s.must(os.Symlink(dir, link))
	e := s.editor(lsptest.EditorOptions{Folders: []string{link}})
	s.must(e.Open(s.ctx, filepath.Join(link, "a.js")))
	s.sync(e)
	s.edit(s.agent(dir), "log($A)", "trace($A)")
	for _, name := range []string{"a.js", "b.js"} {
		s.await(e, "diagnostics under the client's name", func() bool { return len(e.Diagnostics(filepath.Join(link, name))) == 1 })
	}
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil))
	if got := text(t, e, filepath.Join(link, "a.js")); got != "trace(1)\n" {
		t.Errorf("buffer %q", got)
	}
}
