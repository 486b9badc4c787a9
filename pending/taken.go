package pending

import (
	"maps"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// textFor returns the text of a file where its edit is to show: in the document
// of the member whose client takes it, else in whoever's the hunks follow. The
// caller holds w.mu.
func (w *Workspace) textFor(p *planned) (text []byte, open bool) {
	t := w.tracks[p.path]
	if t == nil {
		return nil, false
	}
	o := t.overlay(p.editor)
	if o == nil {
		o = t.lead()
	}
	if o == nil {
		return nil, false
	}
	return o.text, true
}

// taken finds what clients have applied of the offers of an action, as plans that
// lead to the texts there are now and need no writing; sorted by path. Of an
// offer that goes beyond what is to be resolved nothing counts. What somebody has
// typed since, elsewhere in the file, does not matter.
func (w *Workspace) taken(a *action, r Resolution) []*planned {
	w.mu.Lock()
	offers := slices.Clone(a.offers)
	w.mu.Unlock()
	now := map[string][]byte{} // the texts, without what later offers put there
	found := map[string]*planned{}
	for _, o := range slices.Backward(offers) {
		p := o.plan
		text, known := now[p.path]
		if !known {
			w.mu.Lock()
			open := false
			text, open = w.textFor(p)
			w.mu.Unlock()
			if !open {
				text = w.diskText(p.path)
			}
			now[p.path] = text
		}
		if !p.wanted(r.Hunks) || string(text) == string(p.before) || string(text) != string(p.after) && !p.taken(text) {
			continue
		}
		back, ok := p.back(text)
		if !ok {
			continue
		}
		now[p.path] = back.after
		step := &planned{path: p.path, before: back.after, after: text, edits: back.inverse(), ids: p.ids, editor: p.editor, open: p.open}
		if later := found[p.path]; later != nil {
			step = step.then(later)
		}
		found[p.path] = step
	}
	out := slices.Collect(maps.Values(found))
	sortPlanned(out)
	return out
}

// wanted reports whether all of a plan's hunks are to be resolved.
func (p *planned) wanted(hunks []string) bool {
	return len(hunks) == 0 || !slices.ContainsFunc(p.ids, func(id string) bool { return !slices.Contains(hunks, id) })
}

func sortPlanned(files []*planned) {
	slices.SortFunc(files, func(a, b *planned) int { return strings.Compare(a.path, b.path) })
}

// takenIDs are the hunks of plans.
func takenIDs(there []*planned) map[string]bool {
	ids := map[string]bool{}
	for _, p := range there {
		for _, id := range p.ids {
			ids[id] = true
		}
	}
	return ids
}

// awaitOffered waits until the documents of a client that was to apply an offer
// itself show it. A client may run the command before it sends didChange for a
// document that is not in front.
func (w *Workspace) awaitOffered(m *Member, a *action, r Resolution) {
	var files []*planned
	w.mu.Lock()
	for _, o := range a.offers {
		t := w.tracks[o.plan.path]
		if t == nil || o.plan.editor != m || !o.plan.wanted(r.Hunks) {
			continue
		}
		if text, open := t.shows(m); open && string(text) == string(o.plan.before) {
			p := *o.plan
			p.address(t)
			files = append(files, &p)
		}
	}
	w.mu.Unlock()
	if len(files) == 0 {
		return
	}
	if r.Waiting != nil {
		r.Waiting()
	}
	w.verify(m, files, w.options().VerifyTimeout)
	w.mu.Lock()
	w.forget(files)
	w.mu.Unlock()
}

// allTaken reports whether nothing is left to write of what is to be resolved,
// and how many matches the offer has left out.
func (w *Workspace) allTaken(a *action, r Resolution, there []*planned) (matches int, all bool) {
	if len(there) == 0 {
		return 0, false
	}
	taken := takenIDs(there)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range a.files {
		for _, h := range f.shown() {
			if !taken[h.id] && (len(r.Hunks) == 0 || slices.Contains(r.Hunks, h.id)) {
				return 0, false
			}
		}
	}
	return a.offerMatches, true
}

// withoutTaken leaves what is there already out of a preview and of a fresh
// proposal, which may well find in the new code what it looks for. It returns
// errMoved when a file has changed since.
func withoutTaken(shown []previewed, fresh *Proposal, there []*planned) ([]previewed, *Proposal, error) {
	if len(there) == 0 {
		return shown, fresh, nil
	}
	at := map[string]*planned{}
	ids := takenIDs(there)
	for _, p := range there {
		at[p.path] = p
	}
	out := &Proposal{Limited: fresh.Limited}
	behind := map[string]bool{} // files that another member shows as they were
	for _, f := range fresh.Files {
		p := at[f.Path]
		switch {
		case p == nil:
		case string(f.Text) == string(p.before):
			behind[f.Path] = true
		case string(f.Text) != string(p.after):
			return nil, nil, errMoved
		default:
			f.Hunks = p.outside(f.Hunks)
		}
		if len(f.Hunks) > 0 {
			out.Files = append(out.Files, f)
		}
	}
	shown = slices.Clone(shown)
	for i, f := range shown {
		if at[f.path] != nil && !behind[f.path] {
			shown[i].hunks = slices.DeleteFunc(slices.Clone(f.hunks), func(h hunk) bool { return ids[h.id] })
		}
	}
	return shown, out, nil
}

// outside returns the hunks, in the text that the plan led to, that have nothing
// in common with what it put there.
func (p *planned) outside(hunks []Hunk) []Hunk {
	put := p.inverse()
	return slices.DeleteFunc(slices.Clone(hunks), func(h Hunk) bool {
		for _, e := range put {
			if h.Start < e.End && e.Start < h.End || h.Start == e.Start && h.End == e.End {
				return true
			}
		}
		return false
	})
}

// together joins what was written and what was there already into one plan for
// each file.
func together(files, there []*planned) []*planned {
	if len(there) == 0 {
		return files
	}
	all := slices.Clone(there)
	for _, p := range files {
		i := slices.IndexFunc(all, func(o *planned) bool { return o.path == p.path })
		if i < 0 {
			all = append(all, p)
			continue
		}
		all[i] = all[i].then(p)
	}
	sortPlanned(all)
	return all
}

// then joins two plans for one file, of which the second begins with what the
// first leads to.
func (p *planned) then(next *planned) *planned {
	joined := *next
	joined.before = p.before
	joined.ids = slices.Concat(p.ids, next.ids)
	joined.count = p.replacements() + next.replacements()
	moved := make([]*hunk, len(next.edits))
	for i, e := range next.edits {
		moved[i] = &hunk{start: e.Start, end: e.End, after: e.New}
	}
	moved = rebaseHunks(moved, p.inverse(), p.before, false)
	edits := slices.Clone(p.edits)
	for _, h := range moved {
		edits = append(edits, textedit.Edit{Start: h.start, End: h.end, New: h.after})
	}
	slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	if text, err := textedit.Apply(p.before, edits); err != nil || string(text) != string(next.after) {
		edits = diffEdits(p.before, next.after) // the second edits what the first put there
	}
	joined.edits = edits
	return &joined
}

// inverse returns the edits that lead back.
func (p *planned) inverse() []textedit.Edit {
	out := make([]textedit.Edit, len(p.edits))
	delta := 0
	for i, e := range p.edits {
		out[i] = textedit.Edit{Start: e.Start + delta, End: e.Start + delta + len(e.New), New: string(p.before[e.Start:e.End])}
		delta += growth(e)
	}
	return out
}

// countWith counts the hunks shown and those that are taken.
func (a *action) countWith(taken map[string]bool) int {
	n := len(taken)
	for _, f := range a.files {
		for _, h := range f.shown() {
			if !taken[h.id] {
				n++
			}
		}
	}
	return n
}
