package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type resolveIn struct {
	scope
	Action       string   `json:"action" jsonschema:"Whether the preview lands or is dropped."`
	Reason       string   `json:"reason" jsonschema:"Why, for the person and the log; it changes nothing of what is done."`
	ID           string   `json:"id,omitempty" jsonschema:"Fail unless this action is the top one."`
	Hunks        []string `json:"hunks,omitempty" jsonschema:"Only these hunks, by the ids that pending_show gives; the rest stays pending."`
	Cascade      bool     `json:"cascade,omitempty" jsonschema:"With id: resolve everything above it first, the same way."`
	AllowPartial bool     `json:"allowPartial,omitempty" jsonschema:"Apply what still matches of a stale action."`
}

type resolvedFile struct {
	Path  string `json:"path"`
	Hunks int    `json:"hunks"`
	Via   string `json:"via" jsonschema:"editor: changed in its buffer, not saved; disk: written"`
	Saved bool   `json:"saved"`
}

type resolveOut struct {
	ActionID   string         `json:"actionId"`
	Label      string         `json:"label"`
	Action     string         `json:"action"`
	Reason     string         `json:"reason,omitempty"`
	Depth      int            `json:"depth" jsonschema:"how many actions are still pending"`
	Files      []resolvedFile `json:"files" jsonschema:"the first hundred files changed"`
	NewMatches int            `json:"newMatches" jsonschema:"matches that appeared since the preview; they were not applied, run ast_edit again for them"`
}

func (s *server) addResolve() {
	destructive := true
	addTool(s, &mcp.Tool{
		Name: toolResolve, Title: "Apply or discard the pending edit",
		Description: "Apply or discard the pending action on top of the stack. Applying re-runs the edit on the code as it is now: what was never previewed is not applied, and if previewed code has changed nothing is written and a fresh preview is shown. Files open in an editor change there, unsaved; the others change on disk. Where the workspace wants a person's approval, an apply asks them and waits.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive},
		InputSchema: schema[resolveIn](func(p map[string]*jsonschema.Schema) {
			p["action"].Enum = []any{"apply", "discard"}
		},
			map[string]any{"action": "apply", "reason": "all hunks are plain renames"},
			map[string]any{"action": "discard", "reason": "hunk 3 changes a public name"},
		),
	}, s.resolve)
}

func (s *server) resolve(ctx context.Context, c call, arg resolveIn) (string, resolveOut, error) {
	stop := c.waiting(ctx, s.opts.Heartbeat, "waiting for the decision to be carried out")
	defer stop()
	result, d, err := c.client.Resolve(ctx, wire.ResolveParams{
		Action: arg.Action, Reason: arg.Reason, ID: arg.ID, Hunks: arg.Hunks, Cascade: arg.Cascade, AllowPartial: arg.AllowPartial,
	})
	if err != nil {
		return "", resolveOut{}, err
	}
	if result.IsError {
		return "", resolveOut{}, fmt.Errorf("%s", textOf(result))
	}
	return textOf(result), resolved(d), nil
}

func resolved(d *wire.ResolveDetails) resolveOut {
	out := resolveOut{
		ActionID: d.ActionID, Label: d.Label, Action: d.Action, Reason: d.Reason,
		Depth: d.Depth, NewMatches: d.NewMatches, Files: []resolvedFile{},
	}
	for _, f := range d.Files[:min(len(d.Files), maxListed)] {
		out.Files = append(out.Files, resolvedFile(f))
	}
	return out
}

// textOf is the text of a result. The owner of an action may have added to it what
// it likes, so it is cut where a diff would be.
func textOf(r *wire.ToolResult) string {
	text := ""
	for _, part := range r.Content {
		text += part.Text
	}
	if more := len(text) - digest.DefaultBudget; more > 0 {
		text = strings.ToValidUTF8(text[:digest.DefaultBudget], "") + fmt.Sprintf("\n… %d more bytes", more)
	}
	return text
}
