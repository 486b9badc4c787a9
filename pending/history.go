package pending

// keptResolved is how many resolved actions a workspace still knows by ID.
const keptResolved = 1000

// Verdict is how an action ended.
type Verdict struct {
	State  State // Applied or Discarded
	Reason string
	By     Party
	Result *Result
}

// history remembers the latest resolved actions.
type history struct {
	actions []*action // oldest first
}

func (h *history) empty() bool { return len(h.actions) == 0 }

func (h *history) add(a *action) {
	if len(h.actions) >= keptResolved {
		h.actions = append(h.actions[:0], h.actions[1:]...)
	}
	h.actions = append(h.actions, a)
}

func (h *history) find(id string) *action {
	for _, a := range h.actions {
		if a.id == id {
			return a
		}
	}
	return nil
}
