package astedit

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// fuzzTimeout is far more than any input of a fuzzer may need.
const fuzzTimeout = 60 * time.Second

// seed adds the goldens' patterns, rewrites and files to a fuzzer.
func seed(f *testing.F, add func(lang uint8, pattern, rewrite, text string)) {
	f.Helper()
	paths, err := filepath.Glob(goldenDir + "/*/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no goldens", err)
	}
	for _, path := range paths {
		c := readGolden(f, path)
		for i := range languages {
			if languages[i].Name != c.req.Lang {
				continue
			}
			for _, text := range c.files {
				add(uint8(i), c.req.Ops[0].Pattern, c.req.Ops[0].Rewrite, text)
			}
		}
	}
}

// FuzzPattern: any pattern on any text neither panics nor hangs, finds nodes in
// order, and finds nothing that the prefilter has ruled out.
func FuzzPattern(f *testing.F) {
	seed(f, func(lang uint8, pattern, _, text string) { f.Add(lang, uint8(0), pattern, text) })
	f.Fuzz(func(t *testing.T, lang, strictness uint8, pattern, text string) {
		l := &languages[int(lang)%len(languages)]
		ctx, cancel := context.WithTimeout(t.Context(), fuzzTimeout)
		defer cancel()
		p, err := compile(ctx, pattern, l, CompileOptions{Strictness: Strictness(strictness % 6)})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindInvalidPattern {
				t.Fatalf("%v", err)
			}
			return
		}
		if !utf8.ValidString(text) {
			return
		}
		found, ok := parseAndMatch(ctx, t, p, l, text)
		if !ok {
			return
		}
		last := 0
		for _, m := range found {
			if m.Start < last || m.End < m.Start || m.End > len(text) {
				t.Fatalf("match %d-%d after %d", m.Start, m.End, last)
			}
			last = m.Start
			for _, c := range m.captures {
				if c.Bound && c.Start != c.End && (c.Start < m.Start || c.End > m.End) {
					t.Fatalf("capture %d-%d outside %d-%d", c.Start, c.End, m.Start, m.End)
				}
			}
		}
		if len(found) > 0 && !newPrefilter(p).mayMatch([]byte(text)) {
			t.Fatalf("the prefilter rules out a text with a match at %d-%d", found[0].Start, found[0].End)
		}
	})
}

// parseAndMatch is false for a text that the grammar gets stuck on.
func parseAndMatch(ctx context.Context, t *testing.T, p *Pattern, l *language, text string) ([]Match, bool) {
	t.Helper()
	tree, err := Parse(ctx, l.Name, []byte(text))
	if errors.Is(err, flat.ErrStuck) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Match(ctx, tree)
	if err != nil {
		t.Fatal(err)
	}
	return found, true
}

// FuzzRewrite: hunks never overlap, and applying them gives what a slow, plain
// implementation of the template rules gives.
func FuzzRewrite(f *testing.F) {
	seed(f, func(lang uint8, pattern, rewrite, text string) { f.Add(lang, pattern, rewrite, text) })
	f.Fuzz(func(t *testing.T, lang uint8, pattern, rewrite, text string) {
		l := &languages[int(lang)%len(languages)]
		if !utf8.ValidString(text) || len(text) > 10_000 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), fuzzTimeout)
		defer cancel()
		p, err := compile(ctx, pattern, l, CompileOptions{})
		if err != nil {
			return
		}
		found, ok := parseAndMatch(ctx, t, p, l, text)
		if !ok {
			return
		}
		hits := make([]hit, len(found))
		for i, m := range found {
			hits[i] = hit{Match: m}
		}
		top, err := arrange(hits, []Op{{pattern, rewrite}})
		if err != nil {
			t.Fatal(err)
		}
		w := rewriter{
			ctx: ctx, rules: []rule{{pattern: p, template: p.Template(rewrite)}}, text: []byte(text), crlf: usesCRLF([]byte(text)),
		}
		var edits []textedit.Edit
		for _, h := range top {
			after, err := w.expand(h)
			if KindOf(err) == KindLimit {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			edits = append(edits, textedit.Edit{Start: h.Start, End: h.End, New: after})
		}
		got, err := textedit.Apply([]byte(text), edits)
		if err != nil {
			t.Fatal(err)
		}
		r := slowRewriter{pattern: p, rewrite: rewrite, text: text, matches: found}
		if want := r.region(0, len(text), -1); string(got) != want {
			t.Fatalf("got %q\nwant %q", got, want)
		}
	})
}

// slowRewriter says what a rewrite means, without a thought for speed.
type slowRewriter struct {
	pattern *Pattern
	rewrite string
	text    string
	matches []Match
}

// region is the text from start to end with the matches in it rewritten, those
// inside another left to it. outer is the match that region is a capture of.
func (r *slowRewriter) region(start, end, outer int) string {
	if outer >= 0 && r.matches[outer].Start == start && r.matches[outer].End == end {
		return r.text[start:end]
	}
	out, at := "", start
	for at < end {
		best := -1
		for i, m := range r.matches {
			if m.Start == m.End || m.Start < at || m.End > end {
				continue
			}
			if outer >= 0 && m.Start == r.matches[outer].Start && m.End == r.matches[outer].End {
				continue
			}
			if best < 0 || m.Start < r.matches[best].Start || m.Start == r.matches[best].Start && m.End > r.matches[best].End {
				best = i
			}
		}
		if best < 0 {
			break
		}
		out += r.text[at:r.matches[best].Start] + r.match(best)
		at = r.matches[best].End
	}
	return out + r.text[at:end]
}

var slowVariable = regexp.MustCompile(`\$\$\$[A-Z_0-9]+|\$\$?[A-Z_][A-Z_0-9]*`)

// match is what becomes of one match.
func (r *slowRewriter) match(i int) string {
	m := r.matches[i]
	indent := slowIndent(r.text[:m.Start])
	out, rest, done := "", r.rewrite, 0
	literal := func(s string) {
		if line, _, found := strings.Cut(r.text, "\n"); found && strings.HasSuffix(line, "\r") {
			s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
		}
		out += strings.ReplaceAll(s, "\n", "\n"+indent)
	}
	for {
		at := slowVariable.FindStringIndex(rest)
		if at == nil {
			literal(rest)
			return out
		}
		literal(rest[:at[0]])
		name := rest[at[0]:at[1]]
		v := metavar{name: strings.TrimLeft(name, "$"), multi: strings.HasPrefix(name, "$$$")}
		for slot, known := range r.pattern.vars {
			if c := m.captures[slot]; known == v && c.Start < c.End {
				from, to := slowIndent(r.text[:c.Start]), slowIndent(r.rewrite[:done+at[0]])
				out += slowMove(r.region(c.Start, c.End, i), from, to, indent)
			}
		}
		done += at[1]
		rest = rest[at[1]:]
	}
}

// slowMove moves all lines but the first. Tabs in a line's indentation are kept,
// those of the template are added; spaces are counted.
func slowMove(text, from, to, indent string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		switch {
		case strings.Contains(from, "\t") || strings.Contains(to, "\t"):
			if strings.Contains(to, "\t") {
				lines[i] = to + lines[i]
			}
		case len(from) > len(to):
			lines[i] = strings.TrimPrefix(lines[i], from[len(to):])
		default:
			lines[i] = to[len(from):] + lines[i]
		}
		if !strings.Contains(indent, "\t") {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// slowIndent is the white space at the start of the last line, unless the line
// is too long for it to count.
func slowIndent(before string) string {
	line := before[strings.LastIndex(before, "\n")+1:]
	if len(line) > indentWindow || len(line) == indentWindow && len(line) < len(before) {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
