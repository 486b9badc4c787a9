package astedit

import (
	"bytes"
	"context"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Match is one place where a pattern fits.
type Match struct {
	Start, End int // 0-based bytes
	captures   []Capture
	node       int // index into the tree's nodes
}

// Capture is the text a metavariable stands for. A `$$$A` that stands for
// nothing is bound and empty.
type Capture struct {
	Start, End int // 0-based bytes
	Bound      bool
}

// binding is a capture while matching: the siblings first to last.
type binding struct{ first, last int32 }

var unbound = binding{-1, -1}

// emptyList is a `$$$A` that stands for no node.
var emptyList = binding{-2, -2}

// checkEvery is how many node comparisons go between two looks at the context.
const checkEvery = 1 << 14

// matcher matches one reading after another on one tree. It allocates nothing
// for nodes that do not match.
type matcher struct {
	tree       *flat.Tree
	strictness Strictness
	env        []binding
	saved      []binding // stack of environments, for probes
	ctx        context.Context
	steps      int
	err        error
}

// Match returns every match in document order, enclosing matches before those
// inside them. A node matches at most once. The error is ctx's.
func (p *Pattern) Match(ctx context.Context, t *Tree) ([]Match, error) {
	return p.match(ctx, t.tree)
}

func (p *Pattern) match(ctx context.Context, t *flat.Tree) ([]Match, error) {
	m := matcher{tree: t, strictness: p.strictness, env: make([]binding, len(p.vars)), ctx: ctx}
	var found []Match
	for i := range t.Nodes {
		kind := t.Nodes[i].Kind
		candidates := p.anyKind
		if int(kind) < len(p.byKind) {
			candidates = p.byKind[kind]
		}
		for _, r := range candidates {
			for v := range m.env {
				m.env[v] = unbound
			}
			if !m.root(&p.readings[r], i) {
				continue
			}
			end := m.end(i)
			found = append(found, Match{Start: int(t.Nodes[i].Start), End: end, captures: m.captures(end), node: i})
			break
		}
		if m.steps++; m.steps >= checkEvery {
			m.check()
		}
		if m.err != nil {
			return nil, m.err
		}
	}
	return found, nil
}

func (m *matcher) check() {
	m.steps = 0
	if m.err == nil {
		m.err = m.ctx.Err()
	}
}

// captures lists what the variables stand for, up to the end of the match: a string
// that is never closed keeps white space that the match leaves outside.
func (m *matcher) captures(end int) []Capture {
	out := make([]Capture, len(m.env))
	for i, b := range m.env {
		switch b {
		case unbound:
		case emptyList:
			out[i].Bound = true
		default:
			start := int(m.tree.Nodes[b.first].Start)
			out[i] = Capture{Start: start, End: max(start, min(m.end(int(b.last)), end)), Bound: true}
		}
	}
	return out
}

// end is where a node's text ends. The line break that some grammars put into
// their last token is left outside: a rewrite must not join two lines.
func (m *matcher) end(i int) int {
	n := &m.tree.Nodes[i]
	if i == 0 || m.tree.Lang.IsString(n.Kind) {
		return int(n.End)
	}
	text := m.tree.NodeText(i)
	if trimmed := bytes.TrimRight(text, " \t\r\n"); len(trimmed) > 0 {
		return int(n.Start) + len(trimmed)
	}
	return int(n.End)
}

// root matches a whole reading. A metavariable alone stands for the node itself,
// so smart does not overlook comments there.
func (m *matcher) root(r *reading, node int) bool {
	n := &m.tree.Nodes[node]
	if r.onlyKind && n.Kind != r.kind {
		return false
	}
	if r.root.isSingle() && m.strictness == Smart {
		return m.bind(r.root, node)
	}
	return m.one(r.root, node) == matchBoth
}

// one compares a pattern node with a code node.
func (m *matcher) one(goal *patternNode, cand int) verdict {
	if m.steps++; m.steps >= checkEvery {
		m.check()
	}
	if m.err != nil {
		return noMatch
	}
	n := &m.tree.Nodes[cand]
	if m.tree.Lang.IsBlank(n.Kind) {
		return skipCandidate
	}
	switch goal.op {
	case opTerminal:
		return m.strictness.terminal(goal, m.tree, cand)
	case opInternal:
		if goal.kind != n.Kind && goal.kind != flat.KindError && m.strictness != TemplateText {
			return noMatch
		}
		if m.list(goal.children, cand+1, cand+int(n.Skip)) && (!goal.seesHidden || m.sameHidden(goal, cand)) {
			return matchBoth
		}
		return noMatch
	default:
		if m.strictness.skipsComments() && n.Flags&flat.Extra != 0 {
			return skipCandidate
		}
		if m.bind(goal, cand) {
			return matchBoth
		}
		return noMatch
	}
}

// sameHidden compares the text that no child has. It allocates only where there
// is some.
func (m *matcher) sameHidden(goal *patternNode, cand int) bool {
	return hiddenText(m.tree, cand) == goal.hidden
}

// bind gives a node to a metavariable, which may have one already: then both
// must be equal, and the later one is kept, as ast-grep does.
func (m *matcher) bind(goal *patternNode, cand int) bool {
	if goal.op == opMulti {
		return m.bindList(goal, binding{int32(cand), int32(cand)})
	}
	if goal.named && m.tree.Nodes[cand].Flags&flat.Named == 0 {
		return false
	}
	if goal.slot < 0 {
		return true
	}
	if old := m.env[goal.slot]; old != unbound && !m.equal(int(old.first), cand) {
		return false
	}
	m.env[goal.slot] = binding{int32(cand), int32(cand)}
	return true
}

func (m *matcher) bindList(goal *patternNode, b binding) bool {
	if goal.slot < 0 {
		return true
	}
	if old := m.env[goal.slot]; old != unbound && !m.equalLists(old, b) {
		return false
	}
	m.env[goal.slot] = b
	return true
}

// equal says whether two nodes are the same code: the same text where one of
// them has no named children, else the same shape all the way down.
func (m *matcher) equal(a, b int) bool {
	if a == b {
		return true
	}
	t := m.tree
	if m.steps += int(t.Nodes[a].Skip); m.steps >= checkEvery {
		m.check()
	}
	if m.err != nil {
		return false
	}
	if !hasNamedChild(t, a) || !hasNamedChild(t, b) {
		return bytes.Equal(t.NodeText(a), t.NodeText(b))
	}
	if t.Nodes[a].Kind != t.Nodes[b].Kind {
		// An argument may be nothing but the expression in it.
		if a, b = innermost(t, a), innermost(t, b); t.Nodes[a].Kind != t.Nodes[b].Kind {
			return false
		}
	}
	endA, endB := a+int(t.Nodes[a].Skip), b+int(t.Nodes[b].Skip)
	a, b = m.solid(a+1, endA), m.solid(b+1, endB)
	for a < endA && b < endB {
		if !m.equal(a, b) {
			return false
		}
		a, b = m.solid(a+int(t.Nodes[a].Skip), endA), m.solid(b+int(t.Nodes[b].Skip), endB)
	}
	return a == endA && b == endB
}

// solid returns the first of the siblings [i, end) that is not white space.
func (m *matcher) solid(i, end int) int {
	for i < end && m.tree.Lang.IsBlank(m.tree.Nodes[i].Kind) {
		i += int(m.tree.Nodes[i].Skip)
	}
	return i
}

// equalLists compares the named nodes of two lists of siblings.
func (m *matcher) equalLists(a, b binding) bool {
	nextA, nextB := m.named(a, -1), m.named(b, -1)
	for nextA >= 0 && nextB >= 0 {
		if !m.equal(nextA, nextB) {
			return false
		}
		nextA, nextB = m.named(a, nextA), m.named(b, nextB)
	}
	return nextA < 0 && nextB < 0
}

// named returns the first named node of a list after another, -1 at the end.
func (m *matcher) named(b binding, after int) int {
	i := int(b.first)
	if after >= 0 {
		i = after + int(m.tree.Nodes[after].Skip)
	}
	for ; i >= 0 && i <= int(b.last); i += int(m.tree.Nodes[i].Skip) {
		if m.tree.Nodes[i].Flags&flat.Named != 0 {
			return i
		}
	}
	return -1
}

func hasNamedChild(t *flat.Tree, i int) bool {
	end := i + int(t.Nodes[i].Skip)
	for c := i + 1; c < end; c += int(t.Nodes[c].Skip) {
		if t.Nodes[c].Flags&flat.Named != 0 {
			return true
		}
	}
	return false
}
