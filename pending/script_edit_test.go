package pending_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
)

// cmdEdit asks for the edit of an action, as a client does that resolves a code
// action, and prints what it was given.
func (s *story) cmdEdit(a *arguments) error {
	id, hunks := "", []string(nil)
	a.flags(func(f *flag.FlagSet) {
		f.Func("id", "", func(name string) error { id = s.ids[name]; return nil })
		f.Func("hunks", "", func(list string) error { hunks = strings.Split(list, ","); return nil })
	})
	if top, ok := s.workspace.Peek(); ok && id == "" {
		id = top.ID
	}
	edits, err := s.member(a).Offer(context.Background(), id, hunks)
	if err != nil {
		return err
	}
	s.given = edits
	if len(edits.Files) == 0 {
		fmt.Fprintln(a.out, "no edit")
	}
	for _, f := range edits.Files {
		version := "not open"
		if f.Version != nil {
			version = fmt.Sprintf("version %d", *f.Version)
		}
		fmt.Fprintf(a.out, "%s, %s: %d\n", f.Path, version, len(f.Edits))
	}
	return nil
}

// cmdTake lets an editor apply what it was given last.
func (s *story) cmdTake(a *arguments) error {
	e := s.editor(a)
	if len(s.given.Files) == 0 {
		return errors.New("no edit was given")
	}
	return e.ApplyEdits(context.Background(), s.given)
}
