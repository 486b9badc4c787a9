package pending

import (
	"slices"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// frozen is an action that is being written: its hunks are out of the tracks,
// so the very edits that apply them do not touch them.
type frozen struct {
	action *action
	files  []frozenFile
	hunks  int // shown, or taken and there
	// others are the hunks of the other actions in files that go to an editor, to
	// be put back if the edit is.
	others map[*actionFile]savedHunks
}

type frozenFile struct {
	path  string
	text  []byte
	hunks []*hunk
}

type savedHunks struct {
	text  []byte
	hunks []hunk
	stale bool
}

func (f *frozen) paths() []string {
	paths := make([]string, len(f.files))
	for i, file := range f.files {
		paths[i] = file.path
	}
	return paths
}

// done reports whether nothing is left when the hunks with these IDs are
// resolved; no ID means all of them.
func (f *frozen) done(ids []string) bool {
	if len(ids) == 0 {
		return true
	}
	return f.hunks == len(ids)
}

// freeze begins the writing: under one lock it makes sure that every document
// still holds the text of the plan, sets up what the editors are expected to
// show, and takes the action's hunks out of view. there are the files that show
// the edit already. It returns errMoved when a document changed.
func (w *Workspace) freeze(a *action, files, there []*planned, by Party) (*frozen, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range there {
		if text, open := w.textFor(p); open && string(text) != string(p.after) {
			return nil, errMoved
		}
	}
	for _, p := range files {
		t := w.tracks[p.path]
		if t == nil {
			continue
		}
		lead := t.lead()
		switch {
		case lead == nil && p.open, lead != nil && string(lead.text) != string(p.before):
			return nil, errMoved
		case lead != nil && lead.member.editor != nil && !p.open, p.open && t.overlay(p.editor) == nil:
			return nil, errMoved // it was opened or closed after it was routed
		case lead == nil && string(t.text) != string(p.before):
			t.retext(p.before) // preflight just read it from disk
		}
	}
	f := &frozen{action: a, hunks: a.countWith(takenIDs(there)), others: map[*actionFile]savedHunks{}}
	for _, file := range a.files {
		f.files = append(f.files, frozenFile{path: file.track.path, text: file.track.text, hunks: file.hunks})
	}
	w.detach(a)
	a.files = nil
	for _, p := range files {
		if p.editor == nil || string(p.before) == string(p.after) {
			continue
		}
		t := w.track(p.path)
		p.address(t)
		for _, o := range t.files {
			saved := savedHunks{text: t.text, hunks: make([]hunk, len(o.hunks)), stale: o.action.stale}
			for i, h := range o.hunks {
				saved.hunks[i] = *h
			}
			f.others[o] = saved
		}
	}
	w.emit(Event{Cause: CauseApplying, ActionID: a.id, Paths: f.paths(), By: by})
	return f, nil
}

// address fixes what an editor is told: the version and text that the edits are
// for, taken under the lock that compared them, and the text to wait for. The
// caller holds w.mu.
func (p *planned) address(t *track) {
	// Not the track's text: of a file that is neither open nor pending elsewhere
	// it is unknown.
	p.version, p.text = nil, textedit.NewMapper(p.before)
	if o := t.overlay(p.editor); o != nil {
		version := o.version
		p.version, p.text = &version, o.mapped()
	}
	p.expect = &expectation{member: p.editor, text: p.after, seen: make(chan struct{})}
	t.expected = append(t.expected, p.expect)
}

// forget ends the expectations of a plan. The caller holds w.mu.
func (w *Workspace) forget(files []*planned) {
	for _, p := range files {
		t := w.tracks[p.path]
		if p.expect == nil || t == nil {
			continue
		}
		t.expected = slices.DeleteFunc(t.expected, func(e *expectation) bool { return e == p.expect })
		w.dropTrack(t)
	}
}

// thaw brings back the hunks but those that are done, in the text that their
// files have now. applied is nil when the apply failed. The caller holds w.mu.
func (w *Workspace) thaw(f *frozen, applied []*planned, done []string) {
	if applied == nil {
		w.restoreOthers(f)
	}
	for _, file := range f.files {
		left := slices.DeleteFunc(file.hunks, func(h *hunk) bool { return slices.Contains(done, h.id) })
		if len(left) == 0 {
			continue
		}
		_, existed := w.tracks[file.path]
		t := w.track(file.path)
		back := &actionFile{action: f.action, track: t, hunks: left}
		text := file.text
		if i := slices.IndexFunc(applied, func(p *planned) bool { return p.path == file.path }); i >= 0 {
			text = applied[i].after
			back.rebase(applied[i].edits, text)
		}
		switch {
		case !existed:
			t.setText(text)
		case string(t.text) != string(text):
			back.rebase(diffEdits(text, t.text), t.text)
		}
		f.action.files = append(f.action.files, back)
	}
	w.attach(f.action)
}

// restoreOthers gives the other actions back what a failed apply touched, where
// the text is what it was. The caller holds w.mu.
func (w *Workspace) restoreOthers(f *frozen) {
	for file, saved := range f.others {
		if string(file.track.text) != string(saved.text) || !slices.Contains(file.track.files, file) {
			continue
		}
		file.hunks = file.hunks[:0]
		for _, h := range saved.hunks {
			file.hunks = append(file.hunks, &h)
		}
		file.action.stale = saved.stale
	}
}
