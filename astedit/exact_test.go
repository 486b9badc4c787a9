package astedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// rewriteText scans one file and returns its text after.
func rewriteText(t *testing.T, name, text, lang string, ops ...Op) (string, *Preview) {
	t.Helper()
	src := newSource(t, map[string]string{name: text})
	p, err := Scan(t.Context(), Request{Ops: ops, Lang: lang, AllowBroken: true}, src)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) == 0 {
		return text, p
	}
	f := p.Files[0]
	if f.Base != textedit.HashOf([]byte(text)) || string(f.Text) != text {
		t.Fatal("the preview is not of the file's text")
	}
	for _, h := range f.Hunks {
		if text[h.Start:h.End] != h.Before {
			t.Fatalf("hunk %d-%d says it was %q", h.Start, h.End, h.Before)
		}
	}
	after, err := textedit.Apply(f.Text, f.Edits())
	if err != nil {
		t.Fatal(err)
	}
	return string(after), p
}

func TestBytesAreKept(t *testing.T) {
	op := Op{"f($A)", "g($A)"}
	long := strings.Repeat("x + ", 25_000)
	for name, c := range map[string]struct{ text, want string }{
		"byte order mark":    {"\ufefff(1);\n", "\ufeffg(1);\n"},
		"CRLF":               {"f(1);\r\nf(\r\n  2\r\n);\r\n", "g(1);\r\ng(2);\r\n"},
		"lone CR":            {"f(1);\rf(2);\r", "g(1);\rg(2);\r"},
		"no final newline":   {"f(1)", "g(1)"},
		"empty":              {"", ""},
		"only white space":   {" \n\t\n", " \n\t\n"},
		"wide characters":    {"f('😀');/*é*/f(\"日本\")", "g('😀');/*é*/g(\"日本\")"},
		"long line":          {long + "f(1)", long + "g(1)"},
		"zero width joiner":  {"f('a\u200db')", "g('a\u200db')"},
		"control characters": {"f('\x01\x7f')", "g('\x01\x7f')"},
	} {
		if got, _ := rewriteText(t, "a.js", c.text, "javascript", op); got != c.want {
			t.Errorf("%s: got %.80q", name, got)
		}
	}
}

func TestRewriteTakesLineEndsOfFile(t *testing.T) {
	got, _ := rewriteText(t, "a.js", "{\r\n  f(1);\r\n}\r\n", "js", Op{"f($A)", "if (x) {\n  g($A)\n}"})
	if want := "{\r\n  if (x) {\r\n    g(1)\r\n  };\r\n}\r\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestUnfitFiles(t *testing.T) {
	src := newSource(t, map[string]string{
		"binary.js": "f(1)\x00", "latin1.js": "f('\xe9')", "good.js": "f(1)", "other\xffname.js": "f(2)",
	})
	p, err := Scan(t.Context(), Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js"}, src)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]SkipReason{}
	for _, s := range p.Skipped {
		got[s.Path] = s.Reason
	}
	if len(got) != 2 || got["binary.js"] != SkipBinary || got["latin1.js"] != SkipInvalidUTF8 {
		t.Errorf("skipped %v", got)
	}
	if p.TotalReplacements != 2 {
		t.Errorf("%d replacements", p.TotalReplacements)
	}
	// A file that was named is reported even when nothing in it could match.
	p, err = Scan(t.Context(), Request{Ops: []Op{{"other($A)", "g($A)"}}, Lang: "js", Paths: []string{"binary.js"}}, src)
	if err != nil || len(p.Skipped) != 1 {
		t.Errorf("skipped %v, %v", p, err)
	}
}

// On request files of other encodings are searched; what JSON could not carry is
// left out.
func TestInvalidUTF8OnRequest(t *testing.T) {
	src := newSource(t, map[string]string{"latin1.js": "f('\xe9'); f(1); // \xe9\nf(f('\xe9'))\n", "only.js": "f('\xe9')"})
	p, err := Scan(t.Context(), Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js", AllowInvalidUTF8: true}, src)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Skipped) != 0 || p.FilesTouched != 1 || p.TotalReplacements != 1 || len(p.Files[0].Hunks[0].Warnings) != 0 {
		t.Fatalf("%+v", p)
	}
	if h := p.Files[0].Hunks[0]; h.Before != "f(1)" || h.After != "g(1)" || h.Start != 8 {
		t.Errorf("hunk %+v", h)
	}
	var left []string
	for _, w := range p.Warnings {
		left = append(left, w.Path+": "+w.Message)
	}
	want := []string{
		"latin1.js: 2 of 3 replacements left out: their code is not valid UTF-8.",
		"only.js: 1 of 1 replacement left out: their code is not valid UTF-8.",
	}
	if !slices.Equal(left, want) {
		t.Errorf("warned %q", left)
	}
}

func TestHugeFileIsSkipped(t *testing.T) {
	src := newSource(t, nil)
	f, err := os.Create(filepath.Join(src.root, "huge.js"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 30); err != nil {
		t.Skip(err)
	}
	p, err := Scan(t.Context(), Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js"}, src)
	if err != nil || len(p.Skipped) != 1 || p.Skipped[0].Reason != SkipTooLarge {
		t.Errorf("skipped %v, %v", p, err)
	}
}

// 10,000 levels must overflow neither Go's stack nor C's, and must not take
// time that grows with their square.
func TestDeepNesting(t *testing.T) {
	const depth = 10_000
	start := time.Now()
	text := strings.Repeat("f(", depth) + "1" + strings.Repeat(")", depth)
	got, p := rewriteText(t, "a.js", text, "js", Op{"f($A)", "g($A)"})
	if want := strings.ReplaceAll(text, "f", "g"); got != want {
		t.Errorf("got %.40q…", got)
	}
	if p.Files[0].Hunks[0].Nested != depth-1 {
		t.Errorf("%d nested", p.Files[0].Hunks[0].Nested)
	}
	brackets := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	for _, c := range []struct{ name, lang, text, pattern string }{
		{"a.js", "js", brackets, "$A == $A"},
		{"a.js", "js", brackets + " == " + brackets, "$A == $A"},
		{"a.py", "python", "x = " + brackets, "$A = $B"},
		{"a.go", "go", "package a\nvar x = " + strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth), "($A)"},
		{"a.rs", "rust", "fn f() { " + strings.Repeat("{", depth) + strings.Repeat("}", depth) + " }", "{ $$$A }"},
	} {
		rewriteText(t, c.name, c.text, c.lang, Op{c.pattern, "x"})
	}
	deep := strings.Repeat("f(", 300) + "$A" + strings.Repeat(")", 300)
	rewriteText(t, "a.js", text, "js", Op{deep, "x($A)"})
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}

// Lists in a pattern must not make matching exponential.
func TestListsDoNotExplode(t *testing.T) {
	pattern, text := "$$$X", "1"
	for i := range 40 {
		pattern = fmt.Sprintf("f($$$A%d, %s, b)", i, pattern)
		text = fmt.Sprintf("f(a, a, a, %s, b)", text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	src := newSource(t, map[string]string{"a.js": text})
	if _, err := Scan(ctx, Request{Ops: []Op{{pattern, "x"}}, Lang: "js"}, src); err != nil {
		t.Error(err)
	}
}

func TestRewriteThatExplodesIsRefused(t *testing.T) {
	text := strings.Repeat("f(", 200) + "1" + strings.Repeat(")", 200)
	src := newSource(t, map[string]string{"a.js": text})
	_, err := Scan(t.Context(), Request{Ops: []Op{{"f($A)", "f($A, $A)"}}, Lang: "js"}, src)
	if KindOf(err) != KindLimit {
		t.Errorf("err = %v", err)
	}
}

func TestCancellation(t *testing.T) {
	src := newSource(t, map[string]string{"a.js": strings.Repeat("f(a, b, [c, d]);\n", 500_000)})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := Scan(ctx, Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js"}, src)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	if d := time.Since(start); d > 3*time.Second {
		t.Errorf("took %v to stop inside a file", d)
	}
}

// Groovy's grammar never finishes on this text.
func TestGrammarThatLoops(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for five seconds")
	}
	src := newSource(t, map[string]string{"a.groovy": `{"","","" ,"","00`, "b.groovy": "f(1)\n"})
	p, err := Scan(t.Context(), Request{Ops: []Op{{"f($A)", "g($A)"}, {"\"\"", "x"}}, Lang: "groovy"}, src)
	if err != nil {
		t.Fatal(err)
	}
	if p.FilesTouched != 1 || len(p.Skipped) != 1 || p.Skipped[0].Reason != SkipStuck {
		t.Errorf("%+v", p)
	}
}

// A file that changes while it is read is read again, never half.
func TestFileThatChangesWhileRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			text := bytes.Repeat([]byte{byte('a' + i%26)}, 100_000+i%7)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 200 {
		text, at, err := readFile(path, nil)
		if err != nil {
			continue
		}
		if int64(len(text)) != at.size {
			t.Errorf("%d bytes, size %d", len(text), at.size)
		}
	}
	close(stop)
	<-done
}

func TestSymbolicLinks(t *testing.T) {
	outside := newSource(t, map[string]string{"x.js": "f(1)"})
	src := newSource(t, map[string]string{"a.js": "f(1)"})
	for link, to := range map[string]string{
		"out.js": filepath.Join(outside.root, "x.js"), "dir": outside.root, "in.js": "a.js", "gone.js": filepath.Join(outside.root, "nothing.js"),
	} {
		if err := os.Symlink(to, filepath.Join(src.root, link)); err != nil {
			t.Skip(err)
		}
	}
	scan := func(paths ...string) (*Preview, error) {
		return Scan(t.Context(), Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js", Paths: paths}, src)
	}
	if p, err := scan(); err != nil || p.FilesTouched != 1 || p.Files[0].Path != "a.js" {
		t.Errorf("links were followed: %+v, %v", p, err)
	}
	for _, path := range []string{"out.js", "dir", "dir/x.js", "dir/*.js", "..", "dir/none.js"} {
		if _, err := scan(path); KindOf(err) != KindOutsideWorkspace {
			t.Errorf("%s: %v", path, err)
		}
	}
	if p, err := scan("in.js"); err != nil || p.Files[0].Path != "a.js" {
		t.Errorf("link inside: %+v, %v", p, err)
	}
	if p, err := scan(filepath.Join(src.root, "a.js")); err != nil || p.FilesTouched != 1 {
		t.Errorf("absolute path inside: %+v, %v", p, err)
	}
}

// The same request gives the same preview, in whatever order files are done.
func TestPreviewIsDeterministic(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("d%d/f%d.py", i%7, i)] = strings.Repeat("f(f(1))\n", i%5)
	}
	src := newSource(t, files)
	req := Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "python", Limit: 100}
	want := describe(Scan(t.Context(), req, src))
	for range 5 {
		if got := describe(Scan(t.Context(), req, src)); got != want {
			t.Fatalf("got:\n%s\nbefore:\n%s", got, want)
		}
	}
}

func TestProgress(t *testing.T) {
	src := newSource(t, map[string]string{"a.py": "f(1)", "b.py": "f(2)", "c.txt": ""})
	var calls [][2]int
	_, err := Scan(t.Context(), Request{
		Ops: []Op{{"f($A)", "g($A)"}}, Lang: "py", Progress: func(done, total int) { calls = append(calls, [2]int{done, total}) },
	}, src)
	if err != nil || len(calls) != 2 || calls[1] != [2]int{2, 2} {
		t.Errorf("calls %v, %v", calls, err)
	}
}

// brokenSource panics when a document is read, as a flaw in the engine would.
type brokenSource struct{ testSource }

func (brokenSource) Overlay(string) ([]byte, bool) { panic("flaw") }

func TestPanicReachesTheCaller(t *testing.T) {
	src := newSource(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	src.open["a.go"] = ""
	req := Request{Ops: []Op{{Pattern: "$A", Rewrite: "$A"}}, Lang: "go"}
	func() {
		defer func() {
			if r := recover(); !strings.Contains(fmt.Sprint(r), "flaw") {
				t.Errorf("recovered %v", r)
			}
		}()
		_, err := Scan(t.Context(), req, brokenSource{src})
		t.Errorf("no panic; err = %v", err)
	}()
	if _, err := Scan(t.Context(), req, src); err != nil {
		t.Error(err)
	}
}
