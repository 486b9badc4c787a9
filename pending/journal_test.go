package pending_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/pending"
)

// shaky is a journal in memory that can be told to fail.
type shaky struct {
	mu      sync.Mutex
	entries map[string][]byte
	fail    bool
	stores  int
}

func (s *shaky) Load(_ string, f func(string, []byte) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.entries)) {
		if err := f(key, s.entries[key]); err != nil {
			return err
		}
	}
	return nil
}

func (s *shaky) Store(_ string, changes []pending.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail {
		return errors.New("no space left on device")
	}
	s.stores++
	for _, c := range changes {
		if c.Value == nil {
			delete(s.entries, c.Key)
		} else {
			s.entries[c.Key] = c.Value
		}
	}
	return nil
}

func (s *shaky) set(fail bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *shaky) keys(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.entries {
		if strings.HasPrefix(key, prefix) {
			n++
		}
	}
	return n
}

// TestFailingJournal runs on a journal that cannot store: the stack works from
// memory, nothing is written to disk without a recorded intent, and all is caught
// up with when the journal works again.
func TestFailingJournal(t *testing.T) {
	t.Parallel()
	j := &shaky{entries: map[string][]byte{}}
	d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": "old", "b": "one"})
	d.propose("old", "new")
	j.set(true)
	d.propose("one", "two")
	_, err := d.apply()
	if e := errorOf(err); e.Kind != pending.WriteFailed || !strings.Contains(e.Message, "the write could not be recorded") || d.read("b") != "one" {
		t.Errorf("%v; b holds %q", err, d.read("b"))
	}
	if j.keys("action/") != 1 {
		t.Errorf("%d actions stored", j.keys("action/"))
	}
	j.set(false)
	if _, err := d.apply(); err != nil {
		t.Fatal(err)
	}
	if j.keys("intent/") != 0 || j.keys("action/") != 1 || j.keys("undo/") != 1 || j.keys("log/") != 3 {
		t.Errorf("stored: %v", slices.Sorted(maps.Keys(j.entries)))
	}
}

// TestStores counts what the journal is asked for: one store for each push and
// discard, two for an apply to disk.
func TestStores(t *testing.T) {
	t.Parallel()
	j := &shaky{entries: map[string][]byte{}}
	d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": "old"})
	count := func(what string, want int, f func()) {
		t.Helper()
		before := j.stores
		f()
		if got := j.stores - before; got != want {
			t.Errorf("%s: %d stores, want %d", what, got, want)
		}
	}
	count("push", 1, func() { d.propose("old", "new") })
	count("peek", 0, func() { d.w.Peek() })
	count("discard", 1, func() {
		_, _ = d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
	})
	d.propose("old", "new")
	count("apply", 2, func() { _, _ = d.apply() })
	d.m.OpenDocument("a", 1, []byte("new"))
	d.propose("new", "newer")
	count("keystroke", 0, func() { d.m.ChangeDocument("a", 2, oneEdit(0, 0, "x")) })
}

// TestUnsavedTexts keeps the text of an unsaved document for as long as an action
// needs it.
func TestUnsavedTexts(t *testing.T) {
	t.Parallel()
	j := &shaky{entries: map[string][]byte{}}
	d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": "saved"})
	d.m.OpenDocument("a", 1, []byte("old, unsaved"))
	d.propose("old", "new")
	d.propose("unsaved", "still unsaved")
	d.m.ChangeDocument("a", 2, oneEdit(0, 0, "x"))
	d.propose("old", "newer")
	if n := j.keys("text/"); n != 2 {
		t.Errorf("%d texts for three actions on two texts", n)
	}
	for want := range 3 {
		_, _ = d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
		if n := j.keys("text/"); want == 2 && n != 0 || want < 2 && n != 1 {
			t.Errorf("%d texts after %d discards", n, want+1)
		}
	}
}

// TestClockSetBack keeps the order of the stack when the clock is not one.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(-time.Hour)
		return now
	}
	d := newDesk(t, pending.Options{Clock: clock}, map[string]string{"a": "x"})
	var ids []string
	for range 20 {
		ids = append(ids, d.propose("x", "y").ID)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 20 {
		t.Errorf("%v", ids)
	}
	for i, id := range slices.Backward(ids) {
		if v, ok := d.w.Action(id); !ok || v.Above != 19-i {
			t.Errorf("%d: %+v", i, v)
		}
	}
}
