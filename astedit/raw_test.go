package astedit

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Every grammar must let its trees be read from memory, and what is read must be
// what the cursor says. A failure means that tree-sitter was exchanged and the
// walk must be looked at.
func TestWalksAgree(t *testing.T) {
	paths, err := filepath.Glob(goldenDir + "/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, path := range paths {
		for _, text := range readGolden(t, path).files {
			texts = append(texts, text)
		}
	}
	for i := range languages {
		l := &languages[i]
		grammar, err := l.load()
		if err != nil {
			t.Fatal(err)
		}
		if !grammar.Raw() {
			t.Errorf("%s is walked by the cursor", l.Name)
		}
		raw, err := flat.NewParser(grammar)
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		cursor, err := flat.NewCursorParser(grammar)
		if err != nil {
			t.Fatal(err)
		}
		defer cursor.Close()
		// Texts of other languages are good for errors.
		for _, text := range texts {
			a, errA := raw.Parse(t.Context(), []byte(text))
			b, errB := cursor.Parse(t.Context(), []byte(text))
			if (errA == nil) != (errB == nil) {
				t.Fatalf("%s: %v and %v on %q", l.Name, errA, errB, text)
			}
			if errA == nil && !slices.Equal(a.Nodes, b.Nodes) {
				t.Errorf("%s: the walks differ on %q", l.Name, text)
			}
		}
	}
}
