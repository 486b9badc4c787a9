package lsptest

import (
	"context"
	"fmt"
	"os"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// Answer is how an editor answers workspace/applyEdit. Each was seen in a real
// editor.
type Answer int

// The ways to answer.
const (
	// Honest applies everything or refuses with a reason.
	Honest Answer = iota
	// Refuse answers applied:false and edits nothing.
	Refuse
	// Lie answers applied:true and edits nothing.
	Lie
	// Late answers first and edits, and says so, afterwards.
	Late
	// Never does not answer.
	Never
	// Fail answers with an error and edits nothing.
	Fail
	// Held edits and answers, and keeps its didChange until [Editor.Flush]: Emacs
	// sends none while it waits for the answer to a command.
	Held
	// Partial edits the first file and then answers applied:false.
	Partial
)

// SetAnswer changes how the editor answers from now on.
func (e *Editor) SetAnswer(a Answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = a
}

// Flush sends what a [Held] answer kept.
func (e *Editor) Flush(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.holding = false
	for _, p := range e.held {
		if err := e.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, p); err != nil {
			return err
		}
	}
	e.held = nil
	return nil
}

// choose lets the user pick an answer to a question, whenever they do.
func (e *Editor) choose(ctx context.Context, p *protocol.ShowMessageRequestParams) (any, error) {
	e.mu.Lock()
	e.questions = append(e.questions, p.Message)
	picks := e.picks
	e.signal()
	e.mu.Unlock()
	select {
	case title := <-picks:
		for _, item := range p.Actions {
			if item.Title == title {
				return &item, nil
			}
		}
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Pick answers one question, asked already or yet to come, with the choice of
// that title; an empty title dismisses it.
func (e *Editor) Pick(ctx context.Context, title string) error {
	select {
	case e.picks <- title:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Questions lists what window/showMessageRequest asked so far.
func (e *Editor) Questions() []string { return copied(e, &e.questions) }

func (e *Editor) applyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (any, error) {
	e.mu.Lock()
	e.edits++
	answer := e.answer
	e.signal()
	e.mu.Unlock()
	switch answer {
	case Refuse:
		return refused("the user said no", 0), nil
	case Lie:
		return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
	case Never:
		<-ctx.Done()
		return nil, ctx.Err()
	case Fail:
		return nil, jsonrpc2.NewError(jsonrpc2.InternalError, "the editor's script failed")
	case Late:
		go func() { _ = e.editBuffers(context.WithoutCancel(ctx), p, len(p.Edit.DocumentChanges)) }()
		return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
	case Partial:
		if err := e.editBuffers(ctx, p, 1); err != nil {
			return refused(err.Error(), 0), nil
		}
		return refused("the second file could not be changed", 1), nil
	}
	if answer == Held {
		e.note(func() { e.holding = true })
	}
	if err := e.editBuffers(ctx, p, len(p.Edit.DocumentChanges)); err != nil {
		return refused(err.Error(), 0), nil
	}
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

// ApplyEdit applies the edit of a code action, or nothing if a version is not the
// buffer's. A [Held] editor keeps its didChange.
func (e *Editor) ApplyEdit(ctx context.Context, edit *protocol.WorkspaceEdit) error {
	e.note(func() { e.holding = e.answer == Held })
	return e.editBuffers(ctx, &protocol.ApplyWorkspaceEditParams{Edit: *edit}, len(edit.DocumentChanges))
}

func refused(reason string, change uint32) *protocol.ApplyWorkspaceEditResult {
	return &protocol.ApplyWorkspaceEditResult{FailureReason: &reason, FailedChange: &change}
}

// editBuffers applies the first n document changes, each as one undo step. All
// versions are checked first. A file that is not open is opened, edited and left
// unsaved, as editors do.
func (e *Editor) editBuffers(ctx context.Context, p *protocol.ApplyWorkspaceEditParams, n int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var docs []*protocol.TextDocumentEdit
	for _, change := range p.Edit.DocumentChanges[:n] {
		doc, ok := change.(*protocol.TextDocumentEdit)
		if !ok {
			return fmt.Errorf("unexpected %T", change)
		}
		b, open := e.buffers[doc.TextDocument.URI]
		if v := doc.TextDocument.Version; open && v != nil && *v != b.version {
			return fmt.Errorf("%s is at version %d, the edit is for %d", doc.TextDocument.URI, b.version, *v)
		}
		docs = append(docs, doc)
	}
	for _, doc := range docs {
		b, err := e.bufferLocked(ctx, doc.TextDocument.URI)
		if err != nil {
			return err
		}
		m := textedit.NewMapper(b.text)
		var edits []textedit.Edit
		for _, element := range doc.Edits {
			edit, ok := element.(*protocol.TextEdit)
			if annotated, is := element.(*protocol.AnnotatedTextEdit); is {
				edit, ok = &annotated.TextEdit, true
			}
			if !ok {
				return fmt.Errorf("unexpected %T", element)
			}
			edits = append(edits, textedit.Edit{
				Start: m.Offset(textedit.Position{Line: edit.Range.Start.Line, Character: edit.Range.Start.Character}, e.enc),
				End:   m.Offset(textedit.Position{Line: edit.Range.End.Line, Character: edit.Range.End.Character}, e.enc),
				New:   edit.NewText,
			})
		}
		next, err := textedit.Apply(b.text, edits)
		if err != nil {
			return err
		}
		whole := []textedit.Edit{{End: len(b.text), New: string(next)}}
		event := &protocol.TextDocumentContentChangeWholeDocument{Text: string(next)}
		if err := e.changeLocked(ctx, doc.TextDocument.URI, b, whole, event); err != nil {
			return err
		}
	}
	return nil
}

// bufferLocked returns the buffer of a document, opening it if need be.
func (e *Editor) bufferLocked(ctx context.Context, u uri.URI) (*buffer, error) {
	if b, ok := e.buffers[u]; ok {
		return b, nil
	}
	text, err := os.ReadFile(u.FsPath())
	if err != nil {
		return nil, err
	}
	b := &buffer{version: 1, text: text}
	e.buffers[u] = b
	return b, e.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: u, Version: 1, Text: string(text)},
	})
}
