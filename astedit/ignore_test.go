package astedit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRandomIgnoreRules compares random .gitignore files with git: what nobody
// thought of when writing the tree of TestWalkListsWhatGitLists.
func TestRandomIgnoreRules(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	rng := rand.New(rand.NewPCG(5, 6))
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, root, "init", "-q")
	dirs := []string{"", "a", "b", "a/b", "a/b/a", "b/ab", "a/ab/b", "ab/a/b/c"}
	for _, d := range dirs {
		if err := os.MkdirAll(filepath.Join(root, d), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"c", "ac", "a.b", "b.c", "a b", "a]", "a-", "[", "é", ".c"} {
			if path := filepath.Join(root, d, name); os.WriteFile(path, nil, 0o600) != nil {
				t.Logf("%s is a directory", path)
			}
		}
	}
	pieces := []string{
		"a", "b", "c", "ab", "ac", ".", "*", "?", "**", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "[^b-c]", "[]a]", "[a-]", `\*`, `\a`, `\ `, " ",
		"[[:alpha:]]", "[", "]", "-", "é", `\`, "{a,b}",
	}
	for round := range rounds {
		written := map[string]string{}
		for _, d := range dirs {
			path := filepath.Join(root, d, ".gitignore")
			if rng.IntN(2) == 0 {
				_ = os.Remove(path)
				continue
			}
			var b strings.Builder
			for range 1 + rng.IntN(4) {
				if rng.IntN(4) == 0 {
					b.WriteByte('!')
				}
				if rng.IntN(4) == 0 {
					b.WriteByte('/')
				}
				for range 1 + rng.IntN(3) {
					b.WriteString(pieces[rng.IntN(len(pieces))])
				}
				if rng.IntN(5) == 0 {
					b.WriteByte('/')
				}
				b.WriteByte('\n')
			}
			written[d] = b.String()
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want := regularFiles(t, root, git(t, root, "ls-files", "-coz", "--exclude-standard"))
		compareLists(t, fmt.Sprintf("round %d, %q", round, written), walked(t, root, ""), want)
		if t.Failed() {
			return
		}
	}
}
