package lsp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// list answers with the whole stack, top first.
func (s *session) list(_ context.Context, arg json.RawMessage) (any, error) {
	var p wire.ListParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	return s.listResult(st, st.ws.List()), nil
}

// peek answers with the top of the stack, if there is one.
func (s *session) peek(_ context.Context, arg json.RawMessage) (any, error) {
	var p wire.ListParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	var views []pending.ActionView
	if top, ok := st.ws.Peek(); ok {
		views = append(views, top)
	}
	return s.listResult(st, views), nil
}

func (s *session) listResult(st *seat, views []pending.ActionView) *wire.ListResult {
	out := &wire.ListResult{Actions: []wire.Action{}}
	for _, a := range views {
		out.Actions = append(out.Actions, s.action(st, a))
		out.Depth = a.Depth
	}
	out.HasPending = out.Depth > 0
	return out
}

func (s *session) action(st *seat, a pending.ActionView) wire.Action {
	out := wire.Action{
		ID: a.ID, Label: a.Label, SourceToolName: a.SourceToolName,
		State: string(a.State), Stale: a.Stale, Orphaned: a.Orphaned,
		CreatedAt: a.CreatedAt.UTC().Format(time.RFC3339Nano),
		By:        *toParty(a.By),
		Details:   a.Details,
		Files:     []wire.ActionFile{},
	}
	for _, f := range a.Files {
		file := wire.ActionFile{URI: string(s.uriOf(st, f.Path)), Path: f.Path, Hunks: []wire.Hunk{}}
		for _, h := range f.Hunks {
			file.Hunks = append(file.Hunks, wire.Hunk{
				ID:     h.ID,
				Range:  toWireRange(f.Text, h.Start, h.End, s.client.encoding),
				Before: h.Before, After: h.After, Stale: h.Stale,
			})
		}
		out.Files = append(out.Files, file)
	}
	return out
}

// preview answers with what one action would do, as a diff or as whole texts.
func (s *session) preview(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.PreviewParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	if p.Format != "" && p.Format != "diff" && p.Format != "texts" {
		return nil, invalidParams("format must be \"diff\" or \"texts\", not %q", p.Format)
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	a, err := find(st, p.ID)
	if err != nil {
		return nil, err
	}
	release(ctx)
	if p.Show && s.client.showDocument {
		if err := s.showDiff(ctx, a); err != nil {
			s.logger.Warn("the diff was not shown", "err", err)
		}
	}
	if p.Format == "texts" {
		return s.previewTexts(st, a)
	}
	diff, err := diffOf(a)
	return &wire.PreviewResult{ID: a.ID, Label: a.Label, Diff: diff}, err
}

func (s *session) previewTexts(st *seat, a pending.ActionView) (*wire.PreviewResult, error) {
	out := &wire.PreviewResult{ID: a.ID, Label: a.Label}
	for _, f := range a.Files {
		after, err := afterText(f)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, wire.PreviewFile{
			URI:       string(s.uriOf(st, f.Path)),
			BeforeURI: string(contentURI(a.ID, sideBefore, f.Path)),
			AfterURI:  string(contentURI(a.ID, sideAfter, f.Path)),
			Before:    string(f.Text.Text()), After: after,
		})
	}
	return out, nil
}

// find returns the action with the id, or the top when it is empty.
func find(st *seat, id string) (pending.ActionView, error) {
	if id == "" {
		if top, ok := st.ws.Peek(); ok {
			return top, nil
		}
		return pending.ActionView{}, &pending.Error{Kind: pending.EmptyStack, Message: pending.MessageEmptyStack}
	}
	if a, ok := st.ws.Action(id); ok {
		return a, nil
	}
	return pending.ActionView{}, unknownAction(id)
}

// liveEdits are the edits of the hunks that still apply.
func liveEdits(f pending.FileView) []textedit.Edit {
	var out []textedit.Edit
	for _, h := range f.Hunks {
		if !h.Stale {
			out = append(out, h.Edit())
		}
	}
	return out
}
