package pending

import (
	"slices"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// OpenDocument makes text the member's view of a path, until
// [Member.CloseDocument]. The hunks in the file move to it. The text must not
// change afterwards.
func (m *Member) OpenDocument(path string, version int32, text []byte) {
	m.setDocument(path, version, text)
}

// ReplaceDocument is a change that sends the whole text; a path that is not
// open becomes open. The hunks move to the new text through a diff.
func (m *Member) ReplaceDocument(path string, version int32, text []byte) {
	m.setDocument(path, version, text)
}

func (m *Member) setDocument(path string, version int32, text []byte) {
	w := m.workspace
	w.mu.Lock()
	if m.left {
		w.mu.Unlock()
		return
	}
	t := w.track(path)
	o := t.overlay(m)
	if o == nil {
		o = &overlay{member: m}
		t.overlays = append(t.overlays, o)
	}
	o.set(version, text)
	t.saw(m, text)
	w.follow(t, m.party)
	w.mu.Unlock()
	w.deliver()
}

// ChangeDocument applies changes to the member's view of a path, each to the
// text left by the one before it. The hunks in the file move along before it
// returns: they drop or go stale where a change touches them, and none is added.
// A path that the member does not have open is ignored. A change that does not
// fit its text ends the message: the rest of it is ignored, with a warning in the
// log, until the client sends the whole text.
func (m *Member) ChangeDocument(path string, version int32, changes []textedit.Edit) {
	w := m.workspace
	w.mu.Lock()
	t := w.tracks[path]
	var o *overlay
	if t != nil && !m.left {
		o = t.overlay(m)
	}
	if o == nil {
		w.mu.Unlock()
		return
	}
	leading := t.lead() == o
	group := batches
	if len(t.expected) > 0 {
		group = singles // an apply waits for a text that may show only in between
	}
	for _, batch := range group(changes) {
		text, err := textedit.Apply(o.text, batch)
		if err != nil {
			w.options().Logger.Warn("change does not fit the document", "path", path, "version", version, "by", m.party.Name, "err", err)
			break
		}
		if leading {
			if len(t.files) > 0 {
				t.rebase(narrow(o.text, batch), text)
			} else {
				t.setText(text)
			}
		}
		o.set(version, text)
		t.saw(m, text)
	}
	o.version = version
	if leading && len(t.files) > 0 {
		w.emit(Event{Cause: CauseChange, Paths: []string{path}, By: m.party})
	}
	w.mu.Unlock()
	w.deliver()
}

// CloseDocument releases the member's view of a path. The hunks move to the
// view of another member that has it open, else to the text on disk.
func (m *Member) CloseDocument(path string) {
	w := m.workspace
	disk := w.diskText(path)
	w.mu.Lock()
	if t := w.tracks[path]; t != nil && t.overlay(m) != nil {
		w.closeOverlay(t, m, disk)
	}
	w.mu.Unlock()
	w.settle()
}

// closeOverlay releases one overlay. The caller holds w.mu.
func (w *Workspace) closeOverlay(t *track, m *Member, disk []byte) {
	t.overlays = slices.DeleteFunc(t.overlays, func(o *overlay) bool { return o.member == m })
	if t.lead() == nil && len(t.files) > 0 {
		t.retext(disk)
		t.dirty()
		w.emit(Event{Cause: CauseChange, Paths: []string{t.path}, By: m.party})
	} else {
		w.follow(t, m.party)
	}
	w.dropTrack(t)
}

// follow moves a track to its lead's text. The caller holds w.mu.
func (w *Workspace) follow(t *track, by Party) {
	lead := t.lead()
	if lead == nil {
		return
	}
	if len(t.files) == 0 {
		t.setText(lead.text)
		return
	}
	t.retext(lead.text)
	w.emit(Event{Cause: CauseChange, Paths: []string{t.path}, By: by})
}

// Document returns the member's own view of a path.
func (m *Member) Document(path string) (text *textedit.Mapper, version int32, ok bool) {
	w := m.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tracks[path]; t != nil {
		if o := t.overlay(m); o != nil {
			return o.mapped(), o.version, true
		}
	}
	return nil, 0, false
}

// DiskChanged says that files may have other text on disk than before. The
// hunks in those that nobody has open move to it; the others follow their
// documents.
func (m *Member) DiskChanged(paths []string) {
	w := m.workspace
	for _, path := range paths {
		w.mu.Lock()
		t := w.tracks[path]
		relevant := t != nil && len(t.overlays) == 0 && len(t.files) > 0
		w.mu.Unlock()
		if !relevant {
			continue
		}
		disk := w.diskText(path)
		w.mu.Lock()
		if t = w.tracks[path]; t != nil && len(t.overlays) == 0 && len(t.files) > 0 {
			w.moveToDisk(t, disk, m.party)
		}
		w.mu.Unlock()
	}
	w.settle()
}

// moveToDisk moves the hunks of a file that is not open. The caller holds w.mu.
func (w *Workspace) moveToDisk(t *track, disk []byte, by Party) {
	if string(t.text) == string(disk) {
		return
	}
	t.retext(disk)
	t.dirty()
	w.emit(Event{Cause: CauseChange, Paths: []string{t.path}, By: by})
}

// expectation is an apply's wait for a member's document to show a text.
type expectation struct {
	member *Member
	text   []byte
	seen   chan struct{} // closed when it was shown, if only for a moment
}

// saw tells the running applies what a member's document shows. Every
// intermediate text counts: a user may type on before the apply looks.
func (t *track) saw(m *Member, text []byte) {
	t.expected = slices.DeleteFunc(t.expected, func(e *expectation) bool {
		if e.member != m || string(e.text) != string(text) {
			return false
		}
		close(e.seen)
		return true
	})
}
