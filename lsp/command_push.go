package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// push puts a custom tool's own edit on the stack. The edit's ranges are
// positions in the documents as they are when the request arrives.
func (s *session) push(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.PushParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(p.Label) == "" {
		return nil, invalidParams("label is missing: say in a few words what the action does")
	}
	if len(p.Edit) == 0 && p.Callbacks == nil {
		return nil, invalidParams("edit is missing: give a WorkspaceEdit, or callbacks")
	}
	if p.SourceToolName == astEditTool {
		return nil, invalidParams("sourceToolName: %q is for the edits of %s; name your own tool", astEditTool, wire.CommandASTEdit)
	}
	if p.Callbacks != nil && !p.Callbacks.Apply {
		return nil, invalidParams("callbacks.apply must be true: without it the action could not be applied")
	}
	src := st.member.Source()
	release(ctx)

	action, err := s.pushAction(ctx, st, src, p)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s\nPending: nothing is written yet.\n\nNext: call resolve with action \"apply\" or \"discard\" and a reason.", action.Label)
	return toolResult(text, wire.PushDetails{ActionID: action.ID, Depth: action.Depth}, true), nil
}

func (s *session) pushAction(ctx context.Context, st *seat, src pending.Source, p wire.PushParams) (*pending.ActionView, error) {
	action := pending.New{Label: p.Label, SourceToolName: p.SourceToolName, Details: p.Details}
	if len(p.Edit) > 0 {
		proposed, err := s.proposalOf(st, src, p.Edit)
		if err != nil {
			return nil, err
		}
		action.Proposal = proposed
	}
	if p.Callbacks == nil {
		return st.member.Push(ctx, action)
	}
	cb, pushed := newCallbacks(s, st, *p.Callbacks)
	action.Callbacks = cb
	view, err := st.member.Push(ctx, action)
	if err != nil {
		return nil, err
	}
	pushed(view.ID)
	return view, nil
}

// proposalOf reads a WorkspaceEdit against the current texts.
func (s *session) proposalOf(st *seat, src pending.Source, raw json.RawMessage) (*pending.Proposal, error) {
	var edit protocol.WorkspaceEdit
	if err := protocol.Unmarshal(raw, &edit); err != nil {
		return nil, invalidParams("edit is not a WorkspaceEdit: %v", err)
	}
	byURI, err := textEditsOf(edit)
	if err != nil {
		return nil, err
	}
	out := &pending.Proposal{}
	for u, edits := range byURI {
		if len(edits) == 0 {
			continue
		}
		file, err := s.fileProposal(st, src, u, edits)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, file)
	}
	if len(out.Files) == 0 {
		return nil, invalidParams("edit changes nothing")
	}
	slices.SortFunc(out.Files, func(a, b pending.FileProposal) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// textEditsOf collects the text edits by document. Creating, renaming and
// deleting files is refused: a preview of it could not be shown or undone.
func textEditsOf(edit protocol.WorkspaceEdit) (map[uri.URI][]protocol.TextEdit, error) {
	if len(edit.DocumentChanges) == 0 {
		return edit.Changes, nil
	}
	out := map[uri.URI][]protocol.TextEdit{}
	for _, change := range edit.DocumentChanges {
		doc, ok := change.(*protocol.TextDocumentEdit)
		if !ok {
			return nil, invalidParams("edit: only text edits can be pending; creating, renaming and deleting files cannot")
		}
		for _, e := range doc.Edits {
			switch e := e.(type) {
			case *protocol.TextEdit:
				out[doc.TextDocument.URI] = append(out[doc.TextDocument.URI], *e)
			case *protocol.AnnotatedTextEdit:
				out[doc.TextDocument.URI] = append(out[doc.TextDocument.URI], e.TextEdit)
			default:
				return nil, invalidParams("edit: snippet edits cannot be pending")
			}
		}
	}
	return out, nil
}

func (s *session) fileProposal(st *seat, src pending.Source, u uri.URI, edits []protocol.TextEdit) (pending.FileProposal, error) {
	path, err := filePath(u)
	if err != nil {
		return pending.FileProposal{}, invalidParams("edit: %v", err)
	}
	rel, ok := st.relative(path)
	if !ok {
		return pending.FileProposal{}, &pending.Error{
			Kind:    pending.OutsideWorkspace,
			Message: fmt.Sprintf("%s is outside the workspace %s; nothing was pushed.", path, st.ws.Root()),
			Paths:   []string{path},
		}
	}
	text, open := src.Overlay(rel)
	if !open {
		if text, err = os.ReadFile(filepath.Join(st.ws.Root(), filepath.FromSlash(rel))); err != nil {
			return pending.FileProposal{}, invalidParams("edit: %v", err)
		}
	}
	m := textedit.NewMapper(text)
	bytes := make([]textedit.Edit, len(edits))
	for i, e := range edits {
		bytes[i].Start, bytes[i].End = fromRange(m, e.Range, s.client.encoding)
		bytes[i].New = e.NewText
	}
	textedit.Sort(bytes)
	if err := textedit.Check(bytes, len(text)); err != nil {
		return pending.FileProposal{}, &pending.Error{
			Kind:    pending.Overlap,
			Message: fmt.Sprintf("The edits of %s overlap; nothing was pushed.", rel),
			Paths:   []string{rel}, Err: err,
		}
	}
	file := pending.FileProposal{Path: rel, Text: text}
	for _, e := range bytes {
		file.Hunks = append(file.Hunks, pending.Hunk{Start: e.Start, End: e.End, Before: string(text[e.Start:e.End]), After: e.New})
	}
	return file, nil
}
