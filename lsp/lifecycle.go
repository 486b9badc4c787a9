package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// client is what the peer said of itself at initialize.
type client struct {
	name     string // clientInfo's name and version
	editor   bool   // it applies workspace edits
	encoding textedit.Encoding
	options  wire.InitializationOptions

	diagnostics     bool // publishDiagnostics
	related         bool // diagnostics may carry relatedInformation
	lensRefresh     bool
	documentChanges bool
	disabledSupport bool
}

// Initialize implements initialize.
func (s *session) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	options, err := decodeOptions(p.InitializationOptions)
	if err != nil {
		return nil, err
	}
	s.client = describe(p)
	s.client.options = options
	s.mu.Lock()
	s.phase = running
	s.mu.Unlock()
	s.logger.Info("initialize", "client", s.client.name, "editor", s.client.editor, "encoding", s.client.encoding)
	for _, folder := range folders(p) {
		s.addFolder(folder)
	}
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "pending-lsp", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

// Initialized implements initialized.
func (s *session) Initialized(context.Context, *protocol.InitializedParams) error {
	s.pub.open()
	return nil
}

// Shutdown implements shutdown: nothing more is served, nothing of the stack is
// lost.
func (s *session) Shutdown(context.Context) error {
	s.mu.Lock()
	s.phase = shutDown
	s.mu.Unlock()
	return nil
}

// Exit implements exit: it ends this connection and no other.
func (s *session) Exit(context.Context) error {
	s.mu.Lock()
	if s.phase != shutDown {
		s.phase = exited
	}
	s.mu.Unlock()
	s.cancel()
	return nil
}

// DidChangeWorkspaceFolders implements workspace/didChangeWorkspaceFolders.
func (s *session) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	for _, f := range p.Event.Removed {
		s.removeFolder(f.URI)
	}
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	return nil
}

// capabilities is the one place that says what the server can do.
func (s *session) capabilities() protocol.ServerCapabilities {
	var languages []string
	for _, l := range astedit.Languages() {
		languages = append(languages, l.Name)
	}
	return protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(s.client.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: ptr(true),
			Change:    ptr(protocol.TextDocumentSyncKindIncremental),
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{wire.KindApply, wire.KindDiscard},
			ResolveProvider: ptr(true),
		},
		CodeLensProvider: &protocol.CodeLensOptions{},
		HoverProvider:    protocol.Boolean(true),
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{
			Commands: commandNames(),
		},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported:           ptr(true),
				ChangeNotifications: protocol.Boolean(true),
			},
		},
		Experimental: protocol.LSPAny(wire.Encode(map[string]any{"pendingLsp": wire.Capability{
			ProtocolVersion: wire.ProtocolVersion,
			Version:         s.opts.Version,
			Commands:        commandNames(),
			Notifications:   []string{wire.NotificationDidChange},
			Languages:       languages,
		}})),
	}
}

// decodeOptions reads initializationOptions; what it does not know it ignores,
// since editors pass one block of settings to several servers.
func decodeOptions(raw protocol.LSPAny) (wire.InitializationOptions, error) {
	var o wire.InitializationOptions
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return o, nil
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return o, invalidParams("initializationOptions: %v", err)
	}
	if !slices.Contains([]string{"", "root", "folder"}, o.Workspace) {
		return o, invalidParams("initializationOptions.workspace: %q is neither \"root\" nor \"folder\"", o.Workspace)
	}
	if !slices.Contains([]string{"", "hybrid", "editor"}, o.Apply) {
		return o, invalidParams("initializationOptions.apply: %q is neither \"hybrid\" nor \"editor\"", o.Apply)
	}
	if !slices.Contains([]string{"", "anyone", "editor"}, o.Approval) {
		return o, invalidParams("initializationOptions.approval: %q is neither \"anyone\" nor \"editor\"", o.Approval)
	}
	return o, nil
}

// describe reads the capabilities this server cares about.
func describe(p *protocol.InitializeParams) client {
	c := client{name: p.ClientInfo.Name, encoding: textedit.UTF16, documentChanges: true}
	if v, ok := p.ClientInfo.Version.Get(); ok && v != "" {
		c.name += " " + v
	}
	if c.name == "" {
		c.name = "unnamed client"
	}
	if w := p.Capabilities.Workspace; w != nil {
		c.editor = is(w.ApplyEdit)
		c.lensRefresh = w.CodeLens != nil && is(w.CodeLens.RefreshSupport)
		// Neovim handles documentChanges without declaring them, and only they
		// carry the version that guards against a buffer that has moved on. So
		// only a client that says no gets the unguarded form.
		if e := w.WorkspaceEdit; e != nil && e.DocumentChanges != nil {
			c.documentChanges = *e.DocumentChanges
		}
	}
	if t := p.Capabilities.TextDocument; t != nil {
		if d := t.PublishDiagnostics; d != nil {
			c.diagnostics, c.related = true, is(d.RelatedInformation)
		}
		c.disabledSupport = t.CodeAction != nil && is(t.CodeAction.DisabledSupport)
	}
	if g := p.Capabilities.General; g != nil && len(g.PositionEncodings) > 0 {
		c.encoding = pickEncoding(g.PositionEncodings)
	}
	return c
}

// pickEncoding prefers UTF-8, which is what the server computes in; a client
// that lists none we know gets LSP's default.
func pickEncoding(offered []protocol.PositionEncodingKind) textedit.Encoding {
	for _, want := range []textedit.Encoding{textedit.UTF8, textedit.UTF32} {
		if slices.Contains(offered, protocol.PositionEncodingKind(want)) {
			return want
		}
	}
	return textedit.UTF16
}

// folders lists the client's workspace folders, whichever way it gives them.
func folders(p *protocol.InitializeParams) []uri.URI {
	if list, ok := p.WorkspaceFolders.Get(); ok && len(list) > 0 {
		out := make([]uri.URI, len(list))
		for i, f := range list {
			out[i] = f.URI
		}
		return out
	}
	if p.RootURI != nil && *p.RootURI != "" {
		return []uri.URI{*p.RootURI}
	}
	if path, ok := p.RootPath.Get(); ok && path != "" {
		return []uri.URI{uri.File(path)}
	}
	return nil
}

func is(b *bool) bool { return b != nil && *b }
