package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"go.lsp.dev/jsonrpc2"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// ErrGone says that the daemon died while a session was open.
var ErrGone = errors.New("the pending-lsp daemon is gone; what was pending is kept and there again after a restart")

// Forward copies bytes between a client's streams and a daemon until either
// ends, or ctx. It returns nil when the session was ended by one of its sides or
// by ctx, and [ErrGone] when the daemon died. The copy from in may still wait
// for a byte when Forward returns; the process is expected to exit.
func Forward(ctx context.Context, conn net.Conn, daemon Handshake, in io.Reader, out io.Writer, version string) error {
	defer conn.Close()
	// An editor that kills its server keeps the streams open.
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	sent := make(chan struct{})
	go func() {
		_, _ = io.Copy(conn, in)
		if c, ok := conn.(*net.UnixConn); ok {
			_ = c.CloseWrite()
		}
		close(sent)
	}()
	_, err := io.Copy(out, conn)
	select {
	case <-sent:
		return nil // the client hung up first
	case <-ctx.Done():
		return nil
	default:
	}
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("%w (%w)", ErrGone, err)
	}
	return stillThere(ctx, conn.RemoteAddr().String(), daemon, version)
}

// stillThere tells why a daemon closed a connection: after exit that is as it
// should be. A daemon that died looks the same, but it answers no more, or
// another one has taken its place.
func stillThere(ctx context.Context, path string, daemon Handshake, version string) error {
	again, now, err := Dial(ctx, path, version)
	if err != nil {
		return ErrGone
	}
	_ = again.Close()
	if now.PID != daemon.PID {
		return ErrGone
	}
	return nil
}

// ForwardTraced is [Forward] message by message, writing each to trace in the
// LSP Inspector's form.
func ForwardTraced(ctx context.Context, conn net.Conn, daemon Handshake, client io.ReadWriteCloser, trace io.Writer, version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	theirs := wire.TraceStream(wire.NewStream(client), trace)
	ours := wire.NewStream(conn)
	defer ours.Close()
	defer context.AfterFunc(ctx, func() { _ = ours.Close() })()
	sent := make(chan struct{})
	go func() {
		_ = relay(ctx, theirs, ours)
		_ = ours.Close()
		close(sent)
	}()
	_ = relay(ctx, ours, theirs)
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return nil
	default:
	}
	return stillThere(ctx, conn.RemoteAddr().String(), daemon, version)
}

func relay(ctx context.Context, from, to jsonrpc2.Stream) error {
	for {
		msg, _, err := from.Read(ctx)
		if err != nil {
			return err
		}
		if _, err := to.Write(ctx, msg); err != nil {
			return err
		}
	}
}
