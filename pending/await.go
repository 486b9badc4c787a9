package pending

import "context"

// Verdict is how an action ended.
type Verdict struct {
	// State is [Applied] or [Discarded].
	State  State
	Reason string
	By     Party
	// Approver is the editor whose user approved it, if By needed that.
	Approver *Party
	// Result is what the resolve reported; nil when it was an earlier process's.
	Result *Result
}

// Await returns the verdict on an action, now or when it is resolved; the last
// thousand resolved actions are remembered. It ends with ctx, whose error it
// then returns.
func (w *Workspace) Await(ctx context.Context, id string) (Verdict, error) {
	w.mu.Lock()
	a := w.find(id)
	if a == nil {
		a = w.resolved.find(id)
	}
	if a == nil {
		err := w.unknown(id)
		w.mu.Unlock()
		return Verdict{}, err
	}
	w.mu.Unlock()
	select {
	case <-a.done:
		return a.verdict, nil // set before done was closed, and never again
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
}
