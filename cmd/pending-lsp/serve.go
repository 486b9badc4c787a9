package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	remote  string
	logfile string
	trace   bool
}

func (o *serveOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.remote, "remote", "auto", `where sessions meet: "auto" (your daemon, started when there is none), "none" (this process alone), "unix;PATH"`)
	f.StringVar(&o.logfile, "logfile", "", "append the log to this file")
	f.BoolVar(&o.trace, "rpc.trace", false, "log every message, in the LSP Inspector's form")
	f.Bool("stdio", true, "serve on standard input and output (always so; some clients pass it)")
}

func (p *program) serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve LSP on standard input and output (the default)",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), o) },
	}
	o.flags(cmd.Flags())
	return cmd
}

// serve speaks LSP with the client that started this process: through the
// daemon, or here when there cannot be one.
func (p *program) serve(ctx context.Context, o serveOptions) error {
	remote := daemon.Remote(o.remote)
	if err := remote.Check(); err != nil {
		return &exitError{exitUsage, err}
	}
	logs, err := openLog(o.logfile, p.err)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	defer logs.Close()
	logger := newLogger(logs, o.trace)

	if remote == daemon.Auto {
		if _, err := daemon.DefaultPath(); err != nil {
			logger.Warn("no daemon possible; serving in this process, so agents in other processes are not seen", "err", err)
			remote = daemon.None
		}
	}
	if remote == daemon.None {
		return p.serveHere(ctx, logs, logger, o.trace)
	}
	starter, err := p.starter()
	if err != nil {
		return &exitError{exitRefused, err}
	}
	conn, theirs, err := starter.Connect(ctx, remote)
	if err != nil {
		return &exitError{exitRefused, fmt.Errorf("cannot reach the daemon: %w", err)}
	}
	if o.trace {
		err = daemon.ForwardTraced(ctx, conn, theirs, stdio{p.in, p.out}, logs, version())
	} else {
		err = daemon.Forward(ctx, conn, theirs, p.in, p.out, version())
	}
	if err != nil {
		return &exitError{exitNothing, err}
	}
	return nil
}

func (p *program) serveHere(ctx context.Context, logs io.Writer, logger *slog.Logger, trace bool) error {
	// Kept on disk if no daemon does so: two processes cannot share the file.
	state, err := stateDir()
	if err != nil {
		return &exitError{exitRefused, err}
	}
	config, err := readConfig()
	if err != nil {
		return &exitError{exitRefused, err}
	}
	searching := engine(logger)
	registry, journal, err := lsp.OpenRegistry(state, config, logger, searching)
	if err != nil {
		logger.Warn("what is pending will not survive this process", "err", err)
		registry, journal = lsp.NewRegistry(config, logger), nopCloser{}
	}
	defer journal.Close()
	o := lsp.Options{
		Registry: registry,
		Logger:   logger,
		Version:  version(),
		Engine:   searching,
	}
	if trace {
		o.Trace = logs
	}
	err = lsp.Serve(ctx, stdio{p.in, p.out}, o)
	if errors.Is(err, lsp.ErrExitedEarly) {
		return &exitError{code: exitNothing}
	}
	if err != nil {
		return &exitError{exitNothing, err}
	}
	return nil
}

// starter runs daemons from this very binary.
func (p *program) starter() (daemon.Starter, error) {
	exe, err := os.Executable()
	if err != nil {
		return daemon.Starter{}, err
	}
	return daemon.Starter{Command: []string{exe, "daemon"}, Version: version()}, nil
}

// stdio is the client's end of this process.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes what can be closed, which ends a read that waits.
func (s stdio) Close() error {
	var errs []error
	for _, end := range []any{s.Reader, s.Writer} {
		if c, ok := end.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// openLog opens the log, which is standard error unless a file is named.
func openLog(path string, stderr io.Writer) (io.WriteCloser, error) {
	if path == "" {
		return nopCloser{stderr}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("logfile: %w", err)
	}
	return f, nil
}

type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }

// newLogger logs warnings, and with verbose everything. It shares out with the
// trace; both write whole records.
func newLogger(out io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
}
