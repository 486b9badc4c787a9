package pending_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pending-lsp/pending-lsp/pending"
)

var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"agent":  run((*story).cmdAgent),
	"editor": run((*story).cmdEditor),
	"leave":  run(func(s *story, a *arguments) error { s.member(a).Leave(); return nil }),
	"open":   run((*story).cmdOpen),
	"close":  run((*story).cmdClose),
	"save":   run((*story).cmdSave),
	"type": run(func(s *story, a *arguments) error {
		return s.editor(a).replaceOnce(a.next(), unescape(a.next()), unescape(a.next()))
	}),
	"keyundo": run(func(s *story, a *arguments) error { s.editor(a).takeUndo(a.next()); return nil }),
	"next":    run(func(s *story, a *arguments) error { s.editor(a).next = a.rest(); return nil }),
	"buffer":  run((*story).cmdBuffer),
	"changed": run(func(s *story, a *arguments) error { s.member(a).DiskChanged(a.rest()); return nil }),
	"propose": run((*story).cmdPropose),
	"push":    run((*story).cmdPush),
	"offer":   run((*story).cmdOffer),
	"apply":   run(func(s *story, a *arguments) error { return s.resolve(a, pending.DecisionApply) }),
	"discard": run(func(s *story, a *arguments) error { return s.resolve(a, pending.DecisionDiscard) }),
	"edit":    run((*story).cmdEdit),
	"take":    run((*story).cmdTake),
	"await":   run((*story).cmdAwait),
	"undo":    run((*story).cmdUndo),
	"log":     run((*story).cmdLog),
	"restart": run(func(s *story, a *arguments) error { return s.restart() }),
	"rejoin":  run(func(s *story, a *arguments) error { s.rejoin(a.next()); return nil }),
	"stack":   run((*story).cmdStack),
	"hunks":   run((*story).cmdHunks),
}

// arguments are what is left of a command's line, and where it prints.
type arguments struct {
	args []string
	out  io.Writer
}

func (a *arguments) next() string {
	if len(a.args) == 0 {
		panic(errors.New("missing argument"))
	}
	first := a.args[0]
	a.args = a.args[1:]
	return first
}

func (a *arguments) rest() []string {
	rest := a.args
	a.args = nil
	return rest
}

// flags parses the flags of a command; they come before the other arguments.
func (a *arguments) flags(define func(f *flag.FlagSet)) {
	f := flag.NewFlagSet("command", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	define(f)
	if err := f.Parse(a.args); err != nil {
		panic(err)
	}
	a.args = f.Args()
}

// run makes a script command of a step: its error goes to stderr, and is wanted
// when the command is negated.
func run(step func(*story, *arguments) error) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		a := &arguments{args: args, out: ts.Stdout()}
		err := func() (err error) {
			defer func() {
				if r := recover(); r != nil {
					ts.Fatalf("%v", r)
				}
			}()
			return step(storyOf(ts), a)
		}()
		if len(a.args) > 0 && err == nil {
			ts.Fatalf("too many arguments: %q", a.args)
		}
		if err != nil {
			if e := (*pending.Error)(nil); errors.As(err, &e) {
				fmt.Fprintf(ts.Stderr(), "%s: ", e.Kind)
			}
			fmt.Fprintln(ts.Stderr(), err)
		}
		if neg && err == nil {
			ts.Fatalf("unexpected success")
		}
		if !neg && err != nil {
			ts.Fatalf("unexpected failure: %v", err)
		}
	}
}

func (s *story) join(name string, e *fakeEditor, o pending.JoinOptions) {
	if e != nil {
		o.Editor = e
		s.editors[name] = e
	}
	m := s.workspace.Join(pending.Party{Name: name}, o)
	if e != nil {
		e.member = m
	}
	s.members[name] = m
}

func (s *story) member(a *arguments) *pending.Member {
	name := a.next()
	m := s.members[name]
	if m == nil {
		panic(fmt.Errorf("nobody is called %s", name))
	}
	return m
}

func (s *story) editor(a *arguments) *fakeEditor {
	name := a.next()
	e := s.editors[name]
	if e == nil {
		panic(fmt.Errorf("no editor is called %s", name))
	}
	return e
}

// approvalFlag reads what a member wants: editor,tool=anyone,...
func approvalFlag(f *flag.FlagSet, o *pending.JoinOptions) {
	f.Func("approval", "", func(wanted string) error {
		o.Approval = &pending.ApprovalPolicy{Tools: map[string]pending.Approval{}}
		for _, part := range strings.Split(wanted, ",") {
			if tool, approval, ok := strings.Cut(part, "="); ok {
				o.Approval.Tools[tool] = pending.Approval(approval)
			} else {
				o.Approval.Default = pending.Approval(part)
			}
		}
		return nil
	})
}

func (s *story) cmdAgent(a *arguments) error {
	var o pending.JoinOptions
	a.flags(func(f *flag.FlagSet) { approvalFlag(f, &o) })
	s.join(a.next(), nil, o)
	return nil
}

func (s *story) cmdEditor(a *arguments) error {
	e := newFakeEditor(s.root)
	var o pending.JoinOptions
	a.flags(func(f *flag.FlagSet) {
		f.BoolVar(&e.whole, "whole", false, "")
		approvalFlag(f, &o)
		f.Func("approve", "", func(answers string) error { // one by one
			if o.Approval == nil {
				o.Approval = &pending.ApprovalPolicy{Default: pending.ApproveEditor}
			}
			o.Approve = func(_ context.Context, r pending.ApprovalRequest) (bool, error) {
				what := "apply"
				if r.Undo {
					what = "undo"
				}
				s.asked += fmt.Sprintf("%s wants to %s %s: %s\n", r.By.Name, what, r.Action.Label, r.Reason)
				var answer string
				answer, answers, _ = strings.Cut(answers, ",")
				if answer == "elsewhere" { // the user discards it while being asked
					_, err := s.members["code"].Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
					return true, err
				}
				return answer == "yes", nil
			}
			return nil
		})
		f.BoolFunc("all", "", func(string) error { o.Apply, e.saves = pending.RouteEditor, true; return nil })
	})
	s.join(a.next(), e, o)
	return nil
}

// cmdOpen opens files; an agent's document is opened as it is on disk, or with
// the text given by -text.
func (s *story) cmdOpen(a *arguments) error {
	text := ""
	a.flags(func(f *flag.FlagSet) { f.StringVar(&text, "text", "", "") })
	name := a.next()
	for _, path := range a.rest() {
		if e := s.editors[name]; e != nil && text == "" {
			if err := e.open(path); err != nil {
				return err
			}
			continue
		}
		content := []byte(unescape(text))
		if text == "" {
			var err error
			if content, err = os.ReadFile(filepath.Join(s.root, path)); err != nil {
				return err
			}
		}
		s.members[name].OpenDocument(path, 1, content)
	}
	return nil
}

func (s *story) cmdClose(a *arguments) error {
	name := a.next()
	for _, path := range a.rest() {
		if e := s.editors[name]; e != nil {
			e.close(path)
		} else {
			s.members[name].CloseDocument(path)
		}
	}
	return nil
}

func (s *story) cmdSave(a *arguments) error {
	e := s.editor(a)
	for _, path := range a.rest() {
		text, ok := e.text(path)
		if !ok {
			return fmt.Errorf("%s is not open", path)
		}
		if err := os.WriteFile(filepath.Join(s.root, path), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) cmdBuffer(a *arguments) error {
	text, ok := s.editor(a).text(a.next())
	if !ok {
		return errors.New("not open")
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// unescape reads \n, \x1b and \u202e in an argument as Go does.
func unescape(s string) string {
	if out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`); err == nil {
		return out
	}
	return s
}

func (s *story) cmdPropose(a *arguments) error {
	l := &literal{}
	a.flags(func(f *flag.FlagSet) { f.IntVar(&l.Limit, "limit", 0, "") })
	m := s.member(a)
	l.Old, l.New = a.next(), a.next()
	p, err := l.Propose(context.Background(), m.Source())
	if err != nil {
		return err
	}
	recipe, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return s.pushed(a, m, pending.New{
		Label:          pending.ASTEditLabel(p.Replacements(), len(p.Files)),
		SourceToolName: "ast_edit",
		Proposal:       p,
		Proposer:       l,
		Recipe:         recipe,
	}, l.Old)
}

func (s *story) pushed(a *arguments, m *pending.Member, n pending.New, name string) error {
	v, err := m.Push(context.Background(), n)
	if err != nil {
		return err
	}
	if v == nil {
		_, err = fmt.Fprintln(a.out, "nothing to push")
		return err
	}
	s.ids[name] = v.ID
	_, err = fmt.Fprintf(a.out, "%s, %d deep\n", v.Label, v.Depth)
	return err
}

// cmdPush pushes raw edits: a name, then FILE OLD NEW as often as need be.
func (s *story) cmdPush(a *arguments) error {
	tool := ""
	a.flags(func(f *flag.FlagSet) { f.StringVar(&tool, "tool", "", "") })
	m := s.member(a)
	name := unescape(a.next())
	p := &pending.Proposal{}
	for len(a.args) > 0 {
		path, old, new := a.next(), a.next(), a.next()
		text, open := m.Source().Overlay(path)
		if !open {
			var err error
			if text, err = os.ReadFile(filepath.Join(s.root, filepath.FromSlash(path))); err != nil {
				text = []byte(old) // let Push say what is wrong with it
			}
		}
		at := strings.Index(string(text), old)
		h := pending.Hunk{Start: at, End: at + len(old), Before: old, After: new}
		if k := len(p.Files); k > 0 && p.Files[k-1].Path == path {
			p.Files[k-1].Hunks = append(p.Files[k-1].Hunks, h)
		} else {
			p.Files = append(p.Files, pending.FileProposal{Path: path, Text: text, Hunks: []pending.Hunk{h}})
		}
	}
	return s.pushed(a, m, pending.New{Label: name, SourceToolName: tool, Proposal: p}, name)
}

func (s *story) resolve(a *arguments, decision string) error {
	r := pending.Resolution{Decision: decision}
	a.flags(func(f *flag.FlagSet) {
		f.StringVar(&r.Reason, "reason", "", "")
		f.Func("id", "", func(name string) error {
			if r.ID = s.ids[name]; r.ID == "" {
				r.ID = name
			}
			return nil
		})
		f.Func("hunks", "", func(list string) error { r.Hunks = strings.Split(list, ","); return nil })
		f.BoolVar(&r.Cascade, "cascade", false, "")
		f.BoolVar(&r.AllowPartial, "partial", false, "")
		f.BoolVar(&r.Offered, "offered", false, "")
		f.StringVar(&r.Agent, "agent", "", "")
	})
	r.Reason = unescape(r.Reason)
	res, err := s.member(a).Resolve(context.Background(), r)
	s.tellAsked(a)
	if err != nil {
		return err
	}
	for _, c := range res.Cascaded {
		fmt.Fprintln(a.out, c.Text)
	}
	_, err = fmt.Fprintln(a.out, res.Text)
	return err
}

// tellAsked prints what users were asked, once.
func (s *story) tellAsked(a *arguments) {
	fmt.Fprint(a.out, s.asked)
	s.asked = ""
}

func (s *story) cmdUndo(a *arguments) error {
	res, err := s.member(a).Undo(context.Background())
	s.tellAsked(a)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, res.Text)
	return err
}

func (s *story) cmdAwait(a *arguments) error {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	v, err := s.workspace.Await(ctx, s.ids[a.next()])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s by %s: %s\n", v.State, v.By.Name, cmp.Or(v.Reason, "no reason"))
	return err
}

func (s *story) cmdLog(a *arguments) error {
	for _, e := range s.workspace.Log(0) {
		asked := ""
		if e.Approver != nil {
			asked = " asking " + e.Approver.Name
		}
		fmt.Fprintf(a.out, "%s %s by %s%s: %s, %d in %s\n", e.Cause, e.Label, e.By.Name, asked, cmp.Or(e.Reason, "no reason"), e.Hunks, cmp.Or(strings.Join(e.Files, " "), "no file"))
	}
	return nil
}
