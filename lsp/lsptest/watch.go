package lsptest

import (
	"context"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// watchedStream shows received messages to a test, and ends what is under way
// when the connection ends.
type watchedStream struct {
	jsonrpc2.Stream
	tap   func(msg jsonrpc2.Message, method string)
	ended context.CancelFunc

	mu      sync.Mutex
	methods map[jsonrpc2.ID]string // of the requests sent
}

// Read implements [jsonrpc2.Stream].
func (w *watchedStream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	msg, n, err := w.Stream.Read(ctx)
	if err != nil {
		w.ended()
	} else if w.tap != nil {
		w.tap(msg, w.methodOf(msg))
	}
	return msg, n, err
}

// Write implements [jsonrpc2.Stream].
func (w *watchedStream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if w.tap != nil {
		if body, err := jsonrpc2.EncodeMessage(msg); err == nil {
			if public, err := jsonrpc2.DecodeMessage(body); err == nil {
				if call, ok := public.(*jsonrpc2.Call); ok {
					w.mu.Lock()
					w.methods[call.ID()] = call.Method()
					w.mu.Unlock()
				}
			}
		}
	}
	return w.Stream.Write(ctx, msg)
}

func (w *watchedStream) methodOf(msg jsonrpc2.Message) string {
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		return msg.Method()
	case *jsonrpc2.Notification:
		return msg.Method()
	case *jsonrpc2.Response:
		w.mu.Lock()
		defer w.mu.Unlock()
		method := w.methods[msg.ID()]
		delete(w.methods, msg.ID())
		return method
	}
	return ""
}
