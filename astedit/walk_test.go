package astedit

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tortureNames and tortureDirs span a tree in which every file name stands in
// every directory, and tortureRules are .gitignore files that use each feature of
// the format against it.
var (
	tortureNames = []string{
		"a.log", "b.txt", "foo", "bar.go", "build", "x.min.js", "important.log", "Makefile", "a b", "t1", "t2", "tz", "#h",
		"!bang", "foo.tar.gz", "data.csv", "z.tmp", "frotz", "trailing",
	}
	tortureDirs = []string{
		"", "src", "src/a", "src/a/b", "src/build", "src/a/build", "logs", "logs/debug", "vendor/y", "vendor/y/keep",
		"deep/one/two/three", "pkg/gen", "pkg/gen/sub", "pkg/keep", "foo_d/foo_d", "tmp", "tmp/cache/x", "ab/cd/ef", "doc/q",
		"a/doc/q", "w/foo", "w/frotz/z",
	}
	tortureRules = map[string]string{
		".gitignore": "# comment\n*.log\n!important.log\n/tmp/*\n!/tmp/cache\nbuild/\n/foo\n**/two/**\ndeep/**/t?\n" +
			"vendor/*\n!vendor/y/\ndoc/frotz\n\\#h\n\\!bang\ntrailing   \na\\ b\nt[12]\nx.*.js\nw/**/z\n",
		"src/.gitignore":      "!*.log\n/a/b/*.txt\nbar.go\n!a/bar.go\n",
		"src/a/.gitignore":    "*.log\n!b/a.log\nbuild\n",
		"pkg/.gitignore":      "gen/*\n!gen/sub\n*\n!keep\n!keep/*.go\n!gen\n",
		"ab/.gitignore":       "cd/\n!cd/ef/\n**/ef\n",
		"logs/.gitignore":     "*\n!.gitignore\n!debug/\n!debug/*.txt\n",
		"vendor/y/.gitignore": "/keep/*\n!/keep/data.csv\n[!a-m]*.csv\n",
		"doc/.gitignore":      "\ufeff*.txt\r\n[[:upper:]]*\r\nq/[a-c]*\n!q/b.txt\n**/foo\nq/\\f*z\n",
		"foo_d/.gitignore":    "/foo_d/*\n!/foo_d/t[!1]\nnothing\\\n[z-\n",
	}
)

func tortureTree(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		path = filepath.Join(root, path)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range tortureDirs {
		if err := os.MkdirAll(filepath.Join(root, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range tortureDirs {
		for _, n := range tortureNames {
			write(filepath.Join(d, n), "x")
		}
	}
	for path, text := range tortureRules {
		write(path, text)
	}
	return root
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: the walk is not compared with it")
	}
	// The user's own rules must not count, for git and for the walker.
	for name, value := range map[string]string{"HOME": os.DevNull, "XDG_CONFIG_HOME": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func walked(t *testing.T, root, dir string) []string {
	t.Helper()
	var got []string
	w := walker{ctx: t.Context(), root: root, emit: func(p string) error { got = append(got, p); return nil }}
	if err := w.walk(dir); err != nil {
		t.Fatal(err)
	}
	return got
}

// regularFiles is what git lists, without symbolic links, missing files and
// repositories inside.
func regularFiles(t *testing.T, root, list string) []string {
	t.Helper()
	var want []string
	for path := range strings.SplitSeq(list, "\x00") {
		if info, err := os.Lstat(filepath.Join(root, path)); path != "" && err == nil && info.Mode().IsRegular() {
			want = append(want, path)
		}
	}
	slices.Sort(want)
	return slices.Compact(want)
}

func TestWalkListsWhatGitLists(t *testing.T) {
	root := tortureTree(t)
	git(t, root, "init", "-q")
	check := func(name string) {
		t.Helper()
		want := regularFiles(t, root, git(t, root, "ls-files", "-coz", "--exclude-standard"))
		got := walked(t, root, "")
		if !slices.IsSorted(got) {
			t.Errorf("%s: not in order", name)
		}
		compareLists(t, name, got, want)
	}
	check("untracked")

	git(t, root, "add", "-f", "src/a/a.log", "tmp/cache/x/tz", "deep/one/two/three/foo", "src/build/t1")
	check("ignored files are tracked")

	git(t, root, "update-index", "--index-version", "4")
	check("index version 4")

	if err := os.WriteFile(filepath.Join(root, ".git", "info", "exclude"), []byte("frotz\n!a.log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("info/exclude")

	git(t, filepath.Join(root, "w"), "init", "-q")
	check("repository inside")
}

// The user's own rules hold in every repository, after all others.
func TestWalkFollowsUserRules(t *testing.T) {
	root := tortureTree(t)
	git(t, root, "init", "-q")
	home := t.TempDir()
	for path, text := range map[string]string{".config/git/ignore": "frotz\n!a.log\n", "other": "data.csv\nt*\n"} {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string) {
		t.Helper()
		t.Setenv("HOME", home)
		t.Setenv("XDG_CONFIG_HOME", "")
		cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-coz", "--exclude-standard")
		cmd.Dir = root
		list, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		compareLists(t, name, walked(t, root, ""), regularFiles(t, root, string(list)))
	}
	check("default place")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = x\n[core]\n\texcludesFile = ~/other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("core.excludesFile")
}

// A walk may start below the top: the rules above still hold.
func TestWalkFromSubdirectory(t *testing.T) {
	root := tortureTree(t)
	git(t, root, "init", "-q")
	for _, dir := range []string{"src", "src/a", "pkg", "vendor/y", "a"} {
		list := git(t, root, "ls-files", "-coz", "--exclude-standard", dir)
		compareLists(t, dir, walked(t, root, dir), regularFiles(t, root, list))
	}
	abs := filepath.Join(root, "src")
	list := git(t, abs, "ls-files", "-coz", "--exclude-standard")
	compareLists(t, "root inside the repository", walked(t, abs, ""), regularFiles(t, abs, list))
}

func compareLists(t *testing.T, name string, got, want []string) {
	t.Helper()
	for _, p := range got {
		if !slices.Contains(want, p) {
			t.Errorf("%s: listed %s, git does not", name, p)
		}
	}
	for _, p := range want {
		if !slices.Contains(got, p) {
			t.Errorf("%s: git lists %s", name, p)
		}
	}
}

func TestWalkLeavesOut(t *testing.T) {
	root := tortureTree(t)
	modules := filepath.Join(root, "node_modules", "x")
	if err := os.MkdirAll(modules, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{filepath.Join(modules, "i.js"), filepath.Join(root, "k.js")} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("k.js", filepath.Join(root, "link.js")); err != nil {
		t.Skip(err)
	}
	var js []string
	for _, p := range walked(t, root, "") {
		if strings.HasSuffix(p, "k.js") || strings.HasSuffix(p, "i.js") || strings.Contains(p, "link") {
			js = append(js, p)
		}
	}
	if !slices.Equal(js, []string{"k.js"}) {
		t.Errorf("listed %v", js)
	}
}
