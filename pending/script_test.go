package pending_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/pending"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
			if _, err := os.Stat(root); err != nil {
				return err
			}
			s := newStory(root)
			env.Values[storyKey{}] = s
			env.Defer(s.end)
			return nil
		},
	})
}

type storyKey struct{}

// story is the state of one script.
type story struct {
	workspace *pending.Workspace
	root      string
	editors   map[string]*fakeEditor
	members   map[string]*pending.Member
	ids       map[string]string // by label, the last pushed
	labels    map[string]string // by ID
	asked     string            // what an editor's user was asked last
}

func newStory(root string) *story {
	r := pending.NewRegistry(pending.Options{
		EditorTimeout:   500 * time.Millisecond,
		VerifyTimeout:   500 * time.Millisecond,
		CallbackTimeout: 500 * time.Millisecond,
	})
	return &story{
		workspace: r.Open(root),
		root:      root,
		editors:   map[string]*fakeEditor{},
		members:   map[string]*pending.Member{},
		ids:       map[string]string{},
		labels:    map[string]string{},
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
}

func storyOf(ts *testscript.TestScript) *story { return ts.Value(storyKey{}).(*story) }
