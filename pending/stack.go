package pending

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// action is one entry of the stack. Its fields are guarded by the workspace's
// lock, except those that do not change while it is pending: id, label, tool,
// details, by, owner, created, proposer, callbacks and recipe, and limited, which only the resolve
// that has claimed the action looks at.
type action struct {
	id, label, tool string
	details         json.RawMessage
	by              Party
	owner           *Member
	created         time.Time
	proposer        Proposer  // nil for raw edits
	callbacks       Callbacks // nil unless the owner decides what happens
	recipe          json.RawMessage
	limited         bool

	state    State
	orphaned bool
	// stale says that a hunk of the preview was lost; see hunk.stale for those
	// that are still there.
	stale bool
	// rejectFailed lets a second discard go past a reject callback that fails.
	rejectFailed bool
	files        []*actionFile // sorted by path
	nextHunk     int
	// offers are what clients were given to apply themselves; offerMatches counts
	// the matches that the latest left out because the preview did not show them.
	offers       []*offered
	offerMatches int
	// done is closed when the action is resolved; verdict is set before.
	done    chan struct{}
	verdict Verdict

	dirty bool     // it is not what the journal has
	texts []string // the hashes of the texts it needs in the journal
}

// actionFile is what one action changes in one file. Unless the action is being
// written it is listed in its track, whose text its hunks are offsets into.
type actionFile struct {
	action *action
	track  *track
	hunks  []*hunk // sorted by start
}

// hunk is a pending replacement. Unless it is stale, text[start:end] == before.
type hunk struct {
	id            string
	start, end    int
	before, after string
	stale         bool
	taken         bool // stale because the text holds what it was offered as
}

// newHunk gives a hunk its ID, unless it keeps one.
func (a *action) newHunk(id string, h Hunk) *hunk {
	if id == "" {
		a.nextHunk++
		id = "h" + strconv.Itoa(a.nextHunk)
	}
	return &hunk{id: id, start: h.Start, end: h.End, before: h.Before, after: h.After}
}

// raw reports whether the action's hunks are all there is to it: touched hunks
// are then shown and marked, since no producer can find them again.
func (a *action) raw() bool { return a.proposer == nil }

func (a *action) paths() []string {
	paths := make([]string, len(a.files))
	for i, f := range a.files {
		paths[i] = f.track.path
	}
	return paths
}

// shown are the hunks that the file's readers see. A producer's hunk that was
// touched is not one of them: the producer would not find it; nor is one that a
// client has applied. They are kept, in case the touch is undone.
func (f *actionFile) shown() []*hunk {
	if !slices.ContainsFunc(f.hunks, func(h *hunk) bool { return h.stale }) {
		return f.hunks
	}
	out := make([]*hunk, 0, len(f.hunks))
	for _, h := range f.hunks {
		if !h.stale || f.action.raw() && !h.taken {
			out = append(out, h)
		}
	}
	return out
}

// hunkCount counts the hunks shown.
func (a *action) hunkCount() int {
	n := 0
	for _, f := range a.files {
		n += len(f.shown())
	}
	return n
}

func (a *action) hasStale() bool {
	return a.stale || slices.ContainsFunc(a.files, func(f *actionFile) bool {
		return slices.ContainsFunc(f.hunks, func(h *hunk) bool { return h.stale && !h.taken })
	})
}

// attach lists the action's files in their tracks. The caller holds w.mu.
func (w *Workspace) attach(a *action) {
	for _, f := range a.files {
		f.track = w.track(f.track.path) // the track may have been dropped since
		at, _ := slices.BinarySearchFunc(f.track.files, a.id, func(f *actionFile, id string) int {
			return cmp.Compare(f.action.id, id)
		})
		f.track.files = slices.Insert(f.track.files, at, f)
	}
}

// detach takes the action's files out of their tracks. The caller holds w.mu.
func (w *Workspace) detach(a *action) {
	for _, f := range a.files {
		t := f.track
		t.files = slices.DeleteFunc(t.files, func(o *actionFile) bool { return o == f })
		w.dropTrack(t)
	}
}

// remove takes a resolved action off the stack and wakes who waits for it. The
// caller holds w.mu and has detached it.
func (w *Workspace) remove(a *action, v Verdict) {
	w.stack = slices.DeleteFunc(w.stack, func(o *action) bool { return o == a })
	a.state, a.verdict = v.State, v
	w.unsaveAction(a)
	// The history keeps what it takes to name the action, not what it held on to.
	a.files, a.proposer, a.callbacks, a.owner, a.recipe, a.details = nil, nil, nil, nil, nil, nil
	a.offers = nil
	w.resolved.add(a)
	close(a.done)
}

// header is the view of an action without its files. The caller holds w.mu.
func (w *Workspace) header(a *action) ActionView {
	above := 0
	if i, ok := slices.BinarySearchFunc(w.stack, a.id, func(a *action, id string) int { return cmp.Compare(a.id, id) }); ok {
		above = len(w.stack) - 1 - i
	}
	return ActionView{
		ID:             a.id,
		Label:          a.label,
		SourceToolName: a.tool,
		State:          a.state,
		Stale:          a.hasStale(),
		Orphaned:       a.orphaned,
		CreatedAt:      a.created,
		By:             a.by,
		Details:        a.details,
		Above:          above,
		Depth:          len(w.stack),
	}
}

// view copies an action for its readers. The caller holds w.mu.
func (w *Workspace) view(a *action) ActionView {
	v := w.header(a)
	v.Files = make([]FileView, 0, len(a.files))
	for _, f := range a.files {
		if view := f.view(); len(view.Hunks) > 0 {
			v.Files = append(v.Files, view)
		}
	}
	return v
}

// view copies a file for its readers. The caller holds the workspace's lock.
func (f *actionFile) view() FileView {
	shown := f.shown()
	v := FileView{Path: f.track.path, Text: f.track.mapped(), Hunks: make([]HunkView, len(shown))}
	if lead := f.track.lead(); lead != nil {
		version := lead.version
		v.Version = &version
	}
	for i, h := range shown {
		v.Hunks[i] = h.view()
	}
	return v
}

func (h *hunk) view() HunkView {
	return HunkView{ID: h.id, Hunk: Hunk{Start: h.start, End: h.end, Before: h.before, After: h.after}, Stale: h.stale}
}

// hunksIn shows the hunks in another text, without those that do not fit it.
func (f *actionFile) hunksIn(text []byte, edits []textedit.Edit) []HunkView {
	shown := f.shown()
	moved := make([]*hunk, len(shown))
	for i, h := range shown {
		c := *h
		moved[i] = &c
	}
	var views []HunkView
	for _, h := range rebaseHunks(moved, edits, text, false) {
		views = append(views, h.view())
	}
	return views
}
