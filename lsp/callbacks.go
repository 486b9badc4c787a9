package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// callbacks run an action's callbacks in the session that pushed it.
type callbacks struct {
	s         *session
	seat      *seat
	hasReject bool

	id func() string // the action's, once it is pushed
}

var _ pending.Callbacks = (*callbacks)(nil)

// newCallbacks returns callbacks and the function that tells them the id of
// their action. A resolve that is faster than the push waits for it.
func newCallbacks(s *session, st *seat, c wire.Callbacks) (cb *callbacks, pushed func(id string)) {
	var id string
	known := make(chan struct{})
	get := func() string { <-known; return id }
	var once sync.Once
	return &callbacks{s: s, seat: st, hasReject: c.Reject, id: get}, func(v string) {
		once.Do(func() { id = v; close(known) })
	}
}

// HasReject implements [pending.Callbacks].
func (c *callbacks) HasReject() bool { return c.hasReject }

// Apply implements [pending.Callbacks] with pending-lsp/apply.
func (c *callbacks) Apply(ctx context.Context, reason string, hunks []string) (*pending.CallbackResult, error) {
	answer, err := c.ask(ctx, wire.RequestApply, wire.ApplyParams{ID: c.id(), Reason: reason, Hunks: hunks})
	if err != nil {
		return nil, err
	}
	out := &pending.CallbackResult{ToolResult: *toolResultOf(answer)}
	if len(answer.Edit) > 0 && !answer.IsError {
		out.Proposal, err = c.s.proposalOf(c.seat, c.seat.member.Source(), answer.Edit)
		if err != nil {
			return nil, fmt.Errorf("its edit cannot be used: %w", err)
		}
	}
	return out, nil
}

// Reject implements [pending.Callbacks] with pending-lsp/reject.
func (c *callbacks) Reject(ctx context.Context, reason string) (*pending.ToolResult, error) {
	answer, err := c.ask(ctx, wire.RequestReject, wire.RejectParams{ID: c.id(), Reason: reason})
	if err != nil {
		return nil, err
	}
	return toolResultOf(answer), nil
}

func (c *callbacks) ask(ctx context.Context, method string, params any) (*wire.CallbackResult, error) {
	var raw jsonrpc2.RawMessage
	if err := protocol.Call(ctx, c.s.conn, method, jsonrpc2.RawMessage(wire.Encode(params)), &raw); err != nil {
		return nil, err
	}
	var answer wire.CallbackResult
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("%s answered %s with something else than a tool result: %w", c.s.client.name, method, err)
	}
	return &answer, nil
}

func toolResultOf(r *wire.CallbackResult) *pending.ToolResult {
	var text []string
	for _, part := range r.Content {
		text = append(text, part.Text)
	}
	return &pending.ToolResult{Text: strings.Join(text, "\n"), Details: r.Details, IsError: r.IsError}
}
