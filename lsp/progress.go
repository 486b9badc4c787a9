package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

const (
	// progressDelay is how long work must take before a client that gave no token
	// is shown progress: a flash of it would only be noise.
	progressDelay = 500 * time.Millisecond
	// progressInterval is the least time between two reports.
	progressInterval = 100 * time.Millisecond
)

// progress reports on one request: on the token that the client gave, at once,
// or on one of ours once the work has taken a while. The user can cancel either
// way.
type progress struct {
	s       *session
	title   string
	started time.Time
	cancel  context.CancelFunc

	mu    sync.Mutex
	token json.RawMessage // nil until there is one
	asked bool            // a token of ours was asked for
	last  time.Time
	ended bool
}

// beginProgress returns a context that the client can cancel through the
// progress; the caller ends it with [progress.end].
func (s *session) beginProgress(ctx context.Context, token json.RawMessage, title string) (context.Context, *progress) {
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{s: s, title: title, started: time.Now(), cancel: cancel}
	if len(token) > 0 {
		p.begin(token)
	}
	return ctx, p
}

// begin starts to report on a token.
func (p *progress) begin(token json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.token = token
	p.s.mu.Lock()
	p.s.running[string(token)] = p.cancel
	p.s.mu.Unlock()
	p.send(map[string]any{"kind": "begin", "title": p.title, "cancellable": true, "percentage": 0})
}

// report says how many of the files are done. It never waits for the client.
func (p *progress) report(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case p.ended || total == 0:
	case p.token == nil:
		if p.s.client.progress && !p.asked && now.Sub(p.started) > progressDelay {
			p.asked = true
			go p.create()
		}
	case now.Sub(p.last) >= progressInterval:
		p.last = now
		p.send(map[string]any{"kind": "report", "message": fmt.Sprintf("%d of %d files", done, total), "percentage": done * 100 / total})
	}
}

// create asks the client to show progress on a token of ours.
func (p *progress) create() {
	token := protocol.String(fmt.Sprintf("pending-lsp-%d", p.started.UnixNano()))
	ctx, cancel := context.WithTimeout(context.Background(), refreshTimeout)
	defer cancel()
	err := protocol.Call(ctx, p.s.conn, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: token}, nil)
	if err != nil {
		p.s.logger.Debug("no progress", "err", err)
		return
	}
	p.begin(wire.Encode(string(token)))
}

func (p *progress) end() {
	p.cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.token == nil {
		return
	}
	p.s.mu.Lock()
	delete(p.s.running, string(p.token))
	p.s.mu.Unlock()
	p.send(map[string]any{"kind": "end"})
}

func (p *progress) send(value any) {
	p.s.send(protocol.MethodProgress, jsonrpc2.RawMessage(wire.Encode(map[string]any{"token": p.token, "value": value})))
}

// WorkDoneProgressCancel implements window/workDoneProgress/cancel.
func (s *session) WorkDoneProgressCancel(_ context.Context, p *protocol.WorkDoneProgressCancelParams) error {
	token, err := protocol.Marshal(p.Token)
	if err != nil {
		return err
	}
	s.mu.Lock()
	cancel := s.running[string(token)]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}
