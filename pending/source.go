package pending

import (
	"maps"
	"slices"
)

// snapshot is a [Source]: the open documents at one moment.
type snapshot struct {
	root     string
	overlays map[string][]byte
}

var _ Source = (*snapshot)(nil)

func (s *snapshot) Root() string { return s.root }

func (s *snapshot) Overlay(path string) ([]byte, bool) {
	text, ok := s.overlays[path]
	return text, ok
}

func (s *snapshot) Overlays() []string { return slices.Sorted(maps.Keys(s.overlays)) }

// Source returns a snapshot of the open documents of every member. Where
// several members have a path open it shows the text that the hunks follow;
// that their texts differ is an error only of a push or an apply that concerns
// the file.
func (m *Member) Source() Source { return m.workspace.source() }

func (w *Workspace) source() *snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &snapshot{root: w.root, overlays: map[string][]byte{}}
	for path, t := range w.tracks {
		if lead := t.lead(); lead != nil {
			s.overlays[path] = lead.text
		}
	}
	return s
}
