package pending_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/pending"
)

// TestDamagedJournal opens journals that something happened to: each is set
// aside with a warning or read as it is, and none stops the server.
func TestDamagedJournal(t *testing.T) {
	t.Parallel()
	good := goodJournal(t)
	for name, damage := range map[string]func(b []byte) []byte{
		"empty":           func([]byte) []byte { return nil },
		"garbage":         func([]byte) []byte { return bytes.Repeat([]byte("not a journal\n"), 1000) },
		"cut to one page": func(b []byte) []byte { return b[:4096] },
		"cut to half":     func(b []byte) []byte { return b[:len(b)/2] },
		"cut in a page":   func(b []byte) []byte { return b[:len(b)/2+100] },
		"no meta":         func(b []byte) []byte { return append(make([]byte, 8192), b[8192:]...) },
		"data zeroed":     func(b []byte) []byte { return append(b[:8192:8192], make([]byte, len(b)-8192)...) },
		"data scrambled": func(b []byte) []byte {
			for i := 8192; i < len(b); i += 7 {
				b[i] ^= 0x5a
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			if err := os.WriteFile(path, damage(bytes.Clone(good)), 0o600); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			j, err := pending.OpenBolt(path, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = j.Close() }()
			if name != "empty" && !strings.Contains(log.String(), "set aside") {
				t.Errorf("no warning: %s", &log)
			}
			d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": "old"})
			d.propose("old", "new")
			if _, err := d.apply(); err != nil {
				t.Error(err)
			}
		})
	}
}

// goodJournal returns the bytes of a journal with something in it.
func goodJournal(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	j, err := pending.OpenBolt(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": strings.Repeat("old ", 3000)})
	for range 20 {
		d.propose("old", "new")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTwoDaemons lets a second process find the journal taken.
func TestTwoDaemons(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	j, err := pending.OpenBolt(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	_, err = pending.OpenBolt(path, slog.New(slog.DiscardHandler))
	if e := errorOf(err); e.Kind != pending.StoreUnavailable || e.Message != "state.db is in use by another process. Stop that one, or choose another state directory." {
		t.Errorf("%v", err)
	}
}

// memory is a journal of fixed content.
type memory map[string][]byte

func (m memory) Load(_ string, f func(string, []byte) error) error {
	for _, key := range []string{"action/01ARZ3NDEKTSV4RRFFQ69G5FAV", "intent/01ARZ3NDEKTSV4RRFFQ69G5FAV", "log/0000000000000001", "text/00", "undo/0000000000000001"} {
		if err := f(key, m[key]); err != nil {
			return err
		}
	}
	return nil
}

func (m memory) Store(string, []pending.Change) error { return nil }

// FuzzLoad restores from entries that anybody may have written. Whatever they
// hold: no panic, views keep their promise, and nothing outside the workspace or
// without a matching hash is written.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"label":"x","tool":"t","nextHunk":1,"files":[{"path":"a.txt","hash":"","hunks":[{"id":"h1","start":0,"end":3,"before":"b2xk","after":"bmV3"}]}]}`),
		[]byte(`{"action":"x","whole":true,"files":[{"path":"../b","temp":"/etc/passwd","before":"","after":"","edits":[{"start":-1,"end":9,"new":""}]}]}`),
		[]byte(`{"cause":"apply","actionId":"y"}`), []byte(`{"action":"z","files":[{"path":"a.txt","hash":"","edits":[]}]}`))
	f.Fuzz(func(t *testing.T, action, intent, entry, undo []byte) {
		j := memory{"action/01ARZ3NDEKTSV4RRFFQ69G5FAV": action, "intent/01ARZ3NDEKTSV4RRFFQ69G5FAV": intent, "log/0000000000000001": entry, "undo/0000000000000001": undo}
		d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a.txt": "old text", "b/c.txt": "more"})
		if got := d.read("a.txt") + d.read("b/c.txt"); got != "old textmore" {
			t.Errorf("files became %q", got)
		}
		for _, v := range d.w.List() {
			checkView(t, v)
		}
		d.w.Log(0)
		_, _ = d.m.Undo(context.Background())
		_, _ = d.apply()
		_, _ = d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
	})
}
