// Package lsp serves the Language Server Protocol on one connection: it decodes
// requests, asks the workspace's stack of pending actions or the structural
// engine, and encodes the answers. Everything several connections share lives in
// [pending.Registry].
package lsp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Options configure [Serve].
type Options struct {
	// Registry holds the workspaces; sessions that should meet share one.
	Registry *pending.Registry
	// Logger receives the log; nil discards it.
	Logger *slog.Logger
	// Trace receives every message in the LSP Inspector's form; nil for none.
	Trace io.Writer
	// Version is reported as serverInfo.version.
	Version string
	// Engine searches for structural edits; sessions share one.
	Engine Engine
	// MaxQueued is how many bytes may wait for a client that does not read before
	// it is dropped; 0 means [wire.MaxQueued].
	MaxQueued int
}

// session is one connection. It implements [protocol.Server].
//
// Requests start in wire order on the connection's read loop. Whatever follows
// a call of [release] in a handler runs concurrently with later messages;
// what the handler needs of the documents it must have taken before.
type session struct {
	protocol.UnimplementedServer

	opts   Options
	logger *slog.Logger
	conn   jsonrpc2.Conn
	id     string
	cancel context.CancelFunc // ends the connection
	pub    *publisher

	// Set by initialize, before any other request is let through.
	client client

	// background are the goroutines that outlive their request.
	background sync.WaitGroup

	// docs is used by the read loop only.
	docs map[uri.URI]*document

	mu    sync.Mutex // guards what follows, and folders of a seat
	phase phase
	seats []*seat
	open  map[docKey]uri.URI // the client's own name of a document
	shown wire.InitializationOptions
	// reported are the unknown settings that the client was told of.
	reported map[string]bool
	tempDir  string // what showDiff wrote; "" until it does
	// running are the requests whose progress the client can cancel, by token.
	running map[string]context.CancelFunc
}

// phase is how far the connection is in LSP's life cycle.
type phase int

const (
	created phase = iota
	running
	shutDown
	exited
)

// ErrExitedEarly is returned by [Serve] when the client sent exit without
// shutdown; LSP wants a process to exit with 1 then.
var ErrExitedEarly = errors.New("exit without shutdown")

// Serve speaks LSP on rwc until the client exits or hangs up, or ctx ends. It
// owns rwc. It returns nil after an orderly end.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, o Options) error {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	base := wire.NewBoundedStream(rwc, cmp.Or(o.MaxQueued, wire.MaxQueued))
	str := jsonrpc2.Stream(&endingStream{Stream: base, ended: cancel})
	if o.Trace != nil {
		str = wire.TraceStream(str, o.Trace)
	}
	id := ulid.MustNew(ulid.Timestamp(time.Now()), rand.Reader).String()
	s := &session{
		opts:   o,
		logger: o.Logger.With("session", id),
		conn:   jsonrpc2.NewConn(str, jsonrpc2.WithCodec(wire.Codec{})),
		id:     id,
		cancel: cancel,
		docs:   map[uri.URI]*document{},
		open:   map[docKey]uri.URI{},

		reported: map[string]bool{},
		running:  map[string]context.CancelFunc{},
	}
	s.pub = newPublisher(s)
	s.conn.Go(ctx, s.handler())

	<-ctx.Done()
	_ = base.Close()
	<-s.conn.Done()
	s.leaveAll()
	s.background.Wait()
	s.pub.stop()
	s.removeTemp()

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == exited {
		return ErrExitedEarly
	}
	if s.phase != shutDown {
		return s.conn.Err()
	}
	return nil
}

// endingStream reports the end of reading, so that requests in flight are
// cancelled when the peer hangs up.
type endingStream struct {
	jsonrpc2.Stream
	ended func()
}

// Read implements [jsonrpc2.Stream].
func (e *endingStream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	msg, n, err := e.Stream.Read(ctx)
	if err != nil {
		e.ended()
	}
	return msg, n, err
}

// party says who this session is, as the stack and its log name it.
func (s *session) party() pending.Party {
	return pending.Party{Session: s.id, Name: s.client.name, Editor: s.client.editor}
}

// seatFor returns the seat of the workspace that a command means: the one that
// holds the URI, or the only one.
func (s *session) seatFor(workspace string) (*seat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.seats) == 0:
		return nil, &pending.Error{Kind: pending.StoreUnavailable, Message: pending.MessageStoreUnavailable}
	case workspace != "":
		path, err := filePath(uri.URI(workspace))
		if err != nil {
			return nil, invalidParams("workspace: %v", err)
		}
		for _, seat := range s.seats {
			if _, ok := seat.relative(path); ok {
				return seat, nil
			}
		}
		return nil, invalidParams("workspace: %s is not in a workspace of this session", workspace)
	case len(s.seats) > 1:
		return nil, invalidParams("workspace: this session has %d workspaces; say which one (a URI)", len(s.seats))
	}
	return s.seats[0], nil
}
