package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"
)

// DefaultTimeout is how long a daemon stays without sessions.
const DefaultTimeout = time.Minute

// Options configure [Listener.Run].
type Options struct {
	// Timeout is how long to stay without sessions; 0 means for ever.
	Timeout time.Duration
	// Version is the program's, for the handshake.
	Version string
	Logger  *slog.Logger
	// Serve speaks LSP on one connection, which it owns, until it ends.
	Serve func(ctx context.Context, conn net.Conn)
}

// ErrRunning says that another daemon serves the socket.
var ErrRunning = errors.New("another daemon is running")

// Listener is the right to serve a socket.
type Listener struct {
	ln   *net.UnixListener
	lock *os.File
}

// Listen binds a socket; from then on clients can connect, and wait for
// [Listener.Run]. The kernel's lock on a file beside the socket makes sure that
// one process serves it, and that the socket of one that died is taken over. It
// fails with [ErrRunning] while another process has it.
func Listen(path string) (*Listener, error) {
	path, err := checkPath(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(path+".lock", false)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("%w on %s", ErrRunning, path)
	}
	if err != nil {
		return nil, err
	}
	ln, err := listen(path)
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &Listener{ln, lock}, nil
}

// Close gives the socket up.
func (l *Listener) Close() error {
	_ = l.ln.Close() // closed already after Run
	return l.lock.Close()
}

// Run accepts sessions until ctx ends or there has been none for the timeout,
// and waits for those that are left. The socket is gone then; the right to it is
// kept until [Listener.Close], so that the next daemon finds all put away.
func (l *Listener) Run(ctx context.Context, o Options) error {
	d := &server{o: o, ln: l.ln, idle: make(chan struct{}, 1)}
	return d.run(ctx)
}

// listen binds the socket, which the caller's lock makes ours to replace.
func listen(path string) (*net.UnixListener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("%s exists and is not a socket", path)
		}
		if owner := ownerOf(info); owner != os.Getuid() {
			return nil, fmt.Errorf("%s belongs to user %d, not to you (%d)", path, owner, os.Getuid())
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return nil, err
	}
	return ln, nil
}

// server is a running daemon.
type server struct {
	o    Options
	ln   *net.UnixListener
	idle chan struct{} // a session ended

	mu       sync.Mutex
	sessions int
	wg       sync.WaitGroup
}

func (d *server) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	accepted := make(chan error, 1)
	go func() { accepted <- d.accept(ctx) }()

	err := d.wait(ctx, accepted)
	_ = d.ln.Close() // also removes the socket
	cancel()
	d.wg.Wait()
	return err
}

// wait returns when the daemon should leave.
func (d *server) wait(ctx context.Context, accepted <-chan error) error {
	var timeout <-chan time.Time
	arm := func() {
		if d.o.Timeout > 0 {
			timeout = time.After(d.o.Timeout)
		}
	}
	arm()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-accepted:
			return err
		case <-d.idle:
			arm()
		case <-timeout:
			if d.count() == 0 {
				d.o.Logger.Info("leaving: no sessions", "timeout", d.o.Timeout)
				return nil
			}
			arm()
		}
	}
}

func (d *server) accept(ctx context.Context) error {
	for {
		conn, err := d.ln.AcceptUnix()
		if err != nil {
			return err
		}
		d.add(1)
		d.wg.Go(func() {
			defer d.add(-1)
			d.serve(ctx, conn)
		})
	}
}

func (d *server) serve(ctx context.Context, conn *net.UnixConn) {
	defer conn.Close()
	if err := checkPeer(conn); err != nil {
		d.o.Logger.Warn("connection refused", "err", err)
		return
	}
	theirs, err := welcome(conn, d.o.Version)
	if err != nil {
		d.o.Logger.Warn("handshake failed", "err", err)
		return
	}
	d.o.Logger.Info("session", "pid", theirs.PID, "version", theirs.Version)
	d.o.Serve(ctx, conn)
}

func (d *server) add(n int) {
	d.mu.Lock()
	d.sessions += n
	d.mu.Unlock()
	if n < 0 {
		select {
		case d.idle <- struct{}{}:
		default:
		}
	}
}

func (d *server) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sessions
}
