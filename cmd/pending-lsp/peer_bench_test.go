package main_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
)

// The peers are measured with the same driver as pending-lsp itself, where
// their binaries are named: PENDING_LSP_GOPLS and PENDING_LSP_ASTGREP.

// peer is a language server and a workspace in which it has code actions.
type peer struct {
	command []string
	files   map[string]string
	open    string // the file, and
	at      string // the text in it, where it has them
	// prepare makes something to show; it may be nil.
	prepare func(b *testing.B, dir string, env []string)
}

func peers() map[string]peer {
	out := map[string]peer{
		"pending-lsp": {
			command: []string{binary},
			files:   map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a.js": "log(1);\n"},
			open:    "a.js", at: "log(1)",
			prepare: func(b *testing.B, dir string, env []string) {
				cmd := exec.Command(binary, "edit", "-p", "log($A)", "-r", "trace($A)", "-l", "js", "--push")
				cmd.Dir, cmd.Env = dir, env
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			},
		},
	}
	if gopls := os.Getenv("PENDING_LSP_GOPLS"); gopls != "" {
		out["gopls"] = peer{
			command: []string{gopls, "-remote=auto"},
			files:   map[string]string{"go.mod": "module x\n\ngo 1.26\n", "a.go": "package x\n\nfunc f() int {\n\tx := 1 + 2\n\treturn x\n}\n"},
			open:    "a.go", at: "1 + 2",
		}
	}
	if astgrep := os.Getenv("PENDING_LSP_ASTGREP"); astgrep != "" {
		out["ast-grep"] = peer{
			command: []string{astgrep, "lsp"},
			files: map[string]string{
				"sgconfig.yml":  "ruleDirs: [rules]\n",
				"rules/log.yml": "id: log\nlanguage: javascript\nrule: {pattern: log($A)}\nfix: trace($A)\n",
				"a.js":          "log(1);\n",
			},
			open: "a.js", at: "log(1)",
		}
	}
	return out
}

// session starts a peer and opens its file.
func (p peer) session(b *testing.B, ctx context.Context, dir string, env []string) *lsptest.Editor {
	b.Helper()
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	proc, err := startCommand(cmd)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = proc.stdin.Close()
		_ = cmd.Process.Kill()
		<-proc.exited
		_ = proc.stdout.Close()
	})
	e, err := lsptest.NewEditor(ctx, proc, lsptest.EditorOptions{Name: "bench", Folders: []string{dir}, Capabilities: func(c *protocol.ClientCapabilities) {
		// ast-grep sends no code actions to clients without literal support.
		c.TextDocument.CodeAction.CodeActionLiteralSupport = protocol.ClientCodeActionLiteralOptions{
			CodeActionKind: protocol.ClientCodeActionKindOptions{ValueSet: []protocol.CodeActionKind{"quickfix", "refactor"}},
		}
	}})
	if err != nil {
		b.Fatalf("%v; stderr: %s", err, proc.stderr.String())
	}
	return e
}

func (p peer) workspace(b *testing.B) (dir string, env []string) {
	b.Helper()
	runtime, state, err := privateDirs()
	if err != nil {
		b.Fatal(err)
	}
	home := filepath.Dir(runtime)
	b.Cleanup(func() {
		stopDaemon(runtime)
		_ = os.RemoveAll(home)
	})
	dir = filepath.Join(home, "w")
	for name, text := range p.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir, append(os.Environ(), "XDG_RUNTIME_DIR="+runtime, "XDG_STATE_HOME="+state, "TMPDIR="+home)
}

// BenchmarkPeerCodeAction asks each server, in a process of its own, for the
// code actions at one place of a small file.
func BenchmarkPeerCodeAction(b *testing.B) {
	for name, p := range peers() {
		b.Run(name, func(b *testing.B) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			dir, env := p.workspace(b)
			e := p.session(b, ctx, dir, env)
			path := filepath.Join(dir, p.open)
			if err := e.Open(ctx, path); err != nil {
				b.Fatal(err)
			}
			if p.prepare != nil {
				p.prepare(b, dir, env)
			}
			ask := func() int {
				actions, err := e.CodeActions(ctx, path, p.at)
				if err != nil {
					b.Fatal(err)
				}
				return len(actions)
			}
			for ask() == 0 { // until it has loaded what it needs
				if err := ctx.Err(); err != nil {
					b.Fatal(err)
				}
			}
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				ask()
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// BenchmarkPeerStart starts each server anew, with a daemon where it has one,
// until it has answered initialize.
func BenchmarkPeerStart(b *testing.B) {
	for name, p := range peers() {
		b.Run(name, func(b *testing.B) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			for b.Loop() {
				b.StopTimer()
				dir, env := p.workspace(b)
				b.StartTimer()
				p.session(b, ctx, dir, env)
			}
		})
	}
}

// BenchmarkForwarder starts a session with a running daemon, and one in a
// process alone.
func BenchmarkForwarder(b *testing.B) {
	p := peers()["pending-lsp"]
	for name, args := range map[string][]string{"forwarded": nil, "in-process": {"-remote=none"}} {
		b.Run(name, func(b *testing.B) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			dir, env := p.workspace(b)
			keep := p
			keep.session(b, ctx, dir, env) // a daemon runs
			p.command = append([]string{binary}, args...)
			for b.Loop() {
				e := p.session(b, ctx, dir, env)
				b.StopTimer()
				_ = e.Shutdown(ctx)
				b.StartTimer()
			}
		})
	}
}
