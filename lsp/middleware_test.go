package lsp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// A handler that panics, before or after it released the connection, answers
// InternalError and the connection lives.
func TestPanicAnswersInternalError(t *testing.T) {
	s := &session{logger: slog.New(slog.DiscardHandler)}
	handler := s.answered(newCalls().cancellable(s.recovered(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		switch req.Method() {
		case "panic":
			panic("on purpose")
		case "panicAfterRelease":
			release(ctx)
			panic("on purpose")
		}
		return jsonrpc2.RawMessage(`"fine"`), nil
	})))
	ours, theirs := net.Pipe()
	server := jsonrpc2.NewConn(wire.NewStream(theirs), jsonrpc2.WithCodec(wire.Codec{}))
	server.Go(t.Context(), handler)
	client := jsonrpc2.NewConn(wire.NewStream(ours), jsonrpc2.WithCodec(wire.Codec{}))
	client.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	defer func() {
		_ = client.Close()
		<-server.Done()
	}()

	for _, method := range []string{"panic", "panicAfterRelease"} {
		_, err := client.Call(t.Context(), method, nil, nil)
		var wired *jsonrpc2.Error
		if !errors.As(err, &wired) || wired.Code != jsonrpc2.InternalError {
			t.Errorf("%s answered %v, want InternalError", method, err)
		}
		if err := client.Notify(t.Context(), method, nil); err != nil {
			t.Errorf("notification %s: %v", method, err)
		}
		var fine jsonrpc2.RawMessage
		if _, err := client.Call(t.Context(), "other", nil, &fine); err != nil || string(fine) != `"fine"` {
			t.Errorf("after %s: %s, %v", method, fine, err)
		}
	}
}
