package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// client is what the peer said of itself at initialize.
type client struct {
	name     string // clientInfo's name and version
	editor   bool   // it applies workspace edits
	encoding textedit.Encoding
	options  wire.InitializationOptions
	unknown  []string // members of the options that no setting has

	diagnostics           bool // publishDiagnostics
	pullDiagnostics       bool // textDocument/diagnostic, and nothing is pushed
	related               bool // diagnostics may carry relatedInformation
	lensRefresh           bool
	hintRefresh           bool
	diagnosticRefresh     bool
	documentChanges       bool
	annotations           bool // changeAnnotationSupport
	disabledSupport       bool
	tagLLM                bool // code action tag LLMGenerated
	resolvesEdit          bool // code actions may get their edit when resolved
	configuration         bool // workspace/configuration
	registerConfiguration bool
	showDocument          bool
	textContent           bool // workspace/textDocumentContent
	progress              bool // window.workDoneProgress
	watchFiles            bool // didChangeWatchedFiles, registered as we need it
	relativePatterns      bool
}

// Initialize implements initialize.
func (s *session) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	options, unknown, err := decodeSettings(p.InitializationOptions, wire.InitializationOptions{})
	if err != nil {
		return nil, invalidParams("initializationOptions.%v", err)
	}
	s.client = describe(p)
	s.client.options = options
	s.client.unknown = unknown
	s.mu.Lock()
	s.phase, s.shown = running, options
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
func (s *session) Initialized(ctx context.Context, _ *protocol.InitializedParams) error {
	s.pub.open()
	s.reportUnknown(s.client.unknown)
	release(ctx)
	if err := s.watchSettings(ctx); err != nil {
		s.logger.Warn("settings are not watched", "err", err)
	}
	return s.fetchSettings(ctx)
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
	for _, l := range s.opts.Engine.languages.List() {
		languages = append(languages, l.Name)
	}
	var pull protocol.DiagnosticProvider
	if s.client.pullDiagnostics {
		pull = &protocol.DiagnosticOptions{Identifier: ptr(diagnosticSource), InterFileDependencies: true}
	}
	return protocol.ServerCapabilities{
		DiagnosticProvider: pull,
		InlayHintProvider:  protocol.Boolean(true),
		PositionEncoding:   protocol.PositionEncodingKind(s.client.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: ptr(true),
			Change:    ptr(protocol.TextDocumentSyncKindIncremental),
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{
				wire.KindApply, wire.KindApplyHunk, wire.KindDiscard, wire.KindDiscardHunk, wire.KindShow,
			},
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
			TextDocumentContent: &protocol.TextDocumentContentOptions{Schemes: []string{contentScheme}},
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
		c.describeWorkspace(w)
	}
	if t := p.Capabilities.TextDocument; t != nil {
		c.describeDocuments(t)
	}
	if w := p.Capabilities.Window; w != nil {
		c.progress = is(w.WorkDoneProgress)
		c.showDocument = w.ShowDocument != nil && w.ShowDocument.Support
	}
	if g := p.Capabilities.General; g != nil && len(g.PositionEncodings) > 0 {
		c.encoding = pickEncoding(g.PositionEncodings)
	}
	return c
}

func (c *client) describeWorkspace(w *protocol.WorkspaceClientCapabilities) {
	c.editor = is(w.ApplyEdit)
	c.configuration = is(w.Configuration)
	c.registerConfiguration = w.DidChangeConfiguration != nil && is(w.DidChangeConfiguration.DynamicRegistration)
	c.lensRefresh = w.CodeLens != nil && is(w.CodeLens.RefreshSupport)
	c.hintRefresh = w.InlayHint != nil && is(w.InlayHint.RefreshSupport)
	c.diagnosticRefresh = w.Diagnostics != nil && is(w.Diagnostics.RefreshSupport)
	c.textContent = w.TextDocumentContent != nil
	if f := w.DidChangeWatchedFiles; f != nil {
		c.watchFiles, c.relativePatterns = is(f.DynamicRegistration), is(f.RelativePatternSupport)
	}
	if e := w.WorkspaceEdit; e != nil {
		// Neovim handles documentChanges without declaring them, and only they
		// carry the version that guards against a buffer that has moved on. So
		// only a client that says no gets the unguarded form.
		c.documentChanges = e.DocumentChanges == nil || *e.DocumentChanges
		c.annotations = e.ChangeAnnotationSupport != nil
	}
}

func (c *client) describeDocuments(t *protocol.TextDocumentClientCapabilities) {
	if d := t.PublishDiagnostics; d != nil {
		c.diagnostics, c.related = true, is(d.RelatedInformation)
	} else if t.Diagnostic != nil {
		// A client that can do both would show what is pulled and what is pushed
		// side by side; pushing also reaches files that are not open.
		c.pullDiagnostics, c.related = true, is(t.Diagnostic.RelatedInformation)
	}
	if a := t.CodeAction; a != nil {
		c.disabledSupport = is(a.DisabledSupport)
		c.resolvesEdit = is(a.DataSupport) && slices.Contains(a.ResolveSupport.Properties, "edit")
		c.tagLLM = slices.Contains(a.TagSupport.ValueSet, protocol.CodeActionTagLLMGenerated)
	}
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
