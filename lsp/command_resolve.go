package lsp

import (
	"context"
	"encoding/json"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// resolve applies or discards the top of the stack.
func (s *session) resolve(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.ResolveParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	if p.Action != "apply" && p.Action != "discard" {
		return nil, invalidParams("action must be \"apply\" or \"discard\", not %q", p.Action)
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	// An apply waits for answers of this very client.
	release(ctx)

	result, err := st.member.Resolve(ctx, pending.Resolution{
		Decision:     p.Action,
		Reason:       p.Reason,
		ID:           p.ID,
		Hunks:        p.Hunks,
		Cascade:      p.Cascade,
		AllowPartial: p.AllowPartial,
	})
	if err != nil {
		return nil, err
	}
	return resolveResult(result), nil
}

func resolveResult(r *pending.Result) *wire.ToolResult {
	d := wire.ResolveDetails{
		Action:         r.Decision,
		Reason:         r.Reason,
		ActionID:       r.ActionID,
		Label:          r.Label,
		SourceToolName: r.SourceToolName,
		Depth:          r.Depth,
		Files:          []wire.ResolvedFile{},
		NewMatches:     r.NewMatches,
	}
	for _, f := range r.Files {
		d.Files = append(d.Files, wire.ResolvedFile{Path: f.Path, Hunks: f.Hunks, Via: string(f.Via), Saved: f.Saved})
	}
	if r.Source != nil {
		d.SourceResultDetails = r.Source.Details
	}
	out := toolResult(r.Text, d, r.Depth > 0)
	out.IsError = r.IsError
	return out
}
