package pending

import "encoding/json"

// Journal keeps the state of workspaces beyond the life of a process. Keys and
// values are this package's business; a store needs no more than to make all
// changes of one call durable, or none.
//
// [OpenBolt] keeps it in a local file. A shared store can stand in when agents
// and editors run on several machines; it would add the comparing of the top.
type Journal interface {
	// Load calls f for everything kept of a workspace, in the order of the keys.
	// f may keep neither key nor value.
	Load(root string, f func(key string, value []byte) error) error
	// Store makes the changes durable before it returns, or changes nothing.
	Store(root string, changes []Change) error
}

// Change sets one key of a [Journal], or deletes it when Value is nil.
type Change struct {
	Key   string
	Value []byte
}

// unsaved is a change that is not encoded yet; a nil value deletes.
type unsaved struct {
	key   string
	value any
}

// save queues a change for the next [Workspace.persist]. The value is a copy
// that nobody changes. The caller holds w.mu.
func (w *Workspace) save(key string, value any) {
	if w.options().Journal != nil {
		w.unsaved = append(w.unsaved, unsaved{key, value})
	}
}

// commit is one store of what is queued, and what those who wait for it learn.
type commit struct {
	done chan struct{} // closed when it is stored, or could not be
	err  error         // set before
}

// persist makes everything queued durable. Callers that come while a store is
// under way share the next one, so that a crowd costs two fsyncs and not two
// each. What fails stays queued.
func (w *Workspace) persist() error {
	if w.options().Journal == nil {
		return nil
	}
	w.mu.Lock()
	if shared := w.nextCommit; shared != nil {
		w.mu.Unlock()
		<-shared.done
		return shared.err
	}
	c := &commit{done: make(chan struct{})}
	before := w.lastCommit
	w.nextCommit = c
	w.mu.Unlock()
	if before != nil {
		<-before.done
	}

	w.mu.Lock()
	w.lastCommit, w.nextCommit = c, nil
	w.saveDirty()
	queued := w.unsaved
	w.unsaved = nil
	w.mu.Unlock()
	defer close(c.done)
	if len(queued) == 0 {
		return nil
	}
	if c.err = w.store(queued); c.err != nil {
		w.mu.Lock()
		w.unsaved = latest(append(queued, w.unsaved...))
		w.mu.Unlock()
		w.options().Logger.Error("the state of the workspace could not be saved; it is kept in memory and saved with the next change", "root", w.root, "err", c.err)
	}
	return c.err
}

// latest keeps the last change of each key, so that a journal that keeps failing
// does not make the queue grow without end.
func latest(changes []unsaved) []unsaved {
	last := map[string]int{}
	for i, c := range changes {
		last[c.key] = i
	}
	out := changes[:0]
	for i, c := range changes {
		if last[c.key] == i {
			out = append(out, c)
		}
	}
	return out
}

func (w *Workspace) store(queued []unsaved) error {
	changes := make([]Change, 0, len(queued))
	for _, u := range queued {
		c := Change{Key: u.key}
		if u.value != nil {
			var err error
			if c.Value, err = json.Marshal(u.value); err != nil {
				// One entry that cannot be kept must not keep out all later ones.
				w.options().Logger.Error("an entry of the journal could not be encoded and is left out", "root", w.root, "key", u.key, "err", err)
				continue
			}
		}
		changes = append(changes, c)
	}
	if err := w.options().failPoint("store"); err != nil {
		return err
	}
	if err := w.options().Journal.Store(w.root, changes); err != nil {
		return err
	}
	return w.options().failPoint("stored")
}

// settle ends a change of the stack: it tells the members and makes it durable.
func (w *Workspace) settle() {
	w.deliver()
	_ = w.persist() // logged; nothing is lost while the process lives
}
