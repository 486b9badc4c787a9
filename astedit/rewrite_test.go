package astedit

import (
	"strings"
	"testing"
)

func TestArrange(t *testing.T) {
	ops := []Op{{Pattern: "first"}, {Pattern: "second"}}
	at := func(start, end, op, node int) hit {
		return hit{Match: Match{Start: start, End: end, node: node}, op: op}
	}
	top, err := arrange([]hit{at(4, 6, 1, 3), at(0, 10, 0, 0), at(0, 10, 1, 1), at(5, 6, 0, 4), at(7, 7, 0, 5), at(12, 14, 1, 6)}, ops)
	if err != nil {
		t.Fatal(err)
	}
	if len(top) != 2 || top[0].op != 0 || len(top[0].inner) != 1 || len(top[0].inner[0].inner) != 1 || top[1].Start != 12 {
		t.Errorf("got %+v", top)
	}
	// Nodes of one tree cannot overlap; should ranges ever, nobody's edit wins.
	_, err = arrange([]hit{at(0, 5, 0, 0), at(3, 8, 1, 1)}, ops)
	if KindOf(err) != KindOverlap || !strings.Contains(err.Error(), `"first"`) || !strings.Contains(err.Error(), `"second"`) {
		t.Errorf("err = %v", err)
	}
}

// A rewrite whose result its pattern does not match leaves nothing to do.
func TestSecondRunFindsNothing(t *testing.T) {
	for _, c := range []struct{ lang, name, text, pattern, rewrite string }{
		{"js", "a.js", "f(f(1), [f(2), x => f(f(x))]);\n", "f($A, $$$B)", "g($A, $$$B)"},
		{"go", "a.go", "package a\n\nvar x = errors.Wrap(errors.Wrap(err, \"a\"), \"b\")\n", "errors.Wrap($E, $M)", "fmt.Errorf(\"%s: %w\", $M, $E)"},
		{"python", "a.py", "x = not (not a)\ny = not not b\n", "not $A", "inverse($A)"},
		{"rust", "a.rs", "fn f() { a.unwrap().b(c.unwrap()).unwrap(); }\n", "$A.unwrap()", "$A?"},
	} {
		after, first := rewriteText(t, c.name, c.text, c.lang, Op{c.pattern, c.rewrite})
		again, _ := rewriteText(t, c.name, after, c.lang, Op{c.pattern, c.rewrite})
		if again != after || first.TotalReplacements == 0 {
			t.Errorf("%s: %q becomes %q, then %q", c.pattern, c.text, after, again)
		}
	}
}
