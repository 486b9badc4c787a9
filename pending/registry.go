package pending

import (
	"encoding/json"
	"log/slog"
	"sync"
	"time"
)

// Options configure a [Registry]. The zero value is usable: every field that is
// zero gets its default.
type Options struct {
	// Logger receives what nobody is waiting to be told; nil discards it.
	Logger *slog.Logger
	// Clock is time.Now unless a test says otherwise.
	Clock func() time.Time
	// EditorTimeout bounds one request to an [Editor]; 30 s.
	EditorTimeout time.Duration
	// VerifyTimeout bounds the wait for an editor's documents to show what it
	// says it applied; 3 s.
	VerifyTimeout time.Duration
	// CallbackTimeout bounds one call of [Callbacks]; 60 s.
	CallbackTimeout time.Duration
	// Journal keeps the workspaces' state; nil keeps it in memory only.
	Journal Journal
	// Revive makes the producer of a restored action from the tool's name and
	// [New.Recipe]. Without it, or when it fails, the action has only the hunks
	// that it showed, like a raw edit.
	Revive func(tool string, recipe json.RawMessage) (Proposer, error)
	// Approval is the least that every workspace asks for; its editors may ask for
	// more.
	Approval ApprovalPolicy
	// Limits are what a workspace accepts.
	Limits Limits

	// failPoint is called at the named points of a write to disk; tests die there,
	// or let it fail.
	failPoint func(name string) error
}

// Limits say how much a workspace takes before it refuses with kind [Limit].
// Zero fields get their defaults.
type Limits struct {
	// Depth is the number of pending actions; 1,000.
	Depth int
	// Files is the number of files of one action; 10,000.
	Files int
	// Bytes is the size of one action's edits, before and after; 256 MiB.
	Bytes int64
	// Label is the size of a label or a reason in bytes; 1,000.
	Label int
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	orDefault(&o.EditorTimeout, 30*time.Second)
	orDefault(&o.VerifyTimeout, 3*time.Second)
	orDefault(&o.CallbackTimeout, time.Minute)
	if o.failPoint == nil {
		o.failPoint = func(string) error { return nil }
	}
	orDefault(&o.Limits.Depth, 1000)
	orDefault(&o.Limits.Files, 10_000)
	orDefault(&o.Limits.Bytes, 256<<20)
	orDefault(&o.Limits.Label, 1000)
	return o
}

func orDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Registry holds the workspaces of one process. Workspaces with something on
// their stack live as long as the Registry does.
type Registry struct {
	options Options

	mu         sync.Mutex
	workspaces map[string]*Workspace
}

// NewRegistry returns an empty registry.
func NewRegistry(o Options) *Registry {
	return &Registry{options: o.withDefaults(), workspaces: map[string]*Workspace{}}
}

// Open returns the workspace of a root directory, the same one for the same
// root. The root is absolute and has its symlinks resolved. Each Open is paired
// with one [Workspace.Close].
//
// With a journal, the first Open of a root finishes or takes back an apply that
// a crash interrupted, and brings back what was pending.
func (r *Registry) Open(root string) *Workspace {
	r.mu.Lock()
	w := r.workspaces[root]
	if w == nil {
		w = newWorkspace(r, root)
		r.workspaces[root] = w
	}
	w.refs++
	r.mu.Unlock()
	w.restored.Do(w.restore)
	return w
}

// release ends one Open. A workspace that holds nothing is forgotten, one with
// pending actions waits for its root to be opened again.
func (r *Registry) release(w *Workspace) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.refs--
	if w.refs <= 0 && w.idle() {
		delete(r.workspaces, w.root)
	}
}
