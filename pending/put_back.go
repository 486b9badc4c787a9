package pending

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// putBack takes back what the editors did, wherever their text still holds it,
// and returns the cause with the true state of the files. It returns errMoved
// when nothing was done and the reason is that somebody typed meanwhile.
func (w *Workspace) putBack(label string, files []*planned, cause error) error {
	by := map[*Member][]*planned{}
	var left []string
	var gone []*planned // their buffers went with their editor
	done, moved := false, false
	w.mu.Lock()
	for _, p := range files {
		if p.expect == nil {
			continue
		}
		t := w.track(p.path)
		shows, open := t.shows(p.editor)
		done = done || p.seen
		switch {
		case p.editor.left:
			gone = append(gone, p)
		case !open && !p.seen:
		case open && !p.seen && string(shows) != string(p.after):
			if string(shows) == string(p.before) {
				continue
			}
			if moved = true; !p.untouched(shows) {
				left = append(left, p.path)
			}
		default:
			if !open {
				shows = p.after // on disk
			}
			back, ok := p.back(shows)
			if !ok {
				left = append(left, p.path)
				continue
			}
			back.address(t)
			by[p.editor] = append(by[p.editor], back)
			done = true
		}
	}
	w.mu.Unlock()
	for _, p := range gone {
		if p.disk != nil && string(w.diskText(p.path)) != string(p.disk.text) {
			left = append(left, p.path)
		}
	}
	for m, files := range by {
		// The cause may be that the caller's context ended; this must happen anyway.
		err := w.writeEditor(context.Background(), m, "Take back: "+label, files)
		for _, p := range files {
			if err != nil && !p.seen {
				left = append(left, p.path)
			}
		}
		w.mu.Lock()
		w.forget(files)
		w.mu.Unlock()
	}
	refused := (*Error)(nil)
	if moved && !done && len(left) == 0 && errors.As(cause, &refused) && refused.Kind == EditorRejected {
		return errMoved
	}
	return failed(cause, left)
}

// failed words an apply that did not happen. A cause from the disk is whole
// sentences already, one from an editor is not.
func failed(cause error, left []string) error {
	kind, paths := WriteFailed, left
	why := strings.TrimSuffix(cause.Error(), ".")
	if len(left) == 0 && why != cause.Error() {
		return cause
	}
	if e := (*Error)(nil); errors.As(cause, &e) {
		kind = e.Kind
		if len(paths) == 0 {
			paths = e.Paths
		}
	}
	if len(left) == 0 {
		return &Error{Kind: kind, Paths: paths, Err: cause, Message: why + ". Every file is as it was and the action is still pending: look into it and apply again."}
	}
	return &Error{Kind: kind, Paths: paths, Err: cause, Message: fmt.Sprintf("%s. The action is still pending, but %s could not be put back and may hold part of the edit: look at it in the editor and undo there.", why, Visible(strings.Join(left, ", ")))}
}

// untouched reports whether a text that somebody else changed holds none of the
// edits yet.
func (p *planned) untouched(text []byte) bool {
	changes := diffEdits(p.before, text)
	hunks := make([]*hunk, len(p.edits))
	for i, e := range p.edits {
		hunks[i] = &hunk{start: e.Start, end: e.End}
		if e.Start < e.End {
			continue
		}
		for _, c := range changes { // an insertion has no bytes that could be touched
			if c.Start <= e.Start && e.Start <= c.End && strings.Contains(c.New, e.New) {
				return false
			}
		}
	}
	return len(rebaseHunks(hunks, changes, text, false)) == len(p.edits)
}

// taken reports whether a text that somebody else changed too holds all of the
// edits: what they put in is there, and what they took out is not.
func (p *planned) taken(text []byte) bool {
	back, ok := p.back(text)
	if !ok || len(back.edits) < len(p.edits) {
		return false
	}
	var out []*hunk
	for _, e := range p.edits {
		if e.New == "" {
			out = append(out, &hunk{start: e.Start, end: e.End})
		}
	}
	return len(out) == 0 || len(rebaseHunks(out, diffEdits(p.before, text), text, false)) == 0
}

// back plans the edit back, in a text that the edit led to and that somebody may
// have typed in since; ok is false if they typed where the edit was.
func (p *planned) back(text []byte) (back *planned, ok bool) {
	hunks := make([]*hunk, len(p.edits))
	delta := 0
	for i, e := range p.edits {
		start := e.Start + delta
		hunks[i] = &hunk{start: start, end: start + len(e.New), before: e.New, after: string(p.before[e.Start:e.End])}
		delta += growth(e)
	}
	if string(text) != string(p.after) {
		if hunks = rebaseHunks(hunks, diffEdits(p.after, text), text, false); len(hunks) < len(p.edits) {
			return nil, false
		}
	}
	back = &planned{path: p.path, before: text, editor: p.editor, open: p.open}
	for _, h := range hunks {
		back.edits = append(back.edits, textedit.Edit{Start: h.start, End: h.end, New: h.after})
	}
	var err error
	back.after, err = textedit.Apply(text, back.edits)
	return back, err == nil
}

// shows returns the text of a member's document.
func (t *track) shows(m *Member) (text []byte, open bool) {
	if o := t.overlay(m); o != nil {
		return o.text, true
	}
	return nil, false
}
