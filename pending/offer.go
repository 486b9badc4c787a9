package pending

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
)

// offered is one file of an edit that a member's client was given to apply
// itself. It is forgotten with its action, or when the next offer is made and
// the text does not hold it.
type offered struct {
	plan *planned
	// hunks are all that the action had in the file, in the text before; none if
	// the file was another on disk by then.
	hunks []hunk
}

// Offer computes the edit that applies the top action, or some of its hunks, for
// the member's client to apply itself, as the edit of an LSP code action. It
// covers the files that a resolve would send to the member's editor and is empty
// if there are none, or if the action's owner carries it out; the others are left
// to the resolve.
//
// Nothing is written, nobody is told and the action stays free for anybody to
// resolve. Once the client has applied the edit, its hunks are no longer shown,
// and the next apply by whomever takes them as done. If the client never does,
// or takes it back, the action is as before.
func (m *Member) Offer(ctx context.Context, id string, hunks []string) (BufferEdits, error) {
	w := m.workspace
	a, err := w.offerable(m, id)
	if err != nil {
		return BufferEdits{}, err
	}
	defer w.settle() // it may find that a file has changed on disk
	r := Resolution{Decision: DecisionApply, ID: id, Hunks: hunks}
	for range rounds {
		there := w.taken(a, Resolution{})
		files, added, err := w.chooseOffer(ctx, a, r, there)
		if err == nil {
			err = w.route(m, files)
		}
		var edits BufferEdits
		if err == nil {
			edits, err = w.offer(m, a, files, there, added)
		}
		if errors.Is(err, errMoved) {
			continue
		}
		return edits, err
	}
	return BufferEdits{}, &Error{Kind: Stale, Action: a.id, Message: fmt.Sprintf("No edit was made of %s: its files kept changing. Nothing was written; try again.", a.label)}
}

// offerable finds an action that the member could apply now, or says why it
// cannot. What was offered and not taken is forgotten.
func (w *Workspace) offerable(m *Member, id string) (*action, error) {
	w.mu.Lock()
	a := w.find(id)
	err := w.refuseOffer(m, a, id)
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	there := w.taken(a, Resolution{})
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := takenIDs(there)
	a.forgetOffers(func(o *offered) bool {
		return slices.ContainsFunc(o.plan.ids, func(id string) bool { return !taken[id] })
	})
	return a, nil
}

// forgetOffersOf drops the offers with hunks that are resolved. The caller holds
// the workspace's lock.
func (a *action) forgetOffersOf(hunks []string) {
	a.forgetOffers(func(o *offered) bool {
		return slices.ContainsFunc(o.plan.ids, func(id string) bool { return slices.Contains(hunks, id) })
	})
}

// forgetOffers drops some of the offers. The caller holds the workspace's lock.
func (a *action) forgetOffers(gone func(*offered) bool) {
	a.offers = slices.DeleteFunc(slices.Clone(a.offers), gone) // others may be reading the list
}

// refuseOffer says why an action cannot be applied now. The caller holds w.mu.
func (w *Workspace) refuseOffer(m *Member, a *action, id string) error {
	switch {
	case m.left:
		return &Error{Kind: StoreUnavailable, Message: MessageStoreUnavailable}
	case a == nil:
		return w.unknown(id)
	case a.orphaned:
		return &Error{Kind: Orphaned, Action: id, Message: fmt.Sprintf("No edit was made of %s: %s, which would do it, is gone. The action can only be discarded.", a.label, a.by.Name)}
	case w.resolving != nil:
		return w.busy()
	case a != w.stack[len(w.stack)-1]:
		return w.notTop(a)
	}
	return nil
}

// chooseOffer plans an offer. Unlike an apply it leaves a preview that is out of
// date as it is: what the user was shown when they chose is what the command
// that follows is held to.
func (w *Workspace) chooseOffer(ctx context.Context, a *action, r Resolution, there []*planned) (files []*planned, added int, err error) {
	w.mu.Lock()
	// The action is not claimed: it may be resolved, and emptied, at any time.
	proposer, callbacks, gone := a.proposer, a.callbacks, w.find(a.id) != a
	switch {
	case gone:
		err = w.unknown(a.id)
	case len(r.Hunks) > 0:
		err = a.checkHunks(r.Hunks, nil)
	}
	w.mu.Unlock()
	if err != nil || callbacks != nil {
		return nil, 0, err
	}
	if proposer == nil {
		files, err = w.chooseRaw(a, r, there)
		return files, 0, err
	}
	files, _, found, err := w.rerun(ctx, a, proposer, r, there)
	if err == nil && len(found.missing) > 0 {
		err = &Error{Kind: Stale, Action: a.id, Message: fmt.Sprintf("No edit was made of %s: it no longer matches what was previewed. Nothing was written; apply it to see what changed.", a.label)}
	}
	return files, found.added, err
}

// offer remembers what of a plan is for the member's client, and encodes it.
// there is what the client, or another, has taken of offers before. It returns
// errMoved when a document changed.
func (w *Workspace) offer(m *Member, a *action, files, there []*planned, added int) (BufferEdits, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.refuseOffer(m, w.find(a.id), a.id); err != nil {
		return BufferEdits{}, err // it was resolved, or buried, meanwhile
	}
	edits := BufferEdits{Label: a.label}
	var offers []*offered
	for _, p := range files {
		if p.editor != m || string(p.before) == string(p.after) {
			continue
		}
		i := slices.IndexFunc(a.files, func(f *actionFile) bool { return f.track.path == p.path })
		text, open := w.textFor(p)
		if i < 0 || open != p.open || open && string(text) != string(p.before) {
			return BufferEdits{}, errMoved
		}
		f := a.files[i]
		o := &offered{plan: p}
		if string(f.track.text) == string(p.before) {
			for _, h := range f.hunks {
				o.hunks = append(o.hunks, *h)
			}
		}
		offers = append(offers, o)
		p.address(f.track)
		edits.Files = append(edits.Files, BufferEdit{Path: p.path, Version: p.version, Text: p.text, Edits: p.edits})
		p.text, p.disk = nil, nil
	}
	w.forget(files) // nobody waits yet
	taken := takenIDs(there)
	for _, o := range slices.Backward(a.offers) {
		if !slices.ContainsFunc(o.plan.ids, func(id string) bool { return !taken[id] }) {
			offers = append([]*offered{o}, offers...)
		}
	}
	a.offers, a.offerMatches = offers, added
	return edits, nil
}

// followOffers sets the hunks to what they are in a text that is just what an
// offer leads to, or just what it was made for: a diff may not show that an edit
// was taken, or taken back. The caller holds the workspace's lock.
func (f *actionFile) followOffers(text []byte) {
	for _, o := range f.action.offers {
		if o.plan.path != f.track.path {
			continue
		}
		switch {
		case bytes.Equal(text, o.plan.after):
			f.take(o.plan)
		case bytes.Equal(text, o.plan.before):
			f.restore(o.hunks)
		default:
			continue
		}
		sortHunks(f.hunks)
		return
	}
}

// take marks the hunks of a plan that the text holds.
func (f *actionFile) take(p *planned) {
	delta := 0
	for i, e := range p.edits {
		for _, h := range f.hunks {
			if h.id == p.ids[i] {
				h.start, h.end = e.Start+delta, e.Start+delta+len(e.New)
				h.stale, h.taken = true, true
			}
		}
		delta += growth(e)
	}
}

// restore puts hunks back to where they were, those that are left of them.
func (f *actionFile) restore(saved []hunk) {
	for i := range saved {
		for _, h := range f.hunks {
			if h.id == saved[i].id {
				*h = saved[i]
			}
		}
	}
}
