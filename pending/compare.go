package pending

import (
	"fmt"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// previewed is one file of an action as it was shown when an apply began.
type previewed struct {
	path  string
	text  []byte
	hunks []hunk
}

// preview copies what the action shows, and of a raw one also what is taken: it
// is missing unless it is still there. The caller holds the workspace's lock.
func (a *action) preview() []previewed {
	out := make([]previewed, len(a.files))
	for i, f := range a.files {
		shown := f.shown()
		if a.raw() {
			shown = f.hunks
		}
		out[i] = previewed{path: f.track.path, text: f.track.text, hunks: make([]hunk, len(shown))}
		for j, h := range shown {
			out[i].hunks[j] = *h
		}
	}
	return out
}

// match is what a fresh proposal has to do with a preview.
type match struct {
	// ids holds, for each file and hunk of the proposal, the ID of the previewed
	// hunk it is, or "".
	ids [][]string
	// missing are previewed hunks that the proposal no longer has.
	missing map[string][]hunk // by path
	// added counts hunks that were never previewed.
	added int
}

// compare finds the previewed hunks in a fresh proposal: same path, same text
// before and after, at any place. Of several equal ones, the hunk at the very
// place wins; the rest pair up in order.
func compare(shown []previewed, fresh *Proposal) match {
	m := match{ids: make([][]string, len(fresh.Files)), missing: map[string][]hunk{}}
	at := make(map[string]int, len(fresh.Files))
	for i, f := range fresh.Files {
		at[f.Path] = i
		m.ids[i] = make([]string, len(f.Hunks))
		m.added += len(f.Hunks)
	}
	for _, p := range shown {
		i, ok := at[p.path]
		if !ok {
			if len(p.hunks) > 0 {
				m.missing[p.path] = p.hunks
			}
			continue
		}
		missing := pair(p, fresh.Files[i], m.ids[i])
		m.added -= len(p.hunks) - len(missing)
		if len(missing) > 0 {
			m.missing[p.path] = missing
		}
	}
	return m
}

// pair fills ids for one file and returns the previewed hunks without a partner.
func pair(p previewed, f FileProposal, ids []string) (missing []hunk) {
	starts := startsIn(p, f.Text)
	byStart := make(map[int]int, len(f.Hunks))
	for i, h := range f.Hunks {
		if _, taken := byStart[h.Start]; !taken || h.Before != "" {
			byStart[h.Start] = i
		}
	}
	type key struct{ before, after string }
	var rest []hunk
	for _, h := range p.hunks {
		i, ok := byStart[starts[h.id]]
		if _, known := starts[h.id]; known && ok && ids[i] == "" && f.Hunks[i].Before == h.before && f.Hunks[i].After == h.after {
			ids[i] = h.id
		} else {
			rest = append(rest, h)
		}
	}
	free := map[key][]int{}
	for i, h := range f.Hunks {
		if ids[i] == "" {
			k := key{h.Before, h.After}
			free[k] = append(free[k], i)
		}
	}
	for _, h := range rest {
		k := key{h.before, h.after}
		if at := free[k]; len(at) > 0 {
			ids[at[0]] = h.id
			free[k] = at[1:]
		} else {
			missing = append(missing, h)
		}
	}
	return missing
}

// startsIn returns where the previewed hunks are in another text, by ID; those
// whose bytes changed are left out.
func startsIn(p previewed, text []byte) map[string]int {
	starts := make(map[string]int, len(p.hunks))
	var edits []textedit.Edit
	if string(p.text) != string(text) {
		edits = diffEdits(p.text, text)
	}
	moved := make([]*hunk, len(p.hunks))
	for i := range p.hunks {
		h := p.hunks[i]
		moved[i] = &h
	}
	for _, h := range rebaseHunks(moved, edits, text, false) {
		starts[h.id] = h.start
	}
	return starts
}

// describeMissing says what is gone, briefly enough for a message.
func describeMissing(missing map[string][]hunk, paths []string) string {
	const most = 3
	var parts []string
	n := 0
	for _, path := range paths {
		for _, h := range missing[path] {
			if n++; n <= most {
				parts = append(parts, fmt.Sprintf("%s in %s", quoteShort(h.before), Visible(path)))
			}
		}
	}
	if n > most {
		parts = append(parts, fmt.Sprintf("and %d more", n-most))
	}
	return strings.Join(parts, ", ")
}

// quoteShort shows the beginning of a text on one line.
func quoteShort(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return "“" + Visible(s) + "”"
}
