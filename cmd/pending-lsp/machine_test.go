package main_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// machine is a user's environment: a runtime and a state directory, and the
// processes started in it.
type machine struct {
	t       *testing.T
	ctx     context.Context
	runtime string
	env     []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	runtime, state, err := privateDirs()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stopDaemon(runtime)
		_ = os.RemoveAll(filepath.Dir(runtime))
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return &machine{t: t, ctx: ctx, runtime: runtime, env: append(os.Environ(), "XDG_RUNTIME_DIR="+runtime, "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+filepath.Join(filepath.Dir(runtime), "c"))}
}

// process is a running pending-lsp and its standard streams.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr lockedBuffer
	exited chan struct{}
}

func (m *machine) start(args ...string) *process {
	m.t.Helper()
	p, err := startProcess(m.ctx, m.env, args...)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		_ = p.stdin.Close()
		_ = p.cmd.Process.Kill()
		<-p.exited
		_ = p.stdout.Close()
	})
	return p
}

// startProcess runs the program until ctx ends.
func startProcess(ctx context.Context, env []string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = env
	return startCommand(cmd)
}

// startCommand starts a command with its standard streams at hand.
func startCommand(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{})}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Not StdoutPipe: Wait would close it under a reader.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.stdout, p.cmd.Stdout = r, w
	err = p.cmd.Start()
	_ = w.Close()
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait()
	}()
	return p, nil
}

// Read, Write and Close make a process the transport of a client.
func (p *process) Read(b []byte) (int, error)  { return p.stdout.Read(b) }
func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }
func (p *process) Close() error                { return p.stdin.Close() }

// exitCode waits for the process to end.
func (p *process) exitCode(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case <-p.exited:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatalf("the process still runs after %v; stderr: %s", within, p.stderr.String())
		return -1
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (m *machine) editor(p *process, dir string) *lsptest.Editor {
	m.t.Helper()
	e, err := lsptest.NewEditor(m.ctx, p, lsptest.EditorOptions{Name: "test", Folders: []string{dir}, Init: wire.InitializationOptions{DidChange: true}})
	if err != nil {
		m.t.Fatalf("%v; stderr: %s", err, p.stderr.String())
	}
	return e
}

// command runs the program to its end and returns its standard output.
func (m *machine) command(dir string, args ...string) string {
	m.t.Helper()
	cmd := exec.CommandContext(m.ctx, binary, args...)
	cmd.Dir, cmd.Env = dir, m.env
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			m.t.Fatalf("%v: %v: %s", args, err, exit.Stderr)
		}
		m.t.Fatal(err)
	}
	return string(out)
}

func workspace(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.js": "log(1);\n", "b.js": "log(2);\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
