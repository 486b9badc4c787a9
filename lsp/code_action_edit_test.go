package lsp_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

const editedLabel = "AST Edit: 3 replacements in 2 files"

// resolving is a client that takes the edits of code actions.
func resolving(c *protocol.ClientCapabilities) {
	everything(c)
	yes := true
	c.TextDocument.CodeAction.DataSupport = &yes
	c.TextDocument.CodeAction.ResolveSupport = protocol.ClientCodeActionResolveOptions{Properties: []string{"edit"}}
}

func editing() lsptest.EditorOptions {
	return lsptest.EditorOptions{Capabilities: resolving, Init: wire.InitializationOptions{CodeActionEdit: true}}
}

// pick resolves a code action at a text, as a client does when it is chosen or
// previewed.
func (s *server) pick(e *lsptest.Editor, path, at, title string) *protocol.CodeAction {
	s.t.Helper()
	actions, err := e.CodeActions(s.ctx, path, at)
	s.must(err)
	a, err := lsptest.Find(actions, title)
	s.must(err)
	if a.Edit != nil {
		s.t.Fatalf("%s has an edit before it is resolved", a.Title)
	}
	a, err = e.Resolve(s.ctx, a)
	s.must(err)
	return a
}

func (s *server) pickEdit(e *lsptest.Editor, path, at, title string) *protocol.CodeAction {
	s.t.Helper()
	a := s.pick(e, path, at, title)
	if a.Edit == nil {
		s.t.Fatalf("%s has no edit", a.Title)
	}
	return a
}

// The client applies the edit, and the command finds it done: it writes what is
// not the client's and takes the action off the stack, once.
func TestCodeActionEdit(t *testing.T) {
	s, e, dir, a, id := start(t, editing())
	action := s.pickEdit(e, a, "log(1)", "Apply: ")
	if n := len(action.Edit.DocumentChanges); n != 1 {
		t.Fatalf("the edit has %d files, want the open one", n)
	}
	s.must(e.ApplyEdit(s.ctx, action.Edit))
	s.await(e, "the rest", func() bool { return len(e.Diagnostics(a)) == 0 && len(e.Diagnostics(filepath.Join(dir, "b.js"))) == 1 })
	if got := read(t, filepath.Join(dir, "b.js")); got != "log(3);\n" {
		t.Errorf("before the command b.js is %q", got)
	}

	var result struct{ Details wire.ResolveDetails }
	s.must(e.Accept(s.ctx, action, &result))
	want := []wire.ResolvedFile{{Path: "a.js", Hunks: 2, Via: "editor"}, {Path: "b.js", Hunks: 1, Via: "disk", Saved: true}}
	if d := result.Details; d.ActionID != id || d.Depth != 0 || len(d.Files) != 2 || d.Files[0] != want[0] || d.Files[1] != want[1] {
		t.Errorf("details %+v", d)
	}
	if e.EditRequests() != 0 {
		t.Error("the server sent an edit of its own")
	}
	wantKind(t, e.Accept(s.ctx, action, nil), "unknownAction")
	if got := text(t, e, a); got != "trace(1);\nkeep();\ntrace(2);\n" {
		t.Errorf("buffer %q", got)
	}
	if got := read(t, filepath.Join(dir, "b.js")); got != "trace(3);\n" {
		t.Errorf("b.js is %q", got)
	}

	s.must(e.Execute(s.ctx, wire.CommandUndo, nil, nil))
	if got := text(t, e, a) + read(t, filepath.Join(dir, "b.js")); got != "log(1);\nkeep();\nlog(2);\nlog(3);\n" {
		t.Errorf("undone %q", got)
	}
}

// A picker resolves to show. That changes nothing and nobody hears of it.
func TestCodeActionPreview(t *testing.T) {
	var mu sync.Mutex
	var heard []string
	o := editing()
	o.Tap = func(msg jsonrpc2.Message, method string) {
		if _, answer := msg.(*jsonrpc2.Response); !answer {
			mu.Lock()
			heard = append(heard, strings.Clone(method)) // it is the stream's
			mu.Unlock()
		}
	}
	s, e, dir, a, id := start(t, o)
	s.await(e, "quiet", func() bool { return len(e.Diagnostics(filepath.Join(dir, "b.js"))) == 1 && len(e.Refreshed()) > 0 })
	time.Sleep(50 * time.Millisecond) // what the push set off
	mu.Lock()
	heard = nil
	mu.Unlock()
	for _, title := range []string{"Apply: ", "Apply only this change", "Apply only this file", "Discard: ", "Show diff: "} {
		if got := s.pick(e, a, "log(1)", title); (got.Edit != nil) != strings.HasPrefix(title, "Apply") {
			t.Errorf("%s: edit %v", got.Title, got.Edit)
		}
	}
	time.Sleep(50 * time.Millisecond)
	mu.Lock()
	if len(heard) > 0 {
		t.Errorf("looking sent %q", heard)
	}
	mu.Unlock()
	if list := s.list(e); list.Depth != 1 || len(list.Actions[0].Files) != 2 || list.Actions[0].Stale {
		t.Errorf("list %+v", list)
	}

	// The user turns to the lens, whose command was not to wait for an edit.
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply", ID: id}), nil))
	if got := text(t, e, a); got != "trace(1);\nkeep();\ntrace(2);\n" || e.EditRequests() != 1 {
		t.Errorf("buffer %q, %d edits sent", got, e.EditRequests())
	}
}

// A client that never runs the command leaves the action to whoever applies it,
// or to be discarded.
func TestCodeActionEditWithoutCommand(t *testing.T) {
	for _, decision := range []string{"apply", "discard"} {
		t.Run(decision, func(t *testing.T) {
			s, e, dir, a, id := start(t, editing())
			action := s.pickEdit(e, a, "log(1)", "Apply: ")
			s.must(e.ApplyEdit(s.ctx, action.Edit))
			s.must(e.Replace(s.ctx, a, "keep()", "kept()"))
			s.sync(e)
			c := s.agent(dir)
			_, details, err := c.Resolve(s.ctx, wire.ResolveParams{Action: decision, ID: id})
			s.must(err)
			if decision == "apply" && (len(details.Files) != 2 || details.Files[0].Hunks != 2 || details.Files[0].Via != "editor") {
				t.Errorf("details %+v", details)
			}
			b := map[string]string{"apply": "trace(3);\n", "discard": "log(3);\n"}[decision]
			if got := read(t, filepath.Join(dir, "b.js")); got != b || e.EditRequests() != 0 {
				t.Errorf("b.js is %q, %d edits sent", got, e.EditRequests())
			}
			if got := text(t, e, a); got != "trace(1);\nkept();\ntrace(2);\n" {
				t.Errorf("buffer %q", got)
			}
			wantKind(t, e.Accept(s.ctx, action, nil), "unknownAction")
		})
	}
}

// What undo in the buffer takes back is pending as before.
func TestCodeActionEditTakenBack(t *testing.T) {
	s, e, _, a, _ := start(t, editing())
	action := s.pickEdit(e, a, "log(1)", "Apply only this change")
	s.must(e.ApplyEdit(s.ctx, action.Edit))
	s.await(e, "one left", func() bool { return len(e.Diagnostics(a)) == 1 })
	s.must(e.Undo(s.ctx, a))
	s.await(e, "both back", func() bool { return len(e.Diagnostics(a)) == 2 })

	action = s.pickEdit(e, a, "log(1)", "Apply only this file")
	s.must(e.ApplyEdit(s.ctx, action.Edit))
	s.must(e.Accept(s.ctx, action, nil))
	if list := s.list(e); list.Depth != 1 || len(list.Actions[0].Files) != 1 || list.Actions[0].Files[0].Path != "b.js" || list.Actions[0].Stale {
		t.Errorf("list %+v", list)
	}
}

// Emacs tells of the edit only after the command is answered.
func TestCodeActionEditToldLate(t *testing.T) {
	s, e, dir, a, _ := start(t, editing())
	action := s.pickEdit(e, a, "log(1)", "Apply: ")
	e.SetAnswer(lsptest.Held)
	s.must(e.ApplyEdit(s.ctx, action.Edit))
	var result struct{ Details wire.ResolveDetails }
	s.must(e.Accept(s.ctx, action, &result))
	if !result.Details.Unverified {
		t.Errorf("details %+v", result.Details)
	}
	e.SetAnswer(lsptest.Honest)
	s.must(e.Flush(s.ctx))
	s.await(e, "an empty stack", func() bool { n := e.Stack(); return n[len(n)-1].Depth == 0 })
	if got := text(t, e, a) + read(t, filepath.Join(dir, "b.js")); got != "trace(1);\nkeep();\ntrace(2);\ntrace(3);\n" || e.EditRequests() != 0 {
		t.Errorf("texts %q, %d edits sent", got, e.EditRequests())
	}
}

// The edit is for the version it was made for. If the client has moved on, it
// refuses, and the command applies what is right for the text there is.
func TestCodeActionEditOutrun(t *testing.T) {
	s, e, _, a, _ := start(t, editing())
	action := s.pickEdit(e, a, "log(1)", "Apply: ")
	s.must(e.Replace(s.ctx, a, "", "// typed\n"))
	if err := e.ApplyEdit(s.ctx, action.Edit); err == nil {
		t.Fatal("the edit has no version")
	}
	s.must(e.Accept(s.ctx, action, nil))
	if got := text(t, e, a); got != "// typed\ntrace(1);\nkeep();\ntrace(2);\n" || e.EditRequests() != 1 {
		t.Errorf("buffer %q, %d edits sent", got, e.EditRequests())
	}
}

// With apply: "editor" the edit has all files, also those that are not open.
func TestCodeActionEditAllFiles(t *testing.T) {
	o := editing()
	o.Init.Apply = "editor"
	s, e, dir, a, _ := start(t, o)
	action := s.pickEdit(e, a, "log(1)", "Apply: ")
	s.must(e.ApplyEdit(s.ctx, action.Edit))
	s.must(e.Accept(s.ctx, action, nil))
	b := filepath.Join(dir, "b.js")
	if got := text(t, e, a) + text(t, e, b); got != "trace(1);\nkeep();\ntrace(2);\ntrace(3);\n" || e.EditRequests() != 0 {
		t.Errorf("buffers %q, %d edits sent", got, e.EditRequests())
	}
	if list := s.list(e); list.HasPending {
		t.Errorf("list %+v", list)
	}
}

// Commands stay all there is for clients that did not ask for edits, cannot take
// them, or cannot apply any; and for actions that cannot be resolved.
func TestCodeActionWithoutEdit(t *testing.T) {
	yes := true
	for name, o := range map[string]lsptest.EditorOptions{
		"not asked for":      {Capabilities: resolving},
		"no resolve support": {Capabilities: everything, Init: wire.InitializationOptions{CodeActionEdit: true}},
		"other properties": {Init: wire.InitializationOptions{CodeActionEdit: true}, Capabilities: func(c *protocol.ClientCapabilities) {
			everything(c)
			c.TextDocument.CodeAction.DataSupport = &yes
			c.TextDocument.CodeAction.ResolveSupport.Properties = []string{"command"}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, e, _, a, _ := start(t, o)
			action := s.pick(e, a, "log(1)", "Apply: ")
			if action.Edit != nil {
				t.Fatalf("edit %+v", action.Edit)
			}
			s.must(e.Accept(s.ctx, action, nil))
			if got := text(t, e, a); got != "trace(1);\nkeep();\ntrace(2);\n" || e.EditRequests() != 1 {
				t.Errorf("buffer %q, %d edits sent", got, e.EditRequests())
			}
		})
	}

	s, e, dir, a, _ := start(t, editing())
	top := s.pickEdit(e, a, "log(1)", "Apply: "+editedLabel)
	s.edit(s.agent(dir), "keep()", "kept()")
	s.await(e, "the second action", func() bool { return len(e.Diagnostics(a)) == 3 })
	for _, title := range []string{"Apply: " + editedLabel, "Apply the 2 actions down to: "} {
		if got := s.pick(e, a, "log(1)", title); got.Edit != nil {
			t.Errorf("%s: edit %+v", title, got.Edit)
		}
	}
	// It was on top when it was offered; now it comes without an edit, and its
	// command says why.
	top.Edit = nil
	top, err := e.Resolve(s.ctx, top)
	s.must(err)
	if top.Edit != nil {
		t.Errorf("edit %+v", top.Edit)
	}
	wantKind(t, e.Accept(s.ctx, top, nil), "notTop")
}
