package astedit

import (
	"path"
	"slices"
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
	l.once.Do(func() { l.grammar, l.err = flat.NewLanguage(l.Grammar(), l.Quirks) })
	if l.err != nil {
		return nil, &Error{Kind: KindUnsupportedLanguage, Message: "the grammar of " + l.Name + " cannot be used.", Err: l.err}
	}
	return l.grammar, nil
}

// Languages lists all languages, sorted by name.
func Languages() []LanguageInfo {
	out := make([]LanguageInfo, len(languages))
	for i := range languages {
		l := &languages[i] // not a copy: load may be filling it
		out[i] = LanguageInfo{
			Name:       l.Name,
			Aliases:    slices.Clone(l.Aliases),
			Extensions: slices.Clone(l.Extensions),
			FileNames:  slices.Clone(l.FileNames),
		}
	}
	slices.SortFunc(out, func(a, b LanguageInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// LanguageOf returns the name of the language that a file's name says it is in,
// or "".
func LanguageOf(name string) string {
	if l := languageOfName(name); l != nil {
		return l.Name
	}
	return ""
}

// unsupported says why some languages people ask for are missing.
var unsupported = map[string]string{
	"json": "There is no JSON grammar in this build. JSON parses as yaml: name the file and give that language.",
}

// lookupLanguage finds a language by name or alias, in any case.
func lookupLanguage(name string) (*language, error) {
	key := strings.ToLower(strings.TrimSpace(name))
	if l := byAlias[key]; l != nil {
		return l, nil
	}
	var names []string
	for _, l := range Languages() {
		names = append(names, l.Name)
	}
	hint := nearest(key, names)
	if why, known := unsupported[key]; known {
		hint = why
	} else if hint == "" {
		hint = "Known are " + strings.Join(names, ", ") + "."
	}
	return nil, &Error{Kind: KindUnsupportedLanguage, Message: "language " + quote(name) + " is not supported.", Hint: hint}
}

// languageOfName finds a language by a file's name alone.
func languageOfName(name string) *language {
	base := path.Base(name)
	if l := byFileName[base]; l != nil {
		return l
	}
	// The longest extension wins: "a.blade.php" before "a.php".
	for i := 0; i < len(base); i++ {
		if base[i] != '.' || i == len(base)-1 {
			continue
		}
		if l := byExtension[base[i+1:]]; l != nil {
			return l
		}
		if l := byExtension[strings.ToLower(base[i+1:])]; l != nil {
			return l
		}
	}
	return nil
}

// mayHaveShebang says whether a file's name leaves its language to its first
// line.
func mayHaveShebang(name string) bool { return !strings.Contains(path.Base(name), ".") }

// languageOfShebang finds a language by the first line of a script.
func languageOfShebang(text []byte) *language {
	line, _, _ := strings.Cut(string(text[:min(len(text), 256)]), "\n")
	line, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	for _, word := range strings.Fields(line) {
		name := path.Base(word)
		if name == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if l := byShebang[name]; l != nil {
			return l
		}
		// python3.12 is a python.
		return byShebang[strings.TrimRight(name, "0123456789.-")]
	}
	return nil
}

// The tables below are made once from languages and not changed after.
var byAlias, byExtension, byFileName, byShebang = indexLanguages()

func indexLanguages() (alias, ext, file, shebang map[string]*language) {
	alias, ext = map[string]*language{}, map[string]*language{}
	file, shebang = map[string]*language{}, map[string]*language{}
	for i := range languages {
		l := &languages[i]
		l.once = new(sync.Once)
		alias[l.Name] = l
		for _, a := range l.Aliases {
			alias[a] = l
		}
		for _, e := range l.Extensions {
			ext[e] = l
		}
		for _, f := range l.FileNames {
			file[f] = l
		}
		for _, s := range l.Shebangs {
			shebang[s] = l
		}
	}
	return alias, ext, file, shebang
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
