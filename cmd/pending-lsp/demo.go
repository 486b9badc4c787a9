package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// demoTimeout bounds the whole demo: it must never hang a first impression.
const demoTimeout = 2 * time.Minute

type demoOptions struct {
	dir              string
	pattern, rewrite string
	lang             string
	write            bool
}

func (p *program) demoCommand() *cobra.Command {
	var o demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole thing at work: an agent proposes, an editor decides",
		Long: `Without flags, the demo works on a copy of the sample project testdata/demo of
this repository: a daemon on a socket of its own, an editor and an agent connected
to it, two structural edits proposed, the second discarded, the first applied.

With --dir, -p and -r it proposes that one edit on your own code. It is discarded
again unless you say --write.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), demoTimeout)
			defer cancel()
			if err := p.demo(ctx, o); err != nil {
				var exit *exitError
				if errors.As(err, &exit) {
					return err
				}
				return &exitError{exitRefused, err}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "", "your own code, instead of the sample")
	f.StringVarP(&o.pattern, "pattern", "p", "", "with --dir: code to look for")
	f.StringVarP(&o.rewrite, "rewrite", "r", "", "with --dir: code to put in its place")
	f.StringVarP(&o.lang, "lang", "l", "", "with --dir: language")
	f.BoolVar(&o.write, "write", false, "with --dir: apply the edit")
	return cmd
}

func (p *program) demo(ctx context.Context, o demoOptions) error {
	if o.dir == "" && (o.pattern != "" || o.write) || o.dir != "" && o.pattern == "" {
		return &exitError{exitUsage, errors.New("--dir goes with -p PATTERN and -r REWRITE")}
	}
	tmp, err := os.MkdirTemp("", "pending-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	script := sampleScript()
	dir := o.dir
	if o.dir == "" {
		sample, err := findSample()
		if err != nil {
			return &exitError{exitUsage, err}
		}
		dir = filepath.Join(tmp, "parcels")
		if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
			return err
		}
		// A workspace of its own, even if the temporary folder is in a repository.
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			return err
		}
	} else {
		script = ownScript(o)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	dial, stop, err := startDemoDaemon(ctx, tmp)
	if err != nil {
		return err
	}
	defer stop()
	t := &transcript{program: p, dir: dir, dial: dial}
	return t.play(ctx, script)
}

// demoScript is what happens in a demo: the edits are proposed in order and
// resolved in reverse order.
type demoScript []demoEdit

type demoEdit struct {
	params wire.ASTEditParams
	// open is a file for the editor to have open; the first file with changes
	// if empty.
	open     string
	decision string
	reason   string
}

func sampleScript() demoScript {
	return demoScript{
		{
			params: wire.ASTEditParams{
				Ops:  []wire.Op{{Pat: "console.log($$$ARGS)", Out: "logger.debug($$$ARGS)"}},
				Lang: "typescript", Path: wire.StringList{"web"},
			},
			open: "web/src/client.ts", decision: "apply", reason: "one logger for the whole client",
		},
		{
			params: wire.ASTEditParams{
				Ops:  []wire.Op{{Pat: "log.Printf($$$ARGS)", Out: "slog.Info(fmt.Sprintf($$$ARGS))"}},
				Lang: "go",
			},
			open: "internal/track/store.go", decision: "discard", reason: "slog wants attributes, not Sprintf",
		},
	}
}

func ownScript(o demoOptions) demoScript {
	edit := demoEdit{
		params:   wire.ASTEditParams{Ops: []wire.Op{{Pat: o.pattern, Out: o.rewrite}}, Lang: o.lang},
		decision: "discard", reason: "demo without --write",
	}
	if o.write {
		edit.decision, edit.reason = "apply", "demo --write"
	}
	return demoScript{edit}
}

// findSample looks for testdata/demo at or above the current directory.
func findSample() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		sample := filepath.Join(at, "testdata", "demo")
		if _, err := os.Stat(filepath.Join(sample, "web")); err == nil {
			return sample, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("the sample project testdata/demo is not here: run the demo in a checkout of pending-lsp, or on your own code with --dir PATH -p PATTERN -r REWRITE")
		}
		at = up
	}
}

// dialer opens one more session with the demo's daemon.
type dialer func(ctx context.Context) (net.Conn, error)

// startDemoDaemon runs this program as a daemon on a private socket, with a
// state directory of its own.
func startDemoDaemon(ctx context.Context, tmp string) (dialer, func(), error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	socket := filepath.Join(tmp, "d.sock")
	cmd := exec.CommandContext(ctx, exe, "daemon", "--listen", "unix;"+socket)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(tmp, "state"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		_, _ = io.Copy(io.Discard, out)
		stop()
		return nil, nil, fmt.Errorf("the daemon did not start: %s", strings.TrimSpace(line+stderr.String()))
	}
	return func(ctx context.Context) (net.Conn, error) {
		conn, _, err := daemon.Dial(ctx, socket, version())
		return conn, err
	}, stop, nil
}

// fileTexts reads every file below dir, to see afterwards which changed.
func fileTexts(dir string, paths []string) (map[string]string, error) {
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		texts[path] = string(text)
	}
	return texts, nil
}
