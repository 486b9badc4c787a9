package flat

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
)

func TestGrammarPointer(t *testing.T) {
	l, err := NewLanguage(golang.GetLanguage(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.KindCount(), int(golang.GetLanguage().SymbolCount()); got != want {
		t.Fatalf("KindCount = %d, want %d", got, want)
	}
	for i := range l.KindCount() {
		if got, want := l.KindName(Kind(i)), golang.GetLanguage().SymbolName(sitter.Symbol(i)); got != want {
			t.Fatalf("KindName(%d) = %q, want %q", i, got, want)
		}
	}
}

func testParser(t testing.TB, l *sitter.Language) *Parser {
	t.Helper()
	lang, err := NewLanguage(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewParser(lang)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// The array must say what smacker's own nodes say.
func TestFlattenAgreesWithNodes(t *testing.T) {
	texts := []string{
		"", "\n", "a", "f(1, /* c */ 2);\nlet x = ;\n", "function f() { return `a${b}c` }\n// end",
		"let a = 1\r\nlet b", "if (", strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
	}
	p := testParser(t, javascript.GetLanguage())
	for _, text := range texts {
		tree, err := p.Parse(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		root, err := sitter.ParseCtx(t.Context(), []byte(text), javascript.GetLanguage())
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		var walk func(n *sitter.Node)
		walk = func(n *sitter.Node) {
			f, at := tree.Nodes[i], i
			i++
			if f.Start != n.StartByte() || f.End != n.EndByte() || tree.Lang.KindName(f.Kind) != n.Type() ||
				(f.Flags&Named != 0) != n.IsNamed() || (f.Flags&Extra != 0) != n.IsExtra() ||
				(f.Flags&Missing != 0) != n.IsMissing() || (f.Flags&HasError != 0) != n.HasError() {
				t.Fatalf("%q: node %d is %+v, want %s", text, at, f, n)
			}
			for c := range n.ChildCount() {
				walk(n.Child(int(c)))
			}
			if int(f.Skip) != i-at {
				t.Fatalf("%q: node %d skips %d, want %d", text, at, f.Skip, i-at)
			}
		}
		walk(root)
		if i != len(tree.Nodes) {
			t.Fatalf("%q: %d nodes, want %d", text, len(tree.Nodes), i)
		}
	}
}

func TestDeepNesting(t *testing.T) {
	p := testParser(t, javascript.GetLanguage())
	const depth = 100_000
	tree, err := p.Parse(t.Context(), []byte(strings.Repeat("(", depth)+"1"+strings.Repeat(")", depth)))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Nodes) < depth {
		t.Fatalf("only %d nodes", len(tree.Nodes))
	}
}

func TestCancelInsideParse(t *testing.T) {
	p := testParser(t, javascript.GetLanguage())
	text := []byte(strings.Repeat("f(a, b, c);\n", 1_000_000))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := p.Parse(ctx, text); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("err = %v", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Fatalf("took %v to stop", d)
	}
	tree, err := p.Parse(t.Context(), []byte("f(1)"))
	if err != nil || tree.HasError() {
		t.Fatalf("parser is unusable after a stop: %v", err)
	}
}

func TestReparseFindsNewError(t *testing.T) {
	p := testParser(t, javascript.GetLanguage())
	if _, err := p.ParseKeep(t.Context(), []byte("f(1);\n")); err != nil {
		t.Fatal(err)
	}
	edit := Edit{Start: Place{2, 0, 2}, OldEnd: Place{3, 0, 3}, NewEnd: Place{4, 0, 4}}
	broken, err := p.Reparse(t.Context(), []Edit{edit}, []byte("f(((;\n"))
	if err != nil || !broken {
		t.Fatalf("broken = %v, err = %v", broken, err)
	}
}

// What one parse leaves behind must not show in the next: a parser's memory is
// forgotten as a whole between them.
func TestParserForgets(t *testing.T) {
	texts := []string{
		strings.Repeat("let a = `${f(1)}`;\n", 4_000), "f(1)", strings.Repeat("if (a { [", 300), "", "a /* b */\n",
		"x = " + strings.Repeat("[", 3000), strings.Repeat("a.b(c)\n", 8_000),
	}
	want := make([][]Node, len(texts))
	for i, text := range texts {
		tree, err := testParser(t, javascript.GetLanguage()).Parse(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want[i] = slices.Clone(tree.Nodes)
	}
	for range 2 * runtime.GOMAXPROCS(0) {
		p := testParser(t, javascript.GetLanguage())
		seed := rand.Uint64()
		t.Run("", func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			for range 30 {
				i := random.IntN(len(texts))
				keep := random.IntN(3) == 0
				tree, err := p.parse(t.Context(), []byte(texts[i]), keep)
				if err != nil || !slices.Equal(tree.Nodes, want[i]) {
					t.Fatalf("seed %d: text %d: %d nodes, want %d; err = %v", seed, i, len(tree.Nodes), len(want[i]), err)
				}
				broken, err := p.Reparse(t.Context(), nil, []byte(texts[i]))
				if keep != (err == nil) || keep && broken != (want[i][0].Flags&HasError != 0) {
					t.Fatalf("seed %d: text %d, kept %v: broken = %v, err = %v", seed, i, keep, broken, err)
				}
				if random.IntN(4) == 0 {
					stopped, cancel := context.WithCancel(t.Context())
					time.AfterFunc(time.Duration(random.IntN(2_000))*time.Microsecond, cancel)
					_, _ = p.Parse(stopped, []byte(texts[0]))
					cancel()
				}
			}
		})
	}
}
