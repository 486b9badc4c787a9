// Package script plays txtar scenarios of editors and agents. It is apart from
// lsptest, which the demo links, because it brings a test framework.
package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// scriptTimeout bounds one script.
const scriptTimeout = time.Minute

// Scene is the state of one script: sessions with one server, by name.
type Scene struct {
	ctx     context.Context
	dial    func() (io.ReadWriteCloser, error)
	dir     string
	editors map[string]*lsptest.Editor
	agents  map[string]*agent.Client
	changes map[string]chan struct{} // by agent: the stack changed
	last    []string                 // ids of the actions pushed, oldest first
}

// sceneKey is where testscript keeps the Scene.
type sceneKey struct{}

// Setup makes a script's workspace, $WORK, and lets it connect sessions
// with dial. testdata/lsp/README.md describes the commands.
func Setup(env *testscript.Env, dial func() (io.ReadWriteCloser, error)) error {
	dir, err := filepath.EvalSymlinks(env.WorkDir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
	s := &Scene{ctx: ctx, dial: dial, dir: dir, editors: map[string]*lsptest.Editor{}, agents: map[string]*agent.Client{}, changes: map[string]chan struct{}{}}
	env.Values[sceneKey{}] = s
	env.Defer(func() {
		for _, e := range s.editors {
			_ = e.Shutdown(ctx)
		}
		for _, a := range s.agents {
			_ = a.Close(ctx)
		}
		cancel()
	})
	return os.MkdirAll(filepath.Join(dir, ".git"), 0o755)
}

// Commands are what scripts can say beside testscript's own commands.
func Commands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"editor":        sceneCommand(editorVerbs()),
		"agent":         sceneCommand(agentVerbs()),
		"expect-buffer": expectBuffer,
	}
}

// verb does one thing with a named session and returns what it prints.
type verb struct {
	usage string
	min   int
	run   func(s *Scene, name string, args []string) (string, error)
}

// sceneCommand runs "editor[:NAME] VERB ARGS…"; with "!" the verb must fail,
// and what it failed with is what it prints.
func sceneCommand(verbs map[string]verb) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		s := ts.Value(sceneKey{}).(*Scene)
		name := "main"
		if len(args) > 0 && strings.HasPrefix(args[0], ":") {
			name, args = args[0][1:], args[1:]
		}
		if len(args) == 0 {
			ts.Fatalf("what should it do?")
		}
		v, ok := verbs[args[0]]
		if !ok {
			ts.Fatalf("no verb %q", args[0])
		}
		if len(args)-1 < v.min {
			ts.Fatalf("usage: %s %s", args[0], v.usage)
		}
		out, err := v.run(s, name, args[1:])
		if err != nil {
			out = describe(err)
		}
		ts.Logf("%s", strings.TrimSuffix(out, "\n"))
		ts.Check(os.WriteFile(ts.MkAbs("said"), []byte(out), 0o600))
		switch {
		case err != nil && !neg:
			ts.Fatalf("it failed: %s", out)
		case err == nil && neg:
			ts.Fatalf("it did not fail")
		}
	}
}

// describe says an error the way a script can look for it: kind, then message.
func describe(err error) string {
	var wired *jsonrpc2.Error
	var refused *agent.Error
	switch {
	case errors.As(err, &refused):
		return refused.Data.Kind + ": " + refused.Message + "\n"
	case errors.As(err, &wired):
		return string(wired.Data) + ": " + wired.Message + "\n"
	}
	return err.Error() + "\n"
}

func (s *Scene) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// editor returns the session of a name, connecting it at its first use.
func (s *Scene) editor(name string, o lsptest.EditorOptions) (*lsptest.Editor, error) {
	if e, ok := s.editors[name]; ok {
		return e, nil
	}
	rwc, err := s.dial()
	if err != nil {
		return nil, err
	}
	o.Name, o.Folders, o.Init.DidChange = name+" editor", []string{s.dir}, true
	e, err := lsptest.NewEditor(s.ctx, rwc, o)
	if err == nil {
		s.editors[name] = e
	}
	return e, err
}

func (s *Scene) agent(name string) (*agent.Client, error) {
	if a, ok := s.agents[name]; ok {
		return a, nil
	}
	rwc, err := s.dial()
	if err != nil {
		return nil, err
	}
	changed := make(chan struct{}, 1)
	a, err := agent.New(s.ctx, rwc, s.dir, agent.Options{Name: name + " agent"})
	if err == nil {
		err = a.Subscribe(s.ctx, func(wire.DidChangeParams) {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
	}
	if err == nil {
		s.agents[name], s.changes[name] = a, changed
	}
	return a, err
}

// settle waits until the server has read all that every editor sent.
func (s *Scene) settle() error {
	for _, e := range s.editors {
		if _, err := e.CodeLenses(s.ctx, s.path(".")); err != nil {
			return err
		}
	}
	return nil
}

func agentVerbs() map[string]verb {
	with := func(f func(s *Scene, a *agent.Client, args []string) (string, error)) func(*Scene, string, []string) (string, error) {
		return func(s *Scene, name string, args []string) (string, error) {
			a, err := s.agent(name)
			if err != nil {
				return "", err
			}
			if err := s.settle(); err != nil {
				return "", err
			}
			return f(s, a, args)
		}
	}
	return map[string]verb{
		"ast_edit": {"LANG PATTERN REWRITE [PATH...]", 3, with(func(s *Scene, a *agent.Client, args []string) (string, error) {
			r, d, err := a.ASTEdit(s.ctx, wire.ASTEditParams{Lang: args[0], Ops: []wire.Op{{Pat: args[1], Out: args[2]}}, Path: args[3:]})
			if err != nil {
				return "", err
			}
			s.last = append(s.last, d.ActionID)
			return textOf(r), nil
		})},
		"push": {"LABEL FILE LINE FROM TO TEXT", 6, with(func(s *Scene, a *agent.Client, args []string) (string, error) {
			edit, err := lineEdit(s.path(args[1]), args[2:5], args[5])
			if err != nil {
				return "", err
			}
			r, d, err := a.Push(s.ctx, wire.PushParams{Label: args[0], Edit: edit}, nil)
			if err != nil {
				return "", err
			}
			s.last = append(s.last, d.ActionID)
			return textOf(r), nil
		})},
		"resolve": {"apply|discard [REASON] [cascade|partial]", 1, with(func(s *Scene, a *agent.Client, args []string) (string, error) {
			p := wire.ResolveParams{Action: args[0]}
			for _, arg := range args[1:] {
				switch {
				case arg == "cascade":
					p.Cascade, p.ID = true, s.last[0]
				case arg == "partial":
					p.AllowPartial = true
				default:
					p.Reason = arg
				}
			}
			r, _, err := a.Resolve(s.ctx, p)
			if err != nil {
				return "", err
			}
			return textOf(r), s.settle()
		})},
		"undo": {"", 0, with(func(s *Scene, a *agent.Client, _ []string) (string, error) {
			r, _, err := a.Undo(s.ctx, wire.UndoParams{})
			if err != nil {
				return "", err
			}
			return textOf(r), nil
		})},
		"list": {"", 0, with(func(s *Scene, a *agent.Client, _ []string) (string, error) {
			list, err := a.List(s.ctx)
			if err != nil {
				return "", err
			}
			return stackText(list), nil
		})},
		"awaits": {"TEXT", 1, func(s *Scene, name string, args []string) (string, error) {
			a, err := s.agent(name)
			if err != nil {
				return "", err
			}
			return s.awaitStack(a, s.changes[name], args[0])
		}},
		"diff": {"", 0, with(func(s *Scene, a *agent.Client, _ []string) (string, error) {
			p, err := a.Preview(s.ctx, wire.PreviewParams{})
			return p.Diff, err
		})},
		"leave": {"", 0, func(s *Scene, name string, _ []string) (string, error) {
			a := s.agents[name]
			delete(s.agents, name)
			return "", a.Close(s.ctx)
		}},
	}
}

// awaitStack waits until the stack, as text, contains some text.
func (s *Scene) awaitStack(a *agent.Client, changed <-chan struct{}, text string) (string, error) {
	for {
		list, err := a.List(s.ctx)
		if err != nil {
			return "", err
		}
		if got := stackText(list); strings.Contains(got, text) {
			return got, nil
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return "", s.ctx.Err()
		}
	}
}

// lineEdit is a WorkspaceEdit of one line of a file: 1-based line, 0-based
// columns in bytes.
func lineEdit(path string, at []string, text string) ([]byte, error) {
	var n [3]uint32
	for i, a := range at {
		v, err := strconv.ParseUint(a, 10, 32)
		if err != nil {
			return nil, err
		}
		n[i] = uint32(v)
	}
	line := n[0] - 1
	return protocol.Marshal(&protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{uri.File(path): {{
		Range:   protocol.Range{Start: protocol.Position{Line: line, Character: n[1]}, End: protocol.Position{Line: line, Character: n[2]}},
		NewText: text,
	}}}})
}

func textOf(r *wire.ToolResult) string {
	var b strings.Builder
	for _, part := range r.Content {
		b.WriteString(part.Text + "\n")
	}
	return b.String()
}

// stackText is the stack, top first, with what each action changes.
func stackText(list *wire.ListResult) string {
	if !list.HasPending {
		return "empty\n"
	}
	var b strings.Builder
	for _, a := range list.Actions {
		fmt.Fprintf(&b, "%s", a.Label)
		for flag, on := range map[string]bool{" [stale]": a.Stale, " [orphaned]": a.Orphaned} {
			if on {
				b.WriteString(flag)
			}
		}
		b.WriteString("\n")
		for _, f := range a.Files {
			for _, h := range f.Hunks {
				stale := ""
				if h.Stale {
					stale = " [stale]"
				}
				fmt.Fprintf(&b, "  %s:%d:%d %s => %s%s\n", f.Path, h.Range.Start.Line+1, h.Range.Start.Character, h.Before, h.After, stale)
			}
		}
	}
	return b.String()
}

// expectBuffer compares an editor's buffer with a file of the script:
// "expect-buffer [:NAME] FILE WANT".
func expectBuffer(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(sceneKey{}).(*Scene)
	name := "main"
	if len(args) == 3 {
		name, args = strings.TrimPrefix(args[0], ":"), args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expect-buffer [:NAME] FILE WANT")
	}
	got, ok := s.editors[name].Text(s.path(args[0]))
	if !ok {
		ts.Fatalf("%s is not open", args[0])
	}
	if want := ts.ReadFile(args[1]); got != want {
		ts.Fatalf("buffer %s:\n%s\nwant:\n%s", args[0], got, want)
	}
}
