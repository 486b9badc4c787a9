package lsp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// log answers who did what, when and why, the latest first.
func (s *session) log(_ context.Context, arg json.RawMessage) (any, error) {
	var p wire.LogParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	if p.Limit < 0 {
		return nil, invalidParams("limit must not be negative")
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	out := &wire.LogResult{Entries: []wire.LogEntry{}}
	for _, e := range st.ws.Log(p.Limit) {
		out.Entries = append(out.Entries, wire.LogEntry{
			Time:  e.Time.UTC().Format(time.RFC3339Nano),
			Cause: string(e.Cause), ActionID: e.ActionID, Label: e.Label, SourceToolName: e.SourceToolName,
			Reason: e.Reason, By: *toParty(e.By), Approver: optionalParty(e.Approver), Files: e.Files, Hunks: e.Hunks,
		})
	}
	return out, nil
}

func optionalParty(p *pending.Party) *wire.Party {
	if p == nil {
		return nil
	}
	return toParty(*p)
}

func toParty(p pending.Party) *wire.Party {
	return &wire.Party{Name: p.Name, Editor: p.Editor, Session: p.Session}
}
