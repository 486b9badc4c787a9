package astedit

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// Pattern is a compiled pattern of one language. It is immutable and safe for
// concurrent use.
type Pattern struct {
	lang       *language
	source     string
	strictness Strictness
	readings   []reading
	vars       []metavar
	// byKind lists the readings whose root has a kind, anyKind those that have
	// to be tried on every node; both hold indices into readings.
	byKind  [][]uint8
	anyKind []uint8
	broken  bool // the best reading still has an ERROR node
	clean   bool // the best reading lacks nothing
	wide    bool // and is one of a wider placement
}

// reading is one way to understand a pattern's text.
type reading struct {
	root     *patternNode
	kind     flat.Kind
	onlyKind bool // the root was picked by a selector: only its kind may match
	context  string
}

// nodeOp says what a pattern node asks of its partner.
type nodeOp uint8

const (
	opTerminal nodeOp = iota // this kind and text
	opInternal               // this kind, and children that match
	opSingle                 // a metavariable for one node
	opMulti                  // a metavariable for any number of siblings
)

// patternNode is a node of a pattern's syntax tree.
type patternNode struct {
	op         nodeOp
	named      bool // opTerminal: the node is; opSingle: the partner must be
	sharesNext bool // opMulti: what follows binds the same name
	kind       flat.Kind
	slot       int    // index into Pattern.vars, -1 for none
	text       string // opTerminal
	hidden     string // text of the node that no child has
	seesHidden bool   // opInternal: the partner must have the same hidden text
	children   []patternNode
}

func (n *patternNode) isSingle() bool { return n.op == opSingle }

// trivial nodes are optional after a `$$$`.
func (n *patternNode) trivial() bool { return n.op == opTerminal && !n.named }

// CompileOptions are the optional parts of a pattern.
type CompileOptions struct {
	// Selector is the kind of the node inside the pattern's text to match; the
	// rest of the text is context. "" means the whole text.
	Selector   string
	Strictness Strictness
}

// Compile reads a pattern in a language, given by name or alias. The errors are
// [KindUnsupportedLanguage] and [KindInvalidPattern].
func Compile(ctx context.Context, pattern, lang string, opts CompileOptions) (*Pattern, error) {
	l, err := (*Languages)(nil).lookup(lang)
	if err != nil {
		return nil, err
	}
	return compile(ctx, pattern, l, opts)
}

// Metavariables lists the names the pattern binds, in order of appearance, as
// "$A" or "$$$A".
func (p *Pattern) Metavariables() []string {
	names := make([]string, len(p.vars))
	for i, v := range p.vars {
		names[i] = v.String()
	}
	return names
}

// HasError says that no reading of the pattern was free of syntax errors, so
// that it probably matches less than was meant.
func (p *Pattern) HasError() bool { return p.broken }

// String returns the variable as a pattern writes it.
func (v metavar) String() string {
	if v.multi {
		return "$$$" + v.name
	}
	return "$" + v.name
}

// slot returns the index of a variable, adding it when it is new.
func (p *Pattern) slot(v metavar) int {
	if v.name == "" {
		return -1
	}
	v.named = false
	if i := slices.Index(p.vars, v); i >= 0 {
		return i
	}
	p.vars = append(p.vars, v)
	return len(p.vars) - 1
}

// convert turns a node of the pattern's syntax tree into a pattern node. keepTo
// is the end of the pattern's text: children that begin there belong to the
// context and are left out.
func (p *Pattern) convert(t *flat.Tree, i int, keepTo uint32, d *disguise) patternNode {
	n := &t.Nodes[i]
	text := string(t.NodeText(i))
	if v, ok := d.metavar(text); ok {
		op := opSingle
		if v.multi {
			op = opMulti
		}
		return patternNode{op: op, named: v.named, kind: n.Kind, slot: p.slot(v)}
	}
	node := patternNode{op: opTerminal, named: n.Flags&flat.Named != 0, kind: n.Kind, slot: -1, text: text}
	if node.hidden = hiddenText(t, i); t.IsLeaf(i) || node.hidden != "" && !hasNamedChild(t, i) {
		return node
	}
	node.op, node.text = opInternal, ""
	for c, end := i+1, i+int(n.Skip); c < end; c += int(t.Nodes[c].Skip) {
		child := &t.Nodes[c]
		if child.Flags&flat.Missing != 0 || t.Lang.IsBlank(child.Kind) || child.Start >= keepTo && child.End > keepTo {
			continue
		}
		node.children = append(node.children, p.convert(t, c, keepTo, d))
	}
	markShared(node.children)
	node.seesHidden = p.strictness != Signature &&
		!slices.ContainsFunc(node.children, func(c patternNode) bool { return c.op == opMulti })
	return node
}

// hiddenText is the text of node i that none of its children has, such as what
// is between the quotes of a string in some grammars. Outside of strings,
// separators do not count: the grammar hides them because they may be left out.
func hiddenText(t *flat.Tree, i int) string {
	n := &t.Nodes[i]
	if n.Skip == 1 {
		return ""
	}
	var hidden []byte
	at, end := n.Start, i+int(n.Skip)
	for c := i + 1; c <= end; c += int(t.Nodes[c].Skip) {
		next := n.End
		if c < end {
			next = t.Nodes[c].Start
		}
		if at < next {
			gap := t.Text[at:next]
			if !t.Lang.IsString(n.Kind) {
				gap = bytes.Trim(gap, " \t\r\n;,\\")
			}
			hidden = append(hidden, gap...)
		}
		if c == end {
			break
		}
		at = max(at, t.Nodes[c].End)
	}
	return string(hidden)
}

// markShared finds the lists that are followed by a node binding the same name.
func markShared(nodes []patternNode) {
	for i := range nodes {
		if nodes[i].op != opMulti || nodes[i].slot < 0 {
			continue
		}
		for j := i + 1; j < len(nodes); j++ {
			if !nodes[j].trivial() {
				nodes[i].sharesNext = nodes[j].binds(nodes[i].slot)
				break
			}
		}
	}
}

func (n *patternNode) binds(slot int) bool {
	return n.slot == slot || slices.ContainsFunc(n.children, func(c patternNode) bool { return c.binds(slot) })
}

// equal says whether two pattern nodes match the same code.
func (n *patternNode) equal(o *patternNode) bool {
	return n.op == o.op && n.named == o.named && n.kind == o.kind && n.slot == o.slot && n.text == o.text && n.hidden == o.hidden &&
		slices.EqualFunc(n.children, o.children, func(a, b patternNode) bool { return a.equal(&b) })
}

// index fills byKind and anyKind.
func (p *Pattern) index() {
	p.byKind = make([][]uint8, p.lang.grammar.KindCount())
	for i, r := range p.readings {
		switch {
		case r.onlyKind && int(r.kind) < len(p.byKind):
			p.byKind[r.kind] = append(p.byKind[r.kind], uint8(i))
		case r.onlyKind, p.strictness == TemplateText, r.root.op == opSingle, r.kind == flat.KindError:
			p.anyKind = append(p.anyKind, uint8(i))
			for k := range p.byKind {
				p.byKind[k] = append(p.byKind[k], uint8(i))
			}
		default:
			p.byKind[r.kind] = append(p.byKind[r.kind], uint8(i))
		}
	}
}

func quote(s string) string {
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return strconv.Quote(s)
}
