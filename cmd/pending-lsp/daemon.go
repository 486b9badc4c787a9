package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
)

type daemonOptions struct {
	listen  string
	timeout time.Duration
	logfile string
	trace   bool
}

func (p *program) daemonCommand() *cobra.Command {
	var o daemonOptions
	cmd := &cobra.Command{
		Use:   "daemon",
		Short: "Run the process in which editors and agents meet (started as needed)",
		Long: `The daemon holds the pending actions of all your workspaces. Editors and agents
start it when they need it; it leaves when there has been no session for a
while. What is pending stays on disk. It writes "ready" once it accepts connections.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.daemon(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", `socket to listen on: "unix;PATH" (default: your daemon's)`)
	f.DurationVar(&o.timeout, "listen.timeout", daemon.DefaultTimeout, "leave after this long without sessions; 0 means never")
	f.StringVar(&o.logfile, "logfile", "", "append the log to this file (default: pending-lsp/daemon.log in the user's state directory)")
	f.BoolVar(&o.trace, "rpc.trace", false, "log every message, in the LSP Inspector's form")
	return cmd
}

func (p *program) daemon(ctx context.Context, o daemonOptions) error {
	path, err := listenPath(o.listen)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	logs, err := daemonLog(o.logfile)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	defer logs.Close()
	logger := newLogger(logs, o.trace)
	// The socket first: of several that start at once, only the one that has it
	// goes near the state.
	ln, err := daemon.Listen(path)
	if err != nil {
		return &exitError{exitRefused, err}
	}
	defer ln.Close() // after the state
	err = p.serveSessions(ctx, ln, o, logs, logger)
	if err != nil {
		return &exitError{exitRefused, err}
	}
	return nil
}

func (p *program) serveSessions(ctx context.Context, ln *daemon.Listener, o daemonOptions, logs *os.File, logger *slog.Logger) error {
	state, err := stateDir()
	if err != nil {
		return err
	}
	config, err := readConfig()
	if err != nil {
		return err
	}
	searching := engine(logger)
	registry, journal, err := lsp.OpenRegistry(state, config, logger, searching)
	if err != nil {
		return err
	}
	defer journal.Close()
	session := lsp.Options{Registry: registry, Logger: logger, Version: version(), Engine: searching}
	if o.trace {
		session.Trace = logs
	}
	fmt.Fprintln(p.out, "ready")
	// Whoever started the daemon stops listening now: later output, a crash's
	// too, belongs in the log.
	if p.out == io.Writer(os.Stdout) {
		daemon.RedirectOutput(logs)
	}
	return ln.Run(ctx, daemon.Options{
		Timeout: o.timeout, Version: version(), Logger: logger,
		Serve: func(ctx context.Context, conn net.Conn) {
			if err := lsp.Serve(ctx, conn, session); err != nil {
				logger.Warn("session ended", "err", err)
			}
		},
	})
}

func listenPath(listen string) (string, error) {
	if listen == "" {
		return daemon.DefaultPath()
	}
	path, ok := daemon.Remote(listen).Path()
	if !ok || path == "" {
		return "", fmt.Errorf("listen must be unix;PATH, not %q", listen)
	}
	return path, nil
}

// daemonLog opens the daemon's log. The default one starts anew with each
// daemon, so that it cannot grow for ever.
func daemonLog(path string) (*os.File, error) {
	if path != "" {
		return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	}
	dir, err := stateDir()
	if err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "daemon.log"), os.O_CREATE|os.O_APPEND|os.O_TRUNC|os.O_WRONLY, 0o600)
}

// stateDir is $XDG_STATE_HOME/pending-lsp, made if need be.
func stateDir() (string, error) {
	base := os.Getenv("XDG_STATE_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(home, ".local", "state")
	}
	dir := filepath.Join(base, "pending-lsp")
	return dir, os.MkdirAll(dir, 0o700)
}
