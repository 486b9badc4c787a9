package pending_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/pending"
)

// Being asked for an edit is no event: nobody has anything to show anew.
func TestOfferTellsNobody(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "old", "b": "old"})
	e := newFakeEditor(d.root)
	e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e})
	defer e.member.Leave()
	if err := e.open("a"); err != nil {
		t.Fatal(err)
	}
	v := d.propose("old", "new")
	var got []pending.Event
	watcher := d.w.Join(pending.Party{Name: "watcher"}, pending.JoinOptions{Notify: func(e pending.Event) { got = append(got, e) }})
	defer watcher.Leave()

	ctx := context.Background()
	for _, hunks := range [][]string{nil, {"h1"}} {
		edits, err := e.member.Offer(ctx, v.ID, hunks)
		if err != nil || len(edits.Files) != 1 || edits.Files[0].Path != "a" || edits.Label != v.Label {
			t.Errorf("hunks %q: %+v, %v", hunks, edits, err)
		}
	}
	if edits, err := d.m.Offer(ctx, v.ID, nil); err != nil || len(edits.Files) > 0 {
		t.Errorf("to an agent: %+v, %v", edits, err)
	}
	if _, err := e.member.Offer(ctx, "01ARZ3NDEKTSV4RRFFQ69G5FAV", nil); errorOf(err).Kind != pending.UnknownAction {
		t.Errorf("unknown: %v", err)
	}
	if len(got) > 0 {
		t.Errorf("events %+v", got)
	}
}

// While an action is being resolved there is no edit of it to be had.
func TestOfferWhileResolving(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{EditorTimeout: 200 * time.Millisecond, VerifyTimeout: time.Millisecond}, map[string]string{"a": "old"})
	e := newFakeEditor(d.root)
	applying := make(chan struct{}, 1)
	e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e, Notify: func(ev pending.Event) {
		if ev.Cause == pending.CauseApplying {
			applying <- struct{}{}
		}
	}})
	defer e.member.Leave()
	if err := e.open("a"); err != nil {
		t.Fatal(err)
	}
	v := d.propose("old", "new")
	e.next = []string{"silent"}
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := d.apply(); errorOf(err).Kind != pending.EditorTimeout {
			t.Errorf("apply: %v", err)
		}
	})
	<-applying
	if _, err := e.member.Offer(context.Background(), v.ID, nil); errorOf(err).Kind != pending.Busy {
		t.Errorf("offer: %v", err)
	}
	wg.Wait()
	if _, err := e.member.Offer(context.Background(), v.ID, nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// gated is a producer that lets somebody do something meanwhile.
type gated struct {
	literal
	meanwhile func()
}

func (g *gated) Propose(ctx context.Context, src pending.Source) (*pending.Proposal, error) {
	if g.meanwhile != nil {
		g.meanwhile()
	}
	return g.literal.Propose(ctx, src)
}

// An action that is resolved while its edit is being made has none.
func TestOfferOvertaken(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "old"})
	e := newFakeEditor(d.root)
	e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e})
	defer e.member.Leave()
	if err := e.open("a"); err != nil {
		t.Fatal(err)
	}
	g := &gated{literal: literal{Old: "old", New: "new"}}
	v, err := d.m.Push(ctx, pending.New{Label: "gated", Proposer: g})
	if err != nil {
		t.Fatal(err)
	}
	g.meanwhile = func() {
		g.meanwhile = nil
		if _, err := d.m.Resolve(ctx, pending.Resolution{Decision: pending.DecisionDiscard}); err != nil {
			t.Error(err)
		}
	}
	if edits, err := e.member.Offer(ctx, v.ID, nil); errorOf(err).Kind != pending.UnknownAction {
		t.Errorf("%+v, %v", edits, err)
	}
}

// A resolve waits for an edit that its client was given, and not for one that it
// could not be given.
func TestOfferedWaits(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newDesk(t, pending.Options{VerifyTimeout: 10 * time.Millisecond}, map[string]string{"a": "old", "b": "old"})
	e := newFakeEditor(d.root)
	e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e})
	defer e.member.Leave()
	if err := e.open("a"); err != nil {
		t.Fatal(err)
	}
	waits := 0
	r := pending.Resolution{Decision: pending.DecisionApply, Offered: true, Waiting: func() { d.w.List(); waits++ }}

	v := d.propose("old", "new")
	if _, err := e.member.Offer(ctx, v.ID, nil); err != nil {
		t.Fatal(err)
	}
	d.write("b", "gone")
	if _, err := e.member.Offer(ctx, v.ID, nil); errorOf(err).Kind != pending.Stale {
		t.Errorf("offer: %v", err)
	}
	if _, err := e.member.Resolve(ctx, r); errorOf(err).Kind != pending.Stale || waits != 0 {
		t.Errorf("without an edit: %v, %d waits", err, waits)
	}
	if _, err := e.member.Offer(ctx, v.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.member.Resolve(ctx, r); err != nil || waits != 1 {
		t.Errorf("with one: %v, %d waits", err, waits)
	}
}

// Edits can be asked for, typed away from and applied, all at once. What was
// applied was so exactly once.
func TestOfferMeanwhile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for range 20 {
		d := newDesk(t, pending.Options{VerifyTimeout: 50 * time.Millisecond}, map[string]string{"a": "x and x", "b": "x"})
		e := newFakeEditor(d.root)
		e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e})
		if err := e.open("a"); err != nil {
			t.Fatal(err)
		}
		v := d.propose("x", "xx")
		var wg sync.WaitGroup
		wg.Go(func() {
			edits, err := e.member.Offer(ctx, v.ID, nil)
			if err == nil && len(edits.Files) > 0 {
				_ = e.ApplyEdits(ctx, edits) // refused if the user was faster
			}
			_, _ = e.member.Resolve(ctx, pending.Resolution{Decision: pending.DecisionApply, ID: v.ID, Offered: true})
		})
		wg.Go(func() {
			if err := e.replaceOnce("a", "and", "or"); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			_, err := d.apply()
			var refused *pending.Error
			if err != nil && !errors.As(err, &refused) {
				t.Error(err)
			}
		})
		wg.Wait()
		if d.w.HasPending() {
			if _, err := d.apply(); err != nil {
				t.Errorf("at last: %v", err)
			}
		}
		if a, _ := e.text("a"); a != "xx or xx" || d.read("b") != "xx" {
			t.Errorf("a is %q, b is %q", a, d.read("b"))
		}
		e.member.Leave()
	}
}
