package pending

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// pollDisk is how often a file that an editor does not have open is looked at.
const pollDisk = 20 * time.Millisecond

// writeEditors sends each editor its files and waits until its documents show
// the result. When one fails, what the editors did is taken back and the error
// says what could not be.
func (w *Workspace) writeEditors(ctx context.Context, label string, files []*planned) error {
	var editors []*Member
	by := map[*Member][]*planned{}
	for _, p := range files {
		if p.editor == nil || p.expect == nil {
			continue
		}
		if by[p.editor] == nil {
			editors = append(editors, p.editor)
		}
		by[p.editor] = append(by[p.editor], p)
	}
	for _, m := range editors {
		if err := w.writeEditor(ctx, m, label, by[m]); err != nil {
			return w.putBack(label, files, err)
		}
	}
	return nil
}

// writeEditor sends one editor its files. A nil error means that all of them
// show the result.
func (w *Workspace) writeEditor(ctx context.Context, m *Member, label string, files []*planned) error {
	request := BufferEdits{Label: label}
	for _, p := range files {
		request.Files = append(request.Files, BufferEdit{Path: p.path, Version: p.version, Text: p.text, Edits: p.edits})
	}
	err := m.applyEdits(ctx, request)
	within := w.options().VerifyTimeout
	if err != nil {
		// What it did before it failed may still be on its way here.
		within = min(within, 250*time.Millisecond)
	}
	lacking := w.verify(m, files, within)
	if m.gone.Err() != nil {
		<-m.departed // whoever hears of it and tries again must not meet it once more
	}
	switch {
	case err != nil:
		return err
	case len(lacking) > 0 && m.gone.Err() != nil:
		return &Error{Kind: EditorRejected, Paths: lacking, Message: fmt.Sprintf("%s disconnected before it showed the edit", m.party.Name)}
	case len(lacking) > 0:
		return &Error{Kind: EditorRejected, Paths: lacking, Message: fmt.Sprintf("%s says that it applied the edit, but %s does not show it", m.party.Name, Visible(strings.Join(lacking, ", ")))}
	}
	return nil
}

// applyEdits calls the member's editor within the member's bounds.
func (m *Member) applyEdits(ctx context.Context, edits BufferEdits) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if m.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, m.timeout)
		defer cancel()
	}
	defer context.AfterFunc(m.gone, cancel)()
	err := m.workspace.foreign("the editor", func() error { return m.editor.ApplyEdits(ctx, edits) })
	var refusal *Error
	switch {
	case err == nil:
		return nil
	case m.gone.Err() != nil:
		return &Error{Kind: EditorRejected, Err: err, Message: fmt.Sprintf("%s disconnected while it applied the edit", m.party.Name)}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{Kind: EditorTimeout, Err: err, Message: fmt.Sprintf("%s did not answer in time", m.party.Name)}
	case errors.As(err, &refusal):
		return &Error{Kind: refusal.Kind, Err: err, Message: fmt.Sprintf("%s did not apply the edit: %s", m.party.Name, refusal.Message)}
	default:
		return &Error{Kind: EditorRejected, Err: err, Message: fmt.Sprintf("%s did not apply the edit: %s", m.party.Name, Visible(err.Error()))}
	}
}

// verify waits until the editor's documents, or the disk where it has none open,
// have shown the texts, and returns the paths that have not.
func (w *Workspace) verify(m *Member, files []*planned, within time.Duration) (lacking []string) {
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	tick := time.NewTicker(pollDisk)
	defer tick.Stop()
	over := false
	for _, p := range files {
		for !p.seen {
			select {
			case <-p.expect.seen:
				p.seen = true
				continue
			default:
			}
			if w.holds(p) {
				p.seen = true
				break
			}
			if over {
				break
			}
			select {
			case <-p.expect.seen:
			case <-tick.C:
			case <-deadline.C:
				over = true
			case <-m.gone.Done():
				over = true
			}
		}
		if !p.seen {
			lacking = append(lacking, p.path)
		}
	}
	return lacking
}

// holds reports whether a file has the edits although its document never showed
// just the expected text: it is not open and was written without a word, or the
// user typed on and the client sent both at once.
func (w *Workspace) holds(p *planned) bool {
	w.mu.Lock()
	text, open := w.track(p.path).shows(p.editor)
	w.mu.Unlock()
	if !open {
		return !p.open && string(w.diskText(p.path)) == string(p.after)
	}
	if p.looked != nil && &p.looked[0] == &text[0] || len(text) == 0 || string(text) == string(p.before) {
		return false
	}
	p.looked = text
	return equalButBreaks(text, p.after) || p.taken(text)
}

// equalButBreaks compares texts whatever their lines end in: an editor that was told
// to write other line breaks does so with what is inserted too.
func equalButBreaks(a, b []byte) bool {
	lf := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(lf(a), lf(b))
}
