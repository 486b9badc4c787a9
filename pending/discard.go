package pending

import (
	"context"
	"fmt"
	"slices"
)

// discard forgets a claimed action, or some of its hunks.
func (w *Workspace) discard(ctx context.Context, m *Member, a *action, r Resolution) (*Result, error) {
	res := newResult(a, r)
	if len(r.Hunks) > 0 {
		whole, err := w.discardHunks(m, a, r, res)
		if err != nil || !whole {
			return res, err
		}
	}
	res.Text = fmt.Sprintf("Discarded: %s.", a.label)
	if r.Reason != "" {
		res.Text += " Reason: " + r.Reason
	}
	if err := w.reject(ctx, a, r, res); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	paths := a.paths()
	w.detach(a)
	w.finish(a, m, r, res, paths)
	return res, nil
}

// reject tells the owner, whose answer may replace the message.
func (w *Workspace) reject(ctx context.Context, a *action, r Resolution, res *Result) error {
	w.mu.Lock()
	skip := a.orphaned || a.rejectFailed
	w.mu.Unlock()
	if a.callbacks == nil || skip || !a.callbacks.HasReject() {
		return nil
	}
	err := w.call(ctx, a, func(ctx context.Context) error {
		answer, err := a.callbacks.Reject(ctx, r.Reason)
		if err == nil && answer != nil {
			res.Source = answer
			if answer.Text != "" {
				res.Text = answer.Text
			}
		}
		return err
	})
	if err == nil || a.owner.gone.Err() != nil {
		return nil // an owner that left has nothing more to say
	}
	w.mu.Lock()
	a.rejectFailed = true
	w.mu.Unlock()
	return &Error{
		Kind: CallbackFailed, Action: a.id, Err: err,
		Message: fmt.Sprintf("%s is still pending: its owner %s failed to reject it: %s. Discard again to drop it without asking.", a.label, a.by.Name, Visible(err.Error())),
	}
}

// discardHunks drops some hunks of an action; whole says that none is left and
// the action goes as a whole.
func (w *Workspace) discardHunks(m *Member, a *action, r Resolution, res *Result) (whole bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := a.checkHunks(r.Hunks, nil); err != nil {
		return false, err
	}
	if len(r.Hunks) == a.hunkCount() {
		return true, nil
	}
	var paths []string
	for _, f := range a.files {
		before := len(f.hunks)
		f.hunks = slices.DeleteFunc(f.hunks, func(h *hunk) bool { return slices.Contains(r.Hunks, h.id) })
		if len(f.hunks) < before {
			paths = append(paths, f.track.path)
		}
	}
	a.forgetOffersOf(r.Hunks)
	a.state, a.dirty = Pending, true
	w.resolving = nil
	res.Text = fmt.Sprintf("Discarded %s of %s; %d left.", plural(len(r.Hunks), "replacement"), a.label, a.hunkCount())
	if r.Reason != "" {
		res.Text += " Reason: " + r.Reason
	}
	res.Depth = len(w.stack)
	e := a.entry(CauseDiscard, r)
	e.Files, e.Hunks = paths, len(r.Hunks)
	w.record(e)
	w.emit(Event{Cause: CauseDiscard, ActionID: a.id, Paths: paths, By: r.by})
	return false, nil
}

// checkHunks refuses IDs that the action does not have, or that come twice; those
// in taken it has although it does not show them. The caller holds the
// workspace's lock.
func (a *action) checkHunks(ids []string, taken map[string]bool) error {
	seen := map[string]bool{}
	for id := range taken {
		seen[id] = false
	}
	for _, f := range a.files {
		for _, h := range f.shown() {
			seen[h.id] = false
		}
	}
	for _, id := range ids {
		used, ok := seen[id]
		if !ok || used {
			return &Error{Kind: InvalidResolution, Action: a.id, Message: fmt.Sprintf("%s has no pending hunk %s, or it is named twice; nothing was changed. Peek shows the hunks that are left.", a.label, Visible(id))}
		}
		seen[id] = true
	}
	return nil
}
