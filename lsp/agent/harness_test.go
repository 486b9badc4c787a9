package agent_test

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a daemon's worth of sessions, over real sockets and with a journal on
// disk, as the daemon has them.
type world struct {
	t        testing.TB
	ctx      context.Context
	registry *pending.Registry
	ln       net.Listener
}

func newWorld(t testing.TB) *world {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	quiet := slog.New(slog.DiscardHandler)
	registry, journal, err := lsp.OpenRegistry(t.TempDir(), lsp.Config{}, quiet, lsp.Engine{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	dir, err := os.MkdirTemp("", "pl-") // a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ln, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	return &world{t: t, ctx: ctx, registry: registry, ln: ln}
}

func (w *world) dial() net.Conn {
	w.t.Helper()
	ours, err := net.Dial("unix", w.ln.Addr().String())
	if err != nil {
		w.t.Fatal(err)
	}
	theirs, err := w.ln.Accept()
	if err != nil {
		w.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = lsp.Serve(w.ctx, theirs, lsp.Options{Registry: w.registry, Version: "test"})
	}()
	w.t.Cleanup(func() {
		_ = ours.Close()
		<-done
	})
	return ours
}

func (w *world) editor(dir string) *lsptest.Editor {
	w.t.Helper()
	e, err := lsptest.NewEditor(w.ctx, w.dial(), lsptest.EditorOptions{
		Name: "editor", Folders: []string{dir}, Init: wire.InitializationOptions{DidChange: true},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

func (w *world) agent(dir, name string) *agent.Client {
	w.t.Helper()
	c, err := agent.New(w.ctx, w.dial(), dir, agent.Options{Name: name})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// replaceLine is a WorkspaceEdit that replaces the first line of a file.
func replaceLine(path string, length int, text string) []byte {
	at := func(c int) map[string]int { return map[string]int{"line": 0, "character": c} }
	return wire.Encode(map[string]any{"changes": map[string]any{
		string(uri.File(path)): []any{map[string]any{"range": map[string]any{"start": at(0), "end": at(length)}, "newText": text}},
	}})
}
