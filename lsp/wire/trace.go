package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// traceStream writes every message to a log that the LSP Inspector reads. The
// log is told from the client's side, as the Inspector expects: what we read is
// what the client sends.
//
// It is ours because the protocol module's LoggingStream keeps its request
// tables in globals, shared by all connections, and never unlocks after an
// error response.
type traceStream struct {
	jsonrpc2.Stream

	mu     sync.Mutex
	out    io.Writer
	theirs map[string]tracedCall // calls the client sent
	ours   map[string]tracedCall // calls we sent
}

type tracedCall struct {
	method string
	at     time.Time
}

// TraceStream logs the messages of s to out.
func TraceStream(s jsonrpc2.Stream, out io.Writer) jsonrpc2.Stream {
	return &traceStream{Stream: s, out: out, theirs: map[string]tracedCall{}, ours: map[string]tracedCall{}}
}

// Read implements [jsonrpc2.Stream].
func (t *traceStream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	msg, n, err := t.Stream.Read(ctx)
	if err == nil {
		t.log(msg, "Sending", t.theirs, t.ours)
	}
	return msg, n, err
}

// Write implements [jsonrpc2.Stream].
func (t *traceStream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	// A connection writes messages of types of its own; the wire form is the one
	// that all have in common.
	if body, err := jsonrpc2.EncodeMessage(msg); err == nil {
		if public, err := jsonrpc2.DecodeMessage(body); err == nil {
			t.log(public, "Received", t.ours, t.theirs)
		}
	}
	return t.Stream.Write(ctx, msg)
}

// log writes msg; calls of its direction are remembered in sent, and responses
// are matched with the calls of the other one.
func (t *traceStream) log(msg jsonrpc2.Message, verb string, sent, answered map[string]tracedCall) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	stamp := now.Format("03:04:05.000 PM")
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		id := fmt.Sprint(msg.ID())
		sent[id] = tracedCall{msg.Method(), now}
		fmt.Fprintf(t.out, "[Trace - %s] %s request '%s - (%s)'.\nParams: %s\n\n\n", stamp, verb, msg.Method(), id, orNull(msg.Params()))
	case *jsonrpc2.Notification:
		fmt.Fprintf(t.out, "[Trace - %s] %s notification '%s'.\nParams: %s\n\n\n", stamp, verb, msg.Method(), orNull(msg.Params()))
	case *jsonrpc2.Response:
		id := fmt.Sprint(msg.ID())
		call := answered[id]
		delete(answered, id)
		ms := int64(0)
		if !call.at.IsZero() {
			ms = now.Sub(call.at).Milliseconds()
		}
		fmt.Fprintf(t.out, "[Trace - %s] %s response '%s - (%s)' in %dms.", stamp, verb, call.method, id, ms)
		if err := msg.Err(); err != nil {
			reason, _ := json.Marshal(err.Error())
			fmt.Fprintf(t.out, " Request failed: %s\nError: %s\n\n\n", err, reason)
			return
		}
		fmt.Fprintf(t.out, "\nResult: %s\n\n\n", orNull(msg.Result()))
	}
}

func orNull(raw jsonrpc2.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}
