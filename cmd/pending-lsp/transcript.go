package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// transcript plays a demo and prints what each side says.
type transcript struct {
	*program
	dir    string
	dial   dialer
	editor *lsptest.Editor
	agent  *agent.Client
	step   int
}

func (t *transcript) play(ctx context.Context, script demoScript) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	defer func() {
		_ = t.editor.Shutdown(ctx)
		_ = t.agent.Close(ctx)
	}()

	var details []*wire.ASTEditDetails
	for i, edit := range script {
		d, err := t.propose(ctx, edit)
		if err != nil {
			return err
		}
		if d.TotalReplacements == 0 {
			return &exitError{code: exitNothing}
		}
		details = append(details, d)
		if i > 0 && script[0].open != "" {
			t.head("Editor: %s, one action down", script[0].open)
			if err := t.codeActions(ctx, t.path(script[0].open)); err != nil {
				return err
			}
		}
	}
	for i, edit := range slices.Backward(script) {
		if err := t.resolve(ctx, edit, details[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *transcript) connect(ctx context.Context) error {
	t.head("A daemon is running; an editor and an agent open %s", filepath.Base(t.dir))
	conn, err := t.dial(ctx)
	if err != nil {
		return err
	}
	t.editor, err = lsptest.NewEditor(ctx, conn, lsptest.EditorOptions{
		Name: "demo editor", Version: version(), Folders: []string{t.dir}, Init: wire.InitializationOptions{DidChange: true},
	})
	if err != nil {
		return err
	}
	if conn, err = t.dial(ctx); err != nil {
		return err
	}
	t.agent, err = agent.New(ctx, conn, t.dir, agent.Options{Name: "demo agent", Version: version()})
	return err
}

// propose lets the agent preview one edit, and shows what the editor sees.
func (t *transcript) propose(ctx context.Context, edit demoEdit) (*wire.ASTEditDetails, error) {
	op := edit.params.Ops[0]
	t.head("Agent: ast_edit  %s  =>  %s", op.Pat, op.Out)
	_, details, err := t.agent.ASTEdit(ctx, edit.params)
	if err != nil {
		return nil, refusal(err)
	}
	if details.TotalReplacements == 0 {
		t.say("no matches in %d files", details.FilesSearched)
		return details, nil
	}
	preview, err := t.agent.Preview(ctx, wire.PreviewParams{ID: details.ActionID})
	if err != nil {
		return nil, err
	}
	t.printDiff(preview.Diff)
	if err := t.stack(ctx); err != nil {
		return nil, err
	}
	return details, t.look(ctx, edit, details)
}

// look shows a file the way the editor's user sees it.
func (t *transcript) look(ctx context.Context, edit demoEdit, details *wire.ASTEditDetails) error {
	file := edit.open
	if file == "" {
		file = details.Files[0]
	}
	path := t.path(file)
	if _, open := t.editor.Text(path); !open {
		if err := t.editor.Open(ctx, path); err != nil {
			return err
		}
	}
	shown := func() bool { return len(t.of(details.ActionID, t.editor.Diagnostics(path))) > 0 }
	if err := t.editor.Await(ctx, shown); err != nil {
		return fmt.Errorf("waiting for diagnostics of %s: %w", file, err)
	}
	t.head("Editor: %s", file)
	diagnostics := t.of(details.ActionID, t.editor.Diagnostics(path))
	for i, d := range diagnostics {
		if i == 3 {
			t.say("... and %d more", len(diagnostics)-i)
			break
		}
		message, _ := d.Message.(protocol.String)
		t.say("%d:%d  %s", d.Range.Start.Line+1, d.Range.Start.Character+1, string(message))
	}
	if err := t.codeActions(ctx, path); err != nil {
		return err
	}
	lenses, err := t.editor.CodeLenses(ctx, path)
	if err != nil {
		return err
	}
	var titles []string
	for _, l := range lenses {
		if !slices.Contains(titles, l.Command.Title) {
			titles = append(titles, l.Command.Title)
		}
	}
	t.say("code lenses  %s", strings.Join(titles, " | "))
	return nil
}

func (t *transcript) codeActions(ctx context.Context, path string) error {
	actions, err := t.editor.CodeActions(ctx, path, "")
	if err != nil {
		return err
	}
	for _, a := range actions {
		disabled := ""
		if a.Disabled.Reason != "" {
			disabled = "  (disabled: " + a.Disabled.Reason + ")"
		}
		t.say("code action  %s%s", a.Title, disabled)
	}
	return nil
}

// resolve lets the editor's user choose a code action.
func (t *transcript) resolve(ctx context.Context, edit demoEdit, details *wire.ASTEditDetails) error {
	verb, kind := "Apply", protocol.CodeActionKind(wire.KindApply)
	if edit.decision == "discard" {
		verb, kind = "Discard", wire.KindDiscard
	}
	file := edit.open
	if file == "" {
		file = details.Files[0]
	}
	before, err := fileTexts(t.dir, details.Files)
	if err != nil {
		return err
	}
	buffer, _ := t.editor.Text(t.path(file))
	actions, err := t.editor.CodeActions(ctx, t.path(file), "", kind)
	if err != nil {
		return err
	}
	action, err := lsptest.Find(actions, verb)
	if err != nil {
		return err
	}
	t.head("Editor: %s", action.Title)
	var params wire.ResolveParams
	if err := json.Unmarshal(action.Command.Arguments[0], &params); err != nil {
		return err
	}
	params.Reason = edit.reason
	var result wire.ToolResult
	if err := t.editor.Execute(ctx, action.Command.Command, []protocol.LSPAny{protocol.LSPAny(wire.Encode(params))}, &result); err != nil {
		return err
	}
	for _, part := range result.Content {
		t.say("%s", part.Text)
	}
	if err := t.changes(file, buffer, before); err != nil {
		return err
	}
	return t.stack(ctx)
}

// changes prints what is different now, in the open buffer and on disk.
func (t *transcript) changes(file, buffer string, before map[string]string) error {
	if diff := t.editor.Diff(t.path(file), file, buffer); diff != "" {
		t.say("buffer %s (unsaved, one undo step):", file)
		t.printDiff(diff)
	}
	after, err := fileTexts(t.dir, slices.Sorted(maps.Keys(before)))
	if err != nil {
		return err
	}
	var changed []string
	for path, text := range after {
		if text != before[path] {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	if len(changed) == 0 {
		t.say("on disk: nothing changed")
	} else {
		t.say("on disk: changed %s", strings.Join(changed, ", "))
	}
	return nil
}

// stack prints the stack, top first.
func (t *transcript) stack(ctx context.Context) error {
	list, err := t.agent.List(ctx)
	if err != nil {
		return err
	}
	if len(list.Actions) == 0 {
		t.say("stack: empty")
		return nil
	}
	t.say("stack (top first):")
	for i, a := range list.Actions {
		t.say("  %d. %s  by %s", i+1, a.Label, a.By.Name)
	}
	return nil
}

// of picks the diagnostics of one action.
func (t *transcript) of(id string, all []protocol.Diagnostic) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, d := range all {
		var data wire.ActionData
		if json.Unmarshal(d.Data, &data) == nil && data.Action == id {
			out = append(out, d)
		}
	}
	return out
}

func (t *transcript) path(rel string) string {
	return filepath.Join(lsp.WorkspaceRoot(t.dir), filepath.FromSlash(rel))
}

func (t *transcript) head(format string, args ...any) {
	t.step++
	fmt.Fprintf(t.out, "\n%d. %s\n", t.step, fmt.Sprintf(format, args...))
}

func (t *transcript) say(format string, args ...any) {
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		fmt.Fprintf(t.out, "   %s\n", strings.TrimRight(line, "\n"))
	}
}
