package astedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Grammar is a tree-sitter grammar of the user's, of ABI 13 or 14, in a shared
// library. It is loaded into the process that searches, with all that this means:
// a list of grammars is the user's own, never a workspace's.
type Grammar struct {
	Name string `json:"name"`
	// Library is the file, absolute or relative to the list that names it.
	Library string `json:"library"`
	// Symbol is the function that returns the grammar; tree_sitter_NAME if empty.
	Symbol     string   `json:"symbol,omitempty"`
	Aliases    []string `json:"aliases,omitempty"`
	Extensions []string `json:"extensions,omitempty"` // without the dot
	FileNames  []string `json:"fileNames,omitempty"`
	Shebangs   []string `json:"shebangs,omitempty"` // interpreters of scripts
	// MetavarChar stands for the "$" of a metavariable while a pattern is parsed:
	// something that begins a name in the language. If it is empty, a few that do
	// in most languages are tried.
	MetavarChar string `json:"metavarChar,omitempty"`
}

// LoadLanguages returns the languages of this build and those of the grammars that
// a JSON file lists; nil if there is no such file. A list that cannot be read is
// an error, and the languages say so to who asks for one that they do not have. A
// library is loaded when its language is first asked for.
func LoadLanguages(list string) (*Languages, error) {
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var grammars []Grammar
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err = d.Decode(&grammars); err != nil {
			grammars = nil // what was read of them
		}
	}
	ls := &Languages{}
	for _, l := range builtin.all {
		ls.add(l)
	}
	for i := range grammars {
		g := &grammars[i]
		if g.Name == "" || g.Library == "" {
			err = errors.Join(err, fmt.Errorf("grammar %d has no name or no library", i+1))
			continue
		}
		if !filepath.IsAbs(g.Library) {
			g.Library = filepath.Join(filepath.Dir(list), g.Library)
		}
		ls.add(g.language())
	}
	if err != nil {
		err = fmt.Errorf("the list of grammars %s cannot be used: %w", list, err)
		ls.flaw = sentence(err.Error())
	}
	return ls, err
}

// sentence makes an error's text one.
func sentence(s string) string { return string(bytes.ToUpper([]byte(s[:1]))) + s[1:] + "." }

func (g *Grammar) language() *language {
	l := &language{
		LanguageInfo: LanguageInfo{Name: g.Name, Aliases: g.Aliases, Extensions: g.Extensions, FileNames: g.FileNames},
		Shebangs:     g.Shebangs,
		Disguises:    []disguise{undisguised, letter, ascii, class},
		Library:      g,
	}
	if g.MetavarChar != "" {
		l.Disguises = []disguise{{sigil: g.MetavarChar}}
	}
	return l
}

func (g *Grammar) open() (*flat.Language, error) {
	symbol := g.Symbol
	if symbol == "" {
		symbol = "tree_sitter_" + g.Name
	}
	return flat.Open(g.Library, symbol)
}

// Check loads the grammars that the user listed and returns what is wrong with
// each that cannot be used.
func (ls *Languages) Check() error {
	var errs []error
	for _, l := range ls.orBuiltin().all {
		if l.Library != nil {
			_, err := l.load()
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
