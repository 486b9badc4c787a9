package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

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
func scanOnce(dir, lang string, op astedit.Op) error {
	p, err := astedit.Scan(context.Background(), astedit.Request{
		Ops: []astedit.Op{op}, Lang: lang, AllowBroken: true,
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

// warmScan prints the median time of requests to a cache that has seen all files,
// as a daemon's has.
func warmScan(dir, lang string, op astedit.Op, runs int) error {
	req := astedit.Request{
		Ops: []astedit.Op{op}, Lang: lang, AllowBroken: true, Cache: astedit.NewCache(astedit.DefaultCacheSize),
	}
	var samples []sample
	for i := range runs + 1 {
		start := time.Now()
		if _, err := astedit.Scan(context.Background(), req, directory(dir)); err != nil {
			return err
		}
		if i > 0 {
			samples = append(samples, sample{wall: time.Since(start)})
		}
	}
	fmt.Println(median(samples).wall)
	return nil
}
