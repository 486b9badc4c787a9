package main_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/cli")

// binary is the program under test, built as users build it.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pl-bin-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "pending-lsp")
		if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// The scripts of testdata/cli are what a shell user sees: real processes, one
// daemon each.
func TestCommandLine(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join(root, "testdata", "cli"),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("REPO", root)
			env.Setenv("TERM", "dumb")
			runtime, state, err := privateDirs()
			if err != nil {
				return err
			}
			env.Setenv("XDG_RUNTIME_DIR", runtime)
			env.Setenv("XDG_STATE_HOME", state)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Defer(func() {
				stopDaemon(runtime)
				_ = os.RemoveAll(filepath.Dir(runtime))
			})
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// exits CODE COMMAND...: the command exits with just that code.
			"exits": exits,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = fmt.Sprint(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// privateDirs are a runtime and a state directory with short names: a socket's
// path is limited.
func privateDirs() (runtime, state string, err error) {
	dir, err := os.MkdirTemp("", "pl-")
	if err != nil {
		return "", "", err
	}
	runtime, state = filepath.Join(dir, "r"), filepath.Join(dir, "s")
	if err := os.Mkdir(runtime, 0o700); err != nil {
		return "", "", err
	}
	return runtime, state, os.Mkdir(state, 0o700)
}

func socket(runtime string) string {
	return filepath.Join(runtime, "pending-lsp", fmt.Sprintf("v%d.sock", wire.ProtocolVersion))
}

// stopDaemon ends the daemon of a runtime directory, if one is running, and
// waits until it is gone.
func stopDaemon(runtime string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, theirs, err := daemon.Dial(ctx, socket(runtime), "test")
	if err != nil {
		return
	}
	_ = conn.Close()
	_ = syscall.Kill(theirs.PID, syscall.SIGTERM)
	for ctx.Err() == nil {
		// The daemon is not our child: ask until the kernel knows it no more.
		if err := syscall.Kill(theirs.PID, 0); err != nil {
			return
		}
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", theirs.PID)); err == nil && strings.Contains(string(status), ") Z ") {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
