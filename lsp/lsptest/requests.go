package lsptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// CodeActions asks for the code actions at the first occurrence of text in an
// open buffer, with the diagnostics shown there as context, as editors do. An empty text asks
// for the whole file.
func (e *Editor) CodeActions(ctx context.Context, path, text string, only ...protocol.CodeActionKind) ([]*protocol.CodeAction, error) {
	r, err := e.rangeOf(path, text)
	if err != nil {
		return nil, err
	}
	p := &protocol.CodeActionParams{Range: r, Context: protocol.CodeActionContext{Diagnostics: e.diagnosticsIn(path, r), Only: only}}
	p.TextDocument.URI = uri.File(path)
	var raw jsonrpc2.RawMessage
	if err := protocol.Call(ctx, e.conn, protocol.MethodTextDocumentCodeAction, p, &raw); err != nil {
		return nil, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []*protocol.CodeAction
	for _, item := range list {
		var a protocol.CodeAction
		if err := protocol.Unmarshal(item, &a); err != nil {
			return nil, err
		}
		out = append(out, &a)
	}
	return out, nil
}

// diagnosticsIn lists the diagnostics that meet a range.
func (e *Editor) diagnosticsIn(path string, r protocol.Range) []protocol.Diagnostic {
	after := func(a, b protocol.Position) bool {
		return a.Line > b.Line || a.Line == b.Line && a.Character > b.Character
	}
	out := []protocol.Diagnostic{}
	for _, d := range e.Diagnostics(path) {
		if !after(d.Range.Start, r.End) && !after(r.Start, d.Range.End) {
			out = append(out, d)
		}
	}
	return out
}

// Find returns the code action whose title starts with prefix.
func Find(actions []*protocol.CodeAction, prefix string) (*protocol.CodeAction, error) {
	var titles []string
	for _, a := range actions {
		if strings.HasPrefix(a.Title, prefix) {
			return a, nil
		}
		titles = append(titles, a.Title)
	}
	return nil, fmt.Errorf("no code action %q among %q", prefix, titles)
}

// CodeLenses asks for the code lenses of a file.
func (e *Editor) CodeLenses(ctx context.Context, path string) ([]protocol.CodeLens, error) {
	p := &protocol.CodeLensParams{}
	p.TextDocument.URI = uri.File(path)
	var out []protocol.CodeLens
	return out, protocol.Call(ctx, e.conn, protocol.MethodTextDocumentCodeLens, p, &out)
}

// Hover asks for the hover at the first occurrence of text.
func (e *Editor) Hover(ctx context.Context, path, text string) (string, error) {
	r, err := e.rangeOf(path, text)
	if err != nil {
		return "", err
	}
	p := &protocol.HoverParams{}
	p.TextDocument.URI = uri.File(path)
	p.Position = r.Start
	var raw jsonrpc2.RawMessage
	if err := protocol.Call(ctx, e.conn, protocol.MethodTextDocumentHover, p, &raw); err != nil {
		return "", err
	}
	if string(raw) == "null" {
		return "", nil
	}
	var h struct {
		Contents struct{ Value string }
	}
	return h.Contents.Value, json.Unmarshal(raw, &h)
}

// Execute runs a command and decodes its result into out, which may be nil.
func (e *Editor) Execute(ctx context.Context, command string, args []protocol.LSPAny, out any) error {
	var raw jsonrpc2.RawMessage
	err := protocol.Call(ctx, e.conn, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: command, Arguments: args}, &raw)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// Accept does what choosing a code action does in an editor.
func (e *Editor) Accept(ctx context.Context, a *protocol.CodeAction, out any) error {
	return e.Execute(ctx, a.Command.Command, a.Command.Arguments, out)
}

// Resolve asks for what a code action leaves out.
func (e *Editor) Resolve(ctx context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	var out protocol.CodeAction
	return &out, protocol.Call(ctx, e.conn, protocol.MethodCodeActionResolve, a, &out)
}

// rangeOf finds text in a buffer.
func (e *Editor) rangeOf(path, text string) (protocol.Range, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, ok := e.buffers[uri.File(path)]
	if !ok {
		return protocol.Range{}, fmt.Errorf("%s is not open", path)
	}
	m := textedit.NewMapper(b.text)
	start, end := 0, len(b.text)
	if text != "" {
		if start = indexOf(b.text, text); start < 0 {
			return protocol.Range{}, fmt.Errorf("%q is not in %s", text, path)
		}
		end = start + len(text)
	}
	return protocol.Range{Start: position(m, start, e.enc), End: position(m, end, e.enc)}, nil
}

func indexOf(text []byte, s string) int { return bytes.Index(text, []byte(s)) }

func position(m *textedit.Mapper, offset int, enc textedit.Encoding) protocol.Position {
	p := m.Position(offset, enc)
	return protocol.Position{Line: p.Line, Character: p.Character}
}
