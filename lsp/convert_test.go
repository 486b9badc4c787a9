package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/uri"
)

func TestFilePath(t *testing.T) {
	for _, c := range []struct{ uri, want string }{
		{"file:///a/b.js", "/a/b.js"},
		{"file:///a%20b/%E6%97%A5.js", "/a b/日.js"},
		{"file:///a%23b%3Fc.js", "/a#b?c.js"},
		{"file:///a/./b/../c.js", "/a/c.js"},
		{"FILE:///a.js", "/a.js"},
		{"file:/a.js", "/a.js"},
		{"file://localhost/a%20b.js", "/a b.js"},
		{"file://server/share/a.js", ""},
		{"file:///c%3A/Users/x.js", ""}, // Windows' own, on another system
		{"file:///C:/Users/x.js", ""},
		{"untitled:Untitled-1", ""},
		{"vscode-vfs://github/x/a.js", ""},
		{"git:/a.js?ref", ""},
		{"/a/b.js", ""},
		{"", ""},
		{"file:a.js", ""},
		{"%%%", ""},
	} {
		got, err := filePath(uri.URI(c.uri))
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.uri, got, err, c.want)
		}
	}
}

// A file that does not exist yet lies in the folder that does.
func TestRealPath(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if got, want := realPath(filepath.Join(link, "not", "yet.js")), filepath.Join(dir, "not", "yet.js"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Dotfiles under version control do not make the home directory a workspace.
func TestHomeIsNoWorkspace(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	for _, dir := range []string{".git", "plain/sub", "repo/.git", "repo/sub", "worktree/sub"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "worktree", ".git"), []byte("gitdir: elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, root := range map[string]string{
		"plain/sub": "plain/sub", "repo/sub": "repo", "repo": "repo", "worktree/sub": "worktree", ".": ".",
	} {
		if got, want := WorkspaceRoot(filepath.Join(home, folder)), filepath.Join(home, root); got != want {
			t.Errorf("%s: %s, want %s", folder, got, want)
		}
	}
}
