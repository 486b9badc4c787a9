package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// A custom tool pushes an edit of its own, with the defaults of the reference.
func TestPushOfAnEdit(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.txt": "one\ntwo\n"})
	path := filepath.Join(dir, "a.txt")
	ag := s.agent(dir)
	result, details, err := ag.Push(s.ctx, wire.PushParams{
		Label: "Rename two", Details: []byte(`{"ticket":7}`), Edit: pushEdit(path, 1, 0, 3, "2"),
	}, nil)
	s.must(err)
	if result.ToolChoice == nil || *result.ToolChoice != (wire.ToolChoice{Type: "tool", Name: "resolve"}) {
		t.Errorf("toolChoice %+v", result.ToolChoice)
	}
	list, err := ag.List(s.ctx)
	s.must(err)
	top := list.Actions[0]
	if top.SourceToolName != "custom_tool" || string(top.Details) != `{"ticket":7}` || top.By.Name != "agent 1" || top.ID != details.ActionID {
		t.Errorf("action %+v", top)
	}
	h := top.Files[0].Hunks[0]
	if h.Before != "two" || h.After != "2" || h.Range != (wire.Range{Start: wire.Position{Line: 1}, End: wire.Position{Line: 1, Character: 3}}) {
		t.Errorf("hunk %+v", h)
	}
	preview, err := ag.Preview(s.ctx, wire.PreviewParams{})
	s.must(err)
	if want := "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"; preview.Diff != want {
		t.Errorf("diff %q", preview.Diff)
	}
	preview, err = ag.Preview(s.ctx, wire.PreviewParams{Format: "texts"})
	s.must(err)
	if preview.Files[0].Before != "one\ntwo\n" || preview.Files[0].After != "one\n2\n" {
		t.Errorf("texts %+v", preview.Files)
	}
	_, _, err = ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)
	if got := read(t, path); got != "one\n2\n" {
		t.Errorf("file %q", got)
	}
}

// With callbacks the owner does the work, and its words become the result.
func TestCallbacks(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.txt": "one\n"})
	owner, other := s.agent(dir), s.agent(dir)
	say := func(text string) *wire.CallbackResult {
		return &wire.CallbackResult{Content: []wire.Content{{Type: "text", Text: text}}, Details: []byte(`{"n":1}`)}
	}
	push := func(cb *agent.Callbacks) string {
		t.Helper()
		_, d, err := owner.Push(s.ctx, wire.PushParams{Label: "Rename the table", SourceToolName: "batch_rename_preview"}, cb)
		s.must(err)
		return d.ActionID
	}

	var reason string
	push(&agent.Callbacks{Apply: func(_ context.Context, p wire.ApplyParams) (*wire.CallbackResult, error) {
		reason = p.Reason
		out := say("Renamed.")
		out.Edit = pushEdit(filepath.Join(dir, "a.txt"), 0, 0, 3, "1")
		return out, nil
	}})
	result, details, err := other.Resolve(s.ctx, wire.ResolveParams{Action: "apply", Reason: "go on"})
	s.must(err)
	if !strings.Contains(result.Content[0].Text, "Renamed.") || string(details.SourceResultDetails) != `{"n":1}` || reason != "go on" {
		t.Errorf("result %q, details %+v, reason %q", result.Content[0].Text, details, reason)
	}
	if got := read(t, filepath.Join(dir, "a.txt")); got != "1\n" {
		t.Errorf("the callback's edit left %q", got)
	}

	push(&agent.Callbacks{
		Apply: func(context.Context, wire.ApplyParams) (*wire.CallbackResult, error) { return nil, nil },
		Reject: func(_ context.Context, p wire.RejectParams) (*wire.CallbackResult, error) {
			return say("Kept the old name: " + p.Reason), nil
		},
	})
	result, _, err = other.Resolve(s.ctx, wire.ResolveParams{Action: "discard", Reason: "too risky"})
	s.must(err)
	if got := result.Content[0].Text; got != "Kept the old name: too risky" {
		t.Errorf("discard said %q", got)
	}

	fails := true
	push(&agent.Callbacks{Apply: func(context.Context, wire.ApplyParams) (*wire.CallbackResult, error) {
		if fails {
			return nil, errors.New("the database is down")
		}
		return say("Done."), nil
	}})
	_, _, err = other.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	wantKind(t, err, "callbackFailed")
	fails = false
	_, _, err = other.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)

	id := push(&agent.Callbacks{Apply: func(context.Context, wire.ApplyParams) (*wire.CallbackResult, error) { return nil, nil }})
	s.must(owner.Close(s.ctx))
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.await(e, "the owner's leave", func() bool {
		list, err := other.List(s.ctx)
		return err == nil && list.Depth == 1 && list.Actions[0].Orphaned
	})
	_, _, err = other.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	wantKind(t, err, "orphaned")
	_, details, err = other.Resolve(s.ctx, wire.ResolveParams{Action: "discard"})
	s.must(err)
	if details.ActionID != id {
		t.Errorf("discarded %s, want %s", details.ActionID, id)
	}
}

// One session waits for what another decides; what was applied can be taken
// back; the log knows all of it.
func TestAwaitUndoLog(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	a := filepath.Join(dir, "a.js")
	ag := s.agent(dir)
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	id := s.edit(ag, "log($$$A)", "trace($$$A)").ActionID

	still, err := ag.Await(s.ctx, wire.AwaitParams{ID: id, TimeoutMs: 1})
	s.must(err)
	if still.State != "pending" {
		t.Errorf("after the timeout: %+v", still)
	}
	verdict := make(chan *wire.AwaitResult, 1)
	go func() {
		v, err := ag.Await(s.ctx, wire.AwaitParams{ID: id})
		if err != nil {
			t.Error(err)
		}
		verdict <- v
	}()
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply", Reason: "fine"}), nil))
	v := <-verdict
	if v.State != "applied" || v.Action != "apply" || v.Reason != "fine" || !v.By.Editor || v.Result == nil {
		t.Errorf("verdict %+v", v)
	}
	if got := read(t, a); got != "trace(1)\n" {
		t.Fatalf("applied %q", got)
	}

	result, _, err := ag.Undo(s.ctx, wire.UndoParams{})
	s.must(err)
	if got := read(t, a); got != "log(1)\n" || !strings.HasPrefix(result.Content[0].Text, "Undone") {
		t.Errorf("after undo %q: %q", got, result.Content[0].Text)
	}
	s.edit(ag, "log($$$A)", "trace($$$A)")
	_, _, err = ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)
	s.must(os.WriteFile(a, []byte("somebody else\n"), 0o644))
	_, _, err = ag.Undo(s.ctx, wire.UndoParams{})
	wantKind(t, err, "undoDrift")
	if got := read(t, a); got != "somebody else\n" {
		t.Errorf("a refused undo left %q", got)
	}

	log, err := ag.Log(s.ctx, wire.LogParams{})
	s.must(err)
	var causes []string
	for _, entry := range log.Entries {
		causes = append(causes, entry.Cause)
	}
	if got := strings.Join(causes, " "); got != "apply push undo apply push" {
		t.Errorf("log %q", got)
	}
	if first := log.Entries[3]; first.Reason != "fine" || !first.By.Editor || first.Files[0] != "a.js" || first.Hunks != 1 {
		t.Errorf("entry %+v", first)
	}
}

// A stack survives the process, and a structural edit is still re-run.
func TestStackSurvives(t *testing.T) {
	state := t.TempDir()
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	open := func() (*server, func()) {
		s := newServer(t, pending.Options{})
		registry, journal, err := lsp.OpenRegistry(state, lsp.Config{}, slog.New(slog.DiscardHandler), lsp.Engine{})
		s.must(err)
		s.registry = registry
		return s, func() { s.must(journal.Close()) }
	}
	s, closeState := open()
	ag := s.agent(dir)
	s.edit(ag, "log($$$A)", "trace($$$A)")
	s.must(ag.Close(s.ctx))
	if _, _, err := lsp.OpenRegistry(state, lsp.Config{}, slog.New(slog.DiscardHandler), lsp.Engine{}); err == nil {
		t.Error("two processes may use one state directory")
	}
	closeState()

	s, closeState = open()
	defer closeState()
	// While no process ran, the code moved.
	s.must(os.WriteFile(filepath.Join(dir, "a.js"), []byte("// first\nlog(1)\nlog(2)\n"), 0o644))
	ag = s.agent(dir)
	list, err := ag.List(s.ctx)
	s.must(err)
	if list.Depth != 1 || list.Actions[0].Label != "AST Edit: 1 replacement in 1 file" {
		t.Fatalf("after a restart: %+v", list)
	}
	_, details, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)
	if got := read(t, filepath.Join(dir, "a.js")); got != "// first\ntrace(1)\nlog(2)\n" || details.NewMatches != 1 {
		t.Errorf("applied %q with %d new matches", got, details.NewMatches)
	}
	s.must(ag.Close(s.ctx))
}

// explainPattern teaches what a pattern means.
func TestExplainPattern(t *testing.T) {
	s := newServer(t, pending.Options{})
	ag := s.agent(t.TempDir())
	x, err := ag.ExplainPattern(s.ctx, wire.ExplainPatternParams{Pat: "log($A)", Lang: "go", Snippet: "log(1)\n"})
	s.must(err)
	if x.RootKind != "call_expression" || len(x.Matches) != 1 || x.Matches[0].Text != "log(1)" || len(x.Problems) != 0 {
		t.Errorf("%+v", x)
	}
	_, err = ag.ExplainPattern(s.ctx, wire.ExplainPatternParams{Pat: "log($A)", Lang: "klingon"})
	wantKind(t, err, "unsupportedLanguage")
}

// With apply: "editor" every file goes through the editor, open or not.
func TestApplyThroughTheEditor(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n", "b.js": "log(2)\n"})
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Init: wire.InitializationOptions{Apply: "editor"}})
	s.sync(e)
	s.edit(s.agent(dir), "log($$$A)", "trace($$$A)")
	var result wire.ToolResult
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), &result))
	for name, want := range map[string]string{"a.js": "trace(1)\n", "b.js": "trace(2)\n"} {
		if got := text(t, e, filepath.Join(dir, name)); got != want {
			t.Errorf("%s is %q in the editor", name, got)
		}
		if got := read(t, filepath.Join(dir, name)); !strings.HasPrefix(got, "log") {
			t.Errorf("%s was written to disk: %q", name, got)
		}
	}
}

// Wrong initializationOptions are said at once.
func TestInitializationOptions(t *testing.T) {
	for name, init := range map[string]wire.InitializationOptions{
		"workspace": {Workspace: "everything"}, "apply": {Apply: "somehow"}, "approval": {Approval: &wire.Approval{Default: "nobody"}}, "approval.tools.x": {Approval: &wire.Approval{Tools: map[string]string{"x": "nobody"}}},
	} {
		s := newServer(t, pending.Options{})
		_, err := lsptest.NewEditor(s.ctx, s.dial(), lsptest.EditorOptions{Name: "e", Init: init})
		if err == nil || !strings.Contains(err.Error(), "initializationOptions."+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder alone can be the workspace, inside a repository.
func TestFolderWorkspace(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n", "sub/b.js": "log(2)\n"})
	e := s.editor(lsptest.EditorOptions{Folders: []string{filepath.Join(dir, "sub")}, Init: wire.InitializationOptions{Workspace: "folder"}})
	var result wire.ToolResult
	s.must(e.Execute(s.ctx, wire.CommandASTEdit, args(wire.ASTEditParams{Ops: []wire.Op{{Pat: "log($A)", Out: "x($A)"}}, Lang: "js"}), &result))
	if !strings.HasPrefix(result.Content[0].Text, "AST Edit: 1 replacement in 1 file\n") {
		t.Errorf("result %q", result.Content[0].Text)
	}
	list, err := s.agent(dir).List(s.ctx)
	s.must(err)
	if list.HasPending {
		t.Error("the repository's own stack has the folder's action")
	}
}

// What clients get to see of a label cannot repaint a terminal.
func TestHostileNames(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	a := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Name: "evil\x1b[2J", Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.must(e.Execute(s.ctx, wire.CommandPush, args(wire.PushParams{Label: "nice\u202ekcatta\x1b[31m", Edit: pushEdit(a, 0, 0, 3, "\x1b]0;x\x07")}), nil))
	s.await(e, "the diagnostic", func() bool { return len(e.Diagnostics(a)) == 1 })
	message, _ := e.Diagnostics(a)[0].Message.(protocol.String)
	hover, err := e.Hover(s.ctx, a, "log")
	s.must(err)
	actions, err := e.CodeActions(s.ctx, a, "log")
	s.must(err)
	for _, shown := range []string{string(message), strings.SplitN(hover, "```", 2)[0], actions[0].Title} {
		if strings.ContainsAny(shown, "\x1b\x07\u202e") {
			t.Errorf("shown as it is: %q", shown)
		}
	}
}

// A client that says what its buffers show only after the command is answered,
// as Emacs does, gets its answer; the rest follows.
func TestClientThatWaitsForTheAnswer(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n", "b.js": "log(2)\n"})
	a, b := filepath.Join(dir, "a.js"), filepath.Join(dir, "b.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	ag := s.agent(dir)
	s.edit(ag, "log($$$A)", "trace($$$A)")
	e.SetAnswer(lsptest.Held)
	var result wire.ToolResult
	s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), &result))
	var details wire.ResolveDetails
	s.must(json.Unmarshal(result.Details, &details))
	if !details.Unverified || details.Label != "AST Edit: 2 replacements in 2 files" {
		t.Errorf("details %+v", details)
	}
	if got := read(t, b); got != "log(2)\n" {
		t.Errorf("the closed file was written before the editor showed its part: %q", got)
	}
	s.must(e.Flush(s.ctx))
	s.await(e, "word of the apply", func() bool {
		n := e.Stack()
		return n[len(n)-1].Cause == "apply"
	})
	if got := read(t, b) + text(t, e, a); got != "trace(2)\ntrace(1)\n" {
		t.Errorf("in the end %q", got)
	}
}
