package pending

import (
	"context"
	"fmt"
	"runtime/debug"
)

// foreign runs code that is not ours: a producer, an editor, callbacks, a
// question to a user. A panic in it must not leave the stack locked half way
// through a resolve; it becomes an error.
func (w *Workspace) foreign(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			w.options().Logger.Error("panic", "in", what, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s panicked: %v", what, r)
		}
	}()
	return f()
}

// propose runs a producer on the current text.
func (w *Workspace) propose(ctx context.Context, producer Proposer) (p *Proposal, err error) {
	err = w.foreign("the producer", func() (err error) {
		p, err = producer.Propose(ctx, w.source())
		return err
	})
	if p == nil {
		p = &Proposal{}
	}
	return p, err
}
