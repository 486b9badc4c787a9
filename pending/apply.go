package pending

import "context"

func (w *Workspace) apply(ctx context.Context, m *Member, a *action, r Resolution) (*Result, error) {
	return nil, &Error{Kind: WriteFailed, Message: "not yet"}
}
