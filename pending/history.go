package pending

import (
	"slices"
	"time"
)

// keptResolved is how many resolved actions a workspace still knows by ID, and
// how many entries its log keeps.
const keptResolved = 1000

// history remembers the latest resolved actions.
type history struct {
	actions []*action // oldest first
}

func (h *history) empty() bool { return len(h.actions) == 0 }

func (h *history) add(a *action) { h.actions = keepLast(h.actions, a, keptResolved) }

// keepLast appends to a list of which the last n count. It lets the list grow to
// twice that before it cuts it, which makes an append cheap.
func keepLast[T any](list []T, v T, n int) []T {
	if len(list) >= 2*n {
		list = append(make([]T, 0, 2*n), list[len(list)-n+1:]...)
	}
	return append(list, v)
}

func (h *history) find(id string) *action {
	for _, a := range slices.Backward(h.actions) {
		if a.id == id {
			return a
		}
	}
	return nil
}

// Entry is one line of a workspace's log.
type Entry struct {
	Time time.Time `json:"time"`
	// Cause is [CausePush], [CauseApply], [CauseDiscard], [CauseUndo] or
	// [CauseDecline].
	Cause          Cause  `json:"cause"`
	ActionID       string `json:"actionId"`
	Label          string `json:"label"`
	SourceToolName string `json:"sourceToolName"`
	Reason         string `json:"reason,omitempty"`
	By             Party  `json:"by"`
	// Approver is the editor whose user was asked to approve: they agreed, or with
	// [CauseDecline] did not. Such an entry has none if nobody was there to ask.
	Approver *Party   `json:"approver,omitempty"`
	Files    []string `json:"files,omitempty"`
	// Hunks counts what was pushed or resolved.
	Hunks int `json:"hunks"`
}

// repeats reports whether the entry says what another does, of the same party.
func (e Entry) repeats(o Entry) bool {
	return e.Cause == o.Cause && e.ActionID == o.ActionID && e.By == o.By && e.Approver == nil && o.Approver == nil
}

// Log returns who did what, when and why, the latest first; limit 0 means all
// that is kept, which is the last thousand.
func (w *Workspace) Log(limit int) []Entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.log), keptResolved)
	if limit > 0 {
		n = min(n, limit)
	}
	out := slices.Clone(w.log[len(w.log)-n:])
	slices.Reverse(out)
	return out
}

// record adds an entry to the log. The caller holds w.mu.
func (w *Workspace) record(e Entry) {
	e.Time = w.options().Clock()
	e.Files = sortedUnique(e.Files)
	w.log = keepLast(w.log, e, keptResolved)
	w.save(keyLog+number(w.logged), e)
	if w.logged >= keptResolved {
		w.save(keyLog+number(w.logged-keptResolved), nil)
	}
	w.logged++
}

// entry begins a log entry about an action.
func (a *action) entry(c Cause, r Resolution) Entry {
	return Entry{Cause: c, ActionID: a.id, Label: a.label, SourceToolName: a.tool, Reason: r.Reason, By: r.by, Approver: r.approver}
}
