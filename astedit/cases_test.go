package astedit

import (
	"encoding/json"
	"os"
	"testing"
)

func TestTmpCases(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("CASES"))
	if err != nil {
		t.Skip()
	}
	var cases []struct {
		ID                                                                       int
		Lang, Ext, Pattern, Rewrite, Selector, Strictness, Source, After string
		Matches                                                                  []struct {
			Start, End  int
			Replacement string
		}
		Error bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		s, err := ParseStrictness(c.Strictness)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(t.Context(), c.Pattern, c.Lang, CompileOptions{Selector: c.Selector, Strictness: s})
		if err != nil {
			if !c.Error {
				t.Errorf("%d %s: %v", c.ID, c.Pattern, err)
			}
			continue
		}
		tree, err := Parse(t.Context(), c.Lang, []byte(c.Source))
		if err != nil {
			t.Fatal(err)
		}
		ms, err := p.Match(t.Context(), tree)
		if err != nil {
			t.Fatal(err)
		}
		tpl := p.Template(c.Rewrite)
		for i, m := range ms {
			got := tpl.Expand(m, []byte(c.Source))
			if i >= len(c.Matches) {
				t.Errorf("%d %s: extra match %d %d %q", c.ID, c.Pattern, m.Start, m.End, got)
				continue
			}
			w := c.Matches[i]
			if w.Start != m.Start || w.End != m.End || w.Replacement != got {
				t.Errorf("%d %s: got %d %d %q want %+v", c.ID, c.Pattern, m.Start, m.End, got, w)
			}
		}
		if len(ms) < len(c.Matches) {
			t.Errorf("%d %s: missing %+v (%d readings)", c.ID, c.Pattern, c.Matches[len(ms):], len(p.readings))
		}
	}
}
