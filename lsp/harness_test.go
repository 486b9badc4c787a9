package lsp_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is one process's worth of sessions.
type server struct {
	t        testing.TB
	ctx      context.Context
	registry *pending.Registry
	queued   int // lsp.Options.MaxQueued
}

func newServer(t testing.TB, o pending.Options) *server {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return &server{t: t, ctx: ctx, registry: pending.NewRegistry(o)}
}

// dial starts a session and returns the client's end of it. The session has
// ended before the test does.
func (s *server) dial() net.Conn {
	s.t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = lsp.Serve(s.ctx, theirs, lsp.Options{Registry: s.registry, Version: "test", MaxQueued: s.queued, Logger: slog.New(slog.DiscardHandler)})
	}()
	s.t.Cleanup(func() {
		_ = ours.Close()
		<-done
	})
	return ours
}

func (s *server) editor(o lsptest.EditorOptions) *lsptest.Editor {
	s.t.Helper()
	if o.Name == "" {
		o.Name = "editor"
	}
	o.Init.DidChange = true
	if _, benchmark := s.t.(*testing.B); !benchmark {
		tap := o.Tap
		o.Tap = func(msg jsonrpc2.Message, method string) {
			s.conforms(msg, method)
			if tap != nil {
				tap(msg, method)
			}
		}
	}
	e, err := lsptest.NewEditor(s.ctx, s.dial(), o)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// model is LSP's meta-model, loaded once.
var model = sync.OnceValues(lsptest.LoadModel)

// conforms holds every message the server sends an editor to the meta-model.
func (s *server) conforms(msg jsonrpc2.Message, method string) {
	m, err := model()
	if err != nil {
		s.t.Errorf("the meta-model: %v", err)
		return
	}
	known := true
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		known, err = m.CheckParams(method, true, msg.Params())
	case *jsonrpc2.Notification:
		known, err = m.CheckParams(method, false, msg.Params())
	case *jsonrpc2.Response:
		if msg.Err() == nil {
			known, err = m.CheckResult(method, msg.Result())
		}
	}
	if err != nil {
		s.t.Errorf("not LSP 3.18: %v", err)
	}
	if !known && !strings.HasPrefix(method, "pending-lsp/") {
		s.t.Errorf("the server sent %q, which is neither LSP's nor ours", method)
	}
}

func (s *server) agent(dir string) *agent.Client {
	s.t.Helper()
	c, err := agent.New(s.ctx, s.dial(), dir, agent.Options{Name: "agent", Version: "1"})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// edit previews one rewrite and leaves it pending.
func (s *server) edit(c *agent.Client, pat, out string) *wire.ASTEditDetails {
	s.t.Helper()
	_, details, err := c.ASTEdit(s.ctx, wire.ASTEditParams{Ops: []wire.Op{{Pat: pat, Out: out}}, Lang: "javascript"})
	if err != nil {
		s.t.Fatal(err)
	}
	return details
}

func (s *server) await(e *lsptest.Editor, what string, cond func() bool) {
	s.t.Helper()
	if err := e.Await(s.ctx, cond); err != nil {
		s.t.Fatalf("waiting for %s: %v", what, err)
	}
}

// sync waits until the server has read all that the editor sent: what another
// session does next happens after it.
func (s *server) sync(e *lsptest.Editor) {
	s.t.Helper()
	if _, err := e.CodeLenses(s.ctx, "/"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// workspace makes a folder with files; it is a repository of its own, so that
// nothing above it counts.
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
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func text(t testing.TB, e *lsptest.Editor, path string) string {
	t.Helper()
	text, ok := e.Text(path)
	if !ok {
		t.Fatalf("%s is not open", path)
	}
	return text
}

// wantKind checks the kind of a refusal, whoever received it.
func wantKind(t *testing.T, err error, kind string) {
	t.Helper()
	var refused *agent.Error
	var wired *jsonrpc2.Error
	switch {
	case errors.As(err, &refused):
		if refused.Data.Kind != kind {
			t.Errorf("kind %q (%v), want %q", refused.Data.Kind, err, kind)
		}
	case errors.As(err, &wired):
		if !strings.Contains(string(wired.Data), `"kind":"`+kind+`"`) {
			t.Errorf("data %s (%v), want kind %q", wired.Data, err, kind)
		}
	default:
		t.Errorf("error %v, want one of kind %q", err, kind)
	}
}

// pushEdit is a WorkspaceEdit that replaces a line of a file.
func pushEdit(path string, line uint32, from, to uint32, text string) []byte {
	return wire.Encode(protocolEdit(path, line, from, to, text))
}

func protocolEdit(path string, line, from, to uint32, text string) map[string]any {
	at := func(c uint32) map[string]uint32 { return map[string]uint32{"line": line, "character": c} }
	return map[string]any{"changes": map[string]any{
		string(uri.File(path)): []any{map[string]any{"range": map[string]any{"start": at(from), "end": at(to)}, "newText": text}},
	}}
}

func titles(actions []*protocol.CodeAction) []string {
	var out []string
	for _, a := range actions {
		title := a.Title
		if a.Disabled.Reason != "" {
			title += " [" + a.Disabled.Reason + "]"
		}
		out = append(out, title)
	}
	return out
}
