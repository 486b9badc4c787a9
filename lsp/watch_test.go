package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// A client that can is asked to watch just the files with pending changes, and
// what it tells moves the ranges of files that nobody has open.
func TestWatchedFiles(t *testing.T) {
	for name, relative := range map[string]bool{"absolute": false, "relative": true} {
		t.Run(name, func(t *testing.T) {
			yes := true
			s, e, dir, _, _ := start(t, lsptest.EditorOptions{Capabilities: func(c *protocol.ClientCapabilities) {
				c.Workspace.DidChangeWatchedFiles = &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &yes, RelativePatternSupport: &relative}
			}})
			b := filepath.Join(dir, "b.js")
			want := []string{"a.js", "b.js"}
			if !relative {
				want = []string{filepath.Join(dir, "a.js"), b}
			}
			s.await(e, "files to be watched", func() bool { return slices.Equal(e.Watched(), want) })

			s.must(os.WriteFile(b, []byte("// first\nlog(3);\n"), 0o644))
			s.must(e.DiskChanged(s.ctx, b))
			s.await(e, "the range to follow", func() bool {
				d := e.Diagnostics(b)
				return len(d) == 1 && d[0].Range.Start.Line == 1
			})
			s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "discard"}), nil))
			s.await(e, "no files to be watched", func() bool { return len(e.Watched()) == 0 })
		})
	}
}
