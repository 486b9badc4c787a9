package astedit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/astedit"
)

// folder is a source without open documents.
type folder string

func (f folder) Root() string                { return string(f) }
func (folder) Overlay(string) ([]byte, bool) { return nil, false }
func (folder) Overlays() []string            { return nil }

func ExampleScan() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nvar err = errors.Wrap(e, \"open\")\n"), 0o600); err != nil {
		panic(err)
	}
	preview, err := astedit.Scan(context.Background(), astedit.Request{
		Ops: []astedit.Op{{Pattern: "errors.Wrap($ERR, $MSG)", Rewrite: `fmt.Errorf("%s: %w", $MSG, $ERR)`}},
	}, folder(dir))
	if err != nil {
		panic(err)
	}
	for _, f := range preview.Files {
		for _, h := range f.Hunks {
			fmt.Printf("%s:%d: %s -> %s\n", f.Path, h.Start, h.Before, h.After)
		}
	}
	// Output: a.go:21: errors.Wrap(e, "open") -> fmt.Errorf("%s: %w", "open", e)
}

func ExampleCompile() {
	ctx := context.Background()
	pattern, err := astedit.Compile(ctx, "print($$$ARGS)", "python", astedit.CompileOptions{})
	if err != nil {
		panic(err)
	}
	text := []byte("print(1, 2)\n")
	tree, err := astedit.Parse(ctx, "python", text)
	if err != nil {
		panic(err)
	}
	matches, err := pattern.Match(ctx, tree)
	if err != nil {
		panic(err)
	}
	template := pattern.Template("log($$$ARGS)")
	for _, m := range matches {
		fmt.Println(m.Start, m.End, template.Expand(m, text))
	}
	// Output: 0 11 log(1, 2)
}
