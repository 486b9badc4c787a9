package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type listIn struct{ scope }

type listedAction struct {
	ID        string      `json:"id"`
	Label     string      `json:"label"`
	Source    string      `json:"sourceToolName" jsonschema:"the tool that proposed it"`
	By        string      `json:"by" jsonschema:"the session that proposed it"`
	CreatedAt string      `json:"createdAt"`
	State     string      `json:"state" jsonschema:"pending or applying"`
	Stale     bool        `json:"stale" jsonschema:"part of the preview no longer matches the code"`
	Orphaned  bool        `json:"orphaned" jsonschema:"its owner is gone; it can only be discarded"`
	Files     []fileCount `json:"files" jsonschema:"the first hundred files"`
	FileCount int         `json:"fileCount"`
}

type listOut struct {
	Depth   int            `json:"depth"`
	Actions []listedAction `json:"actions" jsonschema:"top first; the first hundred"`
}

func (s *server) addList() {
	addTool(s, &mcp.Tool{
		Name: toolList, Title: "List pending edits",
		Description: "List the pending actions of the workspace, of all agents and editors, top first. Only the top one can be resolved. pending_show has what each would change.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		InputSchema: schema[listIn](nil, map[string]any{}),
	}, pendingList)
}

func pendingList(ctx context.Context, c call, _ listIn) (string, listOut, error) {
	list, err := c.client.List(ctx)
	if err != nil {
		return "", listOut{}, err
	}
	out := stackOf(list)
	if out.Depth == 0 {
		return "Nothing is pending.", out, nil
	}
	var b strings.Builder
	for i, a := range out.Actions {
		fmt.Fprintf(&b, "%d. %s %s%s\n   proposed by %s through %s: %s\n", i+1, a.ID, a.Label, flags(a), a.By, a.Source, digest.Plural(a.FileCount, "file"))
	}
	if more := out.Depth - len(out.Actions); more > 0 {
		fmt.Fprintf(&b, "and %d more below these\n", more)
	}
	return b.String(), out, nil
}

// stackOf is the stack without file contents.
func stackOf(list *wire.ListResult) listOut {
	out := listOut{Depth: list.Depth, Actions: []listedAction{}}
	for _, a := range list.Actions[:min(len(list.Actions), maxListed)] {
		entry := listedAction{
			ID: a.ID, Label: digest.Visible(a.Label), Source: digest.Visible(a.SourceToolName), By: digest.Visible(a.By.Name),
			CreatedAt: a.CreatedAt, State: a.State, Stale: a.Stale, Orphaned: a.Orphaned,
			Files: []fileCount{}, FileCount: len(a.Files),
		}
		for _, f := range a.Files[:min(len(a.Files), maxListed)] {
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
