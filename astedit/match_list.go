package astedit

import "github.com/pending-lsp/pending-lsp/astedit/internal/flat"

// list matches a pattern node's children with the code nodes [cand, end), which
// are siblings. It goes forward only, as ast-grep does: a `$$$` takes nodes up
// to the first that fits what follows it.
func (m *matcher) list(goals []patternNode, cand, end int) bool {
	if cand >= end {
		return false
	}
	l := listMatch{matcher: m, goals: goals, cand: cand, end: end}
	for {
		if len(l.goals) == 0 {
			return true
		}
		paired := false
		if l.goals[0].op == opMulti {
			switch l.ellipsis() {
			case listDone:
				return true
			case listFailed:
				return false
			case listAgain:
				continue
			case listPaired:
				paired = true
			}
		}
		if !paired && !l.single() {
			return false
		}
		if len(l.goals) > 0 {
			l.goals = l.goals[1:]
			l.advance()
		}
		if len(l.goals) == 0 {
			return l.trailing()
		}
		if l.cand >= l.end {
			return false
		}
	}
}

// listMatch is the state of [matcher.list]: what is left on both sides.
type listMatch struct {
	*matcher
	goals     []patternNode
	cand, end int
}

type listStep uint8

const (
	listFailed listStep = iota
	listDone            // everything is matched
	listAgain           // look at the next goal
	listPaired          // the first goal and the candidate fit each other
)

func (l *listMatch) advance() {
	if l.cand < l.end {
		l.cand += int(l.tree.Nodes[l.cand].Skip)
	}
}

func (l *listMatch) trailing() bool {
	for ; l.cand < l.end; l.advance() {
		if n := &l.tree.Nodes[l.cand]; !l.strictness.trailing(n) && !l.tree.Lang.IsBlank(n.Kind) {
			return false
		}
	}
	return true
}

// ellipsis matches the `$$$` at the front of the goals. Unnamed tokens right
// after it are optional: a list's last separator may be missing.
func (l *listMatch) ellipsis() listStep {
	dots := &l.goals[0]
	first, dropped := l.cand, 0
	for l.goals = l.goals[1:]; len(l.goals) > 0 && l.goals[0].trivial(); l.goals = l.goals[1:] {
		dropped++
	}
	if len(l.goals) == 0 {
		return l.take(dots, first, l.end, dropped, listDone)
	}
	if l.goals[0].op == opMulti {
		if l.advance(); l.cand >= l.end {
			return listFailed
		}
		return l.take(dots, first, l.cand, dropped, listAgain)
	}
	for ; l.cand < l.end; l.advance() {
		mark := l.save()
		if l.one(&l.goals[0], l.cand) != matchBoth {
			l.restore(mark)
			continue
		}
		if !dots.sharesNext {
			l.drop(mark)
			return l.take(dots, first, l.cand, dropped, listPaired)
		}
		// The next goal binds the same name: the list comes first.
		l.restore(mark)
		if l.take(dots, first, l.cand, dropped, listPaired) == listFailed ||
			l.one(&l.goals[0], l.cand) != matchBoth {
			return listFailed
		}
		return listPaired
	}
	return listFailed
}

// take binds the siblings [first, end) to dots, without the last few when they
// are unnamed: those stand for the optional tokens after dots.
func (l *listMatch) take(dots *patternNode, first, end, dropped int, then listStep) listStep {
	if dots.slot < 0 {
		return then
	}
	count, unnamed := 0, 0
	for i := first; i < end; i += int(l.tree.Nodes[i].Skip) {
		if unnamed++; l.tree.Nodes[i].Flags&flat.Named != 0 {
			unnamed = 0
		}
		count++
	}
	count -= min(dropped, unnamed)
	b := emptyList
	for i := first; count > 0; count-- {
		// Grammars that have line breaks as tokens put one after the last node;
		// a capture neither starts nor ends with one.
		switch {
		case l.tree.Lang.IsBlank(l.tree.Nodes[i].Kind):
		case b == emptyList:
			b = binding{int32(i), int32(i)}
		default:
			b.last = int32(i)
		}
		i += int(l.tree.Nodes[i].Skip)
	}
	if !l.bindList(dots, b) {
		return listFailed
	}
	return then
}

// single finds the candidate for the first goal, overlooking what the
// strictness overlooks.
func (l *listMatch) single() bool {
	for l.cand < l.end {
		switch l.one(&l.goals[0], l.cand) {
		case matchBoth:
			return true
		case skipGoal:
			l.goals = l.goals[1:]
		case skipBoth:
			l.goals = l.goals[1:]
			l.advance()
		case skipCandidate:
			l.advance()
		default:
			return false
		}
		if len(l.goals) == 0 {
			return true
		}
	}
	for ; len(l.goals) > 0; l.goals = l.goals[1:] {
		if !l.strictness.goalOptional(&l.goals[0]) {
			return false
		}
	}
	return true
}

// save puts the environment on a stack, restore takes it back, drop forgets it.
func (m *matcher) save() int {
	mark := len(m.saved)
	m.saved = append(m.saved, m.env...)
	return mark
}

func (m *matcher) restore(mark int) {
	copy(m.env, m.saved[mark:])
	m.saved = m.saved[:mark]
}

func (m *matcher) drop(mark int) { m.saved = m.saved[:mark] }
