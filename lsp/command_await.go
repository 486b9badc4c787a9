package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// await answers when an action has been resolved, by whomever. A timeout is no
// error: the answer is then that it is still pending.
func (s *session) await(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.AwaitParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	if p.ID == "" {
		return nil, invalidParams("id is missing: say which action to wait for")
	}
	if p.TimeoutMs < 0 {
		return nil, invalidParams("timeoutMs must not be negative")
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	release(ctx)

	wait, cancel := ctx, context.CancelFunc(func() {})
	if p.TimeoutMs > 0 {
		wait, cancel = context.WithTimeout(ctx, time.Duration(p.TimeoutMs)*time.Millisecond)
	}
	defer cancel()
	verdict, err := st.ws.Await(wait, p.ID)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &wire.AwaitResult{State: string(pending.Pending)}, nil
	}
	if err != nil {
		return nil, err
	}
	out := &wire.AwaitResult{
		State: string(verdict.State), Action: "apply", Reason: verdict.Reason,
		By: toParty(verdict.By), Approver: optionalParty(verdict.Approver),
	}
	if verdict.State == pending.Discarded {
		out.Action = "discard"
	}
	if verdict.Result != nil {
		out.Result = resolveResult(verdict.Result)
	}
	return out, nil
}
