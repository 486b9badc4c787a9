package pending

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// Keys of a workspace's journal. The parts after the slash sort in order of
// time.
const (
	keyAction   = "action/"   // + ULID: savedAction
	keyApproval = "approval/" // []ApprovalPolicy
	keyIntent   = "intent/"   // + ULID: savedIntent
	keyLog      = "log/"      // + number: Entry
	keyText     = "text/"     // + hash: blob, the text of an unsaved document
	keyUndo     = "undo/"     // + number: undoStep
)

// number formats a number for a key.
func number(n uint64) string { return fmt.Sprintf("%016x", n) }

func parseNumber(s string) uint64 {
	n, _ := strconv.ParseUint(s, 16, 63)
	return n
}

// blob is a string that need not be UTF-8; JSON would mend it.
type blob string

// MarshalText encodes the bytes.
func (b blob) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, []byte(b)), nil
}

// UnmarshalText decodes the bytes.
func (b *blob) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	*b = blob(raw)
	return err
}

// savedAction is an action in the journal.
type savedAction struct {
	Label     string          `json:"label"`
	Tool      string          `json:"tool"`
	Details   json.RawMessage `json:"details,omitempty"`
	By        Party           `json:"by"`
	Created   time.Time       `json:"created"`
	Recipe    json.RawMessage `json:"recipe,omitempty"`
	Callbacks bool            `json:"callbacks,omitempty"`
	Limited   bool            `json:"limited,omitempty"`
	Stale     bool            `json:"stale,omitempty"`
	NextHunk  int             `json:"nextHunk"`
	Files     []savedFile     `json:"files,omitempty"`
}

// savedFile holds hunks that are offsets into the text with that hash. It is on
// disk or, if it was in an unsaved document, in the journal.
type savedFile struct {
	Path  string      `json:"path"`
	Hash  string      `json:"hash"`
	Hunks []savedHunk `json:"hunks"`
}

type savedHunk struct {
	ID     string `json:"id"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Before blob   `json:"before"`
	After  blob   `json:"after"`
	Stale  bool   `json:"stale,omitempty"`
}

type savedEdit struct {
	Start int  `json:"start"`
	End   int  `json:"end"`
	New   blob `json:"new"`
}

func saveEdits(edits []textedit.Edit) []savedEdit {
	out := make([]savedEdit, len(edits))
	for i, e := range edits {
		out[i] = savedEdit{Start: e.Start, End: e.End, New: blob(e.New)}
	}
	return out
}

func loadEdits(saved []savedEdit) []textedit.Edit {
	out := make([]textedit.Edit, len(saved))
	for i, e := range saved {
		out[i] = textedit.Edit{Start: e.Start, End: e.End, New: string(e.New)}
	}
	return out
}

// saveDirty queues the actions that changed since they were saved. What moves
// in an open document does not count: text and hunks were saved together, and a
// diff leads from there. The caller holds w.mu.
func (w *Workspace) saveDirty() {
	for _, a := range w.stack {
		if a.dirty && a.state == Pending {
			a.dirty = false
			w.saveAction(a)
		}
	}
}

// saveAction queues an action as it is now. The caller holds w.mu.
func (w *Workspace) saveAction(a *action) {
	if w.options().Journal == nil {
		return
	}
	s := savedAction{
		Label: a.label, Tool: a.tool, Details: a.details, By: a.by, Created: a.created,
		Recipe: a.recipe, Callbacks: a.callbacks != nil, Limited: a.limited, Stale: a.stale, NextHunk: a.nextHunk,
	}
	old := a.texts
	a.texts = nil
	for _, f := range a.files {
		saved := savedFile{Path: f.track.path, Hash: f.track.hashed().String(), Hunks: make([]savedHunk, len(f.hunks))}
		for i, h := range f.hunks {
			saved.Hunks[i] = savedHunk{ID: h.id, Start: h.start, End: h.end, Before: blob(h.before), After: blob(h.after), Stale: h.stale}
		}
		s.Files = append(s.Files, saved)
		// A text that an editor had before a restart is kept until it comes back.
		if f.track.lead() != nil || w.texts[saved.Hash] > 0 {
			a.texts = append(a.texts, saved.Hash)
			if w.texts[saved.Hash]++; w.texts[saved.Hash] == 1 {
				w.save(keyText+saved.Hash, blob(f.track.text))
			}
		}
	}
	w.releaseTexts(old)
	w.save(keyAction+a.id, s)
}

// unsaveAction queues the end of an action. The caller holds w.mu.
func (w *Workspace) unsaveAction(a *action) {
	w.releaseTexts(a.texts)
	a.texts = nil
	w.save(keyAction+a.id, nil)
}

// releaseTexts drops saved texts that no action needs any more. The caller holds
// w.mu.
func (w *Workspace) releaseTexts(hashes []string) {
	for _, h := range hashes {
		if w.texts[h]--; w.texts[h] == 0 {
			delete(w.texts, h)
			w.save(keyText+h, nil)
		}
	}
}

// dirty marks the actions with hunks in a file, to be saved again.
func (t *track) dirty() {
	for _, f := range t.files {
		f.action.dirty = true
	}
}

// hashed returns the hash of the text.
func (t *track) hashed() textedit.Hash {
	if !t.hasHash {
		t.hash, t.hasHash = textedit.HashOf(t.text), true
	}
	return t.hash
}
