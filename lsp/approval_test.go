package lsp_test

import (
	"path/filepath"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Under approval "editor" an agent's apply asks the user.
func TestApproval(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	ag := s.agent(dir)
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Init: wire.InitializationOptions{Approval: &wire.Approval{Default: "editor"}}})
	s.sync(e)
	s.edit(ag, "log($$$A)", "trace($$$A)")
	apply := func(answer string) error {
		t.Helper()
		done := make(chan error, 1)
		go func() {
			_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply", Reason: "tests pass"})
			done <- err
		}()
		s.must(e.Pick(s.ctx, answer))
		return <-done
	}
	wantKind(t, apply("Keep pending"), "policy")
	wantKind(t, apply(""), "policy")
	if got := read(t, filepath.Join(dir, "a.js")); got != "log(1)\n" {
		t.Fatalf("applied without approval: %q", got)
	}
	s.must(apply("Apply"))
	if got := read(t, filepath.Join(dir, "a.js")); got != "trace(1)\n" {
		t.Errorf("after approval %q", got)
	}
	if got := e.Questions(); len(got) != 3 || got[0] != `agent 1 wants to apply "AST Edit: 1 replacement in 1 file": tests pass` {
		t.Errorf("questions %q", got)
	}
}

// What an editor wants of agents goes by tool and may change while it runs; of
// wrong settings nothing is taken, and nothing of what an agent says of itself.
func TestApprovalSettings(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.txt": "one\n"})
	path := filepath.Join(dir, "a.txt")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Init: wire.InitializationOptions{
		Approval: &wire.Approval{Default: "editor", Tools: map[string]string{"rename": "anyone"}},
	}})
	s.sync(e)
	ag := s.agent(dir)
	apply := func(tool string) error {
		t.Helper()
		if _, _, err := ag.Push(s.ctx, wire.PushParams{Label: "x", SourceToolName: tool, Edit: pushEdit(path, 0, 0, 3, "two")}, nil); err != nil {
			t.Fatal(err)
		}
		_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
		if err != nil {
			_, _, discardErr := ag.Resolve(s.ctx, wire.ResolveParams{Action: "discard"})
			s.must(discardErr)
		}
		return err
	}
	configure := func(approval any) {
		t.Helper()
		settings := protocol.LSPAny(wire.Encode(map[string]any{"pendingLsp": map[string]any{"approval": approval}}))
		s.must(e.Conn().Notify(s.ctx, protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationParams{Settings: settings}))
		s.sync(e)
	}
	declined := func(tool string) {
		t.Helper()
		done := make(chan error, 1)
		go func() { done <- apply(tool) }()
		s.must(e.Pick(s.ctx, "Keep pending"))
		wantKind(t, <-done, "policy")
	}
	s.must(apply("rename"))
	declined("other")
	configure(map[string]any{"tools": map[string]any{"rename": "editor"}})
	declined("rename")
	s.must(apply("other"))
	for _, wrong := range []any{"nobody", map[string]any{"tool": map[string]any{}}, map[string]any{"tools": map[string]any{"rename": "me"}}, 7} {
		configure(wrong)
		declined("rename")
	}
	configure(nil) // says nothing, so what was said last stays
	declined("rename")
	want := []string{
		`pending-lsp: settings ignored: approval: "nobody" is none of anyone, editor`,
		`pending-lsp: settings ignored: approval: not a string or {"default": STRING, "tools": {TOOL: STRING}}: unknown field "tool"`,
		`pending-lsp: settings ignored: approval.tools.rename: "me" is none of anyone, editor`,
		`pending-lsp: settings ignored: approval: not a string or {"default": STRING, "tools": {TOOL: STRING}}: cannot unmarshal number into Go value of type wire.plain`,
	}
	if got := e.Logged(); !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
	configure("anyone")
	s.must(apply("rename"))

	// The name of the structural edits' tool is theirs.
	if _, _, err := ag.Push(s.ctx, wire.PushParams{Label: "x", SourceToolName: "ast_edit", Edit: pushEdit(path, 0, 0, 3, "two")}, nil); err == nil {
		t.Error("a push passes for an ast_edit")
	}
}

// With no editor attached an agent is told at once that one is needed; its wait
// ends when one comes and its user decides. An agent inside an editor is held to
// the same, and the log says who did what with whose word.
func TestApprovalWithoutEditor(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	ask := lsptest.EditorOptions{Name: "vim", Folders: []string{dir}, Init: wire.InitializationOptions{Approval: &wire.Approval{Default: "editor"}}}
	e := s.editor(ask)
	s.sync(e)
	s.must(e.Shutdown(s.ctx))
	<-e.Conn().Done()
	ag := s.agent(dir)
	id := s.edit(ag, "log($$$A)", "trace($$$A)").ActionID
	for range 3 { // logged once
		_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
		wantKind(t, err, "policy")
	}
	verdict := make(chan *wire.AwaitResult, 1)
	go func() {
		v, err := ag.Await(s.ctx, wire.AwaitParams{ID: id})
		if err != nil {
			t.Error(err)
		}
		verdict <- v
	}()
	ask.Init.Approval = nil // the last one's word stands
	e = s.editor(ask)
	s.sync(e)
	resolve := func(answer string) error {
		t.Helper()
		done := make(chan error, 1)
		go func() {
			done <- e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply", Reason: "sure", Agent: "copilot"}), nil)
		}()
		s.must(e.Pick(s.ctx, answer))
		return <-done
	}
	wantKind(t, resolve("Keep pending"), "policy")
	s.must(resolve("Apply"))
	if v := <-verdict; v.State != "applied" || v.By.Name != "copilot in vim" || v.By.Editor || v.Approver == nil || v.Approver.Name != "vim" {
		t.Errorf("verdict %+v by %+v", v, v.By)
	}
	undone := make(chan error, 1)
	go func() {
		_, _, err := ag.Undo(s.ctx, wire.UndoParams{})
		undone <- err
	}()
	s.must(e.Pick(s.ctx, "Undo"))
	s.must(<-undone)
	if got := read(t, filepath.Join(dir, "a.js")); got != "log(1)\n" {
		t.Errorf("after the undo %q", got)
	}
	checkWho(s, ag)
}

// checkWho reads the log: every entry has the session's own name and identity,
// and that of the editor that was asked.
func checkWho(s *server, ag *agent.Client) {
	s.t.Helper()
	log, err := ag.Log(s.ctx, wire.LogParams{})
	s.must(err)
	var got []string
	sessions := map[string]string{}
	for _, entry := range log.Entries {
		line := entry.Cause + " by " + entry.By.Name
		if entry.Approver != nil {
			line += " asking " + entry.Approver.Name
			sessions["vim"] = entry.Approver.Session
		}
		sessions[entry.By.Name] = entry.By.Session
		got = append(got, line)
	}
	if want := []string{"undo by agent 1 asking vim", "apply by copilot in vim asking vim", "decline by copilot in vim asking vim", "decline by agent 1", "push by agent 1"}; !slices.Equal(got, want) {
		s.t.Errorf("logged %q", got)
	}
	if sessions["agent 1"] == "" || sessions["vim"] == "" || sessions["agent 1"] == sessions["vim"] || sessions["copilot in vim"] != sessions["vim"] {
		s.t.Errorf("sessions %q", sessions)
	}
}
