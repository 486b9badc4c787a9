package pending

import (
	"context"
	"errors"
	"fmt"
)

// Resolve applies or discards the top action, or with [Resolution.Cascade] an
// action below it and everything above. It returns an [*Error] that says what
// was left untouched; the actions it did not finish are pending as before.
func (m *Member) Resolve(ctx context.Context, r Resolution) (*Result, error) {
	w := m.workspace
	r.Reason = Visible(r.Reason)
	if r.Decision != DecisionApply && r.Decision != DecisionDiscard {
		return nil, &Error{Kind: InvalidResolution, Message: fmt.Sprintf("Nothing was resolved: the decision is %q or %q, not %q.", DecisionApply, DecisionDiscard, Visible(r.Decision))}
	}
	if limit := w.options().Limits.Label; len(r.Reason) > limit {
		return nil, &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was resolved: the reason has %d bytes, at most %d are taken.", len(r.Reason), limit)}
	}
	r.by = m.party
	if r.Agent != "" {
		r.by.Name, r.by.Editor = Visible(r.Agent[:min(len(r.Agent), w.options().Limits.Label)])+" in "+m.party.Name, false
	}
	above, err := w.above(r)
	if err != nil {
		return nil, err
	}
	var cascaded []*Result
	for _, id := range above {
		res, err := w.resolveOne(ctx, m, Resolution{Decision: r.Decision, Reason: r.Reason, ID: id, AllowPartial: r.AllowPartial, by: r.by})
		if gone := (*Error)(nil); errors.As(err, &gone) && gone.Kind == UnknownAction {
			continue // somebody else was faster: it is out of the way
		}
		if err == nil && res.IsError {
			err = &Error{Kind: CallbackFailed, Action: id, Message: res.Text}
		}
		if err != nil {
			return nil, partWay(err, r, len(cascaded))
		}
		cascaded = append(cascaded, res)
	}
	res, err := w.resolveOne(ctx, m, r)
	if err != nil {
		return nil, partWay(err, r, len(cascaded))
	}
	res.Cascaded = cascaded
	return res, nil
}

// partWay says of a cascade that failed how far it came.
func partWay(err error, r Resolution, done int) error {
	if done == 0 {
		return err
	}
	e := &Error{Kind: WriteFailed, Err: err}
	if cause := (*Error)(nil); errors.As(err, &cause) {
		*e = *cause
		e.Err = err
	}
	state := Applied
	if r.Decision == DecisionDiscard {
		state = Discarded
	}
	e.Message = fmt.Sprintf("%s above it %s; then: %s", plural(done, "action"), state, err)
	return e
}

// above lists what a cascade resolves first, top down.
func (w *Workspace) above(r Resolution) ([]string, error) {
	if !r.Cascade || r.ID == "" {
		return nil, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.find(r.ID)
	if a == nil {
		return nil, w.unknown(r.ID)
	}
	var ids []string
	for i := len(w.stack) - 1; w.stack[i] != a; i-- {
		ids = append(ids, w.stack[i].id)
	}
	return ids, nil
}

// claim takes the top action for one resolve. Nobody else resolves anything
// until it is released or removed.
func (w *Workspace) claim(m *Member, r Resolution) (*action, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.left {
		return nil, &Error{Kind: StoreUnavailable, Message: MessageStoreUnavailable}
	}
	if r.ID != "" && w.find(r.ID) == nil {
		return nil, w.unknown(r.ID)
	}
	if len(w.stack) == 0 {
		return nil, &Error{Kind: EmptyStack, Message: MessageEmptyStack}
	}
	if w.resolving != nil {
		return nil, w.busy()
	}
	top := w.stack[len(w.stack)-1]
	a := top
	if r.ID != "" {
		a = w.find(r.ID)
	}
	if a != top {
		return nil, w.notTop(a)
	}
	w.resolving = a
	a.state = Applying
	return a, nil
}

// notTop says what is in the way of an action. The caller holds w.mu.
func (w *Workspace) notTop(a *action) *Error {
	return &Error{Kind: NotTop, Action: a.id, Message: fmt.Sprintf("%s is not on top: resolve the %s above it first, or resolve with cascade. Nothing was changed.", a.label, plural(w.header(a).Above, "action"))}
}

// busy says what is under way. The caller holds w.mu.
func (w *Workspace) busy() *Error {
	return &Error{Kind: Busy, Action: w.resolving.id, Message: fmt.Sprintf("%s is being resolved right now; nothing was changed. Wait for it and look at the stack again.", w.resolving.label)}
}

// unknown says why an ID cannot be resolved. The caller holds w.mu.
func (w *Workspace) unknown(id string) *Error {
	if a := w.resolved.find(id); a != nil {
		return &Error{Kind: UnknownAction, Action: id, Message: fmt.Sprintf("%s was %s already by %s; nothing was changed.", a.label, a.verdict.State, a.verdict.By.Name)}
	}
	return &Error{Kind: UnknownAction, Action: id, Message: fmt.Sprintf("No action has the ID %s; nothing was changed. List the stack to see what is pending.", Visible(id))}
}

// release makes a claimed action pending again.
func (w *Workspace) release(a *action, by Party) {
	w.mu.Lock()
	w.resolving = nil
	a.state = Pending
	w.emit(Event{Cause: CauseRestore, ActionID: a.id, Paths: a.paths(), By: by})
	w.mu.Unlock()
	w.settle()
}

// resolveOne resolves the top action.
func (w *Workspace) resolveOne(ctx context.Context, m *Member, r Resolution) (*Result, error) {
	var err error
	if r.Decision == DecisionApply {
		if r.ID, r.approver, err = w.approve(ctx, r); err != nil {
			return nil, err
		}
	}
	a, err := w.claim(m, r)
	if err != nil {
		return nil, err
	}
	var res *Result
	if r.Decision == DecisionDiscard {
		res, err = w.discard(ctx, m, a, r)
	} else {
		res, err = w.apply(ctx, m, a, r)
	}
	if err != nil {
		w.release(a, r.by)
		return nil, err
	}
	w.settle()
	return res, nil
}

// finish pops a claimed action that was resolved as a whole. The caller holds
// w.mu.
func (w *Workspace) finish(a *action, m *Member, r Resolution, res *Result, paths []string) {
	state, cause, hunks := Applied, CauseApply, res.hunks()
	if r.Decision == DecisionDiscard {
		state, cause, hunks = Discarded, CauseDiscard, a.hunkCount()
	}
	w.resolving = nil
	res.Depth = len(w.stack) - 1 // set before those who await see the result
	w.remove(a, Verdict{State: state, Reason: r.Reason, By: r.by, Approver: r.approver, Result: res})
	e := a.entry(cause, r)
	e.Files, e.Hunks = paths, hunks
	w.record(e)
	w.emit(Event{Cause: cause, ActionID: a.id, Paths: paths, By: r.by, Stack: true})
}

func newResult(a *action, r Resolution) *Result {
	return &Result{Decision: r.Decision, Reason: r.Reason, ActionID: a.id, Label: a.label, SourceToolName: a.tool}
}
