package lsp

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// progressInterval is the least time between two reports.
const progressInterval = 100 * time.Millisecond

// progress reports on one request to a client that gave a workDoneToken. One
// without a token does nothing.
type progress struct {
	s     *session
	token json.RawMessage

	mu   sync.Mutex
	last time.Time
}

func (s *session) beginProgress(token json.RawMessage, title string) *progress {
	p := &progress{s: s, token: token}
	p.send(map[string]any{"kind": "begin", "title": title, "cancellable": true, "percentage": 0})
	return p
}

// report says how many of the files are done.
func (p *progress) report(done, total int) {
	p.mu.Lock()
	now := time.Now()
	due := now.Sub(p.last) >= progressInterval
	if due {
		p.last = now
	}
	p.mu.Unlock()
	if due && total > 0 {
		p.send(map[string]any{"kind": "report", "message": fmt.Sprintf("%d of %d files", done, total), "percentage": done * 100 / total})
	}
}

func (p *progress) end() { p.send(map[string]any{"kind": "end"}) }

func (p *progress) send(value any) {
	if len(p.token) == 0 {
		return
	}
	p.s.send(protocol.MethodProgress, jsonrpc2.RawMessage(wire.Encode(map[string]any{"token": p.token, "value": value})))
}
