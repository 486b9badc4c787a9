package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	mcpserver "github.com/pending-lsp/pending-lsp/lsp/mcp"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a daemon's worth of sessions.
type world struct {
	t        *testing.T
	ctx      context.Context
	registry *pending.Registry

	mu    sync.Mutex
	conns []net.Conn // agents' ends
	sent  lockedBuffer
	// held, if set, holds back what the daemon answers until it is closed.
	held atomic.Pointer[chan struct{}]
}

func newWorld(t *testing.T, o pending.Options) *world {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return &world{t: t, ctx: ctx, registry: pending.NewRegistry(o)}
}

func (w *world) dial() net.Conn {
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = lsp.Serve(w.ctx, theirs, lsp.Options{Registry: w.registry, Version: "test", Logger: slog.New(slog.DiscardHandler)})
	}()
	w.t.Cleanup(func() {
		_ = ours.Close()
		<-done
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = append(w.conns, ours)
	return ours
}

func (w *world) editor(o lsptest.EditorOptions) *lsptest.Editor {
	w.t.Helper()
	o.Name, o.Init.DidChange = "editor", true
	e, err := lsptest.NewEditor(w.ctx, w.dial(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// client is an MCP client and what it was told.
type client struct {
	*mcp.ClientSession
	w     *world
	mcp   *mcp.Client
	tools chan struct{}
	res   chan string
	prog  chan *mcp.ProgressNotificationParams
}

type clientOptions struct {
	mcpserver.Options
	roots    []string
	noRoots  bool
	protocol string // the newest if empty
}

// connect starts an MCP server and a client of it.
func (w *world) connect(o clientOptions) *client {
	w.t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	o.Dial = func(ctx context.Context, folder string, a agent.Options) (*agent.Client, error) {
		return agent.New(ctx, spied{w.dial(), w}, folder, a)
	}
	o.Version = "test"
	done := make(chan error, 1)
	go func() { done <- mcpserver.Serve(w.ctx, theirs, o.Options) }()
	c := &client{w: w, tools: make(chan struct{}, 100), res: make(chan string, 100), prog: make(chan *mcp.ProgressNotificationParams, 100)}
	opts := &mcp.ClientOptions{
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { c.tools <- struct{}{} },
		ResourceUpdatedHandler:      func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { c.res <- r.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { c.prog <- r.Params },
	}
	if o.noRoots {
		opts.Capabilities = &mcp.ClientCapabilities{}
	}
	c.mcp = mcp.NewClient(&mcp.Implementation{Name: "claude", Version: "7"}, opts)
	for _, root := range o.roots {
		c.mcp.AddRoots(&mcp.Root{URI: string(uri.File(root))})
	}
	session, err := c.mcp.Connect(w.ctx, ours, &mcp.ClientSessionOptions{ProtocolVersion: o.protocol})
	if err != nil {
		w.t.Fatal(err)
	}
	c.ClientSession = session
	w.t.Cleanup(func() {
		_ = session.Close()
		if err := <-done; err != nil && w.ctx.Err() == nil {
			w.t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

// in is a client whose server was started in a folder.
func (w *world) in(dir string) *client {
	return w.connect(clientOptions{Options: mcpserver.Options{Folders: []string{dir}}})
}

// call runs a tool and returns its text; out, if not nil, takes the structured
// result.
func (c *client) call(tool string, args any, out any) string {
	c.w.t.Helper()
	text, failed := c.try(tool, args, out)
	if failed {
		c.w.t.Fatalf("%s: %s", tool, text)
	}
	return text
}

// fail runs a tool that is to be refused and returns the refusal.
func (c *client) fail(tool string, args any) string {
	c.w.t.Helper()
	text, failed := c.try(tool, args, nil)
	if !failed {
		c.w.t.Fatalf("%s went well: %s", tool, text)
	}
	return text
}

func (c *client) try(tool string, args any, out any) (string, bool) {
	c.w.t.Helper()
	r, err := c.CallTool(c.w.ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.w.t.Fatalf("%s: %v", tool, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	data, err := json.Marshal(r.StructuredContent)
	var same struct{ Text string }
	if err == nil && !r.IsError {
		err = json.Unmarshal(data, &same)
	}
	if err != nil || !r.IsError && same.Text != text {
		c.w.t.Errorf("%s: the structured result has the text %q, %v; want %q", tool, same.Text, err, text)
	}
	if out != nil && !r.IsError {
		if err := json.Unmarshal(data, out); err != nil {
			c.w.t.Fatalf("%s: structured result: %v", tool, err)
		}
	}
	return text, r.IsError
}

// edit leaves one rewrite pending and returns its id.
func (c *client) edit(pat, out string) string {
	c.w.t.Helper()
	var d struct{ ActionID string }
	c.call("ast_edit", map[string]any{"ops": []any{map[string]any{"pat": pat, "out": out}}, "lang": "javascript"}, &d)
	if d.ActionID == "" {
		c.w.t.Fatalf("%s matches nothing", pat)
	}
	return d.ActionID
}

func (c *client) toolNames() []string {
	c.w.t.Helper()
	list, err := c.ListTools(c.w.ctx, nil)
	if err != nil {
		c.w.t.Fatal(err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

// awaitTools waits until resolve is listed, or is not.
func (c *client) awaitTools(resolve bool) {
	c.w.t.Helper()
	for slices.Contains(c.toolNames(), "resolve") != resolve {
		receive(c.w, c.tools, "tools/list_changed")
	}
}

func receive[T any](w *world, ch <-chan T, what string) T {
	w.t.Helper()
	select {
	case v := <-ch:
		return v
	case <-w.ctx.Done():
		w.t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// spied remembers what an agent sends to the daemon.
type spied struct {
	net.Conn
	w *world
}

func (s spied) Write(b []byte) (int, error) {
	s.w.sent.write(b)
	return s.Conn.Write(b)
}

func (s spied) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if held := s.w.held.Load(); held != nil {
		<-*held
	}
	return n, err
}

// lockedBuffer is text that grows and can be waited for.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
	grew chan struct{}
}

func (b *lockedBuffer) write(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p)
	if b.grew != nil {
		close(b.grew)
		b.grew = nil
	}
}

func (b *lockedBuffer) await(w *world, part string) {
	w.t.Helper()
	for {
		b.mu.Lock()
		if strings.Contains(b.text.String(), part) {
			b.mu.Unlock()
			return
		}
		if b.grew == nil {
			b.grew = make(chan struct{})
		}
		grew := b.grew
		b.mu.Unlock()
		receive(w, grew, part)
	}
}

// workspace makes a repository with files.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files[".git/HEAD"] = "ref: refs/heads/main\n"
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

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func args(v any) []protocol.LSPAny { return []protocol.LSPAny{protocol.LSPAny(wire.Encode(v))} }
