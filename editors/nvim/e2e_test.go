// Package nvim_test drives a real Neovim against the real binary and its daemon. What is asserted is in
// tests/*.lua; this file gives each run a world of its own.
package nvim_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("PENDING_LSP_NVIM") != "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "editors/nvim: NOT RUN: PENDING_LSP_NVIM names no Neovim; `make test` installs one")
	if os.Getenv("PENDING_LSP_REQUIRE_EDITORS") == "1" {
		os.Exit(1)
	}
	// go test hides what a passing package prints, but this line, which m.Run would print, makes it say
	// "[no tests to run]". Without m.Run nothing is cached, so installing a Neovim is noticed.
	fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	os.Exit(0)
}

func TestPlainLSP(t *testing.T) {
	drive(t, build(t), "plain_lsp.lua")
}

// build compiles the server, under the race detector when the test itself is.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "pending-lsp")
	args := []string{"build", "-o", bin}
	if raceEnabled() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "../../cmd/pending-lsp")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

func raceEnabled() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// drive runs one script on a copy of the sample project, with a home, a daemon and a state of its own.
func drive(t *testing.T, bin, script string) {
	t.Helper()
	// Not t.TempDir: its long path would leave no room for a socket's name.
	world, err := os.MkdirTemp("", "plsp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop(t, bin)
		if err := os.RemoveAll(world); err != nil {
			t.Error(err)
		}
	})
	demo := filepath.Join(world, "demo")
	if err := os.CopyFS(demo, os.DirFS("../../testdata/demo")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", demo).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	env := append(os.Environ(),
		"PENDING_LSP_BIN="+bin, "DEMO_DIR="+demo, "HOME="+world,
		"GORACE=atexit_sleep_ms=0 log_path="+filepath.Join(world, "race"))
	for _, kind := range []string{"RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME", "DATA_HOME", "CACHE_HOME"} {
		dir := filepath.Join(world, strings.ToLower(kind))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		env = append(env, "XDG_"+kind+"="+dir)
	}

	script, err = filepath.Abs(filepath.Join("tests", script))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Getenv("PENDING_LSP_NVIM"), "--headless", "-u", "NONE", "-i", "NONE", "-l", script)
	cmd.Env = env
	cmd.Dir = demo
	cmd.WaitDelay = 5 * time.Second // the daemon may have inherited our pipe
	out, err := cmd.CombinedOutput()
	t.Logf("%s:\n%s", filepath.Base(script), out)
	if err != nil {
		t.Errorf("nvim: %v", err)
		logTails(t, world)
	}
	if !bytes.Contains(out, []byte("\nok ")) {
		t.Error("the script reported no step")
	}
	races, _ := filepath.Glob(filepath.Join(world, "race.*"))
	for _, name := range races {
		report, _ := os.ReadFile(name)
		t.Errorf("data race in the server:\n%s", report)
	}
}

// stop ends what still runs the binary: the daemon outlives its sessions on purpose.
func stop(t *testing.T, bin string) {
	t.Helper()
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		exe, err := os.Readlink(link)
		if err != nil || exe != bin {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(link, "/proc/%d/exe", &pid); err != nil {
			t.Error(err)
			continue
		}
		_ = syscall.Kill(pid, syscall.SIGTERM)
		for range 100 {
			if _, err := os.Readlink(link); err != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// logTails shows the end of every log the run left.
func logTails(t *testing.T, world string) {
	t.Helper()
	_ = filepath.WalkDir(world, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".log" {
			return err
		}
		text, err := os.ReadFile(name)
		if len(text) > 8000 {
			text = text[len(text)-8000:]
		}
		if len(text) > 0 {
			t.Logf("%s:\n%s", strings.TrimPrefix(name, world), text)
		}
		return err
	})
}
