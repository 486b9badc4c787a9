package pending_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pending-lsp/pending-lsp/pending"
)

// desk is a workspace with one agent in a directory of its own.
type desk struct {
	t    *testing.T
	root string
	w    *pending.Workspace
	m    *pending.Member
}

func newDesk(t *testing.T, o pending.Options, files map[string]string) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, root: root}
	for path, text := range files {
		d.write(path, text)
	}
	d.w = pending.NewRegistry(o).Open(root)
	d.m = d.w.Join(pending.Party{Name: "agent"}, pending.JoinOptions{})
	t.Cleanup(func() {
		d.m.Leave()
		d.w.Close()
	})
	return d
}

func (d *desk) path(path string) string { return filepath.Join(d.root, filepath.FromSlash(path)) }

func (d *desk) write(path, text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(path)), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.path(path), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read(path string) string {
	d.t.Helper()
	text, err := os.ReadFile(d.path(path))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// propose pushes a replacement of a text everywhere.
func (d *desk) propose(old, new string) *pending.ActionView {
	d.t.Helper()
	l := &literal{Old: old, New: new}
	v, err := d.m.Push(context.Background(), pending.New{Label: old + " to " + new, Proposer: l})
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

func (d *desk) apply() (*pending.Result, error) {
	return d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply})
}

// noTemps checks that no temporary file is left.
func (d *desk) noTemps() {
	d.t.Helper()
	_ = filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if strings.HasPrefix(e.Name(), ".pending-lsp") {
			d.t.Errorf("left behind: %s", path)
		}
		return err
	})
}

func errorOf(err error) *pending.Error {
	e := &pending.Error{}
	errors.As(err, &e)
	return e
}

// TestBytes checks that nothing outside the hunks changes, whatever the bytes.
func TestBytes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"bom":              "\ufeffold\r\nsecond\r\n",
		"crlf":             "a\r\nold\r\nb\r\n",
		"mixed":            "a\nold\r\nb\rold\n\r",
		"no final newline": "a\nold",
		"only":             "old",
		"not utf-8":        "\xff\xfe old \x80\x81",
		"nul":              "a\x00old\x00",
		"adjacent":         "oldoldold",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, pending.Options{}, map[string]string{"f": text})
			d.propose("old", "newer")
			if _, err := d.apply(); err != nil {
				t.Fatal(err)
			}
			if got, want := d.read("f"), strings.ReplaceAll(text, "old", "newer"); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if _, err := d.m.Undo(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := d.read("f"); got != text {
				t.Errorf("undone to %q, want %q", got, text)
			}
			d.noTemps()
		})
	}
}

// TestKeepsFile checks what a file keeps besides its bytes.
func TestKeepsFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"f": "old", "other": "nothing here", "target": "old", "one": "old"})
	if err := os.Chmod(d.path("f"), 0o751); err != nil {
		t.Fatal(err)
	}
	chowned := os.Chown(d.path("f"), 1234, 4321) == nil // only root may
	if chowned {
		if err := os.Chmod(d.path("f"), 0o751|fs.ModeSetgid); err != nil {
			t.Fatal(err)
		}
	}
	attr := unix.Setxattr(d.path("f"), "user.note", []byte("kept"), 0) == nil // not every file system
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(d.path("other"), past, past); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", d.path("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(d.path("one"), d.path("two")); err != nil {
		t.Fatal(err)
	}
	// The producer of these tests follows no links: each name is proposed by hand.
	p := &pending.Proposal{}
	for _, path := range []string{"f", "link", "one"} {
		p.Files = append(p.Files, pending.FileProposal{Path: path, Text: []byte("old"), Hunks: []pending.Hunk{{End: 3, Before: "old", After: "new"}}})
	}
	if _, err := d.m.Push(context.Background(), pending.New{Label: "keep", Proposal: p}); err != nil {
		t.Fatal(err)
	}
	res, err := d.apply()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(d.path("f"))
	if err != nil {
		t.Fatal(err)
	}
	mode := fs.FileMode(0o751)
	if chowned {
		mode |= fs.ModeSetgid
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid != 1234 || st.Gid != 4321 {
			t.Errorf("owner %d:%d", st.Uid, st.Gid)
		}
	}
	if info.Mode() != mode {
		t.Errorf("mode %v, want %v", info.Mode(), mode)
	}
	if attr {
		value := make([]byte, 8)
		if n, err := unix.Getxattr(d.path("f"), "user.note", value); err != nil || string(value[:n]) != "kept" {
			t.Errorf("attribute %q, %v", value[:max(n, 0)], err)
		}
	}
	if info, err := os.Stat(d.path("other")); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("an untouched file was touched: %v", info.ModTime())
	}
	if to, err := os.Readlink(d.path("link")); err != nil || to != "target" || d.read("target") != "new" {
		t.Errorf("link to %q, %v, target %q", to, err, d.read("target"))
	}
	if d.read("one") != "new" || d.read("two") != "old" || res.Files[2].Links != 2 || !strings.Contains(res.Text, "its other 1 hard link on disk keep the old text") {
		t.Errorf("hard links: %q %q, %+v, %s", d.read("one"), d.read("two"), res.Files[2], res.Text)
	}
}

// TestRollBack lets a write fail at every point: the error says so, every file
// is as it was, and the next apply works.
func TestRollBack(t *testing.T) {
	t.Parallel()
	const files = 20
	for _, point := range []string{"intent:1", "temp:1", "temp:10", "temp:20", "rename:1", "rename:2", "rename:10", "rename:20", "renamed:1"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			name, at, _ := strings.Cut(point, ":")
			var hits atomic.Int64
			var o pending.Options
			o.SetFailPoint(func(n string) error {
				if n == name && fmt.Sprint(hits.Add(1)) == at {
					return syscall.ENOSPC
				}
				return nil
			})
			texts := map[string]string{}
			for i := range files {
				texts[fmt.Sprintf("d%d/f%02d", i%3, i)] = fmt.Sprint("old ", i)
			}
			d := newDesk(t, o, texts)
			d.propose("old", "new")
			_, err := d.apply()
			if err == nil {
				t.Fatal("it did not fail")
			}
			if e := errorOf(err); name != "intent" && (e.Kind != pending.WriteFailed || !strings.HasSuffix(e.Message, "no space left on device; nothing was changed. Free some space and apply again.")) {
				t.Errorf("%v", err)
			}
			for path, text := range texts {
				if got := d.read(path); got != text {
					t.Errorf("%s holds %q", path, got)
				}
			}
			d.noTemps()
			if v, ok := d.w.Peek(); !ok || v.State != pending.Pending || len(v.Files) != files {
				t.Errorf("the action did not stay: %+v", v)
			}
			if _, err := d.apply(); err != nil {
				t.Error(err)
			}
			d.noTemps()
		})
	}
}

// TestChangedMeanwhile changes a file at the last moment, after all checks.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d *desk) error{
		"rewritten": func(d *desk) error { return os.WriteFile(d.path("b"), []byte("old, by somebody else"), 0o644) },
		"replaced": func(d *desk) error {
			return errors.Join(os.Remove(d.path("b")), syscall.Mkfifo(d.path("b"), 0o644))
		},
		"directory gone": func(d *desk) error { return os.RemoveAll(d.path("dir")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d *desk
			var o pending.Options
			o.SetFailPoint(func(point string) error {
				if point == "rename" && d.read("a") == "old" {
					return change(d)
				}
				return nil
			})
			d = newDesk(t, o, map[string]string{"a": "old", "b": "old", "dir/c": "old"})
			d.propose("old", "new")
			if _, err := d.apply(); err == nil || d.read("a") != "old" {
				t.Errorf("a holds %q, %v", d.read("a"), err)
			}
			d.noTemps()
		})
	}
}
