package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// astEditWords are for an agent that has the commands as tools.
var astEditWords = digest.Words{
	Rest: func(id string, _ int) string {
		return fmt.Sprintf("pending-lsp.preview of %s shows all.", id)
	},
	Next:    `call resolve with action "apply" or "discard" and a reason.`,
	Explain: "try the pattern with explainPattern on a snippet of the code that it should match.",
}

// astEditText is what a model reads: what would change, how, and what to do.
func astEditText(label string, preview *astedit.Preview, d wire.ASTEditDetails) string {
	d.Changes = changeList(preview, digest.MaxHunks)
	return digest.ASTEdit(label, &d, astEditWords)
}

// readings warns, for patterns that matched nothing, what they were taken for.
func readings(ctx context.Context, p wire.ASTEditParams, lang string) []wire.Warning {
	var out []wire.Warning
	for _, op := range p.Ops {
		x, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: op.Pat, Lang: lang, Selector: p.Sel, Strictness: p.Strictness})
		if err != nil || len(x.Parsed) == 0 {
			continue
		}
		w := wire.Warning{Kind: "reading", Message: fmt.Sprintf("the %s pattern %q reads as %s", x.Lang, short(op.Pat), short(x.Parsed[0]))}
		if len(x.Problems) > 0 {
			w.Message += ". " + strings.Join(append(x.Problems, x.Suggestions...), " ")
		}
		out = append(out, w)
	}
	return out
}

// withContext adds, to the refusal of a pattern, how it reads as a block if it is
// several statements, and how to give a fragment its surroundings.
func withContext(ctx context.Context, err error, p wire.ASTEditParams) error {
	var refused *astedit.Error
	if p.Sel != "" || !errors.As(err, &refused) || refused.Kind != astedit.KindInvalidPattern {
		return err
	}
	taught := *refused
	taught.Hint = strings.TrimSpace(taught.Hint + inBlock(ctx, p) + ` For a fragment, make pat the whole code around it and sel the node kind of the fragment: {"pat": "class A { $M() { $$$BODY } }", "sel": "method_definition"}. explainPattern shows how a pattern parses.`)
	return &taught
}

// inBlock shows the first pattern that is no single node, but a block of them
// when braces are put around it.
func inBlock(ctx context.Context, p wire.ASTEditParams) string {
	for _, op := range p.Ops {
		alone, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: op.Pat, Lang: p.Lang})
		if err != nil || len(alone.Parsed) > 0 {
			continue
		}
		pat := "{ " + op.Pat + " }"
		block, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: pat, Lang: p.Lang})
		if err == nil && len(block.Problems) == 0 && strings.Contains(block.RootKind, "block") {
			return fmt.Sprintf(" %q would read as %s.", short(pat), short(block.Parsed[0]))
		}
	}
	return ""
}

func short(s string) string {
	const limit = 300
	if len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}
