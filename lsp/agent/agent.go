// Package agent is a client library for programs that propose edits: connect to
// a workspace, preview a structural edit or push one's own, and resolve it or
// watch others resolve it. The command line is built on it.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// Options say who an agent is.
type Options struct {
	// Name and Version identify the agent in the log and in editors.
	Name, Version string
	// PositionEncoding is what positions in the session count: "utf-8" (default),
	// "utf-16" or "utf-32".
	PositionEncoding string
	// OnProgress, if set, is called for requests that have a WorkDoneToken, on the
	// connection's read loop: it must not block and must not call the Client.
	OnProgress func(Progress)
}

// Client is one session on a workspace. It is safe for concurrent use.
type Client struct {
	conn       jsonrpc2.Conn
	owned      owned
	subscriber atomic.Pointer[func(wire.DidChangeParams)]
}

// Error is a refusal by the server. Data.Kind says which.
type Error struct {
	Code    int
	Message string
	Data    wire.ErrorData
}

// Error returns the server's message.
func (e *Error) Error() string { return e.Message }

// Dial joins the workspace that a folder belongs to, through the user's daemon. If
// there is none it starts one, with the pending-lsp in $PATH.
func Dial(ctx context.Context, workspace string, o Options) (*Client, error) {
	s := daemon.Starter{Command: []string{"pending-lsp", "daemon"}, Version: o.Version}
	return DialDaemon(ctx, s, daemon.Auto, workspace, o)
}

// DialDaemon is [Dial] through a daemon of the caller's choice.
func DialDaemon(ctx context.Context, s daemon.Starter, r daemon.Remote, workspace string, o Options) (*Client, error) {
	conn, _, err := s.Connect(ctx, r)
	if err != nil {
		return nil, err
	}
	return New(ctx, conn, workspace, o)
}

// New speaks to a server over rwc, which the Client then owns.
func New(ctx context.Context, rwc io.ReadWriteCloser, workspace string, o Options) (*Client, error) {
	c := &Client{conn: jsonrpc2.NewConn(wire.NewStream(rwc), jsonrpc2.WithCodec(wire.Codec{}))}
	c.conn.Go(context.WithoutCancel(ctx), c.handler(o))
	if err := c.initialize(ctx, workspace, o); err != nil {
		_ = rwc.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) handler(o Options) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		switch req.Method() {
		case wire.NotificationDidChange:
			var p wire.DidChangeParams
			if f := c.subscriber.Load(); f != nil && json.Unmarshal(req.Params(), &p) == nil {
				(*f)(p)
			}
			return nil, nil
		case protocol.MethodProgress:
			if p, ok := progressOf(req.Params()); ok && o.OnProgress != nil {
				o.OnProgress(p)
			}
			return nil, nil
		case wire.RequestApply, wire.RequestReject:
			jsonrpc2.Async(ctx)
			return c.owned.serve(ctx, req)
		}
		if req.IsCall() {
			return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %s", req.Method())
		}
		return nil, nil
	}
}

func (c *Client) initialize(ctx context.Context, workspace string, o Options) error {
	dir, err := filepath.Abs(workspace)
	if err != nil {
		return err
	}
	encoding := protocol.PositionEncodingKind(o.PositionEncoding)
	if encoding == "" {
		encoding = protocol.PositionEncodingKind(textedit.UTF8)
	}
	params := protocol.InitializeParams{
		ProcessID:  new(int32),
		ClientInfo: protocol.ClientInfo{Name: o.Name, Version: protocol.NewOptional(o.Version)},
		Capabilities: protocol.ClientCapabilities{General: &protocol.GeneralClientCapabilities{
			PositionEncodings: []protocol.PositionEncodingKind{encoding},
		}},
	}
	*params.ProcessID = int32(os.Getpid())
	params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(dir), Name: filepath.Base(dir)}})
	var result protocol.InitializeResult
	if err := c.call(ctx, protocol.MethodInitialize, &params, &result); err != nil {
		return err
	}
	return c.conn.Notify(ctx, protocol.MethodInitialized, &protocol.InitializedParams{})
}

// Subscribe has f called for every change of the stack, in order; the first call
// tells how it stands. f runs on the connection's read loop: it must not block and
// must not call the Client. Subscribe is called once.
func (c *Client) Subscribe(ctx context.Context, f func(wire.DidChangeParams)) error {
	if !c.subscriber.CompareAndSwap(nil, &f) {
		return errors.New("subscribed already")
	}
	settings := map[string]any{"pendingLsp": wire.InitializationOptions{DidChange: true}}
	return c.conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny(wire.Encode(settings))})
}

// ASTEdit previews a structural edit and leaves it pending if it would change
// anything; Details.ActionID is empty when it would not.
func (c *Client) ASTEdit(ctx context.Context, p wire.ASTEditParams) (*wire.ToolResult, *wire.ASTEditDetails, error) {
	var details wire.ASTEditDetails
	result, err := c.tool(ctx, wire.CommandASTEdit, p, &details)
	return result, &details, err
}

// Resolve applies or discards the top of the stack.
func (c *Client) Resolve(ctx context.Context, p wire.ResolveParams) (*wire.ToolResult, *wire.ResolveDetails, error) {
	var details wire.ResolveDetails
	result, err := c.tool(ctx, wire.CommandResolve, p, &details)
	return result, &details, err
}

// List returns the stack, top first.
func (c *Client) List(ctx context.Context) (*wire.ListResult, error) {
	var out wire.ListResult
	return &out, c.execute(ctx, wire.CommandList, wire.ListParams{}, &out)
}

// Peek returns the top of the stack, if there is one.
func (c *Client) Peek(ctx context.Context) (*wire.ListResult, error) {
	var out wire.ListResult
	return &out, c.execute(ctx, wire.CommandPeek, wire.ListParams{}, &out)
}

// Preview returns what a pending action would do.
func (c *Client) Preview(ctx context.Context, p wire.PreviewParams) (*wire.PreviewResult, error) {
	var out wire.PreviewResult
	return &out, c.execute(ctx, wire.CommandPreview, p, &out)
}

// Await waits until an action is resolved, or ctx ends.
func (c *Client) Await(ctx context.Context, p wire.AwaitParams) (*wire.AwaitResult, error) {
	var out wire.AwaitResult
	return &out, c.execute(ctx, wire.CommandAwait, p, &out)
}

// Undo takes back the last applied action.
func (c *Client) Undo(ctx context.Context, p wire.UndoParams) (*wire.ToolResult, *wire.ResolveDetails, error) {
	var details wire.ResolveDetails
	result, err := c.tool(ctx, wire.CommandUndo, p, &details)
	return result, &details, err
}

// Log returns who did what, when and why, the latest first.
func (c *Client) Log(ctx context.Context, p wire.LogParams) (*wire.LogResult, error) {
	var out wire.LogResult
	return &out, c.execute(ctx, wire.CommandLog, p, &out)
}

// ExplainPattern says how a pattern is read.
func (c *Client) ExplainPattern(ctx context.Context, p wire.ExplainPatternParams) (*wire.ExplainPatternResult, error) {
	var out wire.ExplainPatternResult
	return &out, c.execute(ctx, wire.CommandExplain, p, &out)
}

// Close ends the session; what it left pending stays.
func (c *Client) Close(ctx context.Context) error {
	if err := c.call(ctx, protocol.MethodShutdown, nil, nil); err == nil {
		_ = c.conn.Notify(ctx, protocol.MethodExit, nil)
	}
	return c.conn.Close()
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// tool runs a command that answers with a tool result.
func (c *Client) tool(ctx context.Context, command string, params, details any) (*wire.ToolResult, error) {
	var result wire.ToolResult
	if err := c.execute(ctx, command, params, &result); err != nil {
		return nil, err
	}
	if len(result.Details) > 0 {
		if err := json.Unmarshal(result.Details, details); err != nil {
			return nil, fmt.Errorf("details of %s: %w", command, err)
		}
	}
	return &result, nil
}

func (c *Client) execute(ctx context.Context, command string, params, out any) error {
	var raw jsonrpc2.RawMessage
	err := c.call(ctx, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command:   command,
		Arguments: []protocol.LSPAny{protocol.LSPAny(wire.Encode(params))},
	}, &raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// call is [protocol.Call] with the server's refusals as [*Error].
func (c *Client) call(ctx context.Context, method string, params, result any) error {
	return asError(protocol.Call(ctx, c.conn, method, params, result))
}
