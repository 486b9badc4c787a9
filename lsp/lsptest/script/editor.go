package script

import (
	"fmt"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// answers are the names of [lsptest.Answer]s in scripts.
func answers() map[string]lsptest.Answer {
	return map[string]lsptest.Answer{
		"honestly": lsptest.Honest, "refusing": lsptest.Refuse, "lying": lsptest.Lie, "late": lsptest.Late,
		"never": lsptest.Never, "failing": lsptest.Fail, "partially": lsptest.Partial,
	}
}

func editorVerbs() map[string]verb {
	with := func(f func(s *Scene, e *lsptest.Editor, args []string) (string, error)) func(*Scene, string, []string) (string, error) {
		return func(s *Scene, name string, args []string) (string, error) {
			e, err := s.editor(name, lsptest.EditorOptions{})
			if err != nil {
				return "", err
			}
			return f(s, e, args)
		}
	}
	return map[string]verb{
		"start": {"[noDisabled] [applyEditor] [approval]", 0, func(s *Scene, name string, args []string) (string, error) {
			var o lsptest.EditorOptions
			for _, arg := range args {
				switch arg {
				case "noDisabled":
					o.NoDisabled = true
				case "applyEditor":
					o.Init.Apply = "editor"
				case "approval":
					o.Init.Approval = &wire.Approval{Default: "editor"}
				default:
					return "", fmt.Errorf("no option %q", arg)
				}
			}
			_, err := s.editor(name, o)
			return "", err
		}},
		"open": {"FILE...", 1, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			for _, file := range args {
				if err := e.Open(s.ctx, s.path(file)); err != nil {
					return "", err
				}
			}
			return "", nil
		})},
		"close": {"FILE", 1, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			return "", e.Close(s.ctx, s.path(args[0]))
		})},
		"type": {"FILE OLD NEW", 3, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			return "", e.Replace(s.ctx, s.path(args[0]), unquote(args[1]), unquote(args[2]))
		})},
		"undo": {"FILE", 1, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			return "", e.Undo(s.ctx, s.path(args[0]))
		})},
		"answers": {"HOW", 1, with(func(_ *Scene, e *lsptest.Editor, args []string) (string, error) {
			how, ok := answers()[args[0]]
			if !ok {
				return "", fmt.Errorf("no way %q to answer", args[0])
			}
			e.SetAnswer(how)
			return "", nil
		})},
		"actions": {"FILE TEXT [KIND...]", 2, with(editorActions)},
		"accept":  {"FILE TEXT TITLE", 3, with(editorAccept)},
		"lenses": {"FILE", 1, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			lenses, err := e.CodeLenses(s.ctx, s.path(args[0]))
			var b strings.Builder
			for _, l := range lenses {
				fmt.Fprintf(&b, "%d %s\n", l.Range.Start.Line+1, l.Command.Title)
			}
			return b.String(), err
		})},
		"hover": {"FILE TEXT", 2, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			text, err := e.Hover(s.ctx, s.path(args[0]), args[1])
			return text + "\n", err
		})},
		"sees": {"FILE N", 2, with(func(s *Scene, e *lsptest.Editor, args []string) (string, error) {
			n, err := strconv.Atoi(args[1])
			if err != nil {
				return "", err
			}
			path := s.path(args[0])
			if err := e.Await(s.ctx, func() bool { return len(e.Diagnostics(path)) == n }); err != nil {
				return "", fmt.Errorf("%d diagnostics in %s, want %d", len(e.Diagnostics(path)), args[0], n)
			}
			return diagnosticText(e.Diagnostics(path)), nil
		})},
		"leave": {"", 0, func(s *Scene, name string, _ []string) (string, error) {
			e := s.editors[name]
			delete(s.editors, name)
			return "", e.Shutdown(s.ctx)
		}},
	}
}

// editorActions lists code actions, one a line.
func editorActions(s *Scene, e *lsptest.Editor, args []string) (string, error) {
	var only []protocol.CodeActionKind
	for _, kind := range args[2:] {
		only = append(only, protocol.CodeActionKind(kind))
	}
	actions, err := e.CodeActions(s.ctx, s.path(args[0]), args[1], only...)
	var b strings.Builder
	for _, a := range actions {
		b.WriteString(a.Title)
		if a.Disabled.Reason != "" {
			fmt.Fprintf(&b, " [%s]", a.Disabled.Reason)
		}
		b.WriteString("\n")
	}
	return b.String(), err
}

// editorAccept does what choosing a code action does.
func editorAccept(s *Scene, e *lsptest.Editor, args []string) (string, error) {
	actions, err := e.CodeActions(s.ctx, s.path(args[0]), args[1])
	if err != nil {
		return "", err
	}
	a, err := lsptest.Find(actions, args[2])
	if err != nil {
		return "", err
	}
	var result wire.ToolResult
	if err := e.Accept(s.ctx, a, &result); err != nil {
		return "", err
	}
	return textOf(&result), nil
}

func diagnosticText(list []protocol.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		message, _ := d.Message.(protocol.String)
		fmt.Fprintf(&b, "%d:%d-%d:%d %s\n", d.Range.Start.Line+1, d.Range.Start.Character, d.Range.End.Line+1, d.Range.End.Character, string(message))
	}
	return b.String()
}

// unquote reads \n in an argument, which testscript cannot say.
func unquote(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }
