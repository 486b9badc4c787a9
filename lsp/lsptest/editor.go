// Package lsptest plays the clients of the server: an editor that really edits
// buffers, with all the ways in which real ones misbehave. The demo uses the
// same editor, so what it shows is what the tests check.
package lsptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// EditorOptions say what an [Editor] is like.
type EditorOptions struct {
	// Name and Version are its clientInfo.
	Name, Version string
	// Folders are its workspace folders; none is a session without workspace.
	Folders []string
	// Encodings are offered in order; none means LSP's default, UTF-16.
	Encodings []textedit.Encoding
	// Init are its initializationOptions.
	Init wire.InitializationOptions
	// NoApplyEdit makes it a client that cannot apply edits.
	NoApplyEdit bool
	// NoDisabled leaves out codeAction.disabledSupport.
	NoDisabled bool
	// Capabilities, if set, changes what the editor declares.
	Capabilities func(*protocol.ClientCapabilities)
	// Settings answers workspace/configuration; nil is a client without it.
	Settings map[string]any
	// Tap, if set, sees every message the server sends; method is that of the
	// request for a response.
	Tap func(msg jsonrpc2.Message, method string)
}

// Editor is a client with buffers. It is safe for concurrent use.
type Editor struct {
	conn jsonrpc2.Conn
	enc  textedit.Encoding
	// Server is the answer to initialize.
	Server protocol.InitializeResult

	mu          sync.Mutex
	changed     chan struct{} // closed and replaced at every change of state
	answer      Answer
	buffers     map[uri.URI]*buffer
	diagnostics map[uri.URI]*protocol.PublishDiagnosticsParams
	stack       []wire.DidChangeParams
	edits       int // workspace/applyEdit requests seen
	holding     bool
	held        []*protocol.DidChangeTextDocumentParams
	questions   []string
	settings    map[string]any
	logged      []string
	shown       []protocol.ShowDocumentParams
	watched     []string
	refreshed   []string // what was to be fetched anew: methods, or virtual documents
	progress    []string // kinds of $/progress
	picks       chan string
}

// buffer is an open document.
type buffer struct {
	version int32
	text    []byte
	undo    [][]byte
}

// NewEditor connects an editor to a server over rwc, which it owns.
func NewEditor(ctx context.Context, rwc io.ReadWriteCloser, o EditorOptions) (*Editor, error) {
	e := &Editor{
		changed:     make(chan struct{}),
		picks:       make(chan string),
		settings:    o.Settings,
		buffers:     map[uri.URI]*buffer{},
		diagnostics: map[uri.URI]*protocol.PublishDiagnosticsParams{},
	}
	connCtx, ended := context.WithCancel(context.WithoutCancel(ctx))
	stream := &watchedStream{Stream: wire.NewStream(rwc), tap: o.Tap, ended: ended, methods: map[jsonrpc2.ID]string{}}
	e.conn = jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(wire.Codec{}))
	e.conn.Go(connCtx, e.handle)
	if err := protocol.Call(ctx, e.conn, protocol.MethodInitialize, o.initialize(), &e.Server); err != nil {
		_ = rwc.Close()
		return nil, err
	}
	e.enc = textedit.Encoding(e.Server.Capabilities.PositionEncoding)
	return e, e.conn.Notify(ctx, protocol.MethodInitialized, &protocol.InitializedParams{})
}

func (o EditorOptions) initialize() *protocol.InitializeParams {
	yes := true
	apply, disabled := !o.NoApplyEdit, !o.NoDisabled
	p := &protocol.InitializeParams{
		ClientInfo: protocol.ClientInfo{Name: o.Name, Version: protocol.NewOptional(o.Version)},
		Capabilities: protocol.ClientCapabilities{
			Workspace: &protocol.WorkspaceClientCapabilities{
				ApplyEdit:        &apply,
				WorkspaceFolders: &yes,
				WorkspaceEdit:    &protocol.WorkspaceEditClientCapabilities{DocumentChanges: &yes},
				CodeLens:         &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: &yes},
			},
			TextDocument: &protocol.TextDocumentClientCapabilities{
				PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{
					DiagnosticsCapabilities: protocol.DiagnosticsCapabilities{RelatedInformation: &yes},
				},
				CodeAction: &protocol.CodeActionClientCapabilities{DisabledSupport: &disabled},
			},
		},
		InitializationOptions: protocol.LSPAny(wire.Encode(o.Init)),
	}
	if o.Settings != nil {
		p.Capabilities.Workspace.Configuration = &yes
	}
	if o.Capabilities != nil {
		o.Capabilities(&p.Capabilities)
	}
	if len(o.Encodings) > 0 {
		p.Capabilities.General = &protocol.GeneralClientCapabilities{}
		for _, enc := range o.Encodings {
			p.Capabilities.General.PositionEncodings = append(p.Capabilities.General.PositionEncodings, protocol.PositionEncodingKind(enc))
		}
	}
	var folders []protocol.WorkspaceFolder
	for _, dir := range o.Folders {
		folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(dir), Name: filepath.Base(dir)})
	}
	p.WorkspaceFolders = protocol.NewNullable(folders)
	return p
}

// Conn is the raw connection, for messages the Editor has no method for.
func (e *Editor) Conn() jsonrpc2.Conn { return e.conn }

// Open reads a file from disk and opens it.
func (e *Editor) Open(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return e.OpenText(ctx, path, string(text))
}

// OpenText opens a document with a text that need not be on disk.
func (e *Editor) OpenText(ctx context.Context, path, text string) error {
	u := uri.File(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.buffers[u] = &buffer{version: 1, text: []byte(text)}
	return e.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: u, Version: 1, Text: text},
	})
}

// Close closes a document without saving it.
func (e *Editor) Close(ctx context.Context, path string) error {
	u := uri.File(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.buffers, u)
	return e.conn.Notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u},
	})
}

// Replace types new over the first occurrence of old in a buffer; an empty old
// is the start of the buffer.
func (e *Editor) Replace(ctx context.Context, path, old, new string) error {
	u := uri.File(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	b, ok := e.buffers[u]
	if !ok {
		return fmt.Errorf("%s is not open", path)
	}
	at := indexOf(b.text, old)
	if at < 0 {
		return fmt.Errorf("%q is not in %s", old, path)
	}
	m := textedit.NewMapper(b.text)
	edit := textedit.Edit{Start: at, End: at + len(old), New: new}
	change := &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{Start: position(m, edit.Start, e.enc), End: position(m, edit.End, e.enc)},
		Text:  new,
	}
	return e.changeLocked(ctx, u, b, []textedit.Edit{edit}, change)
}

// Undo takes back the last change of a buffer.
func (e *Editor) Undo(ctx context.Context, path string) error {
	u := uri.File(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	b, ok := e.buffers[u]
	if !ok || len(b.undo) == 0 {
		return fmt.Errorf("nothing to undo in %s", path)
	}
	last := b.undo[len(b.undo)-1]
	b.undo = b.undo[:len(b.undo)-1]
	b.text = last
	b.version++
	return e.notifyChange(ctx, u, b, &protocol.TextDocumentContentChangeWholeDocument{Text: string(last)})
}

// changeLocked edits a buffer as one undo step and tells the server.
func (e *Editor) changeLocked(ctx context.Context, u uri.URI, b *buffer, edits []textedit.Edit, event protocol.TextDocumentContentChangeEvent) error {
	next, err := textedit.Apply(b.text, edits)
	if err != nil {
		return err
	}
	b.undo = append(b.undo, b.text)
	b.text = next
	b.version++
	return e.notifyChange(ctx, u, b, event)
}

func (e *Editor) notifyChange(ctx context.Context, u uri.URI, b *buffer, event protocol.TextDocumentContentChangeEvent) error {
	defer e.signal()
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{event}}
	p.TextDocument.URI = u
	p.TextDocument.Version = b.version
	if e.holding {
		e.held = append(e.held, p)
		return nil
	}
	return e.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, p)
}

// Text returns the text of a buffer.
func (e *Editor) Text(path string) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, ok := e.buffers[uri.File(path)]
	if !ok {
		return "", false
	}
	return string(b.text), true
}

// Diff is the unified diff from a text to what a buffer holds now.
func (e *Editor) Diff(path, name, before string) string {
	now, _ := e.Text(path)
	return textedit.Unified(name, before, now)
}

// Diagnostics returns what the server last published for a file.
func (e *Editor) Diagnostics(path string) []protocol.Diagnostic {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.diagnostics[uri.File(path)]; p != nil {
		return slices.Clone(p.Diagnostics)
	}
	return nil
}

// Shows counts the files with diagnostics.
func (e *Editor) Shows() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, p := range e.diagnostics {
		if len(p.Diagnostics) > 0 {
			n++
		}
	}
	return n
}

// Stack returns the pending-lsp/didChange notifications received so far.
func (e *Editor) Stack() []wire.DidChangeParams { return copied(e, &e.stack) }

// EditRequests counts the workspace/applyEdit requests received so far.
func (e *Editor) EditRequests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.edits
}

// Await waits until cond is true. It is asked again at every change of the
// editor's state, without the editor's lock.
func (e *Editor) Await(ctx context.Context, cond func() bool) error {
	for {
		e.mu.Lock()
		changed := e.changed
		e.mu.Unlock()
		if cond() {
			return nil
		}
		select {
		case <-changed:
		case <-e.conn.Done():
			return errors.New("the connection ended")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// signal wakes those who [Editor.Await]; the caller holds mu.
func (e *Editor) signal() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Shutdown ends the session as LSP wants it.
func (e *Editor) Shutdown(ctx context.Context) error {
	if err := protocol.Call(ctx, e.conn, protocol.MethodShutdown, nil, nil); err != nil {
		return err
	}
	if err := e.conn.Notify(ctx, protocol.MethodExit, nil); err != nil {
		return err
	}
	return e.conn.Close()
}
