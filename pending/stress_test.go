package pending_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/pending"
)

// TestStress lets 100 sessions work on one workspace at once. Every action adds
// a line of its own to a file: in the end each action was resolved exactly once,
// and its line is there exactly when it was applied.
func TestStress(t *testing.T) {
	t.Parallel()
	sessions, operations := 100, 100
	if testing.Short() {
		sessions, operations = 20, 30
	}
	root := t.TempDir()
	paths := make([]string, 10)
	for i := range paths {
		paths[i] = fmt.Sprintf("f%d.txt", i)
		if err := os.WriteFile(filepath.Join(root, paths[i]), []byte("start\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := pending.NewRegistry(pending.Options{}).Open(root)
	defer w.Close()

	var (
		pushed, applied, discarded sync.Map // action ID -> its line
		resolved                   atomic.Int64
		events                     atomic.Int64
		refused                    sync.Map       // kind -> *atomic.Int64
		busy                       sync.WaitGroup // sessions still at work
	)
	busy.Add(sessions)
	var opened sync.WaitGroup // an editor must not read a file while it is written
	opened.Add(sessions)
	resolve := func(m *pending.Member, decision string) {
		r := pending.Resolution{Decision: decision}
		if rand.IntN(2) == 0 {
			if top, ok := w.Peek(); ok {
				r.ID = top.ID
			}
		}
		res, err := m.Resolve(context.Background(), r)
		for e := (*pending.Error)(nil); errors.As(err, &e) && e.Kind == pending.Busy; {
			time.Sleep(rand.N(10 * time.Millisecond))
			res, err = m.Resolve(context.Background(), r)
		}
		if e := (*pending.Error)(nil); errors.As(err, &e) {
			n, _ := refused.LoadOrStore(e.Kind, new(atomic.Int64))
			n.(*atomic.Int64).Add(1)
			switch e.Kind {
			case pending.EmptyStack, pending.NotTop, pending.UnknownAction, pending.Stale:
				return
			}
		}
		if err != nil {
			t.Errorf("%s: %v", decision, err)
			return
		}
		resolved.Add(1)
		into := &applied
		if decision == pending.DecisionDiscard {
			into = &discarded
		}
		if _, twice := into.LoadOrStore(res.ActionID, true); twice {
			t.Errorf("%s was resolved twice", res.ActionID)
		}
	}

	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			var e *fakeEditor
			o := pending.JoinOptions{Notify: func(pending.Event) { events.Add(1) }}
			if i < len(paths)/2 {
				e = newFakeEditor(root)
				o.Editor = e
			}
			m := w.Join(pending.Party{Name: fmt.Sprint("session ", i)}, o)
			defer m.Leave()
			if e != nil {
				e.member = m
				if err := e.open(paths[i]); err != nil {
					t.Error(err)
				}
			}
			opened.Done()
			opened.Wait()
			for n := range operations {
				switch rand.IntN(8) {
				case 0, 1:
					line := fmt.Sprintf("line %d.%d\n", i, n)
					p := &pending.Proposal{}
					for _, path := range paths[rand.IntN(len(paths)):][:1] {
						text, open := m.Source().Overlay(path)
						if !open {
							text, _ = os.ReadFile(filepath.Join(root, path))
						}
						p.Files = append(p.Files, pending.FileProposal{Path: path, Text: text, Hunks: []pending.Hunk{{Start: len(text), End: len(text), After: line}}})
					}
					v, err := m.Push(context.Background(), pending.New{Label: line, Proposal: p})
					if e := (*pending.Error)(nil); errors.As(err, &e) && e.Kind == pending.Limit {
						continue
					}
					if err != nil {
						t.Errorf("push: %v", err)
						continue
					}
					pushed.Store(v.ID, line)
				case 2, 3:
					resolve(m, pending.DecisionApply)
				case 4:
					resolve(m, pending.DecisionDiscard)
				case 5:
					if e != nil {
						if err := e.replaceOnce(paths[i], "start", "started"); err != nil {
							t.Error(err)
						}
					}
				case 6:
					for _, v := range w.List() {
						checkView(t, v)
					}
				default:
					w.FileHunks(paths[rand.IntN(len(paths))])
				}
			}
			busy.Done()
			busy.Wait()
			if e != nil { // what it applied must survive the editor
				text, _ := e.text(paths[i])
				if err := os.WriteFile(filepath.Join(root, paths[i]), []byte(text), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()

	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	lines := strings.SplitAfter(all.String(), "\n")
	slices.Sort(lines)
	count := map[string]int{}
	for _, l := range lines {
		count[l]++
	}
	n := 0
	pushed.Range(func(id, line any) bool {
		n++
		_, wasApplied := applied.Load(id)
		_, wasDiscarded := discarded.Load(id)
		_, isPending := w.Action(id.(string))
		if states := btoi(wasApplied) + btoi(wasDiscarded) + btoi(isPending); states != 1 {
			t.Errorf("%s: applied %v, discarded %v, pending %v", id, wasApplied, wasDiscarded, isPending)
		}
		if count[line.(string)] != btoi(wasApplied) {
			t.Errorf("%q is there %d times, applied %v", line, count[line.(string)], wasApplied)
		}
		return true
	})
	refused.Range(func(kind, n any) bool {
		t.Logf("%s: %d", kind, n.(*atomic.Int64).Load())
		return true
	})
	t.Logf("%d sessions, %d actions, %d resolved, %d events", sessions, n, resolved.Load(), events.Load())
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkView checks the promise of every view: a hunk covers what it replaces.
func checkView(t *testing.T, v pending.ActionView) {
	t.Helper()
	for _, f := range v.Files {
		for _, h := range f.Hunks {
			if !h.Stale && string(f.Text.Text()[h.Start:h.End]) != h.Before {
				t.Errorf("%s: %s covers %q, not %q", f.Path, h.ID, f.Text.Text()[h.Start:h.End], h.Before)
			}
		}
	}
}

// TestExactlyOnce lets many sessions apply one action at the same moment.
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	w := pending.NewRegistry(pending.Options{}).Open(t.TempDir())
	defer w.Close()
	m := w.Join(pending.Party{Name: "owner"}, pending.JoinOptions{})
	defer m.Leave()
	for round := range 50 {
		var calls, wins atomic.Int64
		cb := &counting{calls: &calls}
		if _, err := m.Push(context.Background(), pending.New{Label: fmt.Sprint("round ", round), Callbacks: cb}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				_, err := m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply})
				if err == nil {
					wins.Add(1)
				}
			})
		}
		wg.Wait()
		if calls.Load() != 1 || wins.Load() != 1 {
			t.Fatalf("%d calls, %d answers of success", calls.Load(), wins.Load())
		}
	}
}

type counting struct{ calls *atomic.Int64 }

func (c *counting) Apply(context.Context, string, []string) (*pending.CallbackResult, error) {
	c.calls.Add(1)
	time.Sleep(time.Millisecond)
	return nil, nil
}
func (c *counting) HasReject() bool                                             { return false }
func (c *counting) Reject(context.Context, string) (*pending.ToolResult, error) { return nil, nil }
