package pending

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
)

// Approval says whose word an agent's apply needs.
type Approval string

const (
	// ApproveAnyone lets every member apply. It is the default.
	ApproveAnyone Approval = "anyone"
	// ApproveEditor asks the user of an editor before an agent applies.
	ApproveEditor Approval = "editor"
)

// ApprovalPolicy says whose word an agent needs to apply, or to take back, what a
// tool proposed. The zero value asks for nobody's.
type ApprovalPolicy struct {
	// Default is for the tools that Tools does not name.
	Default Approval `json:"default,omitempty"`
	// Tools are exceptions, by [New.SourceToolName].
	Tools map[string]Approval `json:"tools,omitempty"`
}

// of is what the policy wants for a tool.
func (p ApprovalPolicy) of(tool string) Approval {
	return cmp.Or(p.Tools[tool], p.Default, ApproveAnyone)
}

// demands reports whether there is a tool for which a user must be asked.
func (p ApprovalPolicy) demands() bool {
	return p.Default == ApproveEditor || slices.Contains(slices.Collect(maps.Values(p.Tools)), ApproveEditor)
}

func (p ApprovalPolicy) equal(q ApprovalPolicy) bool {
	return p.Default == q.Default && maps.Equal(p.Tools, q.Tools)
}

// SetApproval says what the member's user now wants of agents in this workspace;
// nil is no opinion. Only an editor has a user: from any other member it changes
// nothing.
//
// Of several editors the strictest counts for each tool. What the last of them
// wanted stays in force when it leaves, also after a restart, until another one
// wants something: an agent gains nothing by waiting for the editor to close.
func (m *Member) SetApproval(p *ApprovalPolicy) {
	if !m.party.Editor {
		return
	}
	w := m.workspace
	w.mu.Lock()
	m.approval = p
	changed := w.agreeOnApproval()
	w.mu.Unlock()
	if changed {
		w.settle()
	}
}

// agreeOnApproval takes over what the attached editors want, if one of them wants
// anything, and reports whether that is something new. The caller holds w.mu and
// settles.
func (w *Workspace) agreeOnApproval() bool {
	wanted, said := []ApprovalPolicy{}, false
	for _, m := range w.members {
		said = said || m.approval != nil
		if m.approval != nil && m.approval.demands() {
			wanted = append(wanted, *m.approval)
		}
	}
	if !said || slices.EqualFunc(wanted, w.approval, ApprovalPolicy.equal) {
		return false
	}
	w.approval = wanted
	if len(wanted) == 0 {
		w.save(keyApproval, nil)
	} else {
		w.save(keyApproval, wanted)
	}
	return true
}

// needsApproval reports whether an agent needs a user's word for what a tool
// proposed. The caller holds w.mu.
func (w *Workspace) needsApproval(tool string) bool {
	return w.options().Approval.of(tool) == ApproveEditor ||
		slices.ContainsFunc(w.approval, func(p ApprovalPolicy) bool { return p.of(tool) == ApproveEditor })
}

// ApprovalRequest is what a user is asked.
type ApprovalRequest struct {
	Action ActionView
	// Undo says that the action was applied and is to be taken back; its view has
	// no files then.
	Undo bool
	// By wants to do it, for Reason.
	By     Party
	Reason string
}

// question is an [ApprovalRequest] and what it takes to ask it.
type question struct {
	ApprovalRequest
	asked *Member // nil if there is nobody
	// settled is closed when somebody decided otherwise meanwhile.
	settled <-chan struct{}
}

// approve makes sure that a member may apply an action, and asks if it must. It
// returns the ID of the action that the word is for, and who gave it. The action
// is not claimed meanwhile: the user may resolve it in another way, which ends
// the question.
func (w *Workspace) approve(ctx context.Context, r Resolution) (id string, approver *Party, err error) {
	w.mu.Lock()
	a := w.find(r.ID)
	if r.ID == "" && len(w.stack) > 0 {
		a = w.stack[len(w.stack)-1]
	}
	// Of an action that is not there, claiming says what is wrong.
	if r.by.Editor || a == nil || a.orphaned || !w.needsApproval(a.tool) {
		w.mu.Unlock()
		return r.ID, nil, nil
	}
	q := question{ApprovalRequest: ApprovalRequest{Action: w.view(a), By: r.by, Reason: r.Reason}, asked: w.approver(a.paths()), settled: a.done}
	w.mu.Unlock()
	approver, err = w.ask(ctx, q)
	return a.id, approver, err
}

// ask puts a question to the user of an editor and returns who agreed; a refusal
// is an error of kind [Policy].
func (w *Workspace) ask(ctx context.Context, q question) (*Party, error) {
	if q.asked == nil {
		w.declined(q, nil)
		return nil, q.refusal("only the user of an editor may approve it, and no editor that could ask is attached", nil)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(q.asked.gone, cancel)()
	go func() { // ends with ctx
		select {
		case <-q.settled:
			cancel()
		case <-ctx.Done():
		}
	}()
	yes := false
	err := w.foreign("the question", func() (err error) {
		yes, err = q.asked.approve(ctx, q.ApprovalRequest)
		return err
	})
	select {
	case <-q.settled:
		return nil, nil // claiming says who was faster
	default:
	}
	asked := q.asked.party
	switch {
	case q.asked.gone.Err() != nil:
		w.declined(q, nil)
		return nil, q.refusal(asked.Name+" was asked to approve it and disconnected", err)
	case err != nil:
		return nil, q.refusal(fmt.Sprintf("%s could not be asked to approve it: %s", asked.Name, Visible(err.Error())), err)
	case !yes:
		w.declined(q, &asked)
		return nil, q.refusal("the user of "+asked.Name+" did not approve it", nil)
	}
	return &asked, nil
}

func (q *question) refusal(why string, err error) *Error {
	what, now := "applied", "It is still pending: a user can decide about it in an editor, and await reports the verdict."
	if q.Undo {
		what, now = "taken back", "Nothing was changed: a user can take it back in an editor."
	}
	return &Error{Kind: Policy, Action: q.Action.ID, Err: err, Message: fmt.Sprintf("%s was not %s: %s. %s", q.Action.Label, what, why, now)}
}

// declined logs that an agent did not get the word it needs: a user said no or,
// without an approver, there was nobody to ask. An agent that tries the latter
// again and again does not push out the rest of the log.
func (w *Workspace) declined(q question, approver *Party) {
	e := Entry{
		Cause: CauseDecline, ActionID: q.Action.ID, Label: q.Action.Label, SourceToolName: q.Action.SourceToolName,
		Reason: q.Reason, By: q.By, Approver: approver,
	}
	w.mu.Lock()
	if n := len(w.log); approver != nil || n == 0 || !w.log[n-1].repeats(e) {
		w.record(e)
	}
	w.mu.Unlock()
	w.settle()
}

// approver is the member to ask about files: an editor that has one of them open,
// else the first that can ask; nil if there is none. The caller holds w.mu.
func (w *Workspace) approver(paths []string) *Member {
	for _, path := range paths {
		if t := w.tracks[path]; t != nil {
			for _, o := range t.overlays {
				if o.member.approve != nil {
					return o.member
				}
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
