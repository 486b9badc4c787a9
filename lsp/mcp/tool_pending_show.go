package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type showIn struct {
	scope
	ID       string `json:"id,omitempty" jsonschema:"The action; default the top one."`
	From     int    `json:"from,omitempty" jsonschema:"Number of the first hunk to show; default 1."`
	MaxBytes int    `json:"maxBytes,omitempty" jsonschema:"How much diff to show at most; default 8192. Long hunks are shortened to half of it."`
}

type hunkRef struct {
	Number int    `json:"number"`
	ID     string `json:"id" jsonschema:"for resolve's hunks"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Stale  bool   `json:"stale"`
}

type showOut struct {
	ID    string    `json:"id"`
	Label string    `json:"label"`
	Hunks []hunkRef `json:"hunks" jsonschema:"those shown; the text has their diff"`
	Total int       `json:"total" jsonschema:"hunks in all"`
	Next  int       `json:"next,omitempty" jsonschema:"the from of the next page; absent on the last"`
}

func (s *server) addShow() {
	addTool(s, &mcp.Tool{
		Name: toolShow, Title: "Show a pending edit",
		Description: "Show what a pending action would change: its hunks as a numbered diff against the code as it is now, page by page.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		InputSchema: schema[showIn](func(p map[string]*jsonschema.Schema) {
			one, least, most := 1.0, 1024.0, float64(digest.MaxBudget)
			p["from"].Minimum, p["maxBytes"].Minimum, p["maxBytes"].Maximum = &one, &least, &most
		}, map[string]any{}, map[string]any{"id": "01JZ3W9V6Q4T8N2M5K7R1X0ABC", "from": 41}),
	}, pendingShow)
}

func pendingShow(ctx context.Context, c call, arg showIn) (string, showOut, error) {
	list, err := c.client.List(ctx)
	if err != nil {
		return "", showOut{}, err
	}
	a, err := pick(list, arg.ID)
	if err != nil {
		return "", showOut{}, err
	}
	text, out := show(a, max(arg.From, 1), arg.MaxBytes)
	if out.Total > 0 && len(out.Hunks) == 0 {
		return "", out, fmt.Errorf("from: the action has only %s", digest.Plural(out.Total, "hunk"))
	}
	return text, out, nil
}

// pick finds an action, or the top.
func pick(list *wire.ListResult, id string) (*wire.Action, error) {
	for i, a := range list.Actions {
		if id == "" || a.ID == id {
			return &list.Actions[i], nil
		}
	}
	if id == "" {
		return nil, &agent.Error{Message: "Nothing is pending.", Data: wire.ErrorData{Kind: "emptyStack"}}
	}
	return nil, &agent.Error{
		Message: fmt.Sprintf("No pending action has the id %q; it may have been resolved already. await_resolution says how.", id),
		Data:    wire.ErrorData{Kind: "unknownAction"},
	}
}

// show words one page of an action.
func show(a *wire.Action, from, budget int) (string, showOut) {
	if budget == 0 {
		budget = digest.DefaultBudget
	}
	var hunks []digest.Hunk
	var refs []hunkRef
	for _, f := range a.Files {
		for _, h := range f.Hunks {
			line := int(h.Range.Start.Line) + 1
			hunks = append(hunks, digest.Hunk{Path: f.Path, Line: line, Before: h.Before, After: h.After, Stale: h.Stale})
			refs = append(refs, hunkRef{Number: len(hunks), ID: h.ID, Path: f.Path, Line: line, Stale: h.Stale})
		}
	}
	out := showOut{ID: a.ID, Label: digest.Visible(a.Label), Total: len(hunks), Hunks: []hunkRef{}}
	head := fmt.Sprintf("%s %s\n\n", out.ID, out.Label)
	if len(hunks) == 0 {
		return head + "It changes no text by itself: the tool that proposed it does the work when it is applied.", out
	}
	if from > len(hunks) {
		return head, out
	}
	diff, next := digest.Diff(hunks, from, budget)
	last := len(hunks)
	if next > 0 {
		last = next - 1
	}
	out.Next, out.Hunks = next, refs[from-1:last]
	foot := fmt.Sprintf("Hunks %d to %d of %d.", from, last, len(hunks))
	if next > 0 {
		foot += fmt.Sprintf(` %d more: call pending_show with {"id": %q, "from": %d}.`, len(hunks)-last, a.ID, next)
	}
	return head + diff + foot, out
}
