package pending

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// DefaultSourceToolName names the tool of a push that names none.
const DefaultSourceToolName = "custom_tool"

// New is an action to push. It needs a Proposer, a Proposal or Callbacks.
type New struct {
	Label string
	// SourceToolName defaults to [DefaultSourceToolName].
	SourceToolName string
	Details        json.RawMessage
	// Proposal is the edit itself. With a Proposer it is the preview that the
	// caller has computed already.
	Proposal *Proposal
	// Proposer computes the edit, now (unless Proposal is given) and at apply.
	Proposer Proposer
	// Recipe is what [Options.Revive] makes the Proposer from after a restart.
	Recipe json.RawMessage
	// Callbacks, if not nil, are run instead of writing hunks.
	Callbacks Callbacks
}

// Push puts an action on top of the stack and returns its view. When the
// proposal is empty and there are no callbacks it pushes nothing and returns nil
// without an error.
func (m *Member) Push(ctx context.Context, n New) (*ActionView, error) {
	w := m.workspace
	if n.Proposal == nil && n.Proposer == nil && n.Callbacks == nil {
		return nil, &Error{Kind: InvalidResolution, Message: "Nothing was pushed: an action needs an edit, a proposer or callbacks."}
	}
	p := n.Proposal
	if p == nil && n.Proposer != nil {
		var err error
		if p, err = w.propose(ctx, n.Proposer); err != nil {
			return nil, fmt.Errorf("preview %s: %w", Visible(n.Label), err)
		}
	}
	if p == nil {
		p = &Proposal{}
	}
	if p.Replacements() == 0 && n.Callbacks == nil {
		return nil, nil
	}
	if err := w.checkProposal(n, p); err != nil {
		return nil, err
	}

	w.mu.Lock()
	defer w.settle()
	defer w.mu.Unlock()
	if m.left {
		return nil, &Error{Kind: StoreUnavailable, Message: MessageStoreUnavailable}
	}
	if limit := w.options().Limits.Depth; len(w.stack) >= limit {
		return nil, &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was pushed: %d actions are pending, the most this workspace takes. Resolve some first.", limit)}
	}
	if err := w.checkDivergence(p.Files); err != nil {
		return nil, err
	}
	a := &action{
		id:        ulid.MustNewDefault(w.options().Clock()).String(),
		label:     Visible(n.Label),
		tool:      Visible(n.SourceToolName),
		details:   n.Details,
		by:        m.party,
		owner:     m,
		created:   w.options().Clock(),
		proposer:  n.Proposer,
		callbacks: n.Callbacks,
		recipe:    n.Recipe,
		limited:   p.Limited,
		state:     Pending,
		done:      make(chan struct{}),
	}
	orDefault(&a.tool, DefaultSourceToolName)
	if k := len(w.stack); k > 0 && w.stack[k-1].id >= a.id {
		a.id = after(w.stack[k-1].id)
	}
	w.setHunks(a, p.Files, nil)
	w.stack = append(w.stack, a)
	w.saveAction(a)
	e := a.entry(CausePush, Resolution{by: m.party})
	e.Files, e.Hunks = a.paths(), a.hunkCount()
	w.record(e)
	w.emit(Event{Cause: CausePush, ActionID: a.id, Paths: a.paths(), By: m.party, Stack: true})
	v := w.view(a)
	return &v, nil
}

// after returns the next ULID: a clock that was set back must not unsort the
// stack.
func after(id string) string {
	u := ulid.MustParse(id)
	for i := len(u) - 1; i >= 0; i-- {
		if u[i]++; u[i] != 0 {
			break
		}
	}
	return u.String()
}

// setHunks makes the files of a proposal the preview of an action, in the text
// that each file has now. ids, if not nil, names the hunks that keep an ID. The
// action has no files in tracks. The caller holds w.mu.
func (w *Workspace) setHunks(a *action, files []FileProposal, ids [][]string) {
	a.files = nil
	for i, p := range files {
		t := w.track(p.Path)
		f := &actionFile{action: a, track: t, hunks: make([]*hunk, 0, len(p.Hunks))}
		for j, h := range p.Hunks {
			id := ""
			if ids != nil {
				id = ids[i][j]
			}
			f.hunks = append(f.hunks, a.newHunk(id, h))
		}
		switch {
		case len(t.overlays) > 0:
			// The document may have changed since the producer read it.
			if string(t.text) != string(p.Text) {
				f.rebase(diffEdits(p.Text, t.text), t.text)
			}
		case string(t.text) != string(p.Text):
			t.retext(p.Text) // the producer read the disk last
		}
		a.files = append(a.files, f)
	}
	w.attach(a)
}

// checkProposal refuses a proposal that is malformed, too large or outside the
// workspace. It reads no document.
func (w *Workspace) checkProposal(n New, p *Proposal) error {
	limits := w.options().Limits
	if len(n.Label) > limits.Label {
		return &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was changed: the label has %d bytes, at most %d are taken.", len(n.Label), limits.Label)}
	}
	if len(n.SourceToolName) > limits.Label {
		return &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was changed: the name of the tool has %d bytes, at most %d are taken.", len(n.SourceToolName), limits.Label)}
	}
	for name, raw := range map[string]json.RawMessage{"details": n.Details, "recipe": n.Recipe} {
		if len(raw) > 0 && !json.Valid(raw) {
			return &Error{Kind: InvalidResolution, Message: fmt.Sprintf("Nothing was changed: what is given as %s is not valid JSON.", name)}
		}
	}
	if len(p.Files) > limits.Files {
		return &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was changed: the edit touches %d files, at most %d are taken. Narrow it down.", len(p.Files), limits.Files)}
	}
	size := int64(len(n.Details) + len(n.Recipe))
	for i, f := range p.Files {
		if err := checkPath(f.Path); err != nil {
			return err
		}
		if i > 0 && p.Files[i-1].Path >= f.Path {
			return &Error{Kind: InvalidResolution, Message: fmt.Sprintf("Nothing was changed: %s is listed twice or out of order.", Visible(f.Path)), Paths: []string{f.Path}}
		}
		edits := make([]textedit.Edit, len(f.Hunks))
		for j, h := range f.Hunks {
			edits[j] = h.Edit()
			size += int64(len(h.Before) + len(h.After))
		}
		if err := textedit.Check(edits, len(f.Text)); err != nil {
			return &Error{Kind: Overlap, Message: fmt.Sprintf("Nothing was changed: %s: %v.", Visible(f.Path), err), Paths: []string{f.Path}, Err: err}
		}
		for _, h := range f.Hunks {
			if string(f.Text[h.Start:h.End]) != h.Before {
				return &Error{Kind: InvalidResolution, Message: fmt.Sprintf("Nothing was changed: %s does not hold what is to be replaced at byte %d.", Visible(f.Path), h.Start), Paths: []string{f.Path}}
			}
		}
	}
	if size > limits.Bytes {
		return &Error{Kind: Limit, Message: fmt.Sprintf("Nothing was changed: the edit has %d bytes, at most %d are taken. Narrow it down.", size, limits.Bytes)}
	}
	return nil
}

// checkPath refuses what is not a clean path below the root, or is Git's own.
func checkPath(p string) error {
	if !fs.ValidPath(p) || p == "." || !filepath.IsLocal(filepath.FromSlash(p)) || strings.Contains(p, "\x00") {
		return &Error{Kind: OutsideWorkspace, Message: fmt.Sprintf("%s is not a path inside the workspace; nothing was changed.", Visible(p)), Paths: []string{p}}
	}
	if slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool { return strings.EqualFold(s, ".git") }) {
		return &Error{Kind: OutsideWorkspace, Message: fmt.Sprintf("%s belongs to Git itself and is never edited; nothing was changed.", Visible(p)), Paths: []string{p}}
	}
	return nil
}

// checkDivergence refuses files whose text depends on whom one asks. The caller
// holds w.mu.
func (w *Workspace) checkDivergence(files []FileProposal) error {
	for _, f := range files {
		t := w.tracks[f.Path]
		if t == nil {
			continue
		}
		if a, b, ok := t.divergent(); ok {
			return divergentError(f.Path, a.member.party.Name, b.member.party.Name)
		}
	}
	return nil
}

func divergentError(path, a, b string) *Error {
	return &Error{
		Kind:    DivergentBuffers,
		Message: fmt.Sprintf("%s has different unsaved text in %s and in %s; nothing was changed. Save or close it in one of them and try again.", Visible(path), a, b),
		Paths:   []string{path},
	}
}
