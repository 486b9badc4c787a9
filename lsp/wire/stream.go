package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// Bounds of one connection. A frame over MaxFrame is refused; a peer that lets
// more than MaxQueued bytes of answers pile up unread is dropped, unless
// [NewBoundedStream] says otherwise, so that it can never hold up another session.
const (
	MaxFrame  = 64 << 20
	MaxQueued = 128 << 20
	maxHeader = 4 << 10

	// closeGrace is how long Close waits for queued answers to go out.
	closeGrace = 2 * time.Second
)

// errQueueFull ends the connection of a peer that does not read.
var errQueueFull = errors.New("the peer does not read: too many bytes queued for it")

// stream frames messages as LSP does. Unlike the library's stream it refuses a
// frame that is too large without reading it into memory, answers a frame that
// is not JSON-RPC and goes on, and never lets a writer wait for the peer.
type stream struct {
	rwc       io.ReadWriteCloser
	in        *bufio.Reader
	buf       []byte
	maxQueued int

	mu     sync.Mutex
	wake   sync.Cond
	queue  [][]byte
	queued int
	err    error // why the writer stopped

	closing sync.Once
	done    chan struct{} // the writer has returned
}

// NewStream returns LSP framing over rwc with the bounds above. It
// owns rwc.
func NewStream(rwc io.ReadWriteCloser) jsonrpc2.Stream { return NewBoundedStream(rwc, MaxQueued) }

// NewBoundedStream is [NewStream] for a peer that is dropped when more than
// maxQueued bytes wait for it.
func NewBoundedStream(rwc io.ReadWriteCloser, maxQueued int) jsonrpc2.Stream {
	s := &stream{rwc: rwc, in: bufio.NewReader(rwc), maxQueued: maxQueued, done: make(chan struct{})}
	s.wake.L = &s.mu
	go s.writeLoop()
	return s
}

// Read returns the next message that is one. The message borrows the stream's
// buffer until the next Read.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		length, header, err := readHeader(s.in)
		if err != nil {
			return nil, 0, err
		}
		if length > MaxFrame {
			if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
				return nil, 0, unexpectedEOF(err)
			}
			s.refuse(jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "message of %d bytes refused: the limit is %d", length, MaxFrame))
			continue
		}
		if int64(cap(s.buf)) < length {
			s.buf = make([]byte, length)
		}
		body := s.buf[:length]
		if _, err := io.ReadFull(s.in, body); err != nil {
			return nil, 0, unexpectedEOF(err)
		}
		msg, err := jsonrpc2.DecodeMessage(body)
		if err != nil {
			s.refuse(jsonrpc2.Errorf(jsonrpc2.ParseError, "not a JSON-RPC message: %v", err))
			continue
		}
		return msg, int64(header) + length, nil
	}
}

// refuse answers a message whose id is unknown.
func (s *stream) refuse(err *jsonrpc2.Error) {
	_, _ = s.Write(context.Background(), jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, err))
}

// Write queues msg; it waits for nothing. It fails once the connection is
// closed, broken, or too far behind.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	body, err := jsonrpc2.EncodeMessage(msg)
	if err != nil {
		return 0, err
	}
	frame := make([]byte, 0, len(body)+32)
	frame = append(frame, "Content-Length: "...)
	frame = strconv.AppendInt(frame, int64(len(body)), 10)
	frame = append(frame, "\r\n\r\n"...)
	frame = append(frame, body...)

	s.mu.Lock()
	if s.err == nil && s.queued > 0 && s.queued+len(frame) > s.maxQueued {
		s.err = errQueueFull
		s.wake.Signal()
		s.mu.Unlock()
		_ = s.rwc.Close() // unblocks a write that nobody reads
		return 0, errQueueFull
	}
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.queue = append(s.queue, frame)
	s.queued += len(frame)
	s.wake.Signal()
	return int64(len(frame)), nil
}

// writeLoop writes queued frames in order until the stream is closed and the
// queue is empty, or a write fails.
func (s *stream) writeLoop() {
	defer close(s.done)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && s.err == nil {
			s.wake.Wait()
		}
		if len(s.queue) == 0 || (s.err != nil && !errors.Is(s.err, io.ErrClosedPipe)) {
			s.mu.Unlock()
			return
		}
		frame := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()

		_, err := s.rwc.Write(frame)

		s.mu.Lock()
		s.queued -= len(frame)
		if err != nil && s.err == nil {
			s.err = err
		}
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Close lets the frames already queued go out, unless the peer is gone or does
// not read, and closes the underlying connection.
func (s *stream) Close() error {
	var err error
	s.closing.Do(func() {
		s.mu.Lock()
		if s.err == nil {
			s.err = io.ErrClosedPipe
		}
		s.wake.Signal()
		s.mu.Unlock()
		select {
		case <-s.done:
		case <-time.After(closeGrace):
		}
		err = s.rwc.Close()
		<-s.done
	})
	return err
}

// readHeader reads one header block and returns the declared body length and
// the size of the header.
func readHeader(r *bufio.Reader) (length int64, size int, err error) {
	length = -1
	for {
		line, err := r.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, io.EOF) && size == 0:
			return 0, 0, io.EOF
		case errors.Is(err, io.EOF):
			return 0, 0, io.ErrUnexpectedEOF
		case errors.Is(err, bufio.ErrBufferFull) || (err == nil && size > maxHeader):
			return 0, 0, errors.New("header too long: this is not the Language Server Protocol")
		case err != nil:
			return 0, 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			if length <= 0 {
				return 0, 0, errors.New("header without a positive Content-Length")
			}
			return length, size, nil
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, 0, fmt.Errorf("malformed header line %q", clip(text))
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 62); err != nil {
				return 0, 0, fmt.Errorf("malformed Content-Length %q", clip(value))
			}
		}
	}
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
