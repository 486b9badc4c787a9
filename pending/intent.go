package pending

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/oklog/ulid/v2"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// savedIntent is what a write to disk is about to do. It is stored before the
// first file changes, and removed together with what it led to; one that is
// found at a start was interrupted.
type savedIntent struct {
	// Action is the ID of the action; Whole says that it is resolved with this,
	// else only the hunks Done are.
	Action string   `json:"action"`
	Whole  bool     `json:"whole"`
	Done   []string `json:"done,omitempty"`
	// Entry goes into the log, Undo onto the steps; PopUndo means that this takes
	// back the latest step instead.
	Entry   Entry        `json:"entry"`
	Undo    *undoStep    `json:"undo,omitempty"`
	PopUndo bool         `json:"popUndo,omitempty"`
	Files   []intentFile `json:"files"`

	key string // set while it is in the journal
}

// intentFile leads a file from one text to another and back.
type intentFile struct {
	Path   string      `json:"path"`
	Temp   string      `json:"temp"` // absolute
	Before string      `json:"before"`
	After  string      `json:"after"`
	Edits  []savedEdit `json:"edits"`
	Back   []savedEdit `json:"back"`
}

// plan adds the writes to an intent, and names their temporary files.
func (w *Workspace) plan(in *savedIntent, writes []*diskWrite) {
	id := ulid.MustNewDefault(w.options().Clock()).String()
	for i, d := range writes {
		d.temp = filepath.Join(filepath.Dir(d.file.real), tempPrefix+id+"-"+strconv.Itoa(i))
		if w.options().Journal == nil {
			continue // nobody will read it
		}
		back, _ := d.plan.back(d.plan.after) // never fails in the very text
		in.Files = append(in.Files, intentFile{
			Path: d.file.path, Temp: d.temp,
			Before: textedit.HashOf(d.plan.before).String(), After: textedit.HashOf(d.plan.after).String(),
			Edits: saveEdits(d.plan.edits), Back: saveEdits(back.edits),
		})
	}
	in.key = keyIntent + id
}

// recover finishes an interrupted write or, if a file was changed since or
// cannot be written, takes it back. applied says which.
func (w *Workspace) recover(in savedIntent) (applied bool, err error) {
	var todo, done []*diskWrite
	var odd []string
	for i, f := range in.Files {
		if filepath.Dir(f.Temp) != "" && isTemp(f.Temp) && w.contains(f.Temp) {
			_ = os.Remove(f.Temp) // not there, most often
		}
		file, err := w.readFile(f.Path)
		if err != nil {
			odd = append(odd, f.Path)
			continue
		}
		d := &diskWrite{file: file, temp: filepath.Join(filepath.Dir(file.real), filepath.Base(f.Temp))}
		if !isTemp(d.temp) {
			d.temp = filepath.Join(filepath.Dir(file.real), tempPrefix+strconv.Itoa(i))
		}
		edits, list := f.Edits, &todo
		want := f.After
		switch textedit.HashOf(file.text).String() {
		case f.Before:
		case f.After:
			edits, list, want = f.Back, &done, f.Before
		default:
			odd = append(odd, f.Path)
			continue
		}
		if d.text, err = textedit.Apply(file.text, loadEdits(edits)); err != nil || textedit.HashOf(d.text).String() != want {
			odd = append(odd, f.Path)
			continue
		}
		*list = append(*list, d)
	}
	if len(odd) == 0 {
		if err = w.replaceAll(todo); err == nil {
			return true, nil
		}
	}
	// Somebody else has been at it, or it cannot be done: back to before.
	if backErr := w.replaceAll(done); backErr != nil {
		return false, errors.Join(err, backErr)
	}
	for _, path := range odd {
		w.options().Logger.Warn("an interrupted write was taken back, but this file was changed since and is left as it is", "root", w.root, "path", path)
	}
	return false, nil
}

// contains reports whether an absolute path lies in the workspace.
func (w *Workspace) contains(path string) bool {
	rel, err := filepath.Rel(w.root, path)
	return err == nil && filepath.IsLocal(rel)
}

// begin stores an intent. Without it nothing may be written.
func (w *Workspace) begin(in *savedIntent) error {
	w.mu.Lock()
	w.save(in.key, *in)
	w.mu.Unlock()
	err := w.persist()
	if err == nil {
		return nil
	}
	return &Error{Kind: WriteFailed, Err: err, Message: fmt.Sprintf("the write could not be recorded, so that a crash could have left it half done: %s; nothing was changed. Free some space in the state directory and apply again.", Visible(err.Error()))}
}

// end queues the end of an intent, in one step with what became of it: what is
// queued under one lock is stored at once. The caller holds w.mu.
func (w *Workspace) end(in *savedIntent) {
	if in.key != "" {
		w.save(in.key, nil)
	}
}
