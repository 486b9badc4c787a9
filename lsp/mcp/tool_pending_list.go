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

// How many actions one page of the list has, and how many files of each.
const (
	listPage  = 50
	listFiles = 20
)

type listIn struct {
	scope
	From int `json:"from,omitempty" jsonschema:"Number of the first action to list; default 1, the top."`
}

type listedAction struct {
	ID        string      `json:"id"`
	Label     string      `json:"label"`
	Source    string      `json:"sourceToolName" jsonschema:"the tool that proposed it"`
	By        string      `json:"by" jsonschema:"the session that proposed it"`
	CreatedAt string      `json:"createdAt"`
	State     string      `json:"state" jsonschema:"pending or applying"`
	Stale     bool        `json:"stale" jsonschema:"part of the preview no longer matches the code"`
	Orphaned  bool        `json:"orphaned" jsonschema:"its owner is gone; it can only be discarded"`
	Files     []fileCount `json:"files" jsonschema:"the first twenty files"`
	FileCount int         `json:"fileCount"`
}

type listOut struct {
	Depth   int            `json:"depth"`
	Actions []listedAction `json:"actions" jsonschema:"top first; at most fifty"`
	Next    int            `json:"next,omitempty" jsonschema:"the from of the next page; absent on the last"`
}

func (s *server) addList() {
	addTool(s, &mcp.Tool{
		Name: toolList, Title: "List pending edits",
		Description: "List the pending actions of the workspace, of all agents and editors, top first. Only the top one can be resolved. pending_show has what each would change.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		InputSchema: schema[listIn](func(p map[string]*jsonschema.Schema) {
			one := 1.0
			p["from"].Minimum = &one
		}, map[string]any{}, map[string]any{"from": listPage + 1}),
	}, pendingList)
}

func pendingList(ctx context.Context, c call, arg listIn) (string, listOut, error) {
	list, err := c.client.List(ctx)
	if err != nil {
		return "", listOut{}, err
	}
	from := max(arg.From, 1)
	out := stackOf(list, from)
	switch {
	case out.Depth == 0:
		return "Nothing is pending.", out, nil
	case len(out.Actions) == 0:
		return "", out, fmt.Errorf("from: only %s pending", digest.Plural(out.Depth, "action"))
	}
	var b strings.Builder
	for i, a := range out.Actions {
		fmt.Fprintf(&b, "%d. %s %s%s\n   proposed by %s through %s: %s\n", from+i, a.ID, a.Label, flags(a), a.By, a.Source, digest.Plural(a.FileCount, "file"))
	}
	if out.Next > 0 {
		fmt.Fprintf(&b, "%d more: call pending_list with {\"from\": %d}.\n", out.Depth-out.Next+1, out.Next)
	}
	return b.String(), out, nil
}

// stackOf is one page of the stack, from an action on, without file contents.
func stackOf(list *wire.ListResult, from int) listOut {
	out := listOut{Depth: list.Depth, Actions: []listedAction{}}
	start, end := min(from-1, len(list.Actions)), min(from-1+listPage, len(list.Actions))
	if end < len(list.Actions) {
		out.Next = end + 1
	}
	for _, a := range list.Actions[start:end] {
		entry := listedAction{
			ID: a.ID, Label: digest.Visible(a.Label), Source: digest.Visible(a.SourceToolName), By: digest.Visible(a.By.Name),
			CreatedAt: a.CreatedAt, State: a.State, Stale: a.Stale, Orphaned: a.Orphaned,
			Files: []fileCount{}, FileCount: len(a.Files),
		}
		for _, f := range a.Files[:min(len(a.Files), listFiles)] {
			entry.Files = append(entry.Files, fileCount{Path: f.Path, Count: len(f.Hunks)})
		}
		out.Actions = append(out.Actions, entry)
	}
	return out
}

func flags(a listedAction) string {
	var b strings.Builder
	for _, f := range []struct {
		set  bool
		text string
	}{
		{a.State != "pending", " (being applied)"},
		{a.Stale, " (stale)"},
		{a.Orphaned, " (orphaned: can only be discarded)"},
	} {
		if f.set {
			b.WriteString(f.text)
		}
	}
	return b.String()
}
