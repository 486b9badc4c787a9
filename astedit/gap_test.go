package astedit

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func gapFilter(t *testing.T, pattern, lang string) (*Pattern, *prefilter) {
	t.Helper()
	p, err := Compile(t.Context(), pattern, lang, CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p, newPrefilter(p)
}

// Both words in a text are not enough where one has to follow the other.
func TestGap(t *testing.T) {
	for _, c := range []struct {
		lang, pattern, text string
		want                bool
	}{
		{"go", "sync.OnceValues($$$A)", `var x = sync.OnceValues(f)`, true},
		{"go", "sync.OnceValues($$$A)", "var x = sync. // as in sync\n\t// and so\n\tOnceValues(f)", true},
		{"go", "sync.OnceValues($$$A)", "var x = sync. /* as */ /* in */ OnceValues(f)", true},
		{"go", "sync.OnceValues($$$A)", `var x = map[string][]string{"sync": {"Cond", "OnceValues"}}`, false},
		{"go", "sync.OnceValues($$$A)", "var OnceValues = sync.Cond(1, 2)", false},
		{"go", "sync.OnceValues($$$A)", "// sync\nvar x = other.OnceValues(f)", false},
		{"go", "sync.OnceValues($$$A)", "// sync.Other, other.OnceValues", true}, // in a comment: not looked at closer
		{"go", "sync.OnceValues($$$A)", "sync.é.OnceValues(f)", true},
		{"go", "sync.OnceValues($$$A)", "sync.a1.OnceValues(f)", false},
		{"javascript", "a.b", "a\n  ?.b", true},
		{"javascript", "a.b", "a <!-- c\n .b", true},
		{"javascript", "a.b", "c.b + a", false},
		{"python", "a.b", "a. \\\n  b", true},
		{"python", "a.b", "(a. # not c\n  b)", true},
		{"python", "a.b", "a, c.b", false},
		{"go", "a.b", "1a.b", true},
		{"go", "a.b", "a, 1, b", false},
		{"ruby", "a.b", "c.b + a", true}, // a heredoc may stand anywhere
	} {
		if _, f := gapFilter(t, c.pattern, c.lang); f.mayMatch([]byte(c.text)) != c.want {
			t.Errorf("%s, %s: mayMatch(%q) = %v", c.lang, c.pattern, c.text, !c.want)
		}
	}
	// Other levels overlook more.
	p, err := Compile(t.Context(), "a.b", "go", CompileOptions{Strictness: Relaxed})
	if err != nil {
		t.Fatal(err)
	}
	if !newPrefilter(p).mayMatch([]byte("c.b + a")) {
		t.Error("relaxed patterns must not look at gaps")
	}
}

// Tokens with white space in them are written in several ways.
func TestPrefilterTokens(t *testing.T) {
	for _, c := range []struct{ lang, pattern, text string }{
		{"c", "#include $A", "#  include <x.h>\n"},
		{"c", "#define $A 1", "# define a 1\n"},
		{"python", "$A not in $B", "a not  in b\n"},
		{"python", "$A is not $B", "a is \\\n not b\n"},
	} {
		p, f := gapFilter(t, c.pattern, c.lang)
		tree, err := Parse(t.Context(), c.lang, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := p.Match(t.Context(), tree); err != nil || len(found) == 0 || !f.mayMatch([]byte(c.text)) {
			t.Errorf("%s in %q: %d matches, mayMatch = %v, %v", c.pattern, c.text, len(found), f.mayMatch([]byte(c.text)), err)
		}
	}
}

// Whatever is put between the parts of a match, the filter lets it through.
func TestGapIsExact(t *testing.T) {
	parts := []string{"a", ".", "b", ".", "c", "(", "d", ",", "e", ")"}
	fillers := map[string][]string{
		"go":         {" ", "\n", "\t", "/* x */", "/* x\n y */", "// x y\n", "/**/"},
		"java":       {" ", "\r\n", "/* a.b */", "// b\n", "\f"},
		"javascript": {" ", "\n", "/* x */", "// x\n", "<!-- x\n", "\u00a0", "\u2028", "?"},
		"typescript": {" ", "\n", "/* x */", "// x\r\n", "!", "?"},
		"tsx":        {" ", "/** a */", "// a\n", "!"},
		"rust":       {" ", "/* x /* y */ z */", "// x\n", "/// x\n", "//! x\n"},
		"python":     {" ", "\t", "\\\n", "# x y\n", "\n", "\\\r\n"},
	}
	around := map[string][2]string{
		"go": {"package p\nvar x = (", ")\n"}, "java": {"class A { int x = (", "); }\n"}, "rust": {"fn f() { (", ") }\n"},
		"javascript": {"(", ")\n"}, "typescript": {"(", ")\n"}, "tsx": {"(", ")\n"}, "python": {"(", ")\n"},
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for lang, with := range fillers {
		p, f := gapFilter(t, "a.b.c($$$X)", lang)
		matched := 0
		for range 3000 {
			var b strings.Builder
			b.WriteString(around[lang][0])
			for _, part := range parts {
				b.WriteString(part)
				for rng.IntN(3) == 0 {
					b.WriteString(with[rng.IntN(len(with))])
				}
			}
			b.WriteString(around[lang][1])
			text := []byte(b.String())
			tree, err := Parse(t.Context(), lang, text)
			if err != nil {
				t.Fatal(err)
			}
			found, err := p.Match(t.Context(), tree)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				continue
			}
			if matched++; !f.mayMatch(text) {
				t.Errorf("%s: turned down %q", lang, text)
			}
		}
		if matched < 300 {
			t.Errorf("%s: only %d texts match: the test is blunt", lang, matched)
		}
	}
}

// A line of a megabyte must not be walked for each word in it.
func BenchmarkGapMinified(b *testing.B) {
	p, err := Compile(b.Context(), "sync.OnceValues($A)", "javascript", CompileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	f, text := newPrefilter(p), []byte("sync;"+strings.Repeat("x.OnceValues(1);", 60_000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f.mayMatch(text)
	}
}
