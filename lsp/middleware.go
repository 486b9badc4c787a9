package lsp

import (
	"context"
	"runtime/debug"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// handler is the chain every incoming message goes through, outermost first:
// errors become wire errors, cancellation, recovery, logging, life cycle, method.
func (s *session) handler() jsonrpc2.Handler {
	h := protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler)
	h = s.inPhase(h)
	h = s.logged(h)
	h = s.recovered(h)
	h = newCalls().cancellable(h)
	return s.answered(h)
}

// answered maps errors to the wire. A notification has no answer and its error
// would end the connection, so it is logged instead.
func (s *session) answered(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		result, err := next(ctx, req)
		if err == nil {
			return result, nil
		}
		if !req.IsCall() {
			s.logger.Warn("notification failed", "method", req.Method(), "err", err)
			return nil, nil
		}
		return nil, toWire(err)
	}
}

// recovered turns a panic into an InternalError: a bug in one request must not
// take down the sessions beside it.
func (s *session) recovered(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.logger.Error("panic", "method", req.Method(), "panic", p, "stack", string(debug.Stack()))
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error in %s, a bug; the session goes on: %v", req.Method(), p)
			}
		}()
		return next(ctx, req)
	}
}

func (s *session) logged(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		start := time.Now()
		result, err := next(ctx, req)
		s.logger.Debug("handled", "method", req.Method(), "ms", time.Since(start).Milliseconds(), "err", err)
		return result, err
	}
}

// inPhase holds the client to LSP's life cycle.
func (s *session) inPhase(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		s.mu.Lock()
		now := s.phase
		s.mu.Unlock()
		method := req.Method()
		switch {
		case method == protocol.MethodExit:
		case now == created && method != protocol.MethodInitialize:
			if req.IsCall() {
				return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request must be initialize")
			}
			return nil, nil
		case now == running && method == protocol.MethodInitialize:
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize may be sent only once")
		case now > running:
			if req.IsCall() {
				return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shut down")
			}
			return nil, nil
		}
		return next(ctx, req)
	}
}

// Request answers methods that LSP does not know.
func (s *session) Request(_ context.Context, method string, _ any) (any, error) {
	return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %s", method)
}
