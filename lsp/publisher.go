package lsp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/pending"
)

// refreshTimeout bounds how long a client may take to answer a refresh request.
const refreshTimeout = 10 * time.Second

// publisher tells one client what changed: pending-lsp/didChange in order, and
// the diagnostics of files whose hunks may differ. It works on its own
// goroutine, so an event never waits for a client, and reads the workspace when
// it publishes, so what it says is never older than the event.
type publisher struct {
	s    *session
	done chan struct{}

	mu      sync.Mutex
	wake    *sync.Cond
	opened  bool // the client may be written to
	stopped bool
	events  []seatEvent
	dirty   map[docKey]bool
	shown   map[docKey]bool // files the client shows diagnostics for
	refresh bool
	// contents are the virtual documents the client was given, with their action.
	contents map[uri.URI]string
	watched  []docKey // files the client watches for us
	watching bool     // it is being told of others
	rewatch  bool     // once more, when it has been told
}

// seatEvent is an event of one of the session's workspaces.
type seatEvent struct {
	seat  *seat
	event pending.Event
}

func newPublisher(s *session) *publisher {
	p := &publisher{s: s, done: make(chan struct{}), dirty: map[docKey]bool{}, shown: map[docKey]bool{}, contents: map[uri.URI]string{}}
	p.wake = sync.NewCond(&p.mu)
	go p.run()
	return p
}

// notify takes an event; it never blocks.
func (p *publisher) notify(st *seat, e pending.Event) {
	// By now, not when it is sent: who asks in between is told how it stands then,
	// and would hear this as news after it.
	tell := e.Cause != "" && p.s.settings().DidChange
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range e.Paths {
		p.dirty[docKey{st, path}] = true
	}
	if tell {
		p.queue(seatEvent{st, e})
	}
	p.refresh = p.refresh || len(e.Paths) > 0 || e.Stack
	p.wake.Signal()
}

// queue keeps an event for pending-lsp/didChange. Of changes in a row, as typing
// makes them, the last says it all. The caller holds p.mu.
func (p *publisher) queue(e seatEvent) {
	if n := len(p.events); n > 0 && e.event.Cause == pending.CauseChange {
		if last := p.events[n-1]; last.seat == e.seat && last.event.Cause == pending.CauseChange {
			p.events[n-1] = e
			return
		}
	}
	p.events = append(p.events, e)
}

// repaint shows everything of a workspace anew.
func (p *publisher) repaint(st *seat) {
	p.notify(st, pending.Event{Paths: st.ws.PendingPaths()})
}

// showing remembers that the client shows a virtual document, to refresh it.
func (p *publisher) showing(u uri.URI, action string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.contents) < maxContents {
		p.contents[u] = action
	}
}

// staleContents lists the virtual documents to refresh, and forgets those of
// actions that are gone.
func (p *publisher) staleContents() []uri.URI {
	p.mu.Lock()
	contents := maps.Clone(p.contents)
	p.mu.Unlock()
	var out []uri.URI
	for u, action := range contents {
		out = append(out, u)
		if _, _, err := p.s.findAnywhere(action); err != nil {
			p.mu.Lock()
			delete(p.contents, u)
			p.mu.Unlock()
		}
	}
	slices.Sort(out)
	return out
}

// joined shows what is pending already in a workspace just joined.
func (p *publisher) joined(st *seat) {
	paths := st.ws.PendingPaths()
	depth := st.ws.Depth()
	p.notify(st, pending.Event{Cause: pending.CauseRestore, Paths: paths, Depth: depth, HasPending: depth > 0, Stack: true})
}

// forget clears what the client shows of a workspace it leaves.
func (p *publisher) forget(st *seat) {
	p.mu.Lock()
	var gone []docKey
	for key := range p.shown {
		if key.seat == st {
			gone = append(gone, key)
			delete(p.shown, key)
		}
	}
	p.mu.Unlock()
	for _, key := range gone {
		p.s.clearDiagnostics(key)
	}
}

// open lets messages out: LSP allows none before the client has said
// initialized.
func (p *publisher) open() {
	p.mu.Lock()
	p.opened = true
	p.wake.Signal()
	p.mu.Unlock()
}

// stop ends the goroutine and waits for it.
func (p *publisher) stop() {
	p.mu.Lock()
	p.stopped = true
	p.wake.Signal()
	p.mu.Unlock()
	<-p.done
}

func (p *publisher) run() {
	defer close(p.done)
	ctx, cancel := context.WithCancel(context.Background())
	var refreshes sync.WaitGroup
	defer refreshes.Wait()
	defer cancel()
	for {
		p.mu.Lock()
		for !p.stopped && (!p.opened || len(p.events) == 0 && len(p.dirty) == 0 && !p.refresh) {
			p.wake.Wait()
		}
		if p.stopped {
			p.mu.Unlock()
			return
		}
		events, dirty, refresh := p.events, p.dirty, p.refresh
		p.events, p.dirty, p.refresh = nil, map[docKey]bool{}, false
		p.mu.Unlock()

		for key := range dirty {
			p.publish(key)
		}
		for _, e := range events {
			p.s.notifyDidChange(e.seat, e.event)
		}
		if refresh {
			p.refreshAll(ctx, &refreshes)
			p.watch(ctx, &refreshes)
		}
	}
}

// watch has the client watch the files that have pending changes now, one
// registration at a time.
func (p *publisher) watch(ctx context.Context, wg *sync.WaitGroup) {
	if !p.s.client.watchFiles {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rewatch = true
	if p.watching {
		return
	}
	p.watching = true
	wg.Go(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for p.rewatch {
			p.rewatch = false
			watched := p.watched
			p.mu.Unlock()
			watched = p.s.watch(ctx, watched)
			p.mu.Lock()
			p.watched = watched
		}
		p.watching = false
	})
}

// refreshAll asks the client to fetch what it pulls, where it says it can.
func (p *publisher) refreshAll(ctx context.Context, wg *sync.WaitGroup) {
	for method, declared := range map[string]bool{
		protocol.MethodWorkspaceCodeLensRefresh:   p.s.client.lensRefresh,
		protocol.MethodWorkspaceInlayHintRefresh:  p.s.client.hintRefresh,
		protocol.MethodWorkspaceDiagnosticRefresh: p.s.client.diagnosticRefresh && p.s.client.pullDiagnostics,
	} {
		if declared {
			wg.Go(func() { p.s.refresh(ctx, method) })
		}
	}
	if shown := p.staleContents(); len(shown) > 0 {
		wg.Go(func() { p.s.refreshContents(ctx, shown) })
	}
}

// publish sends a file's diagnostics, unless there are none and none are shown.
func (p *publisher) publish(key docKey) {
	if !p.s.client.diagnostics || !p.s.seated(key.seat) {
		return
	}
	params := p.s.diagnostics(key)
	p.mu.Lock()
	before := p.shown[key]
	if len(params.Diagnostics) == 0 {
		delete(p.shown, key)
	} else {
		p.shown[key] = true
	}
	p.mu.Unlock()
	if before || len(params.Diagnostics) > 0 {
		p.s.publishDiagnostics(params)
	}
}
