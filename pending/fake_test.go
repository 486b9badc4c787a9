package pending_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/pending"
)

// fakeEditor is a client with buffers of its own. It checks versions, applies
// an edit to its buffers and tells the workspace with didChange-like calls.
type fakeEditor struct {
	member *pending.Member
	root   string

	mu      sync.Mutex
	buffers map[string]*fakeBuffer
	undo    map[string][][]byte
	// next are the moods of the requests to come: see ApplyEdits.
	next []string
	// saves makes it write and open what it edits, as VS Code does.
	saves bool
	// whole makes it send whole texts instead of changes.
	whole bool
	log   []string
	late  sync.WaitGroup
}

type fakeBuffer struct {
	text    []byte
	version int32
}

var _ pending.Editor = (*fakeEditor)(nil)

func newFakeEditor(root string) *fakeEditor {
	return &fakeEditor{root: root, buffers: map[string]*fakeBuffer{}, undo: map[string][][]byte{}}
}

// ApplyEdits does what its mood says: "" applies, "refuse" does not, "lie" says
// it did, "half" edits the first file and fails, "half-lie" edits the first file
// and says it did all, "late" tells of the change only after it answered,
// "silent" never answers, "type" is followed by a user's keystroke and "busy"
// preceded by one, "together" tells of both at once, "dos" writes "\r\n".
func (e *fakeEditor) ApplyEdits(ctx context.Context, edits pending.BufferEdits) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	mood := ""
	if len(e.next) > 0 {
		mood, e.next = e.next[0], e.next[1:]
	}
	switch mood {
	case "refuse":
		return &pending.Error{Kind: pending.EditorRejected, Message: "the buffer is locked"}
	case "lie":
		return nil
	case "silent":
		e.mu.Unlock()
		<-ctx.Done()
		e.mu.Lock()
		return ctx.Err()
	}
	if mood == "busy" {
		e.change(edits.Files[0].Path, []textedit.Edit{{New: "?"}})
	}
	for _, f := range edits.Files {
		b := e.buffers[f.Path]
		if b == nil && f.Version != nil || b != nil && (f.Version == nil || *f.Version != b.version) {
			return &pending.Error{Kind: pending.EditorRejected, Message: "stale version of " + f.Path}
		}
	}
	for i, f := range edits.Files {
		if i > 0 && strings.Contains(mood, "half") && mood != "half-lie" {
			return fmt.Errorf("E%d: swap file exists", 325)
		}
		if i > 0 && mood == "half-lie" {
			return nil
		}
		if err := e.edit(f, mood); err != nil {
			return err
		}
		if strings.Contains(mood, "type") {
			e.change(f.Path, []textedit.Edit{{New: "!"}})
		}
	}
	return nil
}

func (e *fakeEditor) edit(f pending.BufferEdit, mood string) error {
	e.log = append(e.log, fmt.Sprintf("edit %s %d", f.Path, len(f.Edits)))
	b := e.buffers[f.Path]
	if b == nil {
		text, err := os.ReadFile(filepath.Join(e.root, f.Path))
		if err != nil {
			return err
		}
		if text, err = textedit.Apply(text, f.Edits); err != nil {
			return err
		}
		if e.saves {
			e.buffers[f.Path] = &fakeBuffer{text: text, version: 1}
			e.member.OpenDocument(f.Path, 1, text)
			return os.WriteFile(filepath.Join(e.root, f.Path), text, 0o644)
		}
		e.buffers[f.Path] = &fakeBuffer{text: text} // hidden: nobody is told
		return nil
	}
	// Last edit first, so that each applies to the text left by the one before.
	changes := slices.Clone(f.Edits)
	slices.Reverse(changes)
	if mood == "dos" {
		for i := range changes {
			changes[i].New = strings.ReplaceAll(changes[i].New, "\n", "\r\n")
		}
	}
	if mood == "late" {
		e.late.Add(1)
		time.AfterFunc(20*time.Millisecond, func() {
			defer e.late.Done()
			e.mu.Lock()
			defer e.mu.Unlock()
			e.change(f.Path, changes)
		})
		return nil
	}
	if mood == "together" {
		changes = append(changes, textedit.Edit{New: "!"})
	}
	e.change(f.Path, changes)
	if e.saves {
		return os.WriteFile(filepath.Join(e.root, f.Path), b.text, 0o644)
	}
	return nil
}

// change edits a buffer, as one step of undo, and says so.
func (e *fakeEditor) change(path string, changes []textedit.Edit) {
	b := e.buffers[path]
	e.undo[path] = append(e.undo[path], b.text)
	for _, c := range changes {
		text, err := textedit.Apply(b.text, []textedit.Edit{c})
		if err != nil {
			panic(err)
		}
		b.text = text
	}
	b.version += 2 // versions jump
	if e.whole {
		e.member.ReplaceDocument(path, b.version, b.text)
	} else {
		e.member.ChangeDocument(path, b.version, changes)
	}
}

// takeUndo undoes the last step in one buffer.
func (e *fakeEditor) takeUndo(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	steps := e.undo[path]
	b := e.buffers[path]
	b.text, b.version = steps[len(steps)-1], b.version+1
	e.undo[path] = steps[:len(steps)-1]
	e.member.ReplaceDocument(path, b.version, b.text)
}

func (e *fakeEditor) open(path string) error {
	text, err := os.ReadFile(filepath.Join(e.root, path))
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.buffers[path] = &fakeBuffer{text: text, version: 1}
	e.member.OpenDocument(path, 1, text)
	return nil
}

func (e *fakeEditor) close(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.buffers, path)
	e.member.CloseDocument(path)
}

// replaceOnce types over the first occurrence of a text.
func (e *fakeEditor) replaceOnce(path, old, new string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.buffers[path]
	if b == nil {
		return fmt.Errorf("%s is not open", path)
	}
	at := strings.Index(string(b.text), old)
	if at < 0 {
		return fmt.Errorf("%s does not hold %q", path, old)
	}
	e.change(path, []textedit.Edit{{Start: at, End: at + len(old), New: new}})
	return nil
}

func (e *fakeEditor) text(path string) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if b := e.buffers[path]; b != nil {
		return string(b.text), true
	}
	return "", false
}

// literal is a producer that replaces one text by another everywhere.
type literal struct {
	Old, New string // exported for the recipe
	Limit    int
}

var _ pending.Proposer = (*literal)(nil)

func (l *literal) Propose(ctx context.Context, src pending.Source) (*pending.Proposal, error) {
	paths := src.Overlays()
	err := filepath.WalkDir(src.Root(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(src.Root(), path)
			paths = append(paths, filepath.ToSlash(rel))
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	p := &pending.Proposal{}
	for _, path := range slices.Compact(paths) {
		text, open := src.Overlay(path)
		if !open {
			if text, err = os.ReadFile(filepath.Join(src.Root(), path)); err != nil {
				return nil, err
			}
		}
		f := pending.FileProposal{Path: path, Text: text}
		for at := 0; ; {
			i := strings.Index(string(text[at:]), l.Old)
			if i < 0 {
				break
			}
			if l.Limit > 0 && p.Replacements()+len(f.Hunks) == l.Limit {
				p.Limited = true
				break
			}
			at += i
			f.Hunks = append(f.Hunks, pending.Hunk{Start: at, End: at + len(l.Old), Before: l.Old, After: l.New})
			at += len(l.Old)
		}
		if len(f.Hunks) > 0 {
			p.Files = append(p.Files, f)
		}
	}
	return p, nil
}

func oneEdit(start, end int, text string) []textedit.Edit {
	return []textedit.Edit{{Start: start, End: end, New: text}}
}
