package lsptest

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// handle serves what the server asks of the editor.
func (e *Editor) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case protocol.MethodWorkspaceApplyEdit:
		return with(req, func(p *protocol.ApplyWorkspaceEditParams) (any, error) {
			jsonrpc2.Async(ctx)
			return e.applyEdit(ctx, p)
		})
	case protocol.MethodWindowShowMessageRequest:
		return with(req, func(p *protocol.ShowMessageRequestParams) (any, error) {
			jsonrpc2.Async(ctx)
			return e.choose(ctx, p)
		})
	case protocol.MethodWorkspaceConfiguration:
		e.mu.Lock()
		defer e.mu.Unlock()
		return jsonrpc2.RawMessage(wire.Encode([]any{e.settings})), nil
	case protocol.MethodWindowShowDocument:
		return with(req, func(p *protocol.ShowDocumentParams) (any, error) {
			e.note(func() { e.shown = append(e.shown, *p) })
			return &protocol.ShowDocumentResult{Success: true}, nil
		})
	case protocol.MethodWorkspaceTextDocumentContentRefresh:
		return with(req, func(p *protocol.TextDocumentContentRefreshParams) (any, error) {
			e.note(func() { e.refreshed = append(e.refreshed, string(p.URI)) })
			return nil, nil
		})
	case protocol.MethodWorkspaceCodeLensRefresh, protocol.MethodWorkspaceInlayHintRefresh, protocol.MethodWorkspaceDiagnosticRefresh:
		method := string(append([]byte(nil), req.Method()...)) // borrowed
		e.note(func() { e.refreshed = append(e.refreshed, method) })
		return nil, nil
	case protocol.MethodClientRegisterCapability:
		return with(req, func(p *protocol.RegistrationParams) (any, error) { return nil, e.register(p) })
	case protocol.MethodClientUnregisterCapability:
		e.note(func() { e.watched = nil })
		return nil, nil
	case protocol.MethodWindowWorkDoneProgressCreate:
		return nil, nil
	}
	if req.IsCall() {
		return jsonrpc2.MethodNotFoundHandler(ctx, req)
	}
	return nil, e.notified(req)
}

// notified takes notifications.
func (e *Editor) notified(req *jsonrpc2.Request) error {
	switch req.Method() {
	case protocol.MethodTextDocumentPublishDiagnostics:
		_, err := with(req, func(p *protocol.PublishDiagnosticsParams) (any, error) {
			e.note(func() { e.diagnostics[p.URI] = p })
			return nil, nil
		})
		return err
	case protocol.MethodWindowLogMessage:
		_, err := with(req, func(p *protocol.LogMessageParams) (any, error) {
			e.note(func() { e.logged = append(e.logged, p.Message) })
			return nil, nil
		})
		return err
	case wire.NotificationDidChange:
		var p wire.DidChangeParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return err
		}
		e.note(func() { e.stack = append(e.stack, p) })
	case protocol.MethodProgress:
		var p struct{ Value struct{ Kind string } }
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return err
		}
		e.note(func() { e.progress = append(e.progress, p.Value.Kind) })
	}
	return nil
}

// with decodes the params of a request.
func with[P any](req *jsonrpc2.Request, f func(*P) (any, error)) (any, error) {
	var p P
	if err := protocol.Unmarshal(req.Params(), &p); err != nil {
		return nil, err
	}
	return f(&p)
}

// register takes the registrations of watched files.
func (e *Editor) register(p *protocol.RegistrationParams) error {
	for _, r := range p.Registrations {
		if r.Method != protocol.MethodWorkspaceDidChangeWatchedFiles {
			continue
		}
		var o protocol.DidChangeWatchedFilesRegistrationOptions
		if err := protocol.Unmarshal(r.RegisterOptions, &o); err != nil {
			return err
		}
		e.note(func() {
			e.watched = nil
			for _, w := range o.Watchers {
				switch glob := w.GlobPattern.(type) {
				case protocol.Pattern:
					e.watched = append(e.watched, string(glob))
				case *protocol.RelativePattern:
					e.watched = append(e.watched, string(glob.Pattern))
				}
			}
		})
	}
	return nil
}

// Watched lists the patterns of the files that the server wants watched.
func (e *Editor) Watched() []string { return copied(e, &e.watched) }

// DiskChanged tells the server that files changed on disk.
func (e *Editor) DiskChanged(ctx context.Context, paths ...string) error {
	p := &protocol.DidChangeWatchedFilesParams{}
	for _, path := range paths {
		p.Changes = append(p.Changes, protocol.FileEvent{URI: uri.File(path), Type: protocol.FileChangeTypeChanged})
	}
	return e.conn.Notify(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, p)
}

// note changes the editor's state and wakes those who [Editor.Await].
func (e *Editor) note(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
	e.signal()
}

// Logged lists the window/logMessage texts received so far.
func (e *Editor) Logged() []string { return copied(e, &e.logged) }

// Shown lists the documents that window/showDocument asked to show so far.
func (e *Editor) Shown() []protocol.ShowDocumentParams { return copied(e, &e.shown) }

// Refreshed lists what the server asked to fetch anew so far: the methods of
// refresh requests, and the URIs of virtual documents.
func (e *Editor) Refreshed() []string { return copied(e, &e.refreshed) }

// Progress lists the kinds of the $/progress notifications received so far.
func (e *Editor) Progress() []string { return copied(e, &e.progress) }

func copied[T any](e *Editor, list *[]T) []T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(*list)
}

// Configure changes the settings and tells the server, without sending them
// along.
func (e *Editor) Configure(ctx context.Context, settings map[string]any) error {
	e.note(func() { e.settings = settings })
	return e.conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny("null")})
}
