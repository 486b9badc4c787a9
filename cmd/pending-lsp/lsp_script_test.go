package main_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest/script"
)

// The scenarios of testdata/lsp hold wherever the server runs.
func TestScenarios(t *testing.T) {
	for name, setup := range map[string]func(env *testscript.Env) error{
		"in-process": inProcess,
		"forwarded":  forwarded,
		"processes":  separateProcesses,
	} {
		t.Run(name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:   filepath.Join("..", "..", "testdata", "lsp"),
				Setup: setup,
				Cmds:  script.Commands(),
			})
		})
	}
}

// inProcess serves each session in this process, on one registry.
func inProcess(env *testscript.Env) error {
	serve, stop := sessions()
	env.Defer(stop)
	return script.Setup(env, func() (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		serve(theirs)
		return ours, nil
	})
}

// sessions serves connections until stop, which waits for them.
func sessions() (serve func(net.Conn), stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	o := lsp.Options{Registry: lsp.NewRegistry(lsp.Config{}, slog.New(slog.DiscardHandler)), Version: "test"}
	var wg sync.WaitGroup
	return func(conn net.Conn) { wg.Go(func() { _ = lsp.Serve(ctx, conn, o) }) }, func() {
		cancel()
		wg.Wait()
	}
}

// forwarded runs a daemon and the forwarders in this process.
func forwarded(env *testscript.Env) error {
	dir, err := os.MkdirTemp("", "pl-")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "d.sock")
	ln, err := daemon.Listen(path)
	if err != nil {
		return err
	}
	o := lsp.Options{Registry: lsp.NewRegistry(lsp.Config{}, slog.New(slog.DiscardHandler)), Version: "test"}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = ln.Run(ctx, daemon.Options{Version: "test", Logger: slog.New(slog.DiscardHandler), Serve: func(ctx context.Context, conn net.Conn) {
			_ = lsp.Serve(ctx, conn, o)
		}})
	})
	env.Defer(func() {
		cancel()
		wg.Wait()
		_ = ln.Close()
		_ = os.RemoveAll(dir)
	})
	return script.Setup(env, func() (io.ReadWriteCloser, error) {
		conn, peer, err := daemon.Dial(ctx, path, "test")
		if err != nil {
			return nil, err
		}
		ours, theirs := net.Pipe()
		wg.Go(func() {
			_ = daemon.Forward(ctx, conn, peer, theirs, theirs, "test")
			_ = theirs.Close()
		})
		return ours, nil
	})
}

// separateProcesses starts the real binary for every session.
func separateProcesses(env *testscript.Env) error {
	runtime, state, err := privateDirs()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	var started []*process
	environ := append(os.Environ(), "XDG_RUNTIME_DIR="+runtime, "XDG_STATE_HOME="+state)
	env.Defer(func() {
		cancel()
		for _, p := range started {
			<-p.exited
			_ = p.stdout.Close()
		}
		stopDaemon(runtime)
		_ = os.RemoveAll(filepath.Dir(runtime))
	})
	return script.Setup(env, func() (io.ReadWriteCloser, error) {
		p, err := startProcess(ctx, environ)
		if err == nil {
			started = append(started, p)
		}
		return p, err
	})
}
