package lsp

import (
	"context"
	"encoding/json"
	"time"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// shownGrace is how long the answer to a resolve waits for the documents of the
// client that asked for it. Editors other than Emacs need a few milliseconds.
const shownGrace = 400 * time.Millisecond

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

	return s.answerEarly(ctx, st, p, func(ctx context.Context) (*pending.Result, error) {
		return st.member.Resolve(ctx, pending.Resolution{
			Decision:     p.Action,
			Reason:       p.Reason,
			ID:           p.ID,
			Hunks:        p.Hunks,
			Cascade:      p.Cascade,
			AllowPartial: p.AllowPartial,
			Agent:        p.Agent,
			Offered:      p.Offered,
			Waiting:      st.saysApplied,
		})
	})
}

// answerEarly runs a resolve. A client that has said it applied the edit, but
// whose documents do not show it yet, is answered all the same: Emacs sends no
// didChange while it waits for the answer to a command. The resolve goes on, and
// the user is told if it fails after all.
func (s *session) answerEarly(ctx context.Context, st *seat, p wire.ResolveParams, resolve func(context.Context) (*pending.Result, error)) (any, error) {
	select {
	case <-st.answered: // of an apply before this one
	default:
	}
	top, _ := st.ws.Top()
	type outcome struct {
		result *pending.Result
		err    error
	}
	done := make(chan outcome, 1)
	rctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, cancel)
	s.background.Go(func() {
		defer cancel()
		result, err := resolve(rctx)
		done <- outcome{result, err}
	})
	finish := func(o outcome) (any, error) {
		if o.err != nil {
			return nil, o.err
		}
		return resolveResult(o.result), nil
	}
	select {
	case o := <-done:
		return finish(o)
	case <-st.answered:
	}
	select {
	case o := <-done:
		return finish(o)
	case <-time.After(shownGrace):
	}
	detach()
	s.background.Go(func() {
		if o := <-done; o.err != nil {
			s.send(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeError, Message: toWire(o.err).Message})
		}
	})
	text := "Applied by the editor, whose documents do not show it yet: " + top.Label
	return toolResult(text, wire.ResolveDetails{
		Action: p.Action, Reason: p.Reason, ActionID: top.ID, Label: top.Label, SourceToolName: top.SourceToolName,
		Depth: top.Depth, Files: []wire.ResolvedFile{}, Unverified: true,
	}, true), nil
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
