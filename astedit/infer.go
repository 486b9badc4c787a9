package astedit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inferLanguage finds the one language of a scope's files. The error is
// [KindLanguageRequired] and lists what was found, most files first.
func inferLanguage(ctx context.Context, s *scope, known *Languages) (*language, error) {
	counts := map[*language]int{}
	err := s.each(ctx, func(t target) error {
		l := known.ofName(t.path)
		if l == nil && mayHaveShebang(t.path) {
			l = known.ofShebang(s.start(t.path))
		}
		if l != nil {
			counts[l]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := make([]*language, 0, len(counts))
	for l := range counts {
		found = append(found, l)
	}
	slices.SortFunc(found, func(a, b *language) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a.Name, b.Name))
	})
	if len(found) == 1 {
		return found[0], nil
	}
	e := &Error{Kind: KindLanguageRequired}
	if len(found) == 0 {
		e.Message = "no file in " + quote(s.name()) + " is in a known language."
		e.Hint = "Say which language to read them in."
		return nil, e
	}
	list := make([]string, len(found))
	for i, l := range found {
		e.Languages = append(e.Languages, l.Name)
		list[i] = fmt.Sprintf("%s (%s)", l.Name, plural(counts[l], "file"))
	}
	e.Message = "files in several languages are in " + quote(s.name()) + ": " + strings.Join(list, ", ") + "."
	e.Hint = "Say which language is meant, or narrow the paths."
	return nil, e
}

// start reads the first bytes of a file, which may have an interpreter line.
func (s *scope) start(path string) []byte {
	if s.open[path] {
		if text, ok := s.source.Overlay(path); ok {
			return text
		}
	}
	f, err := os.Open(filepath.Join(s.root, filepath.FromSlash(path)))
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, 256)
	n, _ := io.ReadFull(f, start) // most have less
	return start[:n]
}
