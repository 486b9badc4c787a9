package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// defaultWait is below the minute after which common clients give up on a call.
const defaultWait = 45

type awaitIn struct {
	scope
	ID             string  `json:"id" jsonschema:"The action, as ast_edit returned it."`
	TimeoutSeconds float64 `json:"timeoutSeconds,omitempty" jsonschema:"Give up after this long and say that it is still pending; default 45."`
}

type awaitOut struct {
	State    string `json:"state" jsonschema:"applied, discarded, or pending after the timeout"`
	Reason   string `json:"reason,omitempty" jsonschema:"why, in the words of whoever decided"`
	By       string `json:"by,omitempty" jsonschema:"the session that decided"`
	Approver string `json:"approver,omitempty" jsonschema:"the editor whose person approved it, if one was asked"`
	ByEditor bool   `json:"byEditor" jsonschema:"it was the person at an editor"`
}

func (s *server) addAwait() {
	addTool(s, &mcp.Tool{
		Name: toolAwait, Title: "Wait for the person's decision",
		Description: "Wait until a pending action is applied or discarded, by whomever, and return the verdict with its reason. Use it instead of resolve when the person should decide. Call it again while the answer is that it is still pending.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		InputSchema: schema[awaitIn](func(p map[string]*jsonschema.Schema) {
			zero, day := 0.001, 86400.0
			p["timeoutSeconds"].Minimum, p["timeoutSeconds"].Maximum = &zero, &day
		}, map[string]any{"id": "01JZ3W9V6Q4T8N2M5K7R1X0ABC"}),
	}, s.await)
}

func (s *server) await(ctx context.Context, c call, arg awaitIn) (string, awaitOut, error) {
	seconds := arg.TimeoutSeconds
	if seconds == 0 {
		seconds = defaultWait
	}
	stop := c.waiting(ctx, s.opts.Heartbeat, "still pending")
	defer stop()
	v, err := c.client.Await(ctx, wire.AwaitParams{ID: arg.ID, TimeoutMs: max(int(seconds*1000), 1)})
	if err != nil {
		return "", awaitOut{}, err
	}
	out := awaitOut{State: v.State, Reason: v.Reason}
	if v.By != nil {
		out.By, out.ByEditor = digest.Visible(v.By.Name), v.By.Editor
	}
	if v.Approver != nil {
		out.Approver = digest.Visible(v.Approver.Name)
	}
	return verdict(v, out), out, nil
}

func verdict(v *wire.AwaitResult, out awaitOut) string {
	if out.By == "" {
		return fmt.Sprintf("Still %s: nobody has decided yet. Call await_resolution again to go on waiting.", out.State)
	}
	who := out.By
	if out.ByEditor {
		who = "the person at " + who
	}
	if out.Approver != "" {
		who += ", approved by the person at " + out.Approver
	}
	text := fmt.Sprintf("It was %s by %s.", out.State, who)
	if out.Reason != "" {
		text += " Reason: " + digest.Visible(out.Reason)
	}
	if v.Result != nil && out.State == "applied" {
		text += "\n" + textOf(v.Result)
	}
	return text
}
