package main_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// The agents of docs/examples do what their comments say, with an editor beside
// them.
func TestExamples(t *testing.T) {
	examples, err := filepath.Abs("../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range map[string]func(t *testing.T, dir string) []string{
		"go": func(t *testing.T, dir string) []string {
			exe := filepath.Join(t.TempDir(), "agent")
			run(t, dir, "go", "build", "-o", exe, ".")
			return []string{exe}
		},
		"python": func(t *testing.T, dir string) []string {
			need(t, "python3")
			return []string{"python3", filepath.Join(dir, "agent.py")}
		},
		"typescript": compileTypeScript,
	} {
		t.Run(name, func(t *testing.T) {
			command := build(t, filepath.Join(examples, name))
			t.Run("edit", func(t *testing.T) { exampleEdit(t, name, command) })
			t.Run("rename", func(t *testing.T) { exampleRename(t, command) })
		})
	}
}

// need skips, or fails where the examples are required.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		untested(t, program+" is not installed")
	}
}

func untested(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("PENDING_LSP_REQUIRE_EXAMPLES") != "" {
		t.Fatal(why)
	}
	t.Skipf("EXAMPLE NOT TESTED: %s", why)
}

// compileTypeScript checks the types too.
func compileTypeScript(t *testing.T, dir string) []string {
	need(t, "node")
	tools := os.Getenv("PENDING_LSP_EXAMPLES")
	if tools == "" {
		untested(t, "PENDING_LSP_EXAMPLES does not name the folder that .ci/examples.sh makes; `make test` does")
	}
	at := t.TempDir()
	if err := os.Symlink(filepath.Join(tools, "node_modules"), filepath.Join(at, "node_modules")); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(dir, "agent.ts"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(at, "agent.ts"), source, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, at, "node", "node_modules/typescript/lib/tsc.js", "--strict", "--noUnusedLocals", "--module", "node16", "--target", "es2022", "--types", "node", "agent.ts")
	return []string{"node", filepath.Join(at, "agent.js")}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// exampleRun is an example at work beside an editor.
type exampleRun struct {
	t      *testing.T
	m      *machine
	e      *lsptest.Editor
	dir    string
	cmd    *exec.Cmd
	out    *bufio.Scanner
	pushed int
}

func startExample(t *testing.T, command []string, files map[string]string, args ...string) *exampleRun {
	t.Helper()
	m := newMachine(t)
	dir := workspace(t)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &exampleRun{t: t, m: m, e: m.editor(m.start(), dir), dir: dir}
	args = append(append([]string{}, command[1:]...), args...)
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "DIR", dir)
	}
	r.cmd = exec.CommandContext(m.ctx, command[0], args...)
	r.cmd.Env = append(m.env, "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	r.cmd.Stderr = os.Stderr
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.out = bufio.NewScanner(stdout)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// resolve decides as the editor's user, once the example has pushed something
// more.
func (r *exampleRun) resolve(action, reason string) {
	r.t.Helper()
	r.pushed++
	seen := func() bool {
		n := 0
		for _, event := range r.e.Stack() {
			if event.Cause == "push" {
				n++
			}
		}
		return n >= r.pushed
	}
	if err := r.e.Await(r.m.ctx, seen); err != nil {
		r.t.Fatal(err)
	}
	if err := r.e.Execute(r.m.ctx, wire.CommandResolve, commandArgs(wire.ResolveParams{Action: action, Reason: reason}), nil); err != nil {
		r.t.Fatal(err)
	}
}

// says checks the next line that the example prints.
func (r *exampleRun) says(want string) {
	r.t.Helper()
	if !r.out.Scan() || r.out.Text() != want {
		r.t.Errorf("it says %q, want %q", r.out.Text(), want)
	}
}

func (r *exampleRun) ends() {
	r.t.Helper()
	if r.out.Scan() {
		r.t.Errorf("it goes on: %s", r.out.Text())
	}
	if err := r.cmd.Wait(); err != nil {
		r.t.Errorf("it ended with %v", err)
	}
}

func (r *exampleRun) file(name, want string) {
	r.t.Helper()
	if got, err := os.ReadFile(filepath.Join(r.dir, name)); string(got) != want {
		r.t.Errorf("%s is %q, %v; want %q", name, got, err, want)
	}
}

func exampleEdit(t *testing.T, name string, command []string) {
	r := startExample(t, command, map[string]string{"app.ts": "console.log(1);\n"}, "edit", "DIR")
	r.says("proposed logger.debug: 1 replacements")
	r.resolve("discard", "too quiet, use logger.info")
	r.says("discarded by test: too quiet, use logger.info")
	r.says("proposed logger.info: 1 replacements")
	r.resolve("apply", "good")
	r.says("applied by test: good")
	r.ends()
	r.file("app.ts", "logger.info(1);\n")
	if log := r.m.command(r.dir, "log"); !strings.Contains(log, fmt.Sprintf("by %s example 1", name)) {
		t.Errorf("the log does not name it: %s", log)
	}
}

func exampleRename(t *testing.T, command []string) {
	r := startExample(t, command, nil, "rename", "DIR", "mjs", "a.js", "b.js")
	r.says("Prepared rename plan for 2 files. Call resolve to apply or discard.")
	r.resolve("discard", "not yet")
	r.says("Discarded batch rename. Reason: not yet")
	r.ends()
	r.file("a.js", "log(1);\n")

	r = startExample(t, command, nil, "rename", "DIR", "mjs", "a.js", "b.js")
	r.says("Prepared rename plan for 2 files. Call resolve to apply or discard.")
	r.resolve("apply", "now")
	r.says("Applied: Batch rename: 2 files. Reason: now")
	r.says("Applied batch rename. Reason: now")
	r.ends()
	r.file("a.mjs", "log(1);\n")
	r.file("b.mjs", "log(2);\n")
}

func commandArgs(v any) []protocol.LSPAny { return []protocol.LSPAny{protocol.LSPAny(wire.Encode(v))} }
