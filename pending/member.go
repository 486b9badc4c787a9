package pending

import (
	"context"
	"slices"
	"time"
)

// Route says how a member wants the files applied that it does not have open.
type Route string

const (
	// RouteHybrid writes them to disk. It is the default.
	RouteHybrid Route = "hybrid"
	// RouteEditor sends all files through the member's editor, for clients that
	// make one undo step of them and save what they opened.
	RouteEditor Route = "editor"
)

// JoinOptions describe a member.
type JoinOptions struct {
	// Editor reaches the member's buffers; nil for an agent.
	Editor Editor
	// Notify is called for every event, without a lock and in order; it must not
	// block. It may be nil.
	Notify func(Event)
	// Apply is where files go that the member does not have open.
	Apply Route
	// EditorTimeout replaces the registry's for this member; negative means that
	// the member's user decides how long it takes.
	EditorTimeout time.Duration
	// Approval is what the member's user wants of agents; see [Member.SetApproval].
	Approval *ApprovalPolicy
	// Approve asks the member's user whether an agent may apply; nil if the
	// client has no way to ask. It is called without a lock, takes as long as the
	// user does, and must return when ctx ends.
	Approve func(ctx context.Context, r ApprovalRequest) (bool, error)
}

// Member is one session's seat in one workspace: its open documents, its
// editor if it has one, and its name on what it pushes and resolves.
type Member struct {
	workspace *Workspace
	party     Party
	editor    Editor
	notify    func(Event)
	route     Route
	timeout   time.Duration
	approve   func(context.Context, ApprovalRequest) (bool, error)

	// gone ends every call that waits for this member.
	gone     context.Context
	departed chan struct{} // closed when Leave has released everything
	leave    context.CancelFunc
	left     bool // guarded by workspace.mu, as is approval
	approval *ApprovalPolicy
}

// Join adds a member. It stays until [Member.Leave].
func (w *Workspace) Join(p Party, o JoinOptions) *Member {
	p.Name = Visible(p.Name[:min(len(p.Name), w.options().Limits.Label)])
	p.Editor = p.Editor || o.Editor != nil
	m := &Member{workspace: w, party: p, editor: o.Editor, notify: o.Notify, route: o.Apply, timeout: o.EditorTimeout, approve: o.Approve}
	orDefault(&m.route, RouteHybrid)
	orDefault(&m.timeout, w.options().EditorTimeout)
	m.gone, m.leave = context.WithCancel(context.Background())
	m.departed = make(chan struct{})
	w.mu.Lock()
	w.members = append(w.members, m)
	w.mu.Unlock()
	m.SetApproval(o.Approval)
	return m
}

// Leave takes the member out of the workspace: its documents are released, the
// hunks in them move to the text that remains, calls that wait for it fail, and
// the actions that need its callbacks are orphaned. It is idempotent.
func (m *Member) Leave() {
	m.leave()
	w := m.workspace
	w.mu.Lock()
	var open []string
	for path, t := range w.tracks {
		if t.overlay(m) != nil {
			open = append(open, path)
		}
	}
	w.mu.Unlock()
	disk := make(map[string][]byte, len(open))
	for _, path := range open {
		disk[path] = w.diskText(path)
	}

	w.mu.Lock()
	if m.left {
		w.mu.Unlock()
		return
	}
	m.left = true
	w.members = slices.DeleteFunc(w.members, func(o *Member) bool { return o == m })
	for path, t := range w.tracks {
		if t.overlay(m) != nil {
			w.closeOverlay(t, m, disk[path])
		}
	}
	for _, a := range w.stack {
		if a.owner == m && a.callbacks != nil {
			a.orphaned = true
			w.emit(Event{Cause: CauseOrphan, ActionID: a.id, Paths: a.paths(), By: m.party})
		}
	}
	w.agreeOnApproval()
	w.mu.Unlock()
	close(m.departed)
	w.settle()
}

// Workspace returns the workspace the member belongs to.
func (m *Member) Workspace() *Workspace { return m.workspace }

// Party returns how the member is named in views, events and the log.
func (m *Member) Party() Party { return m.party }
