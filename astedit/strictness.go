package astedit

import (
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Strictness says which differences between a pattern and code are overlooked.
type Strictness uint8

// The levels, as ast-grep names them.
const (
	// Smart overlooks comments and tokens that the code has and the pattern
	// has not. It is the default.
	Smart Strictness = iota
	// CST overlooks nothing.
	CST
	// AST overlooks all unnamed tokens.
	AST
	// Relaxed overlooks unnamed tokens and comments.
	Relaxed
	// Signature overlooks unnamed tokens, comments and the text of named nodes.
	Signature
	// Template compares text only, not kinds, and overlooks comments.
	TemplateText
)

var strictnessNames = [...]string{Smart: "smart", CST: "cst", AST: "ast", Relaxed: "relaxed", Signature: "signature", TemplateText: "template"}

// String returns the level's name.
func (s Strictness) String() string {
	if int(s) < len(strictnessNames) {
		return strictnessNames[s]
	}
	return "invalid"
}

// ParseStrictness reads a level's name; "" is smart. The error is
// [KindInvalidRequest].
func ParseStrictness(name string) (Strictness, error) {
	if name == "" {
		return Smart, nil
	}
	for i, n := range strictnessNames {
		if strings.EqualFold(n, name) {
			return Strictness(i), nil
		}
	}
	return Smart, &Error{
		Kind:    KindInvalidRequest,
		Message: "unknown strictness " + quote(name) + ".",
		Hint:    "Use one of cst, smart, ast, relaxed, signature, template.",
	}
}

// verdict is what comparing one pattern node with one code node comes to.
type verdict uint8

const (
	noMatch verdict = iota
	matchBoth
	skipBoth
	skipGoal
	skipCandidate
)

func (s Strictness) skipsComments() bool { return s != CST && s != AST }

// terminal compares a pattern node without children with a code node.
func (s Strictness) terminal(goal *patternNode, t *flat.Tree, cand int) verdict {
	n := &t.Nodes[cand]
	sameKind := goal.kind == n.Kind || goal.kind == flat.KindError
	// Unnamed nodes are their kind: some grammars give them a wrong span.
	if sameKind && (!goal.named || string(t.NodeText(cand)) == goal.text) {
		return matchBoth
	}
	if s.skipsComments() && n.Flags&flat.Extra != 0 {
		return skipCandidate
	}
	unnamed := n.Flags&flat.Named == 0
	switch s {
	case CST:
		return noMatch
	case TemplateText:
		if string(t.NodeText(cand)) == goal.text {
			return matchBoth
		}
		return skips(false, unnamed)
	case Smart:
		return skips(false, unnamed)
	case Signature:
		if sameKind {
			return matchBoth
		}
	}
	return skips(!goal.named, unnamed)
}

func skips(goal, candidate bool) verdict {
	switch {
	case goal && candidate:
		return skipBoth
	case goal:
		return skipGoal
	case candidate:
		return skipCandidate
	}
	return noMatch
}

// trailing says whether a code node after the last pattern node is overlooked.
func (s Strictness) trailing(n *flat.Node) bool {
	unnamed, extra := n.Flags&flat.Named == 0, n.Flags&flat.Extra != 0
	switch s {
	case CST:
		return false
	case Smart:
		return true
	case AST:
		return unnamed
	case TemplateText:
		return extra
	default:
		return unnamed || extra
	}
}

// goalOptional says whether a pattern node may stay without a partner when the
// code nodes have run out.
func (s Strictness) goalOptional(g *patternNode) bool {
	if g.op == opMulti {
		return s != CST
	}
	switch s {
	case AST, Relaxed, Signature:
		return !g.named && g.op != opInternal
	}
	return false
}
