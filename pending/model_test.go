package pending_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/pending"
)

// model is the stack told naively. A text is a list of lines, no two of which
// are ever equal; a hunk is a line to be replaced by another. A hunk is lost when
// its line is gone, and that is all there is to rebasing.
type model struct {
	journal *shaky
	d       *desk
	e       *fakeEditor
	files   map[string]*modelFile
	stack   []*modelAction
	next    int      // the number of the next line
	ops     []string // what was done, for the report
}

type modelFile struct {
	lines, disk []int // disk is what was saved last
	open        bool
}

type modelAction struct {
	id    string
	hunks []modelHunk
	again bool               // it has a producer that is run again at apply
	finds []modelHunk        // what the producer looks for
	lost  map[modelHunk]bool // lines that were gone once
}

type modelHunk struct {
	Path     string // exported for the recipe
	Line, By int
}

func (m *model) fresh() int { m.next++; return m.next }

func textOf(lines []int) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "line %d\n", l)
	}
	return b.String()
}

// there reports whether the line of a hunk still is.
func (m *model) there(h modelHunk) bool { return slices.Contains(m.files[h.Path].lines, h.Line) }

// choices reads choices from fuzzed bytes; when they are used up it reads zeros.
type choices []byte

func (c *choices) n(below int) int {
	if len(*c) == 0 || below <= 0 {
		return 0
	}
	b := int((*c)[0])
	*c = (*c)[1:]
	return b % below
}

var modelPaths = []string{"a", "b", "c"}

// step does one operation to both and compares what they answer.
func (m *model) step(t *testing.T, c *choices) {
	path := modelPaths[c.n(len(modelPaths))]
	f := m.files[path]
	switch op := c.n(14); op {
	case 0, 1, 2:
		m.push(t, c)
	case 3, 4:
		m.typeOver(t, c, path)
	case 5:
		m.apply(t, c, false)
	case 6:
		m.apply(t, c, true)
	case 7:
		m.discard(t)
	case 8:
		if f.open {
			m.note("close %s", path)
			m.e.close(path)
			f.lines, f.open = slices.Clone(f.disk), false // unsaved lines are gone
		} else {
			m.note("open %s", path)
			if err := m.e.open(path); err != nil {
				t.Fatal(err)
			}
			f.open = true
		}
	case 9:
		if f.open {
			m.note("save %s", path)
			m.d.write(path, textOf(f.lines))
			f.disk = slices.Clone(f.lines)
		}
	case 10:
		m.e.whole = !m.e.whole
		m.note("whole %v", m.e.whole)
	case 12:
		m.restart()
	case 13:
		m.offer(t, c)
	case 11:
		if !f.open { // somebody else changes the disk, and a watcher says so
			m.note("disk %s", path)
			f.lines = m.change(c, f.lines)
			f.disk = slices.Clone(f.lines)
			m.d.write(path, textOf(f.lines))
			m.d.m.DiskChanged([]string{path})
		}
	}
	m.compare(t)
}

// restart is what kill -9 leaves, and the editor coming back.
func (m *model) restart() {
	m.note("restart")
	m.d.w = pending.NewRegistry(pending.Options{Journal: m.journal, Revive: func(_ string, recipe json.RawMessage) (pending.Proposer, error) {
		var l lineProducer
		return l, json.Unmarshal(recipe, &l)
	}}).Open(m.d.root)
	m.d.m = m.d.w.Join(pending.Party{Name: "agent"}, pending.JoinOptions{})
	m.join()
}

// join lets the editor in, with the buffers it has.
func (m *model) join() {
	m.e.member = m.d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: m.e})
	for path, b := range m.e.buffers {
		m.e.member.OpenDocument(path, b.version, b.text)
	}
}

func (m *model) note(format string, args ...any) { m.ops = append(m.ops, fmt.Sprintf(format, args...)) }

// change inserts, deletes or replaces a line.
func (m *model) change(c *choices, lines []int) []int {
	at := c.n(len(lines) + 1)
	switch {
	case c.n(3) == 0 || at == len(lines):
		return slices.Insert(slices.Clone(lines), at, m.fresh())
	case c.n(2) == 0:
		return slices.Delete(slices.Clone(lines), at, at+1)
	default:
		out := slices.Clone(lines)
		out[at] = m.fresh()
		return out
	}
}

func (m *model) typeOver(t *testing.T, c *choices, path string) {
	f := m.files[path]
	if !f.open {
		return
	}
	after := m.change(c, f.lines)
	m.note("type %s %v", path, after)
	// The editor is told where, as a client would say it.
	before := textOf(f.lines)
	var old, fresh string
	for i := range max(len(after), len(f.lines)) {
		if i < len(after) && i < len(f.lines) && after[i] == f.lines[i] {
			continue
		}
		switch {
		case len(after) > len(f.lines):
			fresh = textOf(after[i : i+1])
		case len(after) < len(f.lines):
			old = textOf(f.lines[i : i+1])
		default:
			old, fresh = textOf(f.lines[i:i+1]), textOf(after[i:i+1])
		}
		at := len(textOf(f.lines[:i]))
		if err := m.e.replaceAt(path, at, at+len(old), fresh); err != nil {
			t.Fatal(err)
		}
		break
	}
	f.lines = after
	if got, _ := m.e.text(path); got != textOf(after) {
		t.Fatalf("the test typed %q over %q into %q", fresh, before, got)
	}
}

func (m *model) push(t *testing.T, c *choices) {
	a := &modelAction{lost: map[modelHunk]bool{}}
	p := &pending.Proposal{}
	for _, path := range modelPaths {
		f := m.files[path]
		file := pending.FileProposal{Path: path, Text: []byte(textOf(f.lines))}
		for i, line := range f.lines {
			if c.n(3) != 0 {
				continue
			}
			h := modelHunk{Path: path, Line: line, By: m.fresh()}
			start := len(textOf(f.lines[:i]))
			before := textOf([]int{line})
			file.Hunks = append(file.Hunks, pending.Hunk{Start: start, End: start + len(before), Before: before, After: textOf([]int{h.By})})
			a.hunks = append(a.hunks, h)
		}
		if len(file.Hunks) > 0 {
			p.Files = append(p.Files, file)
		}
	}
	n := pending.New{Label: "edit", Proposal: p}
	if a.again = c.n(2) == 1; a.again {
		n.Proposer = lineProducer(a.hunks)
		var err error
		if n.Recipe, err = json.Marshal(a.hunks); err != nil {
			t.Fatal(err)
		}
	}
	a.finds = a.hunks
	m.note("push %v %v", a.again, a.hunks)
	v, err := m.d.m.Push(context.Background(), n)
	if err != nil {
		t.Fatalf("push: %v", err)
	}
	if (v == nil) != (len(a.hunks) == 0) {
		t.Fatalf("pushed %v", v)
	}
	if v != nil {
		a.id = v.ID
		m.stack = append(m.stack, a)
	}
}

func (m *model) apply(t *testing.T, c *choices, partial bool) {
	m.note("apply %v", partial)
	_, err := m.d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply, AllowPartial: partial})
	if len(m.stack) == 0 {
		if errorOf(err).Kind != pending.EmptyStack {
			t.Fatalf("apply of nothing: %v", err)
		}
		return
	}
	top := m.stack[len(m.stack)-1]
	var there []modelHunk
	for _, h := range top.hunks {
		if m.there(h) && !top.lost[h] {
			there = append(there, h)
		}
	}
	if len(there) < len(top.hunks) && !partial && !top.again || len(there) == 0 {
		if errorOf(err).Kind != pending.Stale {
			t.Fatalf("apply of %v of %v: %v", there, top.hunks, err)
		}
		if top.again { // what the producer finds now is the new preview
			top.lost = map[modelHunk]bool{}
			top.hunks = slices.DeleteFunc(slices.Clone(top.finds), func(h modelHunk) bool { return !m.there(h) })
		}
		return
	}
	if err != nil {
		t.Fatalf("apply: %v", err)
	}
	for _, h := range there {
		f := m.files[h.Path]
		f.lines = slices.Clone(f.lines)
		f.lines[slices.Index(f.lines, h.Line)] = h.By
		if !f.open {
			f.disk = slices.Clone(f.lines)
		}
	}
	m.stack = m.stack[:len(m.stack)-1]
}

func (m *model) discard(t *testing.T) {
	m.note("discard")
	_, err := m.d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
	if len(m.stack) == 0 {
		if errorOf(err).Kind != pending.EmptyStack {
			t.Fatalf("discard of nothing: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatalf("discard: %v", err)
	}
	m.stack = m.stack[:len(m.stack)-1]
}

// compare holds texts, stack and hunks against the model.
func (m *model) compare(t *testing.T) {
	t.Helper()
	for path, f := range m.files {
		if got := m.d.read(path); got != textOf(f.disk) {
			t.Fatalf("%s on disk: %q, want %q\n%s", path, got, textOf(f.disk), strings.Join(m.ops, "\n"))
		}
		if got, open := m.e.text(path); open != f.open || open && got != textOf(f.lines) {
			t.Fatalf("%s in the editor: %q, want %q\n%s", path, got, textOf(f.lines), strings.Join(m.ops, "\n"))
		}
	}
	list := m.d.w.List()
	if len(list) != len(m.stack) {
		t.Fatalf("%d pending, want %d\n%s", len(list), len(m.stack), strings.Join(m.ops, "\n"))
	}
	for i, v := range list {
		a := m.stack[len(m.stack)-1-i]
		want := map[string]bool{} // line -> stale
		for _, h := range a.hunks {
			if !m.there(h) {
				a.lost[h] = true
			}
			if key := h.Path + textOf([]int{h.Line}); !a.again || !a.lost[h] {
				want[key] = a.lost[h]
			}
		}
		got := map[string]bool{}
		for _, f := range v.Files {
			for _, h := range f.Hunks {
				key := f.Path + h.Before
				got[key] = h.Stale
				// A line that is there again may be known again, as after an undo.
				for _, w := range a.hunks {
					if a.lost[w] && !h.Stale && w.Path+textOf([]int{w.Line}) == key && m.there(w) {
						want[key] = false
						delete(a.lost, w)
					}
				}
			}
		}
		checkView(t, v)
		if v.ID != a.id || !maps.Equal(got, want) {
			t.Fatalf("action %d has %v, want %v\n%s", i, got, want, strings.Join(m.ops, "\n"))
		}
	}
}

// lineProducer finds the lines of hunks wherever they are.
type lineProducer []modelHunk

func (l lineProducer) Propose(_ context.Context, src pending.Source) (*pending.Proposal, error) {
	p := &pending.Proposal{}
	for _, path := range modelPaths {
		text, open := src.Overlay(path)
		if !open {
			var err error
			if text, err = os.ReadFile(filepath.Join(src.Root(), path)); err != nil {
				return nil, err
			}
		}
		f := pending.FileProposal{Path: path, Text: text}
		at := 0
		for line := range strings.Lines(string(text)) {
			for _, h := range l {
				if h.Path == path && line == textOf([]int{h.Line}) {
					f.Hunks = append(f.Hunks, pending.Hunk{Start: at, End: at + len(line), Before: line, After: textOf([]int{h.By})})
				}
			}
			at += len(line)
		}
		if len(f.Hunks) > 0 {
			p.Files = append(p.Files, f)
		}
	}
	return p, nil
}

// replaceAt types over a part of a buffer.
func (e *fakeEditor) replaceAt(path string, start, end int, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.buffers[path] == nil {
		return errors.New("not open")
	}
	e.change(path, oneEdit(start, end, text))
	return nil
}

// FuzzStack runs random histories of one editor and one agent against the model.
func FuzzStack(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 2, 0, 5, 0, 7})
	f.Add([]byte("push, type, open, apply: any bytes are a history of the stack"))
	f.Add([]byte{0, 8, 1, 8, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 1, 0, 5, 2, 11, 1, 1, 0, 6, 0, 8, 0, 6})
	f.Fuzz(func(t *testing.T, history []byte) {
		m := &model{files: map[string]*modelFile{}}
		texts := map[string]string{}
		for _, path := range modelPaths {
			lines := []int{m.fresh(), m.fresh(), m.fresh(), m.fresh()}
			m.files[path] = &modelFile{lines: lines, disk: lines}
			texts[path] = textOf(lines)
		}
		m.journal = &shaky{entries: map[string][]byte{}}
		m.d = newDesk(t, pending.Options{Journal: m.journal}, texts)
		m.e = newFakeEditor(m.d.root)
		m.join()
		defer func() { m.e.member.Leave() }()
		c := choices(history)
		for range 60 {
			if len(c) == 0 {
				break
			}
			m.step(t, &c)
		}
	})
}
