package pending

import (
	"bytes"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// track is what a workspace knows about one path while the path is open or has
// pending hunks. The workspace's lock guards it.
type track struct {
	path string
	// text is what the hunks of files are offsets into: the lead's text while
	// the path is open, else the text last seen on disk. Never written to.
	text     []byte
	mapper   *textedit.Mapper // of text; nil until somebody asks
	hash     textedit.Hash    // of text, if hasHash
	hasHash  bool
	overlays []*overlay     // in order of opening
	files    []*actionFile  // bottom of the stack first
	expected []*expectation // what running applies wait to see
}

// overlay is one member's text of one path.
type overlay struct {
	member  *Member
	version int32
	text    []byte
	mapper  *textedit.Mapper // of text; nil until somebody asks
}

// track returns the track of a path, making it if need be.
func (w *Workspace) track(path string) *track {
	t := w.tracks[path]
	if t == nil {
		t = &track{path: path}
		w.tracks[path] = t
	}
	return t
}

// dropTrack forgets a track that nothing needs.
func (w *Workspace) dropTrack(t *track) {
	if len(t.overlays) == 0 && len(t.files) == 0 && len(t.expected) == 0 {
		delete(w.tracks, t.path)
	}
}

// lead is the overlay the hunks follow when several members have the path open:
// the first that an editor opened, else the first.
func (t *track) lead() *overlay {
	for _, o := range t.overlays {
		if o.member.editor != nil {
			return o
		}
	}
	if len(t.overlays) > 0 {
		return t.overlays[0]
	}
	return nil
}

func (t *track) overlay(m *Member) *overlay {
	for _, o := range t.overlays {
		if o.member == m {
			return o
		}
	}
	return nil
}

// divergent returns two owners whose texts differ.
func (t *track) divergent() (a, b *overlay, ok bool) {
	for _, o := range t.overlays[min(1, len(t.overlays)):] {
		if !bytes.Equal(o.text, t.overlays[0].text) {
			return t.overlays[0], o, true
		}
	}
	return nil, nil, false
}

func (t *track) mapped() *textedit.Mapper {
	lead := t.lead()
	switch {
	case lead != nil:
		t.mapper = lead.mapped()
	case t.mapper == nil:
		t.mapper = textedit.NewMapper(t.text)
	}
	return t.mapper
}

func (o *overlay) mapped() *textedit.Mapper {
	if o.mapper == nil {
		o.mapper = textedit.NewMapper(o.text)
	}
	return o.mapper
}

func (o *overlay) set(version int32, text []byte) {
	o.version, o.text, o.mapper = version, text, nil
}

// setText changes the text without moving hunks.
func (t *track) setText(text []byte) { t.text, t.mapper, t.hasHash = text, nil, false }

// retext moves the hunks to another text of the path, through a diff. It
// returns the actions whose hunks moved or were lost.
func (t *track) retext(text []byte) {
	if len(t.files) == 0 {
		t.setText(text)
		return
	}
	t.rebase(diffEdits(t.text, text), text)
}

// rebase moves the hunks across edits of the text, which lead to text. The
// edits are sorted and do not overlap.
func (t *track) rebase(edits []textedit.Edit, text []byte) {
	for _, f := range t.files {
		f.rebase(edits, text)
		f.followOffers(text)
	}
	t.setText(text)
}

// rebase moves the hunks of one file across edits that lead to text.
func (f *actionFile) rebase(edits []textedit.Edit, text []byte) {
	f.hunks = rebaseHunks(f.hunks, edits, text, true)
}
