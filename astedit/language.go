package astedit

import (
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// LanguageInfo describes a language that can be searched.
type LanguageInfo struct {
	Name       string
	Aliases    []string
	Extensions []string // without the dot
	FileNames  []string // for files that no extension identifies
}

// language is one row of the table of languages.
type language struct {
	LanguageInfo
	// Shebangs are the interpreters whose scripts are in this language.
	Shebangs []string
	// Disguises are what metavariables are replaced by before parsing; the
	// later ones are tried when the earlier give nothing clean. None where the
	// grammar has "$" in identifiers.
	Disguises []disguise
	// Placements are where a pattern may stand, besides the file itself.
	Placements []placement
	// NoFile says that a pattern may not stand alone in a file: Placements
	// have all there is.
	NoFile bool
	// Unlikely are kinds that a pattern seldom means: when it reads as one of
	// them in a wider placement, the narrower ones are tried all the same.
	Unlikely []string
	// AnyCase says that keywords may be written in any case.
	AnyCase bool
	// Comments are the language's comments, if they and tokens are all that may
	// stand between two names where a pattern has nothing there.
	Comments *commentForms
	// Quirks are what the grammar does otherwise than others.
	Quirks flat.Options
	// Grammar returns smacker's grammar.
	Grammar func() *sitter.Language
	// Library is where a language of the user's is; it has no Grammar then.
	Library *Grammar

	// once guards grammar and err, which load fills.
	once    *sync.Once
	grammar *flat.Language
	err     error
}

// commentForms say how comments look.
type commentForms struct {
	line []string // what begins one that goes on to the end of the line
	end  string   // what ends another, "" where there are no such
}

func (l *language) disguises() []disguise {
	if len(l.Disguises) == 0 {
		return []disguise{undisguised}
	}
	return l.Disguises
}

func (l *language) placements() []placement {
	if l.NoFile {
		return l.Placements
	}
	return append([]placement{file}, l.Placements...)
}

// load reads the grammar's tables the first time it is called.
func (l *language) load() (*flat.Language, error) {
	l.once.Do(func() {
		if l.Library != nil {
			l.grammar, l.err = l.Library.open()
		} else {
			l.grammar, l.err = flat.NewLanguage(l.Grammar(), l.Quirks)
		}
	})
	if l.err != nil {
		return nil, &Error{Kind: KindUnsupportedLanguage, Message: "the grammar of " + l.Name + " cannot be used: " + l.err.Error() + ".", Err: l.err}
	}
	return l.grammar, nil
}

// nearest suggests the candidate that differs least from a mistyped word.
func nearest(word string, candidates []string) string {
	best, bestDistance := "", 1+len(word)/3
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(word), c); d <= bestDistance && d > 0 {
			best, bestDistance = c, d-1
		}
	}
	if best == "" {
		return ""
	}
	return "Did you mean " + best + "?"
}

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
