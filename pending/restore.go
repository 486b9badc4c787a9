package pending

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// kept is a workspace's part of the journal, decoded.
type kept struct {
	actions map[string]savedAction
	ids     []string // of actions, oldest first
	texts   map[string][]byte
	intents map[string]savedIntent // by key
	// moved leads from the hash of a text to the edits that a recovered write made.
	moved map[string]intentFile
}

// restore brings back what the journal keeps. What cannot be read is skipped
// with a warning: the rest is worth more.
func (w *Workspace) restore() {
	journal := w.options().Journal
	if journal == nil {
		return
	}
	k := kept{actions: map[string]savedAction{}, texts: map[string][]byte{}, intents: map[string]savedIntent{}, moved: map[string]intentFile{}}
	if err := journal.Load(w.root, func(key string, value []byte) error {
		if err := w.load(&k, key, value); err != nil {
			w.options().Logger.Warn("an entry of the journal is damaged and was skipped", "root", w.root, "key", key, "err", err)
		}
		return nil
	}); err != nil {
		w.options().Logger.Error("the journal could not be read; the workspace starts empty", "root", w.root, "err", err)
		return
	}
	for key, in := range k.intents {
		w.conclude(&k, key, in)
	}
	w.mu.Lock()
	// Newest first: where unsaved texts of one file differ, the last one counts.
	for _, id := range slices.Backward(k.ids) {
		if s, ok := k.actions[id]; ok {
			w.restoreAction(&k, id, s)
		}
	}
	slices.Reverse(w.stack)
	for hash := range k.texts {
		if w.texts[hash] == 0 {
			w.save(keyText+hash, nil)
		}
	}
	w.restoreHistory()
	w.mu.Unlock()
	w.settle()
}

// load decodes one entry.
func (w *Workspace) load(k *kept, key string, value []byte) error {
	kind, id, _ := strings.Cut(key, "/")
	switch kind + "/" {
	case keyAction:
		var s savedAction
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		k.actions[id] = s
		k.ids = append(k.ids, id)
	case keyText:
		var text blob
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		if textedit.HashOf([]byte(text)).String() == id {
			k.texts[id] = []byte(text)
		}
	case keyIntent:
		var in savedIntent
		if err := json.Unmarshal(value, &in); err != nil {
			return err
		}
		k.intents[key] = in
	case keyLog:
		var e Entry
		if err := json.Unmarshal(value, &e); err != nil {
			return err
		}
		w.log = append(w.log, e)
		w.logged = max(w.logged, parseNumber(id)+1)
	case keyApproval:
		return json.Unmarshal(value, &w.approval)
	case keyUndo:
		var s undoStep
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		s.number = parseNumber(id)
		w.undo = append(w.undo, s)
		w.undone = max(w.undone, s.number+1)
	}
	return nil
}

// conclude ends an interrupted write and draws the consequences.
func (w *Workspace) conclude(k *kept, key string, in savedIntent) {
	applied, err := w.recover(in)
	if err != nil {
		// It is tried again at the next start; the action stays.
		w.options().Logger.Error("an interrupted write could be neither finished nor taken back", "root", w.root, "action", in.Action, "err", err)
		return
	}
	w.options().Logger.Info("an interrupted write was concluded", "root", w.root, "action", in.Action, "applied", applied)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.save(key, nil)
	if !applied {
		return
	}
	for _, f := range in.Files {
		k.moved[f.Before] = f
	}
	w.record(in.Entry)
	if in.PopUndo && len(w.undo) > 0 {
		w.popUndo()
	}
	if in.Undo != nil {
		w.pushUndo(*in.Undo)
	}
	if s, ok := k.actions[in.Action]; ok && in.Whole {
		delete(k.actions, in.Action)
		w.save(keyAction+in.Action, nil)
	} else if ok {
		for i := range s.Files {
			s.Files[i].Hunks = slices.DeleteFunc(s.Files[i].Hunks, func(h savedHunk) bool { return slices.Contains(in.Done, h.ID) })
		}
		k.actions[in.Action] = s
	}
}

// restoreAction puts an action below those that are restored already. The caller
// holds w.mu and reverses the stack in the end.
func (w *Workspace) restoreAction(k *kept, id string, s savedAction) {
	a := &action{
		id: id, label: s.Label, tool: s.Tool, details: s.Details, by: s.By, created: s.Created,
		recipe: s.Recipe, limited: s.Limited, state: Pending, stale: s.Stale, nextHunk: s.NextHunk,
		done: make(chan struct{}), dirty: true,
	}
	if s.Callbacks {
		a.callbacks, a.orphaned = goneOwner{}, true
	}
	if revive := w.options().Revive; revive != nil && len(s.Recipe) > 0 {
		p, err := revive(s.Tool, s.Recipe)
		if err != nil {
			w.options().Logger.Warn("a restored action cannot run its producer again and keeps only its hunks", "root", w.root, "label", s.Label, "err", err)
		}
		if err == nil {
			a.proposer = p
		}
	}
	for _, saved := range s.Files {
		if checkPath(saved.Path) != nil || slices.ContainsFunc(a.files, func(f *actionFile) bool { return f.track.path == saved.Path }) {
			continue
		}
		f := &actionFile{action: a}
		for _, h := range saved.Hunks {
			f.hunks = append(f.hunks, &hunk{id: h.ID, start: h.Start, end: h.End, before: string(h.Before), after: string(h.After), stale: h.Stale})
		}
		w.restoreFile(k, f, saved)
		a.files = append(a.files, f)
	}
	w.attach(a)
	w.stack = append(w.stack, a)
}

// restoreFile finds the text that the hunks of a file are for, or their places
// in the text that there is.
func (w *Workspace) restoreFile(k *kept, f *actionFile, saved savedFile) {
	base, unsaved := k.texts[saved.Hash]
	if unsaved { // it is needed until the action is saved with another
		f.action.texts = append(f.action.texts, saved.Hash)
		w.texts[saved.Hash]++
	}
	t, known := w.tracks[saved.Path]
	if !known {
		t = w.track(saved.Path)
		if unsaved {
			t.setText(base) // an editor may come back with it
		} else {
			t.setText(w.diskText(saved.Path))
		}
	}
	f.track = t
	now := t.hashed().String()
	moved, wasMoved := k.moved[saved.Hash]
	switch {
	case now == saved.Hash:
	case unsaved:
		f.hunks = placeHunks(f.hunks, base, f.action)
		f.rebase(diffEdits(base, t.text), t.text)
	case wasMoved && moved.Path == saved.Path && moved.After == now:
		f.rebase(loadEdits(moved.Edits), t.text)
	}
	f.hunks = placeHunks(f.hunks, t.text, f.action)
}

// placeHunks makes sure that hunks from elsewhere cover what they replace. One
// that does not is moved to the only place that holds its text; if there are
// several or none it is lost, as [rebaseHunks] loses one.
func placeHunks(hunks []*hunk, text []byte, a *action) []*hunk {
	whole := string(text)
	out := hunks[:0]
	for _, h := range hunks {
		fits := h.start >= 0 && h.start <= h.end && h.end <= len(whole)
		if fits && (h.stale || whole[h.start:h.end] == h.before) {
			out = append(out, h)
			continue
		}
		if at := strings.Index(whole, h.before); h.before != "" && at >= 0 && at == strings.LastIndex(whole, h.before) {
			h.start, h.end, h.stale = at, at+len(h.before), false
			out = append(out, h)
			continue
		}
		if !a.raw() {
			a.stale = true
			continue
		}
		h.start = min(max(h.start, 0), len(whole))
		h.end = min(max(h.end, h.start), len(whole))
		h.stale = true
		out = append(out, h)
	}
	sortHunks(out)
	end := 0
	for _, h := range out { // what overlaps cannot be applied
		if !h.stale && h.start < end {
			h.stale = true
		}
		if !h.stale {
			end = h.end
		}
	}
	if a.raw() {
		return out
	}
	return slices.DeleteFunc(out, func(h *hunk) bool {
		a.stale = a.stale || h.stale
		return h.stale
	})
}

// restoreHistory lets resolved actions be known by ID again, from the log. The
// caller holds w.mu.
func (w *Workspace) restoreHistory() {
	for _, e := range w.log {
		if e.Cause != CauseApply && e.Cause != CauseDiscard || w.find(e.ActionID) != nil {
			continue
		}
		state := Applied
		if e.Cause == CauseDiscard {
			state = Discarded
		}
		done := make(chan struct{})
		close(done)
		w.resolved.add(&action{
			id: e.ActionID, label: e.Label, tool: e.SourceToolName, state: state, done: done,
			verdict: Verdict{State: state, Reason: e.Reason, By: e.By, Approver: e.Approver},
		})
	}
}
