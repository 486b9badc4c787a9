package mcp

import (
	"context"
	"sync"

	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// seat is the agent session of one workspace. What it knows of the stack it
// always read whole: a notification only says that it is time to read again, so
// that an old one cannot undo what a newer answer said.
type seat struct {
	s      *server
	client *agent.Client
	root   uri.URI // known after joined is closed
	joined chan struct{}
	wake   chan struct{}
	left   chan struct{} // closed when the seat is given up

	looking sync.Mutex // held while the stack is read and taken over

	mu       sync.Mutex
	actions  []summary // top first
	touched  map[string]bool
	progress map[string]func(agent.Progress) // by token
}

// summary is what is kept of a pending action.
type summary struct {
	id, label string
}

// join opens a session in folder and waits until it has said where it is.
func (s *server) join(ctx context.Context, folder, name, version string) (*seat, error) {
	st := &seat{
		s: s, joined: make(chan struct{}), wake: make(chan struct{}, 1), left: make(chan struct{}),
		touched: map[string]bool{}, progress: map[string]func(agent.Progress){},
	}
	client, err := s.opts.Dial(ctx, folder, agent.Options{Name: name, Version: version, OnProgress: st.onProgress})
	if err != nil {
		return nil, err
	}
	st.client = client
	var once sync.Once
	if err := client.Subscribe(ctx, func(p wire.DidChangeParams) {
		once.Do(func() { st.root = uri.URI(p.Workspace); close(st.joined) })
		st.event(p)
	}); err != nil {
		_ = client.Close(ctx)
		return nil, err
	}
	select {
	case <-st.joined:
		return st, nil
	case <-client.Done():
		return nil, errGone
	case <-ctx.Done():
		_ = client.Close(context.WithoutCancel(ctx))
		return nil, ctx.Err()
	}
}

// event notes that the stack is not what it was. It runs on the read loop.
func (st *seat) event(p wire.DidChangeParams) {
	st.mu.Lock()
	if p.ActionID != "" {
		st.touched[p.ActionID] = true
	}
	st.mu.Unlock()
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

// watch follows the stack until the seat is left or the daemon gone.
func (st *seat) watch() {
	for {
		select {
		case <-st.wake:
			if _, err := st.look(st.s.ctx); err != nil {
				st.s.opts.Logger.Debug("cannot read the stack", "err", err)
			}
			st.announce()
		case <-st.client.Done():
			st.s.drop(st)
			return
		case <-st.left:
			return
		}
	}
}

// announce tells subscribers what has changed.
func (st *seat) announce() {
	st.mu.Lock()
	touched := st.touched
	st.touched = map[string]bool{}
	st.mu.Unlock()
	st.s.updated(stackURI)
	for id := range touched {
		st.s.updated(actionURI(id))
	}
}

// look reads the stack, and lets the tools and resources follow.
func (st *seat) look(ctx context.Context) (*wire.ListResult, error) {
	st.looking.Lock()
	list, err := st.client.List(ctx)
	if err == nil {
		st.take(list)
	}
	st.looking.Unlock()
	st.s.stackChanged()
	return list, err
}

func (st *seat) take(list *wire.ListResult) {
	old := st.stack()
	var now []summary
	for _, a := range list.Actions {
		now = append(now, summary{id: a.ID, label: a.Label})
	}
	st.mu.Lock()
	st.actions = now
	st.mu.Unlock()
	st.s.replaceResources(old, now)
}

// stack returns what is pending, top first.
func (st *seat) stack() []summary {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.actions
}

// over reports whether the seat was given up meanwhile, by us or by the daemon.
func (st *seat) over() bool {
	select {
	case <-st.left:
		return true
	case <-st.client.Done():
		return true
	default:
		return false
	}
}

// path is the workspace's root folder.
func (st *seat) path() string { return st.root.FsPath() }
