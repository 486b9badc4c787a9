package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// reporter reports on one call to a client that gave a progress token. What it
// reports only ever grows, as MCP asks.
type reporter struct {
	session *mcp.ServerSession
	token   any

	mu   sync.Mutex
	last float64
}

func newReporter(req *mcp.CallToolRequest) *reporter {
	return &reporter{session: req.Session, token: req.Params.GetProgressToken()}
}

func (r *reporter) report(ctx context.Context, done, total float64, message string) {
	if r.token == nil {
		return
	}
	r.mu.Lock()
	grown := done > r.last
	r.last = max(r.last, done)
	r.mu.Unlock()
	if grown {
		_ = r.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.token, Progress: done, Total: total, Message: message})
	}
}

// waiting reports the seconds waited until stop is called, so that a client
// which gives up on silent calls does not.
func (r *reporter) waiting(ctx context.Context, every time.Duration, message string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for start := time.Now(); ; {
			select {
			case now := <-tick.C:
				r.report(ctx, now.Sub(start).Seconds(), 0, message)
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// follow lets the daemon's progress on a request be reported; the request
// carries the token returned.
func (st *seat) follow(ctx context.Context, r *reporter) (token json.RawMessage, stop func()) {
	if r.token == nil {
		return nil, func() {}
	}
	name := rand.Text()
	st.mu.Lock()
	st.progress[name] = func(p agent.Progress) {
		if !p.Done {
			r.report(ctx, float64(p.Percentage), 100, p.Message)
		}
	}
	st.mu.Unlock()
	return wire.Encode(name), func() {
		st.mu.Lock()
		delete(st.progress, name)
		st.mu.Unlock()
		r.report(ctx, 100, 100, "")
	}
}

func (st *seat) onProgress(p agent.Progress) {
	st.mu.Lock()
	report := st.progress[p.Token]
	st.mu.Unlock()
	if report != nil {
		report(p)
	}
}
