package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// editor is how a workspace reaches this client's buffers.
type editor struct {
	s    *session
	seat *seat
}

var _ pending.Editor = editor{}

// joinOptions is how the session takes part in a workspace.
func (s *session) joinOptions(st *seat) pending.JoinOptions {
	o := pending.JoinOptions{
		Notify: func(e pending.Event) { s.pub.notify(st, e) },
		Apply:  pending.Route(s.client.options.Apply),
	}
	if s.client.editor {
		o.Editor = editor{s, st}
		o.Approve = s.approve
		o.Approval = approvalPolicy(s.settings().Approval)
		if s.client.options.Confirm {
			o.EditorTimeout = -1 // the user's time, not the clock's
		}
	}
	return o
}

// ApplyEdits implements [pending.Editor] with workspace/applyEdit.
func (e editor) ApplyEdits(ctx context.Context, edits pending.BufferEdits) error {
	params := protocol.ApplyWorkspaceEditParams{
		Label: &edits.Label,
		Edit:  e.workspaceEdit(edits),
	}
	var result protocol.ApplyWorkspaceEditResult
	err := protocol.Call(ctx, e.s.conn, protocol.MethodWorkspaceApplyEdit, &params, &result)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &pending.Error{
			Kind:    pending.EditorRejected,
			Message: fmt.Sprintf("%s failed to apply the edit: %v", e.s.client.name, err),
			Err:     err,
		}
	case !result.Applied:
		reason := "it gave no reason"
		if result.FailureReason != nil && *result.FailureReason != "" {
			reason = *result.FailureReason
		}
		return &pending.Error{
			Kind:    pending.EditorRejected,
			Message: fmt.Sprintf("%s did not apply the edit: %s", e.s.client.name, reason),
		}
	}
	e.seat.saysApplied()
	return nil
}

// saysApplied notes that the client has said it applied an edit.
func (s *seat) saysApplied() {
	select {
	case s.answered <- struct{}{}:
	default:
	}
}

// workspaceEdit encodes edits for this client. A version is sent for every file
// it has open, and an explicit null for the others.
func (e editor) workspaceEdit(edits pending.BufferEdits) protocol.WorkspaceEdit {
	out := protocol.WorkspaceEdit{}
	for _, f := range edits.Files {
		u := e.s.uriOf(e.seat, f.Path)
		if !e.s.client.documentChanges {
			if out.Changes == nil {
				out.Changes = map[uri.URI][]protocol.TextEdit{}
			}
			out.Changes[u] = textEdits(f.Text, f.Edits, e.s.client.encoding)
			continue
		}
		change := &protocol.TextDocumentEdit{}
		change.TextDocument.URI = u
		change.TextDocument.Version = f.Version
		for i, edit := range textEdits(f.Text, f.Edits, e.s.client.encoding) {
			if !e.s.client.annotations {
				change.Edits = append(change.Edits, &edit)
				continue
			}
			id := protocol.ChangeAnnotationIdentifier(fmt.Sprintf("%s#%d", f.Path, i+1))
			if out.ChangeAnnotations == nil {
				out.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{}
			}
			out.ChangeAnnotations[id] = e.annotation(edits.Label, f, i)
			change.Edits = append(change.Edits, &protocol.AnnotatedTextEdit{TextEdit: edit, AnnotationID: id})
		}
		out.DocumentChanges = append(out.DocumentChanges, change)
	}
	return out
}

// annotation describes one edit; clients group those with one label.
func (e editor) annotation(label string, f pending.BufferEdit, i int) protocol.ChangeAnnotation {
	edit := f.Edits[i]
	description := change(pending.Hunk{Before: string(f.Text.Text()[edit.Start:edit.End]), After: edit.New})
	a := protocol.ChangeAnnotation{Label: label, Description: &description}
	if e.s.client.options.Confirm {
		a.NeedsConfirmation = ptr(true)
	}
	return a
}

func textEdits(m *textedit.Mapper, edits []textedit.Edit, enc textedit.Encoding) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(edits))
	for i, edit := range edits {
		out[i] = protocol.TextEdit{Range: toRange(m, edit.Start, edit.End, enc), NewText: edit.New}
	}
	return out
}

// notifyDidChange sends pending-lsp/didChange to a client that asked for it.
func (s *session) notifyDidChange(st *seat, e pending.Event) {
	if !s.settings().DidChange {
		return
	}
	params := wire.DidChangeParams{
		Workspace:  string(uri.File(st.ws.Root())),
		HasPending: e.HasPending,
		Depth:      e.Depth,
		Cause:      string(e.Cause),
		ActionID:   e.ActionID,
	}
	if top, ok := st.ws.Top(); ok && e.HasPending {
		params.Top = &wire.Top{ID: top.ID, Label: top.Label, SourceToolName: top.SourceToolName}
		params.ToolChoice = "resolve"
	}
	s.send(wire.NotificationDidChange, jsonrpc2.RawMessage(wire.Encode(params)))
}

func (s *session) publishDiagnostics(p *protocol.PublishDiagnosticsParams) {
	s.send(protocol.MethodTextDocumentPublishDiagnostics, p)
}

// send notifies the client; one that has gone needs no telling.
func (s *session) send(method string, params any) {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		s.logger.Debug("notification not sent", "method", method, "err", err)
	}
}

// refresh sends a workspace/…/refresh request. Clients that declare it and fail
// all the same are left alone.
func (s *session) refresh(ctx context.Context, method string) {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	if err := protocol.Call(ctx, s.conn, method, nil, nil); err != nil && !errors.Is(err, context.Canceled) {
		s.logger.Debug("refresh failed", "method", method, "err", err)
	}
}
