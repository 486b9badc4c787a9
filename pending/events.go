package pending

import "slices"

// Cause says what made an [Event].
type Cause string

// The causes of events.
const (
	// CausePush: an action was pushed.
	CausePush Cause = "push"
	// CauseApplying: an apply began; the action's hunks are no longer shown.
	CauseApplying Cause = "applying"
	// CauseApply: an action, or part of one, was applied.
	CauseApply Cause = "apply"
	// CauseDiscard: an action, or part of one, was discarded.
	CauseDiscard Cause = "discard"
	// CauseRestore: an apply or discard failed and its action is pending again.
	CauseRestore Cause = "restore"
	// CauseChange: hunks moved, dropped or went stale because a text changed.
	CauseChange Cause = "change"
	// CauseStale: an apply found the preview out of date and replaced it.
	CauseStale Cause = "stale"
	// CauseOrphan: the owner of an action's callbacks left.
	CauseOrphan Cause = "orphan"
	// CauseUndo: the last applied action was reverted.
	CauseUndo Cause = "undo"
	// CauseDecline: a user did not approve what an agent wanted to apply or take
	// back, or none was there. It is in the log and no event: nothing changed.
	CauseDecline Cause = "decline"
)

// Event tells the members of a workspace that something changed. Events reach
// every member in the same order.
type Event struct {
	Cause Cause
	// ActionID is the action concerned; empty when several are.
	ActionID string
	// Paths are the files whose shown hunks or ranges may differ now, sorted.
	Paths []string
	// Depth and HasPending describe the stack right after the event.
	Depth      int
	HasPending bool
	// By is who caused it.
	By Party
	// Stack says that the depth or the top is not what it was.
	Stack bool
}

// emit queues an event for every member. The caller holds w.mu and calls
// w.deliver after releasing it.
func (w *Workspace) emit(e Event) {
	e.Depth, e.HasPending = len(w.stack), len(w.stack) > 0
	e.Paths = sortedUnique(e.Paths)
	w.queue = append(w.queue, e)
}

func sortedUnique(paths []string) []string {
	out := slices.Clone(paths)
	slices.Sort(out)
	return slices.Compact(out)
}

// deliver calls the members' Notify functions, without a lock, for everything
// queued. One goroutine delivers at a time and takes along what others queue
// meanwhile; that is what keeps the order.
func (w *Workspace) deliver() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.delivering {
		return
	}
	w.delivering = true
	for len(w.queue) > 0 {
		events := w.queue
		w.queue = nil
		var notify []func(Event)
		for _, m := range w.members {
			if m.notify != nil {
				notify = append(notify, m.notify)
			}
		}
		w.mu.Unlock()
		for _, e := range events {
			for _, f := range notify {
				_ = w.foreign("a notification", func() error { f(e); return nil })
			}
		}
		w.mu.Lock()
	}
	w.delivering = false
}
