// Package nvim_test drives a real Neovim against the real binary and its daemon. What is asserted is in
// tests/*.lua; this file gives each run a world of its own.
package nvim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// latestEnv names a Neovim whose results are reported but do not fail the tests: it moves under us.
const latestEnv = "PENDING_LSP_NVIM_LATEST"

func TestMain(m *testing.M) {
	if os.Getenv("PENDING_LSP_NVIM") != "" {
		code := m.Run()
		if dir := builtIn(); dir != "" {
			_ = os.RemoveAll(dir)
		}
		os.Exit(code)
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
	out, err := drive(t, os.Getenv("PENDING_LSP_NVIM"), "-u", "NONE", "-l", script(t, "plain_lsp.lua"))
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestPlugin(t *testing.T) {
	for _, name := range scenarios(t) {
		t.Run(name, func(t *testing.T) {
			out, err := scenario(t, os.Getenv("PENDING_LSP_NVIM"), name)
			t.Log(out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPluginLatest reports, and fails only when there is nothing to report.
func TestPluginLatest(t *testing.T) {
	nvim := os.Getenv(latestEnv)
	if nvim == "" {
		t.Skip(latestEnv + " names no Neovim; `.ci/nvim.sh sid` makes one")
	}
	version, err := exec.Command(nvim, "--version").Output()
	if err != nil {
		t.Fatalf("%s --version: %v", nvim, err)
	}
	title, _, _ := bytes.Cut(version, []byte("\n"))
	for _, name := range scenarios(t) {
		verdict := "passes"
		out, err := scenario(t, nvim, name)
		if err != nil {
			verdict = "FAILS"
			t.Logf("%s: %v\n%s", name, err, out)
		}
		fmt.Fprintf(os.Stderr, "editors/nvim: %s %s with %s\n", name, verdict, title)
		for line := range strings.Lines(out) {
			if time, ok := strings.CutPrefix(line, "# time: "); ok {
				fmt.Fprint(os.Stderr, "  ", time)
			}
		}
	}
}

// TestREADME holds the screens in the README to those that were drawn.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	screens := 0
	for i, block := range strings.Split(string(readme), "```") {
		if i%2 == 0 || !strings.ContainsAny(block, "▎│") {
			continue
		}
		screens++
		drawn := false
		for _, name := range []string{"buffer", "diff"} {
			golden, err := os.ReadFile(filepath.Join("tests/golden", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			drawn = drawn || bytes.Contains(golden, []byte(block))
		}
		if !drawn {
			t.Errorf("no golden screen has this part of the README:\n%s", block)
		}
	}
	if screens != 2 {
		t.Errorf("the README has %d screens, want 2", screens)
	}
}

// scenarios lists the Lua files that test the plugin.
func scenarios(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("tests/*_test.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for i, file := range files {
		files[i] = filepath.Base(file)
	}
	return files
}

func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("tests", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// scenario runs one in a Neovim that has the plugin. Not with -l: a script mode draws no screen.
func scenario(t *testing.T, nvim, name string) (string, error) {
	t.Helper()
	return drive(t, nvim, "-u", script(t, "init.lua"), "-c", "luafile "+script(t, name), "-c", "cquit!")
}

// build compiles the server once, under the race detector when the test itself is.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "plsp")
	if err != nil {
		return "", err
	}
	args := []string{"build", "-o", filepath.Join(dir, "pending-lsp")}
	if raceEnabled() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "../../cmd/pending-lsp")...).CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

func builtIn() string {
	dir, _ := build()
	return dir
}

func raceEnabled() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// drive runs a Neovim on a copy of the sample project, with a home, a daemon and a state of its own. The error says
// what is wrong with the editor's part; what is wrong with the server's fails the test.
func drive(t *testing.T, nvim string, args ...string) (string, error) {
	t.Helper()
	built, err := build()
	if err != nil {
		t.Fatal(err)
	}
	// Not t.TempDir: its long path would leave no room for a socket's name.
	world, err := os.MkdirTemp("", "plsp")
	if err != nil {
		t.Fatal(err)
	}
	// A name of its own tells its processes from those of other runs.
	bin := filepath.Join(world, "pending-lsp")
	if err := os.Link(filepath.Join(built, "pending-lsp"), bin); err != nil {
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
		"PENDING_LSP_BIN="+bin, "NVIM_BIN="+nvim, "DEMO_DIR="+demo, "HOME="+world,
		"GORACE=atexit_sleep_ms=0 log_path="+filepath.Join(world, "race"))
	for _, kind := range []string{"RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME", "DATA_HOME", "CACHE_HOME"} {
		dir := filepath.Join(world, strings.ToLower(kind))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		env = append(env, "XDG_"+kind+"="+dir)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, append([]string{"--headless", "-i", "NONE"}, args...)...)
	cmd.Env = env
	cmd.Dir = demo
	cmd.WaitDelay = 5 * time.Second // the daemon may have inherited our pipe
	out, err := cmd.CombinedOutput()
	if err == nil && !bytes.Contains(out, []byte("\nok ")) {
		err = errors.New("the script reported no step")
	}
	if err != nil {
		logTails(t, world)
	}
	races, _ := filepath.Glob(filepath.Join(world, "race.*"))
	for _, name := range races {
		report, _ := os.ReadFile(name)
		t.Errorf("data race in the server:\n%s", report)
	}
	return string(out), err
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
