package lsp

import (
	"errors"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// Engine is what structural edits are searched with; sessions share one. The zero
// value parses anew each time and knows the languages of this build.
type Engine struct {
	cache     *astedit.Cache
	languages *astedit.Languages
}

// NewEngine makes an engine with a cache of the default size that knows the
// grammars of a list too; see [astedit.LoadLanguages]. The engine works without
// those that an error names.
func NewEngine(grammars string) (Engine, error) {
	languages, err := astedit.LoadLanguages(grammars)
	return Engine{cache: astedit.NewCache(astedit.DefaultCacheSize), languages: languages}, err
}

// CheckGrammars loads the grammars of a list and returns how many there are and
// what is wrong with them.
func CheckGrammars(list string) (count int, err error) {
	languages, err := astedit.LoadLanguages(list)
	return len(languages.List()) - len((*astedit.Languages)(nil).List()), errors.Join(err, languages.Check())
}

// request is the engine's form of an astEdit.
func (e Engine) request(p wire.ASTEditParams) astedit.Request {
	req := astedit.Request{
		Lang:       p.Lang,
		Paths:      p.Path,
		Globs:      p.Glob,
		Selector:   p.Sel,
		Strictness: p.Strictness,
		Limit:      p.Limit,
		MaxFiles:   p.MaxFiles,

		FailOnParseError: p.FailOnParseError,
		StrictParse:      p.StrictParse,
		AllowBroken:      p.AllowBroken,
		AllowInvalidUTF8: p.AllowInvalidUTF8,

		Cache:     e.cache,
		Languages: e.languages,
	}
	for _, op := range p.Ops {
		req.Ops = append(req.Ops, astedit.Op{Pattern: op.Pat, Rewrite: op.Out})
	}
	return req
}
