package pending

import (
	"context"
	"fmt"
)

// Approval says whose word an apply needs.
type Approval string

const (
	// ApproveAnyone lets every member apply. It is the default.
	ApproveAnyone Approval = "anyone"
	// ApproveEditor asks the user of an editor before an agent applies.
	ApproveEditor Approval = "editor"
)

// ApprovalRequest is what a user is asked.
type ApprovalRequest struct {
	Action ActionView
	// By wants to apply it, for Reason.
	By     Party
	Reason string
}

// approve makes sure that a member may apply an action, and asks if it must. It
// returns the ID of the action that the word is for. The action is not claimed
// meanwhile: the user may resolve it in another way, which ends the question.
func (w *Workspace) approve(ctx context.Context, m *Member, r Resolution) (string, error) {
	id := r.ID
	w.mu.Lock()
	if m.party.Editor || !w.needsApproval() {
		w.mu.Unlock()
		return id, nil
	}
	a := w.find(id)
	if id == "" && len(w.stack) > 0 {
		a = w.stack[len(w.stack)-1]
	}
	if a == nil || a.orphaned {
		w.mu.Unlock()
		return id, nil // claiming says what is wrong
	}
	asked := w.approver(a)
	view := w.view(a)
	w.mu.Unlock()
	if asked == nil {
		return "", &Error{Kind: Policy, Action: a.id, Message: fmt.Sprintf("%s was not applied: only the user of an editor may approve it, and no editor that could ask is attached. It is still pending.", a.label)}
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(asked.gone, cancel)()
	go func() { // ends with ctx
		select {
		case <-a.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	yes := false
	err := w.foreign("the question", func() (err error) {
		yes, err = asked.approve(ctx, ApprovalRequest{Action: view, By: m.party, Reason: r.Reason})
		return err
	})
	select {
	case <-a.done:
		return a.id, nil // claiming says who was faster
	default:
	}
	switch {
	case asked.gone.Err() != nil:
		return "", &Error{Kind: Policy, Action: a.id, Err: err, Message: fmt.Sprintf("%s was not applied: %s was asked to approve it and disconnected. It is still pending.", a.label, asked.party.Name)}
	case err != nil:
		return "", &Error{Kind: Policy, Action: a.id, Err: err, Message: fmt.Sprintf("%s was not applied: %s could not be asked to approve it: %s. It is still pending.", a.label, asked.party.Name, Visible(err.Error()))}
	case !yes:
		return "", &Error{Kind: Policy, Action: a.id, Message: fmt.Sprintf("%s was not applied: the user of %s did not approve it. It is still pending.", a.label, asked.party.Name)}
	}
	return a.id, nil
}

// needsApproval reports whether the registry or any attached editor asks for it.
// The caller holds w.mu.
func (w *Workspace) needsApproval() bool {
	if w.options().Approval == ApproveEditor {
		return true
	}
	for _, m := range w.members {
		if m.approval == ApproveEditor {
			return true
		}
	}
	return false
}

// approver is the member to ask: an editor that has a file of the action open,
// else the first that can ask. The caller holds w.mu.
func (w *Workspace) approver(a *action) *Member {
	for _, f := range a.files {
		for _, o := range f.track.overlays {
			if o.member.approve != nil {
				return o.member
			}
		}
	}
	for _, m := range w.members {
		if m.approve != nil {
			return m
		}
	}
	return nil
}
