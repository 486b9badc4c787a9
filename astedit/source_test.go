package astedit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// testSource is a directory with open documents over it.
type testSource struct {
	root string
	open map[string]string
}

var _ Source = testSource{}

func (s testSource) Root() string { return s.root }

func (s testSource) Overlay(path string) ([]byte, bool) {
	text, ok := s.open[path]
	return []byte(text), ok
}

func (s testSource) Overlays() []string {
	var paths []string
	for p := range s.open {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// newSource writes files into a fresh directory.
func newSource(t testing.TB, files map[string]string) testSource {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return testSource{root: root, open: map[string]string{}}
}
