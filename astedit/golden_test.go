package astedit

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata/astedit")

const goldenDir = "../testdata/astedit"

// goldenCase is one txtar file; testdata/astedit/README.md specifies the format.
type goldenCase struct {
	path    string
	archive *txtar.Archive
	req     Request
	files   map[string]string
	open    map[string]string
	section map[string]string
}

func TestGolden(t *testing.T) {
	deviations, err := os.ReadFile(filepath.Join(goldenDir, "DEVIATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(goldenDir + "/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(path, filepath.Clean(goldenDir)+string(filepath.Separator))), ".txtar")
		t.Run(name, func(t *testing.T) {
			c := readGolden(t, path)
			c.run(t)
			if matches, ok := c.section["ast-grep.matches"]; ok {
				c.compare(t, matches, bytes.Contains(deviations, []byte("`"+name+"`")))
			}
		})
	}
}

func readGolden(t testing.TB, path string) *goldenCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &goldenCase{path: path, archive: archive, files: map[string]string{}, open: map[string]string{}, section: map[string]string{}}
	for _, f := range archive.Files {
		text := string(f.Data)
		switch name, of, _ := strings.Cut(f.Name, ":"); {
		case slices.Contains([]string{"pattern", "rewrite", "want", "ast-grep.matches", "ast-grep.after"}, strings.SplitN(f.Name, "#", 2)[0]):
			c.section[f.Name] = text
		case name == "open":
			c.open[of] = text
		default:
			c.files[f.Name] = text
		}
	}
	for i := 1; ; i++ {
		suffix := ""
		if i > 1 {
			suffix = fmt.Sprint("#", i)
		}
		pattern, ok := c.section["pattern"+suffix]
		if !ok {
			break
		}
		c.req.Ops = append(c.req.Ops, Op{strings.TrimSuffix(pattern, "\n"), strings.TrimSuffix(c.section["rewrite"+suffix], "\n")})
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(key, "#") {
			c.option(t, key, value)
		}
	}
	return c
}

func (c *goldenCase) option(t testing.TB, key, value string) {
	t.Helper()
	number := func() int {
		n, err := strconv.Atoi(value)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	switch key {
	case "lang":
		c.req.Lang = value
	case "selector":
		c.req.Selector = value
	case "strictness":
		c.req.Strictness = value
	case "path":
		c.req.Paths = append(c.req.Paths, value)
	case "glob":
		c.req.Globs = append(c.req.Globs, value)
	case "limit":
		c.req.Limit = number()
	case "maxFiles":
		c.req.MaxFiles = number()
	case "allowBroken":
		c.req.AllowBroken = value == "true"
	case "strictParse":
		c.req.StrictParse = value == "true"
	case "failOnParseError":
		c.req.FailOnParseError = value == "true"
	case "noFinalNewline":
		c.files[value] = strings.TrimSuffix(c.files[value], "\n")
	default:
		t.Fatalf("unknown option %q", key)
	}
}

// run compares what Scan says with the want section.
func (c *goldenCase) run(t *testing.T) {
	t.Helper()
	src := newSource(t, c.files)
	src.open = c.open
	got := describe(Scan(t.Context(), c.req, src))
	if got == c.section["want"] {
		return
	}
	if !*update {
		t.Errorf("got:\n%s\nwant:\n%s", got, c.section["want"])
		return
	}
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if i < 0 {
		i = len(c.archive.Files)
		c.archive.Files = append(c.archive.Files, txtar.File{Name: "want"})
	}
	c.archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// describe writes a preview the way the want sections do.
func describe(p *Preview, err error) string {
	var b strings.Builder
	if err != nil {
		fmt.Fprintf(&b, "error %s: %v\n", KindOf(err), err)
		return b.String()
	}
	warn := func(w Warning) {
		place := ""
		if w.Path != "" && w.Line > 0 {
			place = fmt.Sprintf(" %s:%d", w.Path, w.Line)
		}
		fmt.Fprintf(&b, "warning %s%s: %s\n", w.Kind, place, w.Message)
	}
	for _, f := range p.Files {
		diff, err := textedit.UnifiedEdits(f.Path, string(f.Text), f.Edits())
		if err != nil {
			return err.Error()
		}
		b.WriteString(diff)
	}
	for _, f := range p.Files {
		for _, h := range f.Hunks {
			for _, w := range h.Warnings {
				warn(w)
			}
		}
	}
	for _, w := range p.Warnings {
		warn(w)
	}
	for _, e := range p.ParseErrors {
		fmt.Fprintf(&b, "parse error %s:%d:%d: %s\n", e.Path, e.Line, e.Column, e.Message)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "skipped %s (%s): %s\n", s.Path, s.Reason, s.Message)
	}
	limit := ""
	if p.LimitReached {
		limit = ", limit reached"
	}
	fmt.Fprintf(&b, "%d in %d of %d%s\n", p.TotalReplacements, p.FilesTouched, p.FilesSearched, limit)
	return b.String()
}

// compare holds a case against ast-grep's own answer: every match with its
// replacement, and the file after -U. A case may differ only when DEVIATIONS.md
// lists it, and must then.
func (c *goldenCase) compare(t *testing.T, matches string, deviates bool) {
	t.Helper()
	var path string
	for path = range c.files {
	}
	source := []byte(c.files[path])
	strictness, err := ParseStrictness(c.req.Strictness)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	op := c.req.Ops[0]
	p, err := Compile(t.Context(), op.Pattern, c.req.Lang, CompileOptions{Selector: c.req.Selector, Strictness: strictness})
	if err != nil {
		got = "error\n"
	} else {
		tree, err := Parse(t.Context(), c.req.Lang, source)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.Match(t.Context(), tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			got += fmt.Sprintf("%d-%d %q\n", m.Start, m.End, p.Template(op.Rewrite).Expand(m, source))
		}
	}
	after := string(source)
	req := c.req
	req.AllowBroken = true
	src := newSource(t, c.files)
	if preview, err := Scan(t.Context(), req, src); err == nil {
		for _, f := range preview.Files {
			text, err := textedit.Apply(f.Text, f.Edits())
			if err != nil {
				t.Fatal(err)
			}
			after = string(text)
		}
	}
	want, same := c.section["ast-grep.after"], got == matches
	if strings.TrimSuffix(want, "\n") != strings.TrimSuffix(after, "\n") {
		same = false
	}
	switch {
	case !same && !deviates:
		t.Errorf("matches:\n%s\nast-grep's:\n%s\nafter:\n%s\nast-grep's:\n%s", got, matches, after, want)
	case same && deviates:
		t.Error("DEVIATIONS.md lists this case, but it does not differ")
	}
}
