package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	mcpserver "github.com/pending-lsp/pending-lsp/lsp/mcp"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// A client's roots are the workspaces, and follow it, whichever protocol it
// speaks; our own folder is for clients without roots.
func TestRoots(t *testing.T) {
	for _, protocol := range []string{"2025-06-18", ""} {
		w := newWorld(t, pending.Options{})
		one, two := workspace(t, map[string]string{"a.js": "log(1)\n", "sub/x.js": ""}), workspace(t, map[string]string{"b.js": "log(2)\n"})
		c := w.connect(clientOptions{
			Options: mcpserver.Options{Folders: []string{t.TempDir()}},
			// Two roots in one workspace are one session.
			roots: []string{filepath.Join(one, "sub"), one, two}, protocol: protocol,
		})
		edit := map[string]any{"ops": []any{map[string]any{"pat": "log($A)", "out": "x($A)"}}, "lang": "js"}
		wantText(t, c.fail("ast_edit", edit), `several workspaces.*`+one+", "+two)
		edit["workspace"] = t.TempDir()
		wantText(t, c.fail("ast_edit", edit), `is not in a workspace of this session; they are: `+one+", "+two)
		edit["workspace"] = filepath.Join(one, "sub")
		wantText(t, c.call("ast_edit", edit, nil), `a\.js: 1\n.*Pending: 1 action, on top [^ ]+ "AST Edit: 1 replacement in 1 file" in `+one)
		edit["workspace"] = string(uri.File(two))
		wantText(t, c.call("ast_edit", edit, nil), `b\.js: 1\n.*Pending: 1 action, [^;]* in `+one+`; 1 action, [^;]* in `+two)

		if protocol == "" {
			continue // the newest protocol has no way to say that roots changed
		}
		c.mcp.RemoveRoots(string(uri.File(two)))
		for !strings.Contains(c.stackResource(), one) || strings.Contains(c.stackResource(), two) {
			receive(w, c.tools, "the new roots") // a change of seats replaces resources and tools
		}
		wantText(t, c.call("pending_list", nil, nil), `^1\. `)
	}
}

func (c *client) stackResource() string {
	c.w.t.Helper()
	r, err := c.ReadResource(c.w.ctx, &mcp.ReadResourceParams{URI: "pending-lsp:///stack"})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return r.Contents[0].Text
}

// A server started nowhere in particular says so, instead of searching the disk.
func TestNotAProject(t *testing.T) {
	w := newWorld(t, pending.Options{})
	for _, folder := range []string{"/", homeDir(t)} {
		c := w.connect(clientOptions{Options: mcpserver.Options{Folders: []string{folder}}, noRoots: true})
		wantText(t, c.fail("pending_list", nil), `not a project; .*--workspace`)
		if got := c.toolNames(); len(got) != 6 {
			t.Errorf("tools %q", got)
		}
	}
}

func homeDir(t *testing.T) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home")
	}
	return dir
}

// What another session does reaches the client: the tool, the resources and the
// subscription.
func TestResources(t *testing.T) {
	w := newWorld(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	// The SDK's client does not say when a subscription of the newest protocol
	// stands; an older one's is answered.
	c := w.connect(clientOptions{Options: mcpserver.Options{Folders: []string{dir}}, protocol: "2025-06-18"})
	e := w.editor(lsptest.EditorOptions{Folders: []string{dir}})
	c.awaitTools(false)
	if err := c.Subscribe(w.ctx, &mcp.SubscribeParams{URI: "pending-lsp:///stack"}); err != nil {
		t.Fatal(err)
	}
	var pushed wire.ToolResult
	err := e.Execute(w.ctx, wire.CommandASTEdit, args(wire.ASTEditParams{Ops: []wire.Op{{Pat: "log($A)", Out: "trace($A)"}}, Lang: "js"}), &pushed)
	if err != nil {
		t.Fatal(err)
	}
	var d wire.ASTEditDetails
	if err := json.Unmarshal(pushed.Details, &d); err != nil {
		t.Fatal(err)
	}
	action := "pending-lsp:///action/" + d.ActionID
	if got := receive(w, c.res, "resources/updated"); got != "pending-lsp:///stack" {
		t.Errorf("updated %s", got)
	}
	c.awaitTools(true)
	if got := c.resourceURIs(); !slices.Equal(got, []string{action, "pending-lsp:///stack"}) {
		t.Errorf("resources %q", got)
	}
	stack := c.stackResource()
	if !strings.Contains(stack, d.ActionID) || !strings.Contains(stack, dir) || strings.Contains(stack, "trace") {
		t.Errorf("stack %s", stack)
	}
	for _, u := range []string{action, action + "?from=1"} {
		r, err := c.ReadResource(w.ctx, &mcp.ReadResourceParams{URI: u})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Contents[0]; got.MIMEType != "text/x-diff" || !strings.Contains(got.Text, "```diff\n@@ 1 a.js:1 @@\n-log(1)\n+trace(1)\n```\n") {
			t.Errorf("%s: %+v", u, got)
		}
	}
	if err := c.Subscribe(w.ctx, &mcp.SubscribeParams{URI: action}); err != nil {
		t.Fatal(err)
	}
	if err := e.Execute(w.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "discard"}), nil); err != nil {
		t.Fatal(err)
	}
	for receive(w, c.res, "the action's update") != action {
	}
	c.awaitTools(false)
	if got := c.resourceURIs(); len(got) != 1 {
		t.Errorf("resources %q", got)
	}
	for _, gone := range []string{action, action + "?from=x", "pending-lsp:///action/", "pending-lsp:///other"} {
		if _, err := c.ReadResource(w.ctx, &mcp.ReadResourceParams{URI: gone}); err == nil {
			t.Errorf("%s can be read", gone)
		}
	}
}

func (c *client) resourceURIs() []string {
	c.w.t.Helper()
	list, err := c.ListResources(c.w.ctx, nil)
	if err != nil {
		c.w.t.Fatal(err)
	}
	var out []string
	for _, r := range list.Resources {
		out = append(out, r.URI)
	}
	slices.Sort(out)
	return out
}

// When the daemon goes, the next call joins the next one.
func TestDaemonGone(t *testing.T) {
	w := newWorld(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	c := w.in(dir)
	c.edit("log($A)", "trace($A)")
	c.awaitTools(true)
	w.mu.Lock()
	for _, conn := range w.conns {
		_ = conn.Close()
	}
	w.mu.Unlock()
	// Either the loss is noticed by now, or this call is what finds it.
	if text, failed := c.try("pending_list", nil, nil); failed {
		wantText(t, text, `session with the daemon has ended; call again`)
	}
	wantText(t, c.call("pending_list", nil, nil), `^1\. .*AST Edit: 1 replacement in 1 file`)
}

// Under approval "editor" the agent's resolve asks the person, and waits; with
// nobody to ask it is told so at once, and waiting for a verdict is possible.
func TestApproval(t *testing.T) {
	w := newWorld(t, pending.Options{Approval: pending.ApprovalPolicy{Default: pending.ApproveEditor}})
	dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
	c := w.in(dir)
	id := c.edit("log($A)", "trace($A)")
	apply := map[string]any{"action": "apply", "reason": "tests pass"}
	wantText(t, c.fail("resolve", apply), `only the user of an editor may approve it, and no editor.*\(policy\)`)

	verdict := make(chan string, 1)
	go func() {
		text, _ := c.try("await_resolution", map[string]any{"id": id}, nil)
		verdict <- text
	}()
	e := w.editor(lsptest.EditorOptions{Folders: []string{dir}})
	answer := make(chan string, 1)
	ask := func(pick string) string {
		t.Helper()
		go func() {
			text, _ := c.try("resolve", apply, nil)
			answer <- text
		}()
		if err := e.Pick(w.ctx, pick); err != nil {
			t.Fatal(err)
		}
		return receive(w, answer, "the answer")
	}
	wantText(t, ask("Keep pending"), `the user of editor did not approve it.*\(policy\)`)
	if got := read(t, dir, "a.js"); got != "log(1)\n" {
		t.Fatalf("applied without approval: %q", got)
	}
	wantText(t, ask("Apply"), `^Applied`)
	wantText(t, receive(w, verdict, "the verdict"), `^It was applied by claude 7, approved by the person at editor\. Reason: tests pass`)
	if got := e.Questions(); len(got) != 2 || got[0] != `claude 7 wants to apply "AST Edit: 1 replacement in 1 file": tests pass` {
		t.Errorf("questions %q", got)
	}
	var log wire.LogResult
	if err := e.Execute(w.ctx, wire.CommandLog, args(wire.LogParams{}), &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Entries) != 4 {
		t.Fatalf("log %+v", log.Entries)
	}
	for i, want := range []wire.LogEntry{{Cause: "apply", Approver: &wire.Party{Name: "editor"}}, {Cause: "decline", Approver: &wire.Party{Name: "editor"}}, {Cause: "decline"}, {Cause: "push"}} {
		got := log.Entries[i]
		if got.Cause != want.Cause || got.By.Name != "claude 7" || got.By.Editor || got.By.Session == "" ||
			(got.Approver == nil) != (want.Approver == nil) || got.Approver != nil && got.Approver.Name != want.Approver.Name {
			t.Errorf("entry %d: %+v, approver %+v", i, got, got.Approver)
		}
	}
}

// A result that brings resolve waits until a client that follows the list has
// it: its model's next turn can call what the result tells it to. A client that
// does not follow is waited for once.
func TestResultWaitsForTheList(t *testing.T) {
	w := newWorld(t, pending.Options{})
	c := w.connect(clientOptions{Options: mcpserver.Options{Folders: []string{workspace(t, map[string]string{"a.js": "log(1)\n"})}}, protocol: "2025-06-18"})
	c.toolNames()
	edit := &mcp.CallToolParams{Name: "ast_edit", Arguments: map[string]any{"ops": []any{map[string]any{"pat": "log($A)", "out": "x($A)"}}}}
	result := make(chan error, 1)
	go func() {
		_, err := c.CallTool(w.ctx, edit)
		result <- err
	}()
	receive(w, c.tools, "tools/list_changed")
	select {
	case err := <-result:
		t.Errorf("the result was there before the client had listed the tools (%v)", err)
	default:
	}
	if !slices.Contains(c.toolNames(), "resolve") {
		t.Error("resolve is not listed")
	}
	if err := receive(w, result, "the result"); err != nil {
		t.Error(err)
	}
	// From now on it does not listen: the first change waits in vain, no other does.
	for _, action := range []string{"discard", "discard", "discard", "discard", "discard"} {
		c.call("resolve", map[string]any{"action": action, "reason": "r"}, nil)
		c.edit("log($A)", "x($A)")
	}
}
