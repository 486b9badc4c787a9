package mcp

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type explainIn struct {
	scope
	Pat        string `json:"pat" jsonschema:"The pattern."`
	Lang       string `json:"lang" jsonschema:"Its language."`
	Sel        string `json:"sel,omitempty" jsonschema:"As in ast_edit."`
	Strictness string `json:"strictness,omitempty" jsonschema:"As in ast_edit."`
	Snippet    string `json:"snippet,omitempty" jsonschema:"Code to try it on."`
}

type explainOut struct {
	RootKind      string   `json:"rootKind" jsonschema:"node kind that the pattern matches"`
	Metavariables []string `json:"metavariables"`
	Parsed        []string `json:"parsed" jsonschema:"the readings of the pattern as S-expressions, best first"`
	Problems      []string `json:"problems"`
	Suggestions   []string `json:"suggestions"`
	Matches       int      `json:"matches" jsonschema:"in the snippet"`
}

func (s *server) addExplain() {
	addTool(s, &mcp.Tool{
		Name: toolExplain, Title: "Explain a pattern",
		Description: "Say how a pattern of ast_edit is read: the parsed form, its metavariables, the node kind it matches, and problems with how to mend them. Give a snippet to try it on.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		InputSchema: schema[explainIn](func(p map[string]*jsonschema.Schema) {
			p["strictness"].Enum = []any{"cst", "smart", "ast", "relaxed", "signature", "template"}
		}, map[string]any{"pat": "log.Printf($FMT, $$$ARGS)", "lang": "go", "snippet": `log.Printf("%d", 1)`}),
	}, explain)
}

func explain(ctx context.Context, c call, arg explainIn) (string, explainOut, error) {
	x, err := c.client.ExplainPattern(ctx, wire.ExplainPatternParams{
		Pat: arg.Pat, Lang: arg.Lang, Sel: arg.Sel, Strictness: arg.Strictness, Snippet: arg.Snippet,
	})
	if err != nil {
		return "", explainOut{}, err
	}
	out := explainOut{
		RootKind: x.RootKind, Metavariables: x.Metavariables, Parsed: x.Parsed,
		Problems: x.Problems, Suggestions: x.Suggestions, Matches: len(x.Matches),
	}
	return digest.Explain(x, arg.Snippet != ""), out, nil
}
