package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// search runs a structural edit's search. Of one that finds nothing, or cannot
// be run, it also says what it takes to mend the request.
func search(ctx context.Context, p wire.ASTEditParams, req astedit.Request, src astedit.Source) (*astedit.Preview, []wire.Warning, error) {
	preview, err := astedit.Scan(ctx, req, src)
	if err != nil {
		return nil, nil, teach(ctx, err, p, req, src)
	}
	if preview.TotalReplacements > 0 || preview.FilesSearched == 0 {
		return preview, nil, nil
	}
	hints := readings(ctx, p, preview.Lang, req.Languages)
	if other := elsewhere(ctx, req, src); other != "" {
		hints = append([]wire.Warning{{Kind: "language", Message: other}}, hints...)
	}
	return preview, hints, nil
}

// teach adds to a refusal how to mend the request.
func teach(ctx context.Context, err error, p wire.ASTEditParams, req astedit.Request, src astedit.Source) error {
	var refused *astedit.Error
	if !errors.As(err, &refused) {
		return err
	}
	hints := []string{refused.Hint}
	switch refused.Kind {
	case astedit.KindInvalidPattern:
		if p.Sel == "" {
			hints = append(hints, inBlock(ctx, p, req.Languages),
				`For a fragment, make pat the whole code around it and sel the node kind of the fragment: {"pat": "class A { $M() { $$$BODY } }", "sel": "method_definition"}. Explain a pattern to see how it parses.`)
		}
		hints = append(hints, elsewhere(ctx, req, src))
	case astedit.KindNotFound, astedit.KindOutsideWorkspace:
		hints = append(hints, fmt.Sprintf("Paths are relative to the workspace, %s.", src.Root()))
	default:
		return err
	}
	taught := *refused
	taught.Hint = strings.Join(slices.DeleteFunc(hints, func(h string) bool { return h == "" }), "\n")
	return &taught
}

// elsewhereTimeout bounds the search for another language. It has the files of a
// search that found nothing to look at, of which few can match.
const elsewhereTimeout = 500 * time.Millisecond

// elsewhere names the languages of the scope in which the patterns do match: a
// wrong lang is an easy mistake.
func elsewhere(ctx context.Context, req astedit.Request, src astedit.Source) string {
	if req.Lang == "" {
		return "" // it was inferred, so there is no other
	}
	ctx, cancel := context.WithTimeout(ctx, elsewhereTimeout)
	defer cancel()
	asked := req.Lang
	req.Lang, req.Limit, req.Progress, req.FailOnParseError, req.AllowBroken = "", 1, nil, false, true
	var found []string
	preview, err := astedit.Scan(ctx, req, src)
	if err == nil && preview.TotalReplacements > 0 {
		found = append(found, preview.Lang)
	}
	several := &astedit.Error{}
	errors.As(err, &several)
	for _, lang := range several.Languages {
		req.Lang = lang
		if preview, err := astedit.Scan(ctx, req, src); err == nil && preview.TotalReplacements > 0 {
			found = append(found, lang)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("in %s files there are matches: give that as lang instead of %s if it is meant.", strings.Join(found, " and "), asked)
}

// readings warns, for patterns that matched nothing, what they were taken for.
func readings(ctx context.Context, p wire.ASTEditParams, lang string, known *astedit.Languages) []wire.Warning {
	var out []wire.Warning
	for _, op := range p.Ops {
		x, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: op.Pat, Lang: lang, Languages: known, Selector: p.Sel, Strictness: p.Strictness})
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

// inBlock shows the first pattern that is no single node, but a block of them
// when braces are put around it.
func inBlock(ctx context.Context, p wire.ASTEditParams, known *astedit.Languages) string {
	for _, op := range p.Ops {
		alone, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: op.Pat, Lang: p.Lang, Languages: known})
		if err != nil || len(alone.Parsed) > 0 {
			continue
		}
		pat := "{ " + op.Pat + " }"
		block, err := astedit.Explain(ctx, astedit.ExplainRequest{Pattern: pat, Lang: p.Lang, Languages: known})
		if err == nil && len(block.Problems) == 0 && strings.Contains(block.RootKind, "block") {
			return fmt.Sprintf("%q would read as %s.", short(pat), short(block.Parsed[0]))
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
