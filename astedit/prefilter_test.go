package astedit

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// TestPrefilterIsExact cuts patterns out of real code, and out of the goldens of
// every language, and makes sure that no text with a match is turned down.
func TestPrefilterIsExact(t *testing.T) {
	byLang := map[string][]string{}
	paths, err := filepath.Glob(goldenDir + "/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		for name, text := range readGolden(t, path).files {
			if lang := builtin.Of(name); lang != "" {
				byLang[lang] = append(byLang[lang], text)
			}
		}
	}
	for _, c := range corpora(t)[:3] {
		for _, glob := range c.globs[:1] {
			files, err := filepath.Glob(glob)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files[:min(len(files), 12)] {
				if text, err := os.ReadFile(f); err == nil && len(text) < 200_000 {
					byLang[c.lang] = append(byLang[c.lang], string(text))
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	checked, matched := 0, 0
	for lang, texts := range byLang {
		var trees []*Tree
		for _, text := range texts {
			tree, err := Parse(t.Context(), lang, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		for range 60 {
			tree := trees[rng.IntN(len(trees))].tree
			i := rng.IntN(len(tree.Nodes))
			if n := &tree.Nodes[i]; n.Flags&(flat.HasError|flat.Extra) != 0 || n.Skip > 120 || n.End == n.Start {
				continue
			}
			pattern := abstractNode(rng, tree, i)
			if rng.IntN(3) == 0 {
				pattern = abstractList(rng, tree, i)
			}
			strictness := Strictness(rng.IntN(6))
			p, err := Compile(t.Context(), pattern, lang, CompileOptions{Strictness: strictness})
			if err != nil {
				continue
			}
			f := newPrefilter(p)
			for k, tree := range trees {
				found, err := p.Match(t.Context(), tree)
				if err != nil {
					t.Fatal(err)
				}
				checked++
				if matched += len(found); len(found) > 0 && !f.mayMatch([]byte(texts[k])) {
					m := found[0]
					t.Errorf("%s, %s: %q matches %q but its literals %v do not occur", lang, strictness, pattern, texts[k][m.Start:m.End], f.groups)
				}
			}
		}
	}
	t.Logf("%d texts, %d matches", checked, matched)
}
