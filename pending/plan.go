package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// planned is one file that an apply is about to write.
type planned struct {
	path   string
	before []byte // what the edits are offsets into
	edits  []textedit.Edit
	after  []byte
	ids    []string // the hunks of the action that the edits are
	count  int      // of the hunks, where an edit is not one hunk; else 0

	// editor is the member whose editor gets the edits; nil for the disk.
	editor *Member
	open   bool      // in editor
	disk   *diskFile // nil if the file exists only in a buffer

	// What the editor is told that the edits are for, and what it should show.
	version *int32
	text    *textedit.Mapper
	expect  *expectation // nil unless an editor has to change something
	looked  []byte       // what its document showed when verify looked last
	seen    bool         // the editor showed the result
	saved   bool         // the disk has the result
}

// errMoved says that a text changed after the edits were computed.
var errMoved = errors.New("the text changed meanwhile")

// newPlanned turns the hunks of one file into what is to be written.
func newPlanned(path string, text []byte) *planned { return &planned{path: path, before: text} }

func (p *planned) add(id string, h Hunk) {
	p.ids = append(p.ids, id)
	p.edits = append(p.edits, h.Edit())
}

// replacements counts the hunks.
func (p *planned) replacements() int {
	if p.count > 0 {
		return p.count
	}
	return len(p.edits)
}

// route decides who writes each file and checks that it can be written. It
// returns errMoved when a file's text is not the one that the edits are for.
func (w *Workspace) route(m *Member, files []*planned) error {
	for _, p := range files {
		var err error
		if p.after, err = textedit.Apply(p.before, p.edits); err != nil {
			return &Error{Kind: Overlap, Message: fmt.Sprintf("%s: %v; nothing was changed.", Visible(p.path), err), Paths: []string{p.path}, Err: err}
		}
	}
	if err := w.routeOpen(m, files); err != nil {
		return err
	}
	real := map[string]string{}
	for _, p := range files {
		disk, err := w.preflight(p)
		if err != nil {
			return err
		}
		p.disk = disk
		if disk == nil {
			continue
		}
		if other, twice := real[disk.real]; twice {
			return &Error{Kind: Overlap, Message: fmt.Sprintf("%s and %s are the same file; nothing was changed.", Visible(other), Visible(p.path)), Paths: []string{other, p.path}}
		}
		real[disk.real] = p.path
	}
	return nil
}

// routeOpen assigns the files to editors and checks that the documents still
// hold the text.
func (w *Workspace) routeOpen(m *Member, files []*planned) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	closed := w.editorForClosed(m)
	for _, p := range files {
		p.editor, p.open = nil, false
		t := w.tracks[p.path]
		if t == nil || len(t.overlays) == 0 {
			// An editor would open it as something else and save that.
			if utf8.Valid(p.before) {
				p.editor = closed
			}
			continue
		}
		if a, b, ok := t.divergent(); ok {
			return divergentError(p.path, a.member.party.Name, b.member.party.Name)
		}
		lead := t.lead()
		if string(lead.text) != string(p.before) {
			return errMoved
		}
		// All owners show the same text; who resolves wants to see it change.
		owner := lead.member
		if m.editor != nil && t.overlay(m) != nil {
			owner = m
		}
		if owner.editor != nil {
			p.editor, p.open = owner, true
		}
	}
	return nil
}

// editorForClosed is the member that takes the files nobody has open, if one
// asked for them: the one that resolves before any other. The caller holds w.mu.
func (w *Workspace) editorForClosed(m *Member) *Member {
	if m.editor != nil {
		if m.route == RouteEditor {
			return m
		}
		return nil
	}
	for _, o := range w.members {
		if o.editor != nil && o.route == RouteEditor {
			return o
		}
	}
	return nil
}

// preflight checks one file on disk. It returns nil for a file that exists only
// in an editor's buffer.
func (w *Workspace) preflight(p *planned) (*diskFile, error) {
	disk, err := w.readFile(p.path)
	if p.open && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := writable(disk); err != nil {
		return nil, err
	}
	if p.open || string(disk.text) == string(p.before) {
		return disk, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tracks[p.path]; t != nil {
		if lead := t.lead(); lead != nil {
			return nil, divergentError(p.path, lead.member.party.Name, "the file on disk")
		}
		w.moveToDisk(t, disk.text, Party{})
	}
	return nil, errMoved
}

// writable refuses files that nobody may write, even to root: the mode is how
// people protect generated files.
func writable(f *diskFile) error {
	err := unix.Access(f.real, unix.W_OK)
	if err == nil && f.info.Mode().Perm()&0o222 == 0 {
		err = fs.ErrPermission
	}
	if err == nil {
		err = unix.Access(filepath.Dir(f.real), unix.W_OK)
	}
	if err != nil {
		return diskError(f.path, &fs.PathError{Op: "write", Path: f.path, Err: err})
	}
	return nil
}
