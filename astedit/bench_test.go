package astedit

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// benchText is a Go file of about 200 KB in which the patterns of the benchmarks
// match here and there.
func benchText() []byte {
	var b strings.Builder
	b.WriteString("package a\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "\nfunc f%d(a, b int) error {\n\tx := g(a, b, %d)\n\tif x == nil {\n\t\treturn h(x, \"text\")\n\t}\n\t// comment\n\treturn nil\n}\n", i, i)
	}
	return []byte(b.String())
}

func benchPattern(b *testing.B, pattern string) *Pattern {
	b.Helper()
	p, err := Compile(b.Context(), pattern, "go", CompileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		benchPattern(b, "if $X == nil { return h($X, $$$A) }")
	}
}

func BenchmarkPrefilter(b *testing.B) {
	f := newPrefilter(benchPattern(b, "h($X, nothingLikeThis)"))
	text := benchText()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if f.mayMatch(text) {
			b.Fatal("it occurs")
		}
	}
}

func BenchmarkFlatten(b *testing.B) {
	text := benchText()
	l, err := builtin.lookup("go")
	if err != nil {
		b.Fatal(err)
	}
	grammar, err := l.load()
	if err != nil {
		b.Fatal(err)
	}
	for name, open := range map[string]func(*flat.Language) (*flat.Parser, error){"raw": flat.NewParser, "cursor": flat.NewCursorParser} {
		b.Run(name, func(b *testing.B) {
			p, err := open(grammar)
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Parse(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	tree, err := Parse(b.Context(), "go", benchText())
	if err != nil {
		b.Fatal(err)
	}
	for _, pattern := range []string{"nothing($A, $$$B)", "if $X == nil { $$$B }", "$A($$$B)", "$A == $A"} {
		p := benchPattern(b, pattern)
		b.Run(pattern, func(b *testing.B) {
			b.SetBytes(int64(len(tree.tree.Text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Match(context.Background(), tree); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTemplate(b *testing.B) {
	text := []byte("{\n  {\n    f(a, {\n      b: 1,\n      c: 2,\n    });\n  }\n}\n")
	p, err := Compile(b.Context(), "f($A, $B)", "js", CompileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	tree, err := Parse(b.Context(), "js", text)
	if err != nil {
		b.Fatal(err)
	}
	found, err := p.Match(b.Context(), tree)
	if err != nil || len(found) != 1 {
		b.Fatal(found, err)
	}
	t := p.Template("if ($A) {\n  g($B);\n}")
	b.ReportAllocs()
	for b.Loop() {
		t.Expand(found[0], text)
	}
}

// The matcher allocates when something matches, never for what does not.
func TestMatchAllocatesNothingForMisses(t *testing.T) {
	tree, err := Parse(t.Context(), "go", benchText())
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"nothing($A, $$$B)", "if $X == something { $$$B }", "g($$$A, nothing)", "$A($A)", `h($X, "other")`} {
		p, err := Compile(t.Context(), pattern, "go", CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(3, func() {
			if found, err := p.Match(t.Context(), tree); err != nil || len(found) > 0 {
				t.Fatal(found, err)
			}
		})
		if allocs > 8 {
			t.Errorf("%s: %v allocations over %d nodes", pattern, allocs, len(tree.tree.Nodes))
		}
	}
}
