// Package emacs_test drives a real Emacs with eglot, and nothing of ours,
// against the real binary and its daemon. What is asserted is in plain_lsp.el.
package emacs_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// emacsEnv names the Emacs to test with.
const emacsEnv = "PENDING_LSP_EMACS"

func TestMain(m *testing.M) {
	if os.Getenv(emacsEnv) != "" {
		os.Exit(m.Run())
	}
	fmt.Fprintf(os.Stderr, "editors/emacs: NOT RUN: %s names no Emacs; `make test` installs one\n", emacsEnv)
	if os.Getenv("PENDING_LSP_REQUIRE_EDITORS") == "1" {
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	os.Exit(0)
}

func TestPlainLSP(t *testing.T) {
	home, err := os.MkdirTemp("", "pl-") // short: a socket lies below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	bin := filepath.Join(home, "pending-lsp")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/pending-lsp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	dir := filepath.Join(home, "w")
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"a.js":      "log(\"😀\", 1);\nkeep();\nlog(2);\n",
		"b.js":      "log(3);\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range []string{"r", "s"} {
		if err := os.Mkdir(filepath.Join(home, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+filepath.Join(home, "r"), "XDG_STATE_HOME="+filepath.Join(home, "s"),
		"PENDING_LSP_BIN="+bin, "WORKSPACE="+dir, "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	runEmacs(t, env, filepath.Join(home, "r"), bin)
}

// runEmacs runs a daemon of the test's own, so that it can be ended, and Emacs.
func runEmacs(t *testing.T, env []string, runtime, bin string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	sockets := filepath.Join(runtime, "pending-lsp")
	if err := os.Mkdir(sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	daemon := exec.CommandContext(ctx, bin, "daemon")
	daemon.Env = env
	daemon.Cancel = func() error { return daemon.Process.Signal(syscall.SIGTERM) }
	daemon.WaitDelay = 10 * time.Second
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = daemon.Wait()
	}()
	emacs := exec.CommandContext(ctx, os.Getenv(emacsEnv), "--batch", "-q", "--no-init-file", "-f", "package-initialize", "-l", "plain_lsp.el")
	emacs.Env = env
	out, err := emacs.CombinedOutput()
	if err != nil || strings.Contains(string(out), "not ok") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
