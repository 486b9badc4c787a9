package main_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// An editor's process, a shell's push and a shell's resolve share one stack.
func TestProcessesShareAStack(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	a := filepath.Join(dir, "a.js")
	p := m.start()
	e := m.editor(p, dir)
	if err := e.Open(m.ctx, a); err != nil {
		t.Fatal(err)
	}
	if _, err := e.CodeLenses(m.ctx, a); err != nil { // the server has read didOpen
		t.Fatal(err)
	}
	m.command(dir, "edit", "-p", "log($$$A)", "-r", "trace($$$A)", "-l", "js", "--push")
	if err := e.Await(m.ctx, func() bool { return len(e.Diagnostics(a)) == 1 }); err != nil {
		t.Fatal(err)
	}
	if out := m.command(dir, "resolve", "apply", "--reason", "from the shell"); !strings.Contains(out, "Applied: AST Edit: 2 replacements in 2 files") {
		t.Errorf("resolve printed %q", out)
	}
	if got, _ := e.Text(a); got != "trace(1);\n" {
		t.Errorf("buffer %q", got)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "b.js")); string(got) != "trace(2);\n" {
		t.Errorf("closed file %q", got)
	}
	if got, _ := os.ReadFile(a); string(got) != "log(1);\n" {
		t.Errorf("an open file was written: %q", got)
	}
	if err := e.Shutdown(m.ctx); err != nil {
		t.Error(err)
	}
	if code := p.exitCode(t, 5*time.Second); code != 0 {
		t.Errorf("exit code %d after shutdown and exit; stderr: %s", code, p.stderr.String())
	}
}

// However many start at once, one daemon serves them all.
func TestFiftyForwardersOneDaemon(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	editors := make([]*lsptest.Editor, 50)
	var wg sync.WaitGroup
	for i := range editors {
		p := m.start()
		wg.Go(func() {
			e, err := lsptest.NewEditor(m.ctx, p, lsptest.EditorOptions{Name: "test", Folders: []string{dir}, Init: wire.InitializationOptions{DidChange: true}})
			if err != nil {
				t.Errorf("%v; stderr: %s", err, p.stderr.String())
				return
			}
			editors[i] = e
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	m.command(dir, "edit", "-p", "log($$$A)", "-r", "trace($$$A)", "-l", "js", "--push")
	for _, e := range editors {
		seen := func() bool { return len(e.Diagnostics(filepath.Join(dir, "a.js"))) == 1 }
		if err := e.Await(m.ctx, seen); err != nil {
			t.Fatalf("a session does not see what another pushed: %v", err)
		}
	}
	if pids := daemons(t, m.runtime); len(pids) != 1 {
		t.Errorf("%d daemons run: %v", len(pids), pids)
	}
}

// daemons finds the daemon processes of a runtime directory.
func daemons(t *testing.T, runtime string) []string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Skip("needs /proc")
	}
	var pids []string
	for _, path := range lines {
		line, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(line), "daemon\x00--listen\x00unix;"+socket(runtime)) {
			pids = append(pids, path)
		}
	}
	return pids
}

// When the daemon is killed, each forwarder says so in one line and ends; the
// next start has the same stack.
func TestKilledDaemon(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	first, second := m.start(), m.start()
	m.editor(first, dir)
	m.editor(second, dir)
	m.command(dir, "edit", "-p", "log($$$A)", "-r", "trace($$$A)", "-l", "js", "--push")
	before := m.command(dir, "list", "--json")
	conn, theirs, err := daemon.Dial(m.ctx, socket(m.runtime), "test")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if err := syscall.Kill(theirs.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*process{first, second} {
		if code := p.exitCode(t, 5*time.Second); code == 0 {
			t.Error("exit code 0 though the daemon was killed")
		}
		if got := p.stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "daemon is gone") {
			t.Errorf("stderr %q, want one line", got)
		}
	}
	e := m.editor(m.start(), dir)
	if err := e.Await(m.ctx, func() bool { return len(e.Diagnostics(filepath.Join(dir, "a.js"))) == 1 }); err != nil {
		t.Errorf("the next start shows nothing: %v", err)
	}
	if after := m.command(dir, "list", "--json"); after != before {
		t.Errorf("before: %safter: %s", before, after)
	}
}

// An editor that ends its server with a signal keeps the streams open.
func TestTerminatedForwarder(t *testing.T) {
	for _, flags := range [][]string{nil, {"-rpc.trace"}} {
		m := newMachine(t)
		p := m.start(flags...)
		m.editor(p, workspace(t))
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := p.exitCode(t, 5*time.Second); code != 0 {
			t.Errorf("%v: exit code %d; stderr: %s", flags, code, p.stderr.String())
		}
	}
}

// A daemon without sessions leaves, unless something is pending.
func TestDaemonLeaves(t *testing.T) {
	m := newMachine(t)
	sock := filepath.Join(m.runtime, "d.sock")
	p := m.start("daemon", "-listen=unix;"+sock, "-listen.timeout=50ms")
	if code := p.exitCode(t, 10*time.Second); code != 0 {
		t.Errorf("exit code %d; stderr: %s", code, p.stderr.String())
	}
	if _, err := os.Stat(sock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

// The second daemon on a socket is refused, and a dead one's socket is taken
// over.
func TestOneDaemonASocket(t *testing.T) {
	m := newMachine(t)
	sock := filepath.Join(m.runtime, "d.sock")
	ready := func(p *process) {
		t.Helper()
		line := make([]byte, len("ready\n"))
		if _, err := io.ReadFull(p.stdout, line); err != nil || string(line) != "ready\n" {
			t.Fatalf("said %q, %v; stderr: %s", line, err, p.stderr.String())
		}
	}
	first := m.start("daemon", "-listen=unix;"+sock)
	ready(first)
	second := m.start("daemon", "-listen=unix;"+sock)
	if code := second.exitCode(t, 10*time.Second); code != 3 || !strings.Contains(second.stderr.String(), "another daemon is running") {
		t.Errorf("exit code %d, stderr %q", code, second.stderr.String())
	}
	// On a socket of its own, it is the state that is taken.
	third := m.start("daemon", "-listen=unix;"+sock+"2")
	if code := third.exitCode(t, 10*time.Second); code != 3 || !strings.Contains(third.stderr.String(), "in use by another process") {
		t.Errorf("exit code %d, stderr %q", code, third.stderr.String())
	}
	_ = first.cmd.Process.Kill()
	<-first.exited
	ready(m.start("daemon", "-listen=unix;"+sock))
}

// The modes of -remote, and the exit code that LSP asks for.
func TestRemoteModes(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)

	p := m.start("-remote=none")
	e := m.editor(p, dir)
	if err := e.Shutdown(m.ctx); err != nil {
		t.Error(err)
	}
	if code := p.exitCode(t, 5*time.Second); code != 0 {
		t.Errorf("in-process: exit code %d; stderr: %s", code, p.stderr.String())
	}
	if _, _, err := daemon.Dial(m.ctx, socket(m.runtime), "test"); err == nil {
		t.Error("-remote=none started a daemon")
	}

	p = m.start("serve", "-remote=none")
	m.editor(p, dir)
	_, _ = fmt.Fprint(p.stdin, "Content-Length: 33\r\n\r\n"+`{"jsonrpc":"2.0","method":"exit"}`)
	if code := p.exitCode(t, 5*time.Second); code != 1 {
		t.Errorf("exit without shutdown: exit code %d, want 1", code)
	}

	p = m.start("-remote=unix;" + filepath.Join(m.runtime, "nobody.sock"))
	if code := p.exitCode(t, 5*time.Second); code == 0 || !strings.Contains(p.stderr.String(), "cannot reach the daemon") {
		t.Errorf("no daemon there: exit code %d, stderr %q", code, p.stderr.String())
	}
}

// Where no daemon can be, the editor is served all the same and told why.
func TestUnusableRuntimeDir(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, m *machine){
		"not a folder": func(t *testing.T, m *machine) {
			if err := os.WriteFile(filepath.Join(m.runtime, "pending-lsp"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"open to others": func(t *testing.T, m *machine) {
			path := filepath.Join(m.runtime, "pending-lsp")
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, 0o777); err != nil {
				t.Fatal(err)
			}
		},
		"path too long": func(t *testing.T, m *machine) {
			long := filepath.Join(m.runtime, strings.Repeat("x", 120))
			if err := os.Mkdir(long, 0o700); err != nil {
				t.Fatal(err)
			}
			m.env = append(m.env, "XDG_RUNTIME_DIR="+long)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			prepare(t, m)
			p := m.start()
			m.editor(p, workspace(t))
			_ = p.stdin.Close()
			p.exitCode(t, 10*time.Second)
			if got := p.stderr.String(); !strings.Contains(got, "no daemon possible") {
				t.Errorf("stderr %q", got)
			}
		})
	}
}

// -rpc.trace writes what the LSP Inspector reads, also through the forwarder.
func TestTrace(t *testing.T) {
	for _, remote := range []string{"auto", "none"} {
		t.Run(remote, func(t *testing.T) {
			m := newMachine(t)
			log := filepath.Join(m.runtime, "log")
			p := m.start("-remote="+remote, "-logfile="+log, "-rpc.trace")
			e := m.editor(p, workspace(t))
			if err := e.Shutdown(m.ctx); err != nil {
				t.Error(err)
			}
			if code := p.exitCode(t, 5*time.Second); code != 0 {
				t.Errorf("exit code %d; stderr: %s", code, p.stderr.String())
			}
			got, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"Sending request 'initialize - (", "Received response 'initialize - (", "Sending notification 'exit'"} {
				if !strings.Contains(string(got), want) {
					t.Errorf("the trace lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// Garbage on one forwarder's input ends that one alone.
func TestGarbageEndsOneForwarder(t *testing.T) {
	m := newMachine(t)
	dir := workspace(t)
	good := m.editor(m.start(), dir)
	bad := m.start()
	_, _ = io.WriteString(bad.stdin, "this is no LSP\r\n\r\n")
	bad.exitCode(t, 5*time.Second)
	var list wire.ListResult
	if err := good.Execute(m.ctx, wire.CommandList, nil, &list); err != nil {
		t.Errorf("the other session: %v", err)
	}
}
