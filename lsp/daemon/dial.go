package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

// startTimeout bounds how long a new daemon may take to accept connections.
const startTimeout = 10 * time.Second

// Remote says where sessions are served: "auto" (the user's daemon, started
// when there is none), "none" (in this process), or "unix;PATH" (the daemon on
// that socket, which must be running).
type Remote string

// The fixed values of [Remote].
const (
	Auto Remote = "auto"
	None Remote = "none"
)

// Path returns the socket of a "unix;PATH" remote.
func (r Remote) Path() (string, bool) { return strings.CutPrefix(string(r), "unix;") }

// Check reports whether r is one of the forms.
func (r Remote) Check() error {
	if path, ok := r.Path(); r == Auto || r == None || (ok && path != "") {
		return nil
	}
	return fmt.Errorf("remote must be auto, none or unix;PATH, not %q", string(r))
}

// Starter starts daemons.
type Starter struct {
	// Command is the program and arguments that run a daemon. To it is added
	// "--listen unix;PATH"; it must write "ready\n" to its standard output once
	// it accepts connections, or fail with a reason on its standard error.
	Command []string
	// Version is the program's, for the handshake.
	Version string
}

// Dial connects to the daemon on a socket.
func Dial(ctx context.Context, path, version string) (net.Conn, Handshake, error) {
	path, err := checkPath(path)
	if err != nil {
		return nil, Handshake{}, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, Handshake{}, err
	}
	if err := checkPeer(conn.(*net.UnixConn)); err != nil {
		_ = conn.Close()
		return nil, Handshake{}, err
	}
	theirs, err := greet(conn, version)
	if err != nil {
		_ = conn.Close()
		return nil, theirs, err
	}
	return conn, theirs, nil
}

// Connect dials the daemon that r names. With [Auto] it starts one when there
// is none; of many processes that do so at once, one starts it and the others
// wait for it.
func (s Starter) Connect(ctx context.Context, r Remote) (net.Conn, Handshake, error) {
	if path, ok := r.Path(); ok {
		return Dial(ctx, path, s.Version)
	}
	path, err := DefaultPath()
	if err != nil {
		return nil, Handshake{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause *= 2 {
		conn, theirs, err := Dial(ctx, path, s.Version)
		if err == nil || errors.Is(err, ErrVersion) || ctx.Err() != nil {
			return conn, theirs, err
		}
		// Nobody listens, or the daemon was just leaving.
		if err := s.startOnce(ctx, path); err != nil {
			return nil, Handshake{}, err
		}
		if conn, theirs, err := Dial(ctx, path, s.Version); err == nil {
			return conn, theirs, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// startOnce starts a daemon unless somebody else just did.
func (s Starter) startOnce(ctx context.Context, path string) error {
	lock, err := lockFile(path+".start", true)
	if err != nil {
		return err
	}
	defer lock.Close()
	if conn, _, err := Dial(ctx, path, s.Version); err == nil {
		return conn.Close()
	}
	return s.start(ctx, path)
}

// start runs a daemon and returns when it accepts connections.
func (s Starter) start(ctx context.Context, path string) error {
	if len(s.Command) == 0 {
		return errors.New("no daemon is running")
	}
	ready, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	args := append(append([]string{}, s.Command[1:]...), "--listen", "unix;"+path)
	cmd := exec.Command(s.Command[0], args...)
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = detached()
	err = cmd.Start()
	_ = out.Close()
	if err != nil {
		return fmt.Errorf("starting the daemon: %w", err)
	}
	go func() { _ = cmd.Wait() }() // reaps it if it dies before us

	if deadline, ok := ctx.Deadline(); ok {
		_ = ready.SetReadDeadline(deadline)
	}
	said, err := io.ReadAll(io.LimitReader(ready, int64(len("ready\n"))))
	if err == nil && string(said) == "ready\n" {
		return nil
	}
	rest, _ := io.ReadAll(io.LimitReader(ready, 1<<10))
	reason := strings.TrimSpace(string(said) + string(rest))
	if strings.Contains(reason, ErrRunning.Error()) {
		return nil
	}
	return fmt.Errorf("the daemon did not start: %s", reason)
}
