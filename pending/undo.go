package pending

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// keptUndo is how many applied actions can be taken back, latest first.
const keptUndo = 100

// undoStep is what takes back one apply. Its edits are offsets into the text
// that the apply left; the hash makes sure of it.
type undoStep struct {
	Action string     `json:"action"`
	Label  string     `json:"label"`
	Tool   string     `json:"tool"`
	Files  []undoFile `json:"files"`
	// Foreign says that the owner's callback did something of its own, which
	// nobody here can take back.
	Foreign bool `json:"foreign,omitempty"`

	number uint64 // its place in the journal
}

type undoFile struct {
	Path  string      `json:"path"`
	Hash  string      `json:"hash"` // of the text that the apply left
	Edits []savedEdit `json:"edits"`
}

// newUndoStep returns the step back from a plan that was carried out.
func newUndoStep(a *action, files []*planned) undoStep {
	s := undoStep{Action: a.id, Label: a.label, Tool: a.tool, Foreign: a.callbacks != nil && len(files) == 0}
	for _, p := range files {
		if back, ok := p.back(p.after); ok {
			s.Files = append(s.Files, undoFile{Path: p.path, Hash: textedit.HashOf(p.after).String(), Edits: saveEdits(back.edits)})
		}
	}
	return s
}

// pushUndo keeps a step. The caller holds w.mu.
func (w *Workspace) pushUndo(s undoStep) {
	if len(w.undo) >= keptUndo {
		w.save(keyUndo+number(w.undo[0].number), nil)
		w.undo = slices.Delete(w.undo, 0, 1)
	}
	s.number = w.undone
	w.undone++
	w.undo = append(w.undo, s)
	w.save(keyUndo+number(s.number), s)
}

// popUndo forgets the latest step. The caller holds w.mu.
func (w *Workspace) popUndo() {
	last := len(w.undo) - 1
	w.save(keyUndo+number(w.undo[last].number), nil)
	w.undo = w.undo[:last]
}

// Undo takes back the last applied action, or part of one, that was not taken
// back yet: through the editor where a file is open in one, on disk elsewhere.
// Every file must still have the text that the apply left; otherwise nothing is
// changed and the error, of kind [UndoDrift], names those that do not.
func (m *Member) Undo(ctx context.Context) (*Result, error) {
	w := m.workspace
	approved, err := w.approveUndo(ctx, m)
	if err != nil {
		return nil, err
	}
	step, a, err := w.claimUndo(m, approved)
	if err != nil {
		return nil, err
	}
	res := &Result{Decision: string(CauseUndo), ActionID: step.Action, Label: step.Label, SourceToolName: step.Tool}
	files, err := w.chooseUndo(step)
	var f *frozen
	in := &savedIntent{Action: a.id, Entry: a.entry(CauseUndo, Resolution{by: m.party, approver: approved.by}), PopUndo: true}
	if err == nil {
		if err = w.route(m, files); err == nil {
			f, err = w.freeze(a, files, nil, m.party)
		}
		if err == nil {
			w.deliver()
			e := &in.Entry
			for _, p := range files {
				e.Files, e.Hunks = append(e.Files, p.path), e.Hunks+len(p.edits)
			}
			err = w.carryOut(ctx, "Undo "+step.Label, files, in)
		}
	}
	w.mu.Lock()
	defer w.settle()
	defer w.mu.Unlock()
	w.resolving = nil
	w.end(in)
	w.forget(files)
	if err != nil {
		if f != nil {
			w.thaw(f, nil, nil)
		}
		if errors.Is(err, errMoved) {
			err = &Error{Kind: UndoDrift, Action: step.Action, Err: err, Message: fmt.Sprintf("%s was not taken back: somebody changed its files meanwhile. Nothing was changed.", step.Label)}
		}
		return nil, err
	}
	var paths []string
	for _, p := range files {
		paths = append(paths, p.path)
		w.wrote(p)
	}
	w.popUndo() // still step: nothing was applied meanwhile
	res.describe(files, Resolution{})
	res.Text = "Undone" + strings.TrimPrefix(res.Text, "Applied")
	res.Depth = len(w.stack)
	w.record(in.Entry)
	w.emit(Event{Cause: CauseUndo, ActionID: step.Action, Paths: paths, By: m.party})
	return res, nil
}

// approvedUndo is the step that a user agreed to take back, if one was asked.
type approvedUndo struct {
	step uint64 // its number
	by   *Party // nil if nobody was asked
}

// approveUndo asks the user of an editor if an agent wants to take back what it
// may not have applied on its own.
func (w *Workspace) approveUndo(ctx context.Context, m *Member) (approvedUndo, error) {
	w.mu.Lock()
	if m.party.Editor || len(w.undo) == 0 || !w.needsApproval(w.undo[len(w.undo)-1].Tool) {
		w.mu.Unlock()
		return approvedUndo{}, nil
	}
	step := w.undo[len(w.undo)-1]
	var paths []string
	for _, f := range step.Files {
		paths = append(paths, f.Path)
	}
	view := ActionView{ID: step.Action, Label: step.Label, SourceToolName: step.Tool, State: Applied}
	q := question{ApprovalRequest: ApprovalRequest{Action: view, Undo: true, By: m.party}, asked: w.approver(paths)}
	w.mu.Unlock()
	by, err := w.ask(ctx, q)
	return approvedUndo{step.number, by}, err
}

// claimUndo takes the latest step, which must be the one that was approved if one
// was, and keeps everybody else from resolving.
func (w *Workspace) claimUndo(m *Member, approved approvedUndo) (undoStep, *action, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.left {
		return undoStep{}, nil, &Error{Kind: StoreUnavailable, Message: MessageStoreUnavailable}
	}
	if w.resolving != nil {
		return undoStep{}, nil, w.busy()
	}
	if len(w.undo) == 0 {
		return undoStep{}, nil, &Error{Kind: InvalidResolution, Message: "Nothing was taken back: no action has been applied in this workspace that could be."}
	}
	step := w.undo[len(w.undo)-1]
	if approved.by != nil && step.number != approved.step {
		return undoStep{}, nil, &Error{Kind: UndoDrift, Action: step.Action, Message: fmt.Sprintf("Nothing was taken back: while the user was asked, %s became the last applied action. Undo again if that is meant.", step.Label)}
	}
	if step.Foreign {
		return undoStep{}, nil, &Error{Kind: InvalidResolution, Action: step.Action, Message: fmt.Sprintf("Nothing was taken back: %s, the last applied, was done by the tool that offered it. Ask that tool.", step.Label)}
	}
	a := &action{id: step.Action, label: step.Label, tool: step.Tool, state: Applying}
	w.resolving = a
	return step, a, nil
}

// chooseUndo plans the way back and checks that nobody changed a file since.
func (w *Workspace) chooseUndo(step undoStep) ([]*planned, error) {
	src := w.source()
	var files []*planned
	var drifted []string
	for _, f := range step.Files {
		text, open := src.Overlay(f.Path)
		if !open {
			disk, err := w.readFile(f.Path)
			if err != nil {
				drifted = append(drifted, f.Path)
				continue
			}
			text = disk.text
		}
		if textedit.HashOf(text).String() != f.Hash {
			drifted = append(drifted, f.Path)
			continue
		}
		p := newPlanned(f.Path, text)
		p.edits = loadEdits(f.Edits)
		files = append(files, p)
	}
	if len(drifted) > 0 {
		return nil, &Error{Kind: UndoDrift, Action: step.Action, Paths: drifted, Message: fmt.Sprintf("%s was not taken back: %s changed since it was applied. Nothing was changed.", step.Label, Visible(strings.Join(drifted, ", ")))}
	}
	return files, nil
}
