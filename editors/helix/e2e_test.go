// Package helix_test drives a real Helix in tmux, with nothing of ours, against
// the real binary and its daemon.
package helix_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// helixEnv names the Helix to test with.
const helixEnv = "PENDING_LSP_HELIX"

// patience is a bound for a loaded machine, not an expectation.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(helixEnv) != "" {
		os.Exit(m.Run())
	}
	fmt.Fprintf(os.Stderr, "editors/helix: NOT RUN: %s names no Helix; `make test-helix` gets one\n", helixEnv)
	fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
}

// screen is a Helix in a terminal.
type screen struct {
	t        *testing.T
	bin, dir string
	env      []string
}

func start(t *testing.T) *screen {
	t.Helper()
	home, err := os.MkdirTemp("", "pl-") // short: sockets lie below it
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, bin: filepath.Join(home, "pending-lsp"), dir: filepath.Join(home, "w")}
	if out, err := exec.Command("go", "build", "-o", s.bin, "../../cmd/pending-lsp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"w/.git/HEAD": "ref: refs/heads/main\n",
		"w/a.js":      "log(\"😀\", 1);\nkeep();\nlog(2);\n",
		"w/b.js":      "log(3);\n",
		"c/helix/languages.toml": "[language-server.pending-lsp]\ncommand = \"" + s.bin + "\"\n" +
			"[[language]]\nname = \"javascript\"\nlanguage-servers = [\"pending-lsp\"]\nauto-format = false\n",
		"r/.keep": "", "s/.keep": "",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/c", "XDG_RUNTIME_DIR="+home+"/r", "XDG_STATE_HOME="+home+"/s",
		"XDG_CACHE_HOME="+home+"/cache", "TMUX_TMPDIR="+home, "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	t.Cleanup(func() {
		_, _ = s.run("tmux", "kill-server")
		_, _ = s.run("pkill", "-f", s.bin+" daemon")
		_ = os.RemoveAll(home)
	})
	if out, err := s.run("tmux", "new-session", "-d", "-x", "110", "-y", "24", os.Getenv(helixEnv)+" a.js"); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	s.shows(`keep\(\);`)
	return s
}

func (s *screen) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// agent is the other process.
func (s *screen) agent(args ...string) string {
	s.t.Helper()
	out, err := s.run(s.bin, args...)
	if err != nil {
		s.t.Fatalf("pending-lsp %q: %v\n%s", args, err, out)
	}
	return out
}

func (s *screen) keys(keys ...string) {
	s.t.Helper()
	if out, err := s.run("tmux", append([]string{"send-keys"}, keys...)...); err != nil {
		s.t.Fatalf("tmux: %v\n%s", err, out)
	}
}

// shows waits until the screen matches.
func (s *screen) shows(pattern string) {
	s.t.Helper()
	s.until("the screen shows "+pattern, func(text string) bool { return regexp.MustCompile(pattern).MatchString(text) })
}

func (s *screen) until(what string, cond func(screen string) bool) {
	s.t.Helper()
	var text string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		text, _ = s.run("tmux", "capture-pane", "-p")
		if cond(text) {
			return
		}
		time.Sleep(50 * time.Millisecond) // a screen has no event to wait for
	}
	s.t.Fatalf("not until %s:\n%s", what, text)
}

func (s *screen) disk(name string) string {
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *screen) push(pattern, rewrite string) {
	s.t.Helper()
	s.agent("edit", "-p", pattern, "-r", rewrite, "-l", "js", "--push")
}

func TestPlainLSP(t *testing.T) {
	s := start(t)
	// The first push may come before Helix has opened the file with the server.
	s.push("log($$$A)", "trace($$$A)")
	s.shows(`AST Edit: 3 replacements in 2 files`)

	s.keys("Space", "a")
	s.shows(`Apply: AST Edit: 3 replacements in 2 files`)
	s.keys("Enter")
	s.shows(`trace\(2\)`)
	s.until("the closed file is written", func(string) bool { return s.disk("b.js") == "trace(3);\n" })
	if got := s.disk("a.js"); !strings.HasPrefix(got, "log(") {
		t.Errorf("the open file was written: %q", got)
	}

	// Under another action only going down to it is offered.
	s.push("trace(2)", "trace(3)")
	s.push("keep()", "kept()")
	s.keys("g", "g", "j", "j")
	s.shows(`2 of 2 pending`)
	s.keys("Space", "a")
	s.shows(`Apply the 2 actions down to`)
	s.until("the lower action cannot be applied alone", func(text string) bool { return !strings.Contains(text, "Apply: ") })
	s.keys("Escape")
	s.agent("resolve", "discard", "--reason", "not now")

	// What was typed meanwhile stays, and the edit lands beside it.
	s.keys("g", "g", "O", "// typed", "Escape")
	s.shows(`// typed`)
	s.agent("resolve", "apply")
	s.shows(`trace\(3\)`)
	s.shows(`// typed`)
	if out := s.agent("list"); !strings.Contains(out, "nothing is pending") {
		t.Errorf("left over: %s", out)
	}
}
