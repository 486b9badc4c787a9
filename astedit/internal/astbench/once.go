package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"

	"github.com/pending-lsp/pending-lsp/astedit"
)

// directory is a source without open documents.
type directory string

func (d directory) Root() string                { return string(d) }
func (directory) Overlay(string) ([]byte, bool) { return nil, false }
func (directory) Overlays() []string            { return nil }

// match is what ast-grep's JSON says of a match, as far as we have it.
type match struct {
	Text        string `json:"text"`
	Replacement string `json:"replacement"`
	File        string `json:"file"`
	Start       int    `json:"start"`
	End         int    `json:"end"`
}

// scanOnce does what ast-grep run --json=compact does.
func scanOnce(dir, lang, pattern string) error {
	p, err := astedit.Scan(context.Background(), astedit.Request{
		Ops: []astedit.Op{{Pattern: pattern, Rewrite: "x"}}, Lang: lang, AllowBroken: true,
	}, directory(dir))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	encoder := json.NewEncoder(out)
	for _, f := range p.Files {
		for _, h := range f.Hunks {
			if err := encoder.Encode(match{h.Before, h.After, f.Path, h.Start, h.End}); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
