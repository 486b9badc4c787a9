package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type undoIn struct{ scope }

func (s *server) addUndo() {
	destructive := true
	addTool(s, &mcp.Tool{
		Name: toolUndo, Title: "Take back the last applied edit",
		Description: "Take back the last action that was applied in the workspace, if every file still is as the apply left it; otherwise say which are not, and change nothing.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive},
		InputSchema: schema[undoIn](nil, map[string]any{}),
	}, undo)
}

func undo(ctx context.Context, c call, _ undoIn) (string, resolveOut, error) {
	result, d, err := c.client.Undo(ctx, wire.UndoParams{})
	if err != nil {
		return "", resolveOut{}, err
	}
	return textOf(result), resolved(d), nil
}
