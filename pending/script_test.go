package pending_test

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/pending"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

func TestMain(m *testing.M) {
	if dir := os.Getenv("PENDING_CRASH_DIR"); dir != "" {
		crashChild(dir) // see crash_test.go
		return
	}
	goleak.VerifyTestMain(m)
}

// TestScript runs the stories in testdata/script; its README describes the
// commands.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                commands,
		Setup: func(env *testscript.Env) error {
			root := filepath.Join(env.WorkDir, "repo")
			if err := os.MkdirAll(root, 0o755); err != nil {
				return err
			}
			s, err := newStory(root, filepath.Join(env.WorkDir, "state.db"))
			if err != nil {
				return err
			}
			env.Values[storyKey{}] = s
			env.Defer(s.end)
			return nil
		},
	})
}

type storyKey struct{}

// story is the state of one script.
type story struct {
	state     string // the journal's file
	journal   *pending.BoltJournal
	workspace *pending.Workspace
	root      string
	editors   map[string]*fakeEditor
	members   map[string]*pending.Member
	ids       map[string]string   // by label, the last pushed
	asked     string              // what an editor's user was asked last
	given     pending.BufferEdits // what a client was given to apply itself
}

func newStory(root, state string) (*story, error) {
	s := &story{
		state:   state,
		root:    root,
		editors: map[string]*fakeEditor{},
		members: map[string]*pending.Member{},
		ids:     map[string]string{},
	}
	return s, s.start()
}

// start begins a process's life on the journal.
func (s *story) start() (err error) {
	log := slog.New(slog.DiscardHandler)
	if s.journal, err = pending.OpenBolt(s.state, log); err != nil {
		return err
	}
	s.workspace = pending.NewRegistry(pending.Options{
		EditorTimeout:   500 * time.Millisecond,
		VerifyTimeout:   500 * time.Millisecond,
		CallbackTimeout: 500 * time.Millisecond,
		Journal:         s.journal,
		Revive: func(tool string, recipe json.RawMessage) (pending.Proposer, error) {
			l := &literal{}
			return l, json.Unmarshal(recipe, l)
		},
	}).Open(s.root)
	return nil
}

// restart is what kill -9 leaves: no member says goodbye, nothing is closed but
// the file's lock.
func (s *story) restart() error {
	if err := s.journal.Close(); err != nil {
		return err
	}
	s.members = map[string]*pending.Member{}
	return s.start()
}

// rejoin lets an editor come back with the buffers that it still has.
func (s *story) rejoin(name string) {
	e := s.editors[name]
	s.join(name, e, pending.JoinOptions{})
	e.mu.Lock()
	defer e.mu.Unlock()
	for path, b := range e.buffers {
		e.member.OpenDocument(path, b.version, b.text)
	}
}

func (s *story) end() {
	for _, m := range s.members {
		m.Leave()
	}
	for _, e := range s.editors {
		e.late.Wait()
	}
	s.workspace.Close()
	_ = s.journal.Close()
}

func storyOf(ts *testscript.TestScript) *story { return ts.Value(storyKey{}).(*story) }
