package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// quick keeps the waits for editors that will not answer short.
func quick() pending.Options {
	return pending.Options{EditorTimeout: 300 * time.Millisecond, VerifyTimeout: 300 * time.Millisecond}
}

// Incremental changes are applied in wire order, whatever requests fly between
// them.
func TestChangesInOrder(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": ""})
	a := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)

	var requests sync.WaitGroup
	for i := range 3000 {
		// Each change is typed at the start of the buffer, so any swap shows.
		s.must(e.Replace(s.ctx, a, "", fmt.Sprintf("%d,", i)))
		if i%50 == 0 {
			requests.Go(func() {
				if err := e.Execute(s.ctx, wire.CommandASTEdit, args(wire.ASTEditParams{Ops: []wire.Op{{Pat: "never($A)", Out: "x"}}, Lang: "javascript"}), nil); err != nil {
					t.Error(err)
				}
			})
			requests.Go(func() {
				if _, err := e.CodeActions(s.ctx, a, ""); err != nil {
					t.Error(err)
				}
			})
		}
	}
	requests.Wait()
	want := text(t, e, a)
	var pushed wire.ToolResult
	s.must(e.Execute(s.ctx, wire.CommandPush, args(wire.PushParams{
		Label: "all of it", Edit: pushEdit(a, 0, 0, uint32(len(want)), ""),
	}), &pushed))
	var list wire.ListResult
	s.must(e.Execute(s.ctx, wire.CommandList, nil, &list))
	if got := list.Actions[0].Files[0].Hunks[0].Before; got != want {
		t.Errorf("the server's text differs from the editor's after 3000 changes:\n%.80s\n%.80s", got, want)
	}
}

// A request that waits for the client blocks neither text sync nor other
// requests.
func TestRequestInFlightDoesNotBlock(t *testing.T) {
	s := newServer(t, pending.Options{EditorTimeout: 2 * time.Second})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	a := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	s.edit(s.agent(dir), "log($$$A)", "trace($$$A)")
	e.SetAnswer(lsptest.Never)

	failed := make(chan error, 1)
	go func() {
		failed <- e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil)
	}()
	s.await(e, "the apply to reach the editor", func() bool { return e.EditRequests() == 1 })

	s.must(e.Replace(s.ctx, a, "", "// typed meanwhile\n"))
	if _, err := e.CodeActions(s.ctx, a, ""); err != nil {
		t.Error(err)
	}
	wantKind(t, e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil), "busy")
	wantKind(t, <-failed, "editorTimeout")
	s.await(e, "ranges that follow what was typed", func() bool {
		d := e.Diagnostics(a)
		return len(d) == 1 && d[0].Range.Start.Line == 1
	})
}

// $/cancelRequest ends a request that waits; nothing is changed.
func TestCancel(t *testing.T) {
	s := newServer(t, pending.Options{EditorTimeout: 20 * time.Second})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	a := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	ag := s.agent(dir)
	s.edit(ag, "log($$$A)", "trace($$$A)")
	e.SetAnswer(lsptest.Never)

	conn := e.Conn()
	answer := make(chan error, 1)
	// The lsptest editor has no call that it cancels, so the id is guessed from
	// the next one: ids count up from the connection's first.
	go func() {
		_, err := conn.Call(s.ctx, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
			Command: wire.CommandResolve, Arguments: args(wire.ResolveParams{Action: "apply"}),
		}, nil)
		answer <- err
	}()
	s.await(e, "the apply to reach the editor", func() bool { return e.EditRequests() == 1 })
	for id := range int32(20) {
		s.must(conn.Notify(s.ctx, protocol.MethodCancelRequest, &protocol.CancelParams{ID: protocol.Integer(id)}))
	}
	err := <-answer
	if err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("a cancelled apply answered %v", err)
	}
	list, err := ag.List(s.ctx)
	s.must(err)
	if list.Depth != 1 || list.Actions[0].State != "pending" {
		t.Errorf("after a cancelled apply: %+v", list)
	}
}

// Folders come and go; documents opened before their folder is added count from
// then on.
func TestWorkspaceFolders(t *testing.T) {
	s := newServer(t, pending.Options{})
	one := workspace(t, map[string]string{"a.js": "log(1)\n"})
	two := workspace(t, map[string]string{"b.js": "log(2)\n"})
	b := filepath.Join(two, "b.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{one}})
	s.must(e.Open(s.ctx, b))
	s.sync(e)

	change := func(added, removed []string) {
		t.Helper()
		p := &protocol.DidChangeWorkspaceFoldersParams{}
		for _, dir := range added {
			p.Event.Added = append(p.Event.Added, protocol.WorkspaceFolder{URI: uri.File(dir), Name: "x"})
		}
		for _, dir := range removed {
			p.Event.Removed = append(p.Event.Removed, protocol.WorkspaceFolder{URI: uri.File(dir), Name: "x"})
		}
		s.must(e.Conn().Notify(s.ctx, protocol.MethodWorkspaceDidChangeWorkspaceFolders, p))
	}
	change([]string{two}, nil)
	// Two workspaces now: a command must say which it means.
	edit := wire.ASTEditParams{Ops: []wire.Op{{Pat: "log($A)", Out: "trace($A)"}}, Lang: "javascript"}
	err := e.Execute(s.ctx, wire.CommandASTEdit, args(edit), nil)
	if err == nil || !strings.Contains(err.Error(), "2 workspaces") {
		t.Errorf("ambiguous workspace: %v", err)
	}
	edit.Workspace = string(uri.File(two))
	s.must(e.Execute(s.ctx, wire.CommandASTEdit, args(edit), nil))
	s.await(e, "diagnostics in the adopted document", func() bool { return len(e.Diagnostics(b)) == 1 })

	change(nil, []string{two})
	s.await(e, "cleared diagnostics", func() bool { return len(e.Diagnostics(b)) == 0 })
	change([]string{two}, nil)
	s.await(e, "diagnostics again", func() bool { return len(e.Diagnostics(b)) == 1 })
	s.must(e.Replace(s.ctx, b, "log", "/**/log"))
	s.await(e, "the moved range", func() bool {
		d := e.Diagnostics(b)
		return len(d) == 1 && d[0].Range.Start.Character == 4
	})
}

// A session without a workspace has no stack.
func TestNoWorkspace(t *testing.T) {
	s := newServer(t, pending.Options{})
	e := s.editor(lsptest.EditorOptions{})
	err := e.Execute(s.ctx, wire.CommandPush, args(wire.PushParams{Label: "x"}), nil)
	wantKind(t, err, "storeUnavailable")
	if err != nil && err.Error() != "Pending action store unavailable for custom tools in this runtime." {
		t.Errorf("message %q", err)
	}
}

// Documents that are not files, or lie elsewhere, are left alone.
func TestForeignDocuments(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	for _, u := range []uri.URI{"untitled:Untitled-1", "git:/a.js?x", "vscode-vfs://github/x/a.js", "file:///elsewhere/a.js"} {
		s.must(e.Conn().Notify(s.ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
			TextDocument: protocol.TextDocumentItem{URI: u, Version: 1, Text: "log(2)\n"},
		}))
		change := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangePartial{Text: "x"},
		}}
		change.TextDocument.URI, change.TextDocument.Version = u, 2
		s.must(e.Conn().Notify(s.ctx, protocol.MethodTextDocumentDidChange, change))
		p := &protocol.CodeActionParams{}
		p.TextDocument.URI = u
		var raw jsonrpc2.RawMessage
		s.must(protocol.Call(s.ctx, e.Conn(), protocol.MethodTextDocumentCodeAction, p, &raw))
		if string(raw) != "[]" {
			t.Errorf("code actions of %s: %s", u, raw)
		}
	}
}

func args(v any) []protocol.LSPAny { return []protocol.LSPAny{protocol.LSPAny(wire.Encode(v))} }

// An editor that goes in the middle of an apply takes nothing with it; the next
// one finds the action and can apply it.
func TestEditorGoesWhileApplying(t *testing.T) {
	s := newServer(t, pending.Options{EditorTimeout: time.Minute})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	a := filepath.Join(dir, "a.js")
	conn := s.dial()
	gone, err := lsptest.NewEditor(s.ctx, conn, lsptest.EditorOptions{Name: "first", Folders: []string{dir}})
	s.must(err)
	s.must(gone.Open(s.ctx, a))
	s.sync(gone)
	gone.SetAnswer(lsptest.Never)
	ag := s.agent(dir)
	s.edit(ag, "log($A)", "trace($A)")
	failed := make(chan error, 1)
	go func() {
		_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
		failed <- err
	}()
	s.await(gone, "the apply to reach the editor", func() bool { return gone.EditRequests() == 1 })
	s.must(conn.Close())
	wantKind(t, <-failed, "editorRejected")

	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	s.await(e, "the action", func() bool { return len(e.Diagnostics(a)) == 1 })
	_, _, err = ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)
	if got := text(t, e, a); got != "trace(1)\n" {
		t.Errorf("buffer %q", got)
	}
}
