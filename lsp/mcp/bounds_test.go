package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Arguments that do not fit are refused with where, why and an example.
func TestArgumentsTeach(t *testing.T) {
	w := newWorld(t, pending.Options{})
	c := w.in(workspace(t, map[string]string{"a.js": "log(1)\n"}))
	rewrite := map[string]any{"pattern": "log($A)", "rewrite": "x"}
	wantText(t, c.fail("ast_edit", map[string]any{"ops": []any{rewrite}}),
		`^The arguments of ast_edit do not fit: ops\[\]: unexpected additional properties .*\. Nothing was done\. An example: \{.*"pat":"console\.log`)
	wantText(t, c.fail("ast_edit", map[string]any{"ops": []any{}}), `do not fit: ops: minItems: `)
	wantText(t, c.fail("ast_edit", rewrite), `do not fit: (unexpected additional properties|required: missing properties)`)
	wantText(t, c.fail("resolve", map[string]any{"action": "approve", "reason": "x"}), `do not fit: action: enum: approve does not equal any of: \[apply discard\]\. .* An example: \{"action":"apply","reason":`)
	wantText(t, c.fail("await_resolution", map[string]any{}), `do not fit: required: missing properties: \["id"\]`)

	broken := map[string]any{"ops": []any{map[string]any{"pat": "log($A)", "out": "x($A"}}, "allowBroken": true}
	wantText(t, c.call("ast_edit", broken, nil), `1 replacement.*Warnings that quote code:\n`+"```diff\n"+`\\ a\.js:1: the rewritten code does not parse`)
	c.call("resolve", map[string]any{"action": "discard", "reason": "it is broken"}, nil)
	delete(broken, "allowBroken")
	wantText(t, c.fail("ast_edit", broken), "^Refused:\n```diff\n"+`\\ a\.js:1:1: the rewritten code does not parse, near .*Mend the rewrite`+".*\n```\n"+`\(introducesParseError\)`)
}

// A call that its client gives up on ends in the daemon too.
func TestCancel(t *testing.T) {
	w := newWorld(t, pending.Options{})
	c := w.in(workspace(t, map[string]string{"a.js": "log(1)\n"}))
	c.call("pending_list", nil, nil) // has joined
	held := make(chan struct{})
	w.held.Store(&held)
	ctx, cancel := context.WithCancel(w.ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "ast_edit", Arguments: map[string]any{"ops": []any{map[string]any{"pat": "log($A)", "out": "x"}}}})
		ended <- err
	}()
	w.sent.await(w, "pending-lsp.astEdit")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	w.sent.await(w, "$/cancelRequest")
	w.held.Store(nil)
	close(held)
}

// A deep stack is listed in pages, and what an owner has to say is cut.
func TestListPages(t *testing.T) {
	w := newWorld(t, pending.Options{})
	dir := workspace(t, map[string]string{"a.txt": "x\n"})
	c := w.in(dir)
	owner, err := agent.New(w.ctx, w.dial(), dir, agent.Options{Name: "owner"})
	if err != nil {
		t.Fatal(err)
	}
	const depth = 120
	for i := range depth {
		_, _, err := owner.Push(w.ctx, wire.PushParams{Label: fmt.Sprintf("action %d", i+1)}, &agent.Callbacks{
			Apply: func(context.Context, wire.ApplyParams) (*wire.CallbackResult, error) {
				return &wire.CallbackResult{Content: []wire.Content{{Type: "text", Text: strings.Repeat("blah ", 1e5)}}}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	pages := 0
	for from := 1; from != 0; pages++ {
		var page struct {
			Actions []struct{ ID string }
			Next    int
		}
		text := c.call("pending_list", map[string]any{"from": from}, &page)
		wantText(t, text, fmt.Sprintf(`^%d\. 01\w+ action %d\n`, from, depth+1-from))
		if page.Next != 0 {
			wantText(t, text, fmt.Sprintf(`\n%d more: call pending_list with \{"from": %d\}\.\n`, depth+1-page.Next, page.Next))
		}
		for _, a := range page.Actions {
			ids = append(ids, a.ID)
		}
		from = page.Next
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != depth || pages != 3 {
		t.Errorf("%d actions on %d pages", len(ids), pages)
	}
	wantText(t, c.fail("pending_list", map[string]any{"from": depth + 1}), `from: only 120 actions pending`)
	text := c.call("resolve", map[string]any{"action": "apply", "reason": "ok"}, nil)
	wantText(t, text, `^Applied: action 120\..*blah.*\n… \d+ more bytes\n`)
	if len(text) > 10_000 {
		t.Errorf("%d bytes", len(text))
	}
}
