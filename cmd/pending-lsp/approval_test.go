package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// Where an editor's user wants to be asked, an agent at the shell cannot approve
// its own preview: its apply asks, and is refused when the user says no or
// leaves. Waiting for the verdict goes on meanwhile, and the log says who it was.
func TestApprovalFromOutside(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	e, err := lsptest.NewEditor(m.ctx, m.start(), lsptest.EditorOptions{
		Name: "vim", Folders: []string{dir}, Init: wire.InitializationOptions{DidChange: true, Approval: &wire.Approval{Default: "editor"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.CodeLenses(m.ctx, filepath.Join(dir, "a.js")); err != nil { // the server knows what it wants
		t.Fatal(err)
	}
	var pushed struct{ ActionID string }
	out := m.command(dir, "edit", "-p", "log($A)", "-r", "trace($A)", "-l", "js", "--push", "--json")
	if err := json.Unmarshal([]byte(out), &pushed); err != nil {
		t.Fatal(err)
	}
	waits := m.background(dir, "await", pushed.ActionID)
	resolve := func() *shellCommand {
		return m.background(dir, "resolve", "apply", "--reason", "trust me")
	}

	asks := resolve()
	if err := e.Pick(m.ctx, "Keep pending"); err != nil {
		t.Fatal(err)
	}
	if code := asks.exitCode(); code != 3 || !strings.Contains(asks.stderr.String(), "kind: policy\n") {
		t.Errorf("exit code %d, stderr %q", code, asks.stderr.String())
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.js")); string(got) != "log(1);\n" {
		t.Fatalf("applied without approval: %q", got)
	}

	asks = resolve()
	if err := e.Pick(m.ctx, "Apply"); err != nil {
		t.Fatal(err)
	}
	if code := asks.exitCode(); code != 0 {
		t.Errorf("approved: exit code %d, stderr %q", code, asks.stderr.String())
	}
	if code := waits.exitCode(); code != 0 || !strings.HasSuffix(waits.stdout.String(), ", approved by vim: trust me\n") {
		t.Errorf("await: exit code %d, %q", code, waits.stdout.String())
	}
	if q := e.Questions(); len(q) != 2 || !strings.HasPrefix(q[0], "pending-lsp command line ") || !strings.HasSuffix(q[0], ": trust me") {
		t.Errorf("questions %q", q)
	}
	var log wire.LogResult
	if err := json.Unmarshal([]byte(m.command(dir, "log", "--json")), &log); err != nil {
		t.Fatal(err)
	}
	last := log.Entries[0]
	if last.Cause != "apply" || last.Reason != "trust me" || last.By.Editor || !strings.HasPrefix(last.By.Name, "pending-lsp command line ") || last.Approver == nil || last.Approver.Name != "vim" {
		t.Errorf("logged %+v", last)
	}
	if text := m.command(dir, "log"); !regexp.MustCompile(`(?m)  apply    .*, approved by vim: trust me$`).MatchString(text) || !regexp.MustCompile(`(?m)  decline  .*, declined by vim: trust me$`).MatchString(text) {
		t.Errorf("logged %s", text)
	}

	// The user who is asked and leaves has not agreed.
	m.command(dir, "edit", "-p", "trace($A)", "-r", "log($A)", "-l", "js", "--push")
	asks = resolve()
	if err := e.Await(m.ctx, func() bool { return len(e.Questions()) == 3 }); err != nil {
		t.Fatal(err)
	}
	_ = e.Shutdown(m.ctx) // the process may be gone before we hang up
	if code := asks.exitCode(); code != 3 || !strings.Contains(asks.stderr.String(), "was not applied: ") {
		t.Errorf("after the editor left: exit code %d, stderr %q", code, asks.stderr.String())
	}
}

// What the last editor wanted holds when it has left, also for the next daemon:
// the agent is told at once, and waits for somebody who may decide.
func TestApprovalWithoutEditor(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	start := func(init wire.InitializationOptions) *lsptest.Editor {
		t.Helper()
		e, err := lsptest.NewEditor(m.ctx, m.start(), lsptest.EditorOptions{Name: "vim", Folders: []string{dir}, Init: init})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.CodeLenses(m.ctx, filepath.Join(dir, "a.js")); err != nil { // the server knows what it wants
			t.Fatal(err)
		}
		return e
	}
	e := start(wire.InitializationOptions{Approval: &wire.Approval{Default: "editor", Tools: map[string]string{"trusted": "anyone"}}})
	_ = e.Shutdown(m.ctx)
	stopDaemon(m.runtime)

	var pushed struct{ ActionID string }
	out := m.command(dir, "edit", "-p", "log($A)", "-r", "trace($A)", "-l", "js", "--push", "--json")
	if err := json.Unmarshal([]byte(out), &pushed); err != nil {
		t.Fatal(err)
	}
	refused := m.background(dir, "resolve", "apply")
	if code := refused.exitCode(); code != 3 || !strings.Contains(refused.stderr.String(), "no editor that could ask is attached. It is still pending") {
		t.Errorf("exit code %d, stderr %q", code, refused.stderr.String())
	}
	if log := m.command(dir, "log"); !strings.Contains(log, "decline  AST Edit: 2 replacements in 2 files  by pending-lsp command line") || !strings.HasSuffix(strings.SplitN(log, "\n", 2)[0], ", nobody there to approve") {
		t.Errorf("logged %s", log)
	}
	waits := m.background(dir, "await", pushed.ActionID)
	e = start(wire.InitializationOptions{})
	if err := e.Execute(m.ctx, wire.CommandResolve, commandArgs(wire.ResolveParams{Action: "apply"}), nil); err != nil {
		t.Fatal(err)
	}
	if code := waits.exitCode(); code != 0 {
		t.Errorf("await: exit code %d, stderr %q", code, waits.stderr.String())
	}
	_ = e.Shutdown(m.ctx)

	edit := filepath.Join(t.TempDir(), "edit.json")
	change := fmt.Sprintf(`{"changes": {"file://%s/b.js": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "newText": "print"}]}}`, dir)
	if err := os.WriteFile(edit, []byte(change), 0o600); err != nil {
		t.Fatal(err)
	}
	m.command(dir, "push", "--label", "Trusted", "--source", "trusted", edit)
	m.command(dir, "resolve", "apply")
	if got, _ := os.ReadFile(filepath.Join(dir, "b.js")); string(got) != "print(2);\n" {
		t.Errorf("b.js is %q", got)
	}
}

// shellCommand is a command that somebody left running in a folder.
type shellCommand struct {
	cmd            *exec.Cmd
	stdout, stderr lockedBuffer
}

func (m *machine) background(dir string, args ...string) *shellCommand {
	m.t.Helper()
	s := &shellCommand{cmd: exec.CommandContext(m.ctx, binary, args...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = dir, m.env, &s.stdout, &s.stderr
	if err := s.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	return s
}

// exitCode waits for the end.
func (s *shellCommand) exitCode() int {
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}
