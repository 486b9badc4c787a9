package astedit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// age makes a file look as if it had been left alone for a while.
func age(t testing.TB, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func agedSource(t testing.TB, files map[string]string) testSource {
	t.Helper()
	src := newSource(t, files)
	for name := range files {
		age(t, filepath.Join(src.root, name), time.Hour)
	}
	return src
}

func TestCacheGivesTheSameAnswer(t *testing.T) {
	files := map[string]string{"bad.js": "f(1); let x = = 2;", "none.js": "h()"}
	for i := range 50 {
		files[fmt.Sprintf("f%d.js", i)] = strings.Repeat("f(f(1)); /* c */ f(2 /* d */);\n", i%4)
	}
	src := agedSource(t, files)
	cache := NewCache(DefaultCacheSize)
	req := Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js"}
	want := describe(Scan(t.Context(), req, src))
	req.Cache = cache
	for i := range 3 {
		if got := describe(Scan(t.Context(), req, src)); got != want {
			t.Fatalf("request %d:\n%s\nwant:\n%s", i, got, want)
		}
	}
	if cache.Bytes() == 0 {
		t.Error("nothing was kept")
	}
	req.Ops = []Op{{"f(2)", "x"}}
	req.Cache = nil
	want = describe(Scan(t.Context(), req, src))
	req.Cache = cache
	if got := describe(Scan(t.Context(), req, src)); got != want {
		t.Errorf("another pattern:\n%s\nwant:\n%s", got, want)
	}
	req.Ops = []Op{{"f($A)", "f(($A"}}
	req.AllowBroken = true
	want = describe(Scan(t.Context(), req, src))
	if got := describe(Scan(t.Context(), req, src)); got != want || !strings.Contains(got, string(WarnBroken)) {
		t.Errorf("broken rewrite again:\n%s\nwant:\n%s", got, want)
	}
	cache.Drop()
	if cache.Bytes() != 0 {
		t.Errorf("%d bytes after Drop", cache.Bytes())
	}
}

func TestCacheSeesChanges(t *testing.T) {
	src := agedSource(t, map[string]string{"a.js": "f(1)", "b.js": "f(1)"})
	req := Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js", Cache: NewCache(1 << 20)}
	scan := func() string { return describe(Scan(t.Context(), req, src)) }
	scan()
	path := filepath.Join(src.root, "a.js")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("f(2)")
	if got := scan(); !strings.Contains(got, "+g(2)") {
		t.Errorf("a new text of the same size:\n%s", got)
	}
	// Just written: not to be trusted, even when the clock does not move.
	at := time.Now()
	for _, text := range []string{"f(3)", "f(4)"} {
		write(text)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		if got := scan(); !strings.Contains(got, "+g("+text[2:3]+")") {
			t.Errorf("%s:\n%s", text, got)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := scan(); strings.Contains(got, "a.js") {
		t.Errorf("removed:\n%s", got)
	}
}

func TestCacheKeepsItsBounds(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("f%d.js", i)] = strings.Repeat("f(1);\n", 100)
	}
	src := agedSource(t, files)
	cache := NewCache(200_000)
	req := Request{Ops: []Op{{"f($A)", "g($A)"}}, Lang: "js", Cache: cache}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			p, err := Scan(t.Context(), req, src)
			if err != nil || p.TotalReplacements != 10_000 {
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	if b := cache.Bytes(); b > 200_000 || b == 0 {
		t.Errorf("%d bytes", b)
	}
}
