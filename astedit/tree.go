package astedit

import (
	"context"
	"fmt"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Tree is a parsed text, ready to be matched. It is immutable.
type Tree struct {
	lang *language
	tree *flat.Tree
}

// Parse parses text in a language given by name or alias. The tree keeps text,
// which must not change. The errors are [KindUnsupportedLanguage] and ctx's.
func Parse(ctx context.Context, lang string, text []byte) (*Tree, error) {
	l, err := (*Languages)(nil).lookup(lang)
	if err != nil {
		return nil, err
	}
	grammar, err := l.load()
	if err != nil {
		return nil, err
	}
	parser, err := flat.NewParser(grammar)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", l.Name, err)
	}
	defer parser.Close()
	t, err := parser.Parse(ctx, text)
	if err != nil {
		return nil, err
	}
	return &Tree{lang: l, tree: t.Clone(text)}, nil
}

// HasError says whether the text has a syntax error.
func (t *Tree) HasError() bool { return t.tree.HasError() }
