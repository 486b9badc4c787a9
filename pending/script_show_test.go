package pending_test

import (
	"fmt"
	"io"

	"github.com/pending-lsp/pending-lsp/pending"
)

func (s *story) cmdStack(a *arguments) error {
	list := s.workspace.List()
	if len(list) == 0 {
		fmt.Fprintln(a.out, "nothing pending")
	}
	for _, v := range list {
		fmt.Fprintf(a.out, "%s by %s via %s, %s%s%s\n", v.Label, v.By.Name, v.SourceToolName, v.State,
			map[bool]string{true: ", stale"}[v.Stale], map[bool]string{true: ", orphaned"}[v.Orphaned])
		for _, f := range v.Files {
			for _, h := range f.Hunks {
				printHunk(a.out, f, h)
			}
		}
	}
	return nil
}

func (s *story) cmdHunks(a *arguments) error {
	for _, f := range s.workspace.FileHunks(a.next()) {
		for _, h := range f.File.Hunks {
			printHunk(a.out, f.File, h)
		}
	}
	return nil
}

// printHunk shows a hunk with the text that is really there.
func printHunk(out io.Writer, f pending.FileView, h pending.HunkView) {
	covered := string(f.Text.Text()[h.Start:h.End])
	stale := ""
	if h.Stale {
		stale = fmt.Sprintf(" (stale: now %q)", covered)
	} else if covered != h.Before {
		panic(fmt.Errorf("%s %s covers %q, not %q", f.Path, h.ID, covered, h.Before))
	}
	line, start := f.Text.Line(h.Start)
	fmt.Fprintf(out, "  %s:%d:%d %s %q -> %q%s\n", f.Path, line+1, h.Start-start+1, h.ID, h.Before, h.After, stale)
}
