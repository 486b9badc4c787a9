package pending

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// rounds is how often an apply starts over because somebody typed meanwhile.
const rounds = 3

// apply writes a claimed action, or some of its hunks. When it fails nothing is
// written, and the caller makes the action pending again.
func (w *Workspace) apply(ctx context.Context, m *Member, a *action, r Resolution) (*Result, error) {
	if r.Offered {
		w.awaitOffered(m, a, r)
	}
	taken := takenIDs(w.taken(a, r))
	w.mu.Lock()
	orphaned := a.orphaned
	var err error
	if len(r.Hunks) > 0 && (a.callbacks == nil || len(a.files) > 0) {
		err = a.checkHunks(r.Hunks, taken)
	}
	w.mu.Unlock()
	if orphaned {
		return nil, &Error{Kind: Orphaned, Action: a.id, Message: fmt.Sprintf("%s cannot be applied: %s, which would do it, is gone. Nothing was changed; the action can only be discarded.", a.label, a.by.Name)}
	}
	if err != nil {
		return nil, err
	}
	res := newResult(a, r)
	choose := func(there []*planned) ([]*planned, error) { return w.chooseRaw(a, r, there) }
	switch {
	case a.callbacks != nil:
		proposal, err := w.runApply(ctx, a, r, res)
		if err != nil {
			return nil, err
		}
		if res.IsError {
			w.release(a, r.by)
			return res, nil
		}
		choose = func([]*planned) ([]*planned, error) { return w.chooseAnswer(a, proposal) }
	case a.proposer != nil:
		choose = func(there []*planned) ([]*planned, error) { return w.chooseFresh(ctx, m, a, r, res, there) }
	}
	for range rounds {
		var files []*planned
		var frozen *frozen
		there := w.taken(a, r)
		if files, err = choose(there); err == nil {
			err = w.route(m, files)
		}
		if err == nil {
			frozen, err = w.freeze(a, files, there, r.by)
		}
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w.deliver()
		done, err := w.write(ctx, m, a, r, res, files, there, frozen)
		if errors.Is(err, errMoved) {
			continue
		}
		return done, err
	}
	return nil, &Error{Kind: Stale, Action: a.id, Err: err, Message: fmt.Sprintf("%s was not applied: its files kept changing. Nothing was written; apply again.", a.label)}
}

// write carries out a plan and pops the action. there are the files that show the
// edit already: they are part of what was done.
func (w *Workspace) write(ctx context.Context, m *Member, a *action, r Resolution, res *Result, files, there []*planned, frozen *frozen) (*Result, error) {
	all := together(files, there)
	undo := newUndoStep(a, all)
	entry := a.entry(CauseApply, r)
	for _, p := range all {
		entry.Files, entry.Hunks = append(entry.Files, p.path), entry.Hunks+p.replacements()
	}
	in := &savedIntent{Action: a.id, Whole: frozen.done(r.Hunks), Done: r.Hunks, Entry: entry, Undo: &undo}
	err := w.carryOut(ctx, a.label, files, in)
	if err == nil {
		w.lookSaved(there)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(in)
	w.forget(files)
	if err != nil {
		w.thaw(frozen, nil, nil)
		return nil, err
	}
	for _, p := range files {
		w.wrote(p)
	}
	paths := slices.Clone(entry.Files)
	res.describe(together(files, there), r) // once more: now it is known what is saved
	w.pushUndo(undo)
	if len(r.Hunks) > 0 {
		w.thaw(frozen, files, r.Hunks)
		a.forgetOffersOf(r.Hunks)
		if a.hunkCount() > 0 {
			a.state, w.resolving, a.dirty = Pending, nil, true
			res.Depth = len(w.stack)
			w.record(entry)
			w.emit(Event{Cause: CauseApply, ActionID: a.id, Paths: append(paths, a.paths()...), By: r.by})
			return res, nil
		}
		w.detach(a)
	}
	w.finish(a, m, r, res, append(paths, frozen.paths()...))
	return res, nil
}

// carryOut writes a plan: what editors have first, the disk when they have
// shown it. in says what the write is for. On an error it has taken back what it
// did.
func (w *Workspace) carryOut(ctx context.Context, label string, files []*planned, in *savedIntent) error {
	if err := w.writeEditors(ctx, label, files); err != nil {
		return err
	}
	if err := w.writeDisk(files, in); err != nil {
		return w.putBack(label, files, err)
	}
	w.lookSaved(files)
	return nil
}

// lookSaved finds out which files have their new text on disk.
func (w *Workspace) lookSaved(files []*planned) {
	for _, p := range files {
		p.saved = p.saved || string(w.diskText(p.path)) == string(p.after)
	}
}

// wrote moves the other actions' hunks across what was written to disk; those
// in an editor have followed its changes. The caller holds w.mu.
func (w *Workspace) wrote(p *planned) {
	t := w.tracks[p.path]
	if t == nil || len(t.overlays) > 0 {
		return
	}
	t.dirty()
	if string(t.text) == string(p.before) {
		t.rebase(p.edits, p.after)
	} else if string(t.text) != string(p.after) {
		t.retext(p.after)
	}
}

// chooseRaw plans the hunks of an action that has no producer, but those that are
// there.
func (w *Workspace) chooseRaw(a *action, r Resolution, there []*planned) ([]*planned, error) {
	taken := takenIDs(there)
	w.mu.Lock()
	shown := a.preview()
	w.mu.Unlock()
	var files []*planned
	missing := map[string][]hunk{}
	for _, f := range shown {
		p := newPlanned(f.path, f.text)
		for _, h := range f.hunks {
			switch {
			case taken[h.id], len(r.Hunks) > 0 && !slices.Contains(r.Hunks, h.id):
			case h.stale:
				missing[f.path] = append(missing[f.path], h)
			default:
				p.add(h.id, Hunk{Start: h.start, End: h.end, Before: h.before, After: h.after})
			}
		}
		if len(p.edits) > 0 {
			files = append(files, p)
		}
	}
	if len(missing) == 0 || r.AllowPartial && len(files)+len(there) > 0 {
		return files, nil
	}
	paths := slices.Sorted(maps.Keys(missing))
	return nil, &Error{Kind: Stale, Action: a.id, Paths: paths, Message: fmt.Sprintf(
		"%s was not applied: the text under it was changed (%s). Nothing was written. Discard it, or apply with allowPartial to skip what changed.",
		a.label, describeMissing(missing, paths))}
}

// chooseFresh runs the producer again and plans what was previewed of it. A
// previewed hunk that is missing makes the fresh proposal the new preview.
func (w *Workspace) chooseFresh(ctx context.Context, m *Member, a *action, r Resolution, res *Result, there []*planned) ([]*planned, error) {
	if matches, all := w.allTaken(a, r, there); all {
		res.NewMatches = matches
		return nil, nil
	}
	files, fresh, found, err := w.rerun(ctx, a, a.proposer, r, there)
	if err != nil {
		return nil, err
	}
	res.NewMatches = found.added
	if len(files)+len(there) > 0 && (len(found.missing) == 0 || r.AllowPartial) {
		return files, nil
	}
	return nil, w.refresh(m, a, fresh, found)
}

// rerun runs the producer of an action again. It plans what is wanted of it and
// was previewed, and returns how the fresh proposal and the preview differ; what
// is there already is in neither.
func (w *Workspace) rerun(ctx context.Context, a *action, producer Proposer, r Resolution, there []*planned) (files []*planned, fresh *Proposal, found match, err error) {
	if fresh, err = w.propose(ctx, producer); err != nil {
		return nil, nil, match{}, fmt.Errorf("%s was not applied, nothing was written: %w", a.label, err)
	}
	if err = w.checkProposal(New{}, fresh); err != nil {
		return nil, nil, match{}, err
	}
	w.mu.Lock()
	shown, limited := a.preview(), a.limited
	w.mu.Unlock()
	taken := takenIDs(there)
	if shown, fresh, err = withoutTaken(shown, fresh, there); err != nil {
		return nil, nil, match{}, err
	}
	found = compare(shown, fresh)
	if limited {
		found.added = 0
	}
	if len(r.Hunks) > 0 {
		maps.DeleteFunc(found.missing, func(_ string, hunks []hunk) bool {
			return !slices.ContainsFunc(hunks, func(h hunk) bool { return slices.Contains(r.Hunks, h.id) })
		})
	}
	for i, f := range fresh.Files {
		p := newPlanned(f.Path, f.Text)
		for j, h := range f.Hunks {
			if id := found.ids[i][j]; id != "" && !taken[id] && (len(r.Hunks) == 0 || slices.Contains(r.Hunks, id)) {
				p.add(id, h)
			}
		}
		if len(p.edits) > 0 {
			files = append(files, p)
		}
	}
	return files, fresh, found, nil
}

// refresh replaces the preview of an action and says why.
func (w *Workspace) refresh(m *Member, a *action, fresh *Proposal, found match) error {
	w.mu.Lock()
	defer w.settle()
	defer w.mu.Unlock()
	paths := a.paths()
	w.detach(a)
	w.setHunks(a, fresh.Files, found.ids)
	a.stale, a.dirty, a.limited = true, true, fresh.Limited
	w.emit(Event{Cause: CauseStale, ActionID: a.id, Paths: append(paths, a.paths()...), By: m.party})

	gone := slices.Sorted(maps.Keys(found.missing))
	why := "everything it would have replaced was changed"
	if len(gone) > 0 {
		why = "no longer there: " + describeMissing(found.missing, gone)
	}
	next := "Nothing of it is left to apply; discard it."
	if n := a.hunkCount(); n > 0 {
		next = fmt.Sprintf("Its preview is fresh now, with %s: look at it and apply again to accept that.", plural(n, "replacement"))
	}
	return &Error{Kind: Stale, Action: a.id, Paths: gone, Message: fmt.Sprintf("%s was not applied: %s. Nothing was written. %s", a.label, why, next)}
}

// runApply asks the owner to do what it promised; proposal is what it wants the
// workspace to write, if anything.
func (w *Workspace) runApply(ctx context.Context, a *action, r Resolution, res *Result) (*Proposal, error) {
	var answer *CallbackResult
	err := w.call(ctx, a, func(ctx context.Context) (err error) {
		answer, err = a.callbacks.Apply(ctx, r.Reason, r.Hunks)
		return err
	})
	if err != nil {
		return nil, &Error{Kind: CallbackFailed, Action: a.id, Err: err, Message: fmt.Sprintf("%s was not applied: %s answered: %s. It is still pending.", a.label, a.by.Name, Visible(err.Error()))}
	}
	if answer == nil {
		answer = &CallbackResult{}
	}
	res.Source, res.IsError = &answer.ToolResult, answer.IsError
	if answer.IsError {
		res.Text = fmt.Sprintf("%s is still pending: %s", a.label, answer.Text)
		return nil, nil
	}
	if answer.Proposal == nil {
		return &Proposal{}, nil
	}
	return answer.Proposal, w.checkProposal(New{}, answer.Proposal)
}

// chooseAnswer plans all of what a callback answered, in the text that its files
// have now.
func (w *Workspace) chooseAnswer(a *action, proposal *Proposal) ([]*planned, error) {
	src := w.source()
	var files []*planned
	for _, f := range proposal.Files {
		text, open := src.Overlay(f.Path)
		if !open {
			text = w.diskText(f.Path)
		}
		hunks := make([]*hunk, len(f.Hunks))
		for i, h := range f.Hunks {
			hunks[i] = &hunk{start: h.Start, end: h.End, before: h.Before, after: h.After}
		}
		if string(text) != string(f.Text) {
			hunks = rebaseHunks(hunks, diffEdits(f.Text, text), text, false)
		}
		if len(hunks) < len(f.Hunks) {
			return nil, &Error{Kind: Stale, Action: a.id, Paths: []string{f.Path}, Message: fmt.Sprintf("%s was not applied: %s changed since %s computed its edit. Nothing was written; apply again.", a.label, Visible(f.Path), a.by.Name)}
		}
		p := newPlanned(f.Path, text)
		for _, h := range hunks {
			p.add("", Hunk{Start: h.start, End: h.end, Before: h.before, After: h.after})
		}
		if len(p.edits) > 0 {
			files = append(files, p)
		}
	}
	return files, nil
}
