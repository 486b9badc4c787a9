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
	gates   []gate // hold back the first stores
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
	s.pass()
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

// gate holds back one store.
type gate struct{ reached, open chan struct{} }

// pass waits at the next gate, if one is left.
func (s *shaky) pass() {
	s.mu.Lock()
	var next gate
	if len(s.gates) > 0 {
		next, s.gates = s.gates[0], s.gates[1:]
	}
	s.mu.Unlock()
	if next.reached != nil {
		close(next.reached)
		<-next.open
	}
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

// TestCrowdSharesStores lets a crowd push while a store is under way: all of them
// are stored by the next one, nobody is answered before, and the journal has them
// in the order of the stack.
func TestCrowdSharesStores(t *testing.T) {
	t.Parallel()
	const crowd = 20
	first, second := gate{make(chan struct{}), make(chan struct{})}, gate{make(chan struct{}), make(chan struct{})}
	j := &shaky{entries: map[string][]byte{}, gates: []gate{first, second}}
	d := newDesk(t, pending.Options{Journal: j}, map[string]string{"a": "x"})
	pushed := make(chan struct{}, crowd+1)
	d.w.Join(pending.Party{Name: "watcher"}, pending.JoinOptions{Notify: func(pending.Event) { pushed <- struct{}{} }})
	answers := make(chan error, crowd+1)
	push := func() {
		_, err := d.m.Push(context.Background(), pending.New{Label: "x to y", Proposer: &literal{Old: "x", New: "y"}})
		answers <- err
	}
	go push()
	<-first.reached
	for range crowd {
		go push()
	}
	for range crowd + 1 {
		<-pushed
	}
	if len(answers) != 0 {
		t.Errorf("%d answers before the first store", len(answers))
	}
	close(first.open)
	<-second.reached
	if err := <-answers; err != nil || len(answers) != 0 {
		t.Errorf("%v; %d answers before the second store", err, len(answers))
	}
	close(second.open)
	for range crowd {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	if j.stores != 2 {
		t.Errorf("%d stores for %d pushes", j.stores, crowd+1)
	}
	var stored, ids []string
	for _, a := range slices.Backward(d.w.List()) {
		ids = append(ids, "action/"+a.ID)
	}
	_ = j.Load("", func(key string, _ []byte) error {
		if strings.HasPrefix(key, "action/") {
			stored = append(stored, key)
		}
		return nil
	})
	if len(ids) != crowd+1 || !slices.Equal(stored, ids) {
		t.Errorf("stored %v, pending %v", stored, ids)
	}
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
