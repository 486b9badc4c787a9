package lsp

import (
	"context"
	"encoding/json"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// explainPattern says how a pattern is read, and tries it on a snippet.
func (s *session) explainPattern(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.ExplainPatternParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	release(ctx)

	x, err := astedit.Explain(ctx, astedit.ExplainRequest{
		Pattern: p.Pat, Lang: p.Lang, Selector: p.Sel, Strictness: p.Strictness, Snippet: p.Snippet,
		Languages: s.opts.Engine.languages,
	})
	if err != nil {
		return nil, err
	}
	out := &wire.ExplainPatternResult{
		Parsed: orEmpty(x.Parsed), Contexts: orEmpty(x.Contexts), Metavariables: orEmpty(x.Metavariables),
		RootKind: x.RootKind, Problems: orEmpty(x.Problems), Suggestions: orEmpty(x.Suggestions),
	}
	for _, m := range x.Matches {
		out.Matches = append(out.Matches, wire.PatternMatch(m))
	}
	return out, nil
}

// orEmpty makes an absent list an empty one on the wire.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
