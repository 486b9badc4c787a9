package pending

import (
	"context"
	"errors"
)

// Callbacks are what the owner of an action does when it is resolved. They are
// called without a lock, bounded by [Options.CallbackTimeout] and by the
// owner's stay in the workspace, and must return when ctx ends.
type Callbacks interface {
	// Apply does what the action promised. A result with IsError, like an error,
	// leaves the action on the stack. hunks are the IDs to apply, empty for all;
	// reason is informational.
	Apply(ctx context.Context, reason string, hunks []string) (*CallbackResult, error)
	// HasReject says whether Reject is to be called.
	HasReject() bool
	// Reject is told of a discard. A result with text replaces the default
	// message.
	Reject(ctx context.Context, reason string) (*ToolResult, error)
}

// CallbackResult is a [Callbacks.Apply]'s answer.
type CallbackResult struct {
	ToolResult
	// Proposal, if not nil, is written by the workspace as the action's edit.
	Proposal *Proposal
}

// call runs one callback of the action's owner with its bounds.
func (w *Workspace) call(ctx context.Context, a *action, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, w.options().CallbackTimeout)
	defer cancel()
	defer context.AfterFunc(a.owner.gone, cancel)()
	return w.foreign("the owner", func() error { return f(ctx) })
}

// goneOwner stands for the callbacks of an action whose owner went with an
// earlier process. The action is orphaned, so none is called.
type goneOwner struct{}

var errGone = errors.New("the owner is gone")

func (goneOwner) Apply(context.Context, string, []string) (*CallbackResult, error) {
	return nil, errGone
}
func (goneOwner) HasReject() bool                                     { return false }
func (goneOwner) Reject(context.Context, string) (*ToolResult, error) { return nil, errGone }
