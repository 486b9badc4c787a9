package pending

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// Workspace is one root's stack, its open documents and its members. It is
// shared by every session that opened the root.
type Workspace struct {
	registry *Registry
	root     string
	refs     int // guarded by registry.mu

	mu       sync.Mutex // guards everything below
	stack    []*action  // bottom first
	tracks   map[string]*track
	members  []*Member
	resolved history
	log      []Entry    // oldest first
	logged   uint64     // entries ever
	undo     []undoStep // oldest first
	undone   uint64     // steps ever
	// approval is what the editors want that are attached, or were last.
	approval []ApprovalPolicy
	// resolving is the action whose apply or discard is under way, if any.
	resolving *action

	queue      []Event
	delivering bool

	unsaved []unsaved
	// texts counts the saved actions that need a saved text.
	texts map[string]int // by hash
	// lastCommit is the latest that has begun; nextCommit, if any, waits for it.
	lastCommit, nextCommit *commit

	restored sync.Once
}

func newWorkspace(r *Registry, root string) *Workspace {
	return &Workspace{registry: r, root: root, tracks: map[string]*track{}, texts: map[string]int{}}
}

// Close ends one [Registry.Open]. The stack outlives the last Close for as long
// as the Registry lives; members leave on their own.
func (w *Workspace) Close() { w.registry.release(w) }

// Root returns the absolute path of the workspace.
func (w *Workspace) Root() string { return w.root }

func (w *Workspace) options() *Options { return &w.registry.options }

// idle reports whether forgetting the workspace would lose nothing.
func (w *Workspace) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.stack) == 0 && len(w.members) == 0 && w.resolved.empty() && len(w.approval) == 0
}

// List returns the pending actions, top first.
func (w *Workspace) List() []ActionView {
	w.mu.Lock()
	defer w.mu.Unlock()
	views := make([]ActionView, 0, len(w.stack))
	for _, a := range slices.Backward(w.stack) {
		views = append(views, w.view(a))
	}
	return views
}

// Peek returns the top action; ok is false when nothing is pending.
func (w *Workspace) Peek() (top ActionView, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.stack) == 0 {
		return ActionView{}, false
	}
	return w.view(w.stack[len(w.stack)-1]), true
}

// Top is [Workspace.Peek] without the files, at a cost that does not grow with
// them.
func (w *Workspace) Top() (top ActionView, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.stack) == 0 {
		return ActionView{}, false
	}
	return w.header(w.stack[len(w.stack)-1]), true
}

// HasPending reports whether the stack holds anything.
func (w *Workspace) HasPending() bool { return w.Depth() > 0 }

// Depth counts the pending actions.
func (w *Workspace) Depth() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.stack)
}

// Action returns a pending action by ID.
func (w *Workspace) Action(id string) (ActionView, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.find(id); a != nil {
		return w.view(a), true
	}
	return ActionView{}, false
}

// FileHunks returns what the pending actions would change in one file, top
// first. Its cost follows the hunks of that file, not the stack.
func (w *Workspace) FileHunks(path string) []FileHunks {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tracks[path]
	if t == nil {
		return nil
	}
	out := make([]FileHunks, 0, len(t.files))
	for _, f := range slices.Backward(t.files) {
		if view := f.view(); len(view.Hunks) > 0 {
			out = append(out, FileHunks{Action: w.header(f.action), File: view})
		}
	}
	return out
}

// FileHunks is [Workspace.FileHunks] in the member's own view of the file. It
// differs only while another member's different text leads: the hunks are then
// moved to this member's text, and those that do not fit are left out.
func (m *Member) FileHunks(path string) []FileHunks {
	w := m.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tracks[path]
	if t == nil {
		return nil
	}
	o, lead := t.overlay(m), t.lead()
	other := o != nil && o != lead && string(o.text) != string(lead.text)
	var edits []textedit.Edit
	if other {
		edits = diffEdits(lead.text, o.text)
	}
	out := make([]FileHunks, 0, len(t.files))
	for _, f := range slices.Backward(t.files) {
		view := f.view()
		if other {
			version := o.version
			view.Version, view.Text, view.Hunks = &version, o.mapped(), f.hunksIn(o.text, edits)
		}
		if len(view.Hunks) > 0 {
			out = append(out, FileHunks{Action: w.header(f.action), File: view})
		}
	}
	return out
}

// PendingPaths lists the files with pending hunks, sorted.
func (w *Workspace) PendingPaths() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var paths []string
	for path, t := range w.tracks {
		if slices.ContainsFunc(t.files, func(f *actionFile) bool { return len(f.shown()) > 0 }) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// find returns the pending action with an ID, or nil. The caller holds w.mu.
func (w *Workspace) find(id string) *action {
	// IDs are ULIDs of one monotonic source, so the stack is sorted by them.
	i, ok := slices.BinarySearchFunc(w.stack, id, func(a *action, id string) int { return cmp.Compare(a.id, id) })
	if !ok {
		return nil
	}
	return w.stack[i]
}
