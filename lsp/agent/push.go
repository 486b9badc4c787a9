package agent

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// Callbacks are what the owner of an action does when it is resolved. They run
// on goroutines of their own and may use the Client, but not resolve.
type Callbacks struct {
	// Apply does what the action promised. An error leaves the action pending; a
	// result with an Edit lets the server carry that out.
	Apply func(ctx context.Context, p wire.ApplyParams) (*wire.CallbackResult, error)
	// Reject, if not nil, is told of a discard; text in its result replaces the
	// default message.
	Reject func(ctx context.Context, p wire.RejectParams) (*wire.CallbackResult, error)
}

// Push leaves an edit of the caller's own pending, or with callbacks whatever
// the caller does when it is applied. Callbacks is nil for an edit alone. The
// callbacks serve as long as the Client is connected.
func (c *Client) Push(ctx context.Context, p wire.PushParams, cb *Callbacks) (*wire.ToolResult, *wire.PushDetails, error) {
	var details wire.PushDetails
	if cb == nil {
		result, err := c.tool(ctx, wire.CommandPush, p, &details)
		return result, &details, err
	}
	p.Callbacks = &wire.Callbacks{Apply: true, Reject: cb.Reject != nil}
	pushed := c.owned.begin()
	defer pushed()
	result, err := c.tool(ctx, wire.CommandPush, p, &details)
	if err == nil {
		c.owned.add(details.ActionID, cb)
	}
	return result, &details, err
}

// owned are the callbacks of actions that this session pushed.
type owned struct {
	mu      sync.Mutex
	byID    map[string]*Callbacks
	pushing int
	settled chan struct{} // closed when pushing falls to 0
}

// begin notes that a push is under way. The server may ask for an action before
// the answer to its push is read here: until the function returned is called,
// such a request waits.
func (o *owned) begin() (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.pushing == 0 {
		o.settled = make(chan struct{})
	}
	o.pushing++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.pushing--; o.pushing == 0 {
			close(o.settled)
		}
	}
}

func (o *owned) add(id string, cb *Callbacks) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byID == nil {
		o.byID = map[string]*Callbacks{}
	}
	o.byID[id] = cb
}

// find returns the callbacks of an action, waiting for pushes under way.
func (o *owned) find(ctx context.Context, id string) *Callbacks {
	for {
		o.mu.Lock()
		cb, pushing, settled := o.byID[id], o.pushing > 0, o.settled
		o.mu.Unlock()
		if cb != nil || !pushing {
			return cb
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return nil
		}
	}
}

func (o *owned) remove(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byID, id)
}

// serve answers pending-lsp/apply and pending-lsp/reject.
func (o *owned) serve(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	var id struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(req.Params(), &id); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", req.Method(), err)
	}
	cb := o.find(ctx, id.ID)
	if cb == nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: this session does not own action %s", req.Method(), id.ID)
	}
	var result *wire.CallbackResult
	var err error
	if req.Method() == wire.RequestApply {
		var p wire.ApplyParams
		if err = json.Unmarshal(req.Params(), &p); err == nil {
			result, err = cb.Apply(ctx, p)
		}
	} else {
		var p wire.RejectParams
		if err = json.Unmarshal(req.Params(), &p); err == nil && cb.Reject != nil {
			result, err = cb.Reject(ctx, p)
		}
		o.remove(id.ID)
	}
	if err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
	}
	if result == nil {
		result = &wire.CallbackResult{}
	}
	return jsonrpc2.RawMessage(wire.Encode(result)), nil
}
