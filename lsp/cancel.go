package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// calls are the requests in flight, by id, so that $/cancelRequest finds them.
type calls struct {
	mu     sync.Mutex
	cancel map[jsonrpc2.ID]context.CancelFunc
}

func newCalls() *calls { return &calls{cancel: map[jsonrpc2.ID]context.CancelFunc{}} }

// releaseKey is the context key of the function behind [release].
type releaseKey struct{}

// release lets the connection read on while the rest of the handler runs
// concurrently. A handler calls it at most once, after it has taken what it
// needs of the documents.
func release(ctx context.Context) {
	if f, ok := ctx.Value(releaseKey{}).(func()); ok {
		f()
	}
}

// cancellable gives every request a context of its own that $/cancelRequest
// ends.
//
// The library's CancelHandler cannot be used: it derives a context from the
// pooled one of a request, and package context may ask that one for Done on a
// goroutine of its own after the request was recycled, which panics.
func (c *calls) cancellable(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(pooled context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() == protocol.MethodCancelRequest {
			return nil, c.cancelRequest(req)
		}
		ctx, cancel := context.WithCancel(jsonrpc2.DetachContext(pooled))
		defer cancel()
		ctx = context.WithValue(ctx, releaseKey{}, func() { jsonrpc2.Async(pooled) })
		if req.IsCall() {
			id := req.ID()
			c.mu.Lock()
			c.cancel[id] = cancel
			c.mu.Unlock()
			defer func() {
				c.mu.Lock()
				delete(c.cancel, id)
				c.mu.Unlock()
			}()
		}
		result, err := next(ctx, req)
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", errCancelled, err)
		}
		return result, err
	}
}

func (c *calls) cancelRequest(req *jsonrpc2.Request) error {
	var params protocol.CancelParams
	if err := protocol.Unmarshal(req.Params(), &params); err != nil {
		return err
	}
	var id jsonrpc2.ID
	switch v := params.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(v))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(v))
	}
	c.mu.Lock()
	cancel := c.cancel[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}
