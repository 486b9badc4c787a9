// Package flat parses text with a tree-sitter grammar and hands the syntax tree
// back as one array. It is the only package that knows C.
//
// Contract: one C call parses a text, walks the tree and forgets it, with all
// memory it took; no pointer into tree-sitter outlives it. A [Parser] belongs to
// one goroutine at a time and must be closed. A [Tree] is plain memory: it may be
// shared freely once made.
//
// The ts_* symbols come from smacker's objects when the binary is linked, so
// the package imports it; -linkmode=internal therefore does not work.
package flat

// Node is one syntax node. Nodes stand in document order, parents before their
// children, so that the subtree of node i is nodes[i : i+Skip] and its next
// sibling is i+Skip.
type Node struct {
	Start, End uint32 // bytes [Start, End) of the text
	Skip       uint32 // nodes in the subtree, this one included
	Kind       Kind
	Flags      Flags
}

// Kind is a grammar's number for a kind of node. Numbers of different languages
// have nothing to do with each other.
type Kind uint16

// KindError is the kind of ERROR nodes in every language.
const KindError Kind = 0xFFFF

// Flags hold a node's yes-or-no properties.
type Flags uint16

// The flags of a [Node].
const (
	// Named nodes stand for a rule; others are literal tokens.
	Named Flags = 1 << iota
	// Extra nodes may stand anywhere: comments, line continuations.
	Extra
	// Missing nodes were invented by error recovery and have no text.
	Missing
	// HasError: the node is, or contains, an ERROR or Missing node.
	HasError
)

// Tree is the syntax tree of one text.
type Tree struct {
	Lang  *Language
	Text  []byte
	Nodes []Node // never empty; Nodes[0] is the root
}

// HasError says whether the text did not parse cleanly.
func (t *Tree) HasError() bool { return t.Nodes[0].Flags&HasError != 0 }

// NodeText returns the bytes of node i. Do not change them.
func (t *Tree) NodeText(i int) []byte { return t.Text[t.Nodes[i].Start:t.Nodes[i].End] }

// IsLeaf says whether node i has no children.
func (t *Tree) IsLeaf(i int) bool { return t.Nodes[i].Skip == 1 }

// Bytes is the memory the nodes take, the text excluded.
func (t *Tree) Bytes() int { return cap(t.Nodes) * nodeSize }

// Clone returns a tree with its own nodes, and text in place of the old one,
// which must have the same bytes.
func (t *Tree) Clone(text []byte) *Tree {
	return &Tree{Lang: t.Lang, Text: text, Nodes: append(make([]Node, 0, len(t.Nodes)), t.Nodes...)}
}
