package astedit

import (
	"context"
	"errors"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// ExplainRequest asks how a pattern is read.
type ExplainRequest struct {
	Pattern    string
	Lang       string // name or alias, required
	Selector   string
	Strictness string
	// Languages are those to know; nil means those of this build.
	Languages *Languages
	// Snippet, when not empty, is code to try the pattern on.
	Snippet string
}

// Explanation says how a pattern was read and what it matches.
type Explanation struct {
	Lang string
	// Parsed is the pattern as an S-expression, one for each reading, best
	// first; metavariables stand under their own names.
	Parsed []string
	// Contexts says where each reading was found: "file", "statement", …
	Contexts      []string
	RootKind      string
	Metavariables []string
	Problems      []string
	Suggestions   []string
	// Matches are those in the snippet; nil without a snippet.
	Matches []ExplainMatch
}

// ExplainMatch is one match in a snippet. Start and End are 0-based bytes.
type ExplainMatch struct {
	Start, End int
	Text       string
	Captures   map[string]string // by name, as "$A" or "$$$A"
}

// Explain compiles a pattern and says what it was taken for. A pattern that
// cannot be compiled is an explanation with problems, not an error; errors are
// a missing or unknown language, a bad strictness, and ctx's.
func Explain(ctx context.Context, req ExplainRequest) (*Explanation, error) {
	if req.Lang == "" {
		return nil, &Error{Kind: KindLanguageRequired, Message: "a pattern can be explained only in a language."}
	}
	lang, err := req.Languages.lookup(req.Lang)
	if err != nil {
		return nil, err
	}
	strictness, err := ParseStrictness(req.Strictness)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Lang: lang.Name}
	p, err := compile(ctx, req.Pattern, lang, CompileOptions{Selector: req.Selector, Strictness: strictness})
	var refused *Error
	if errors.As(err, &refused) && refused.Kind == KindInvalidPattern {
		x.problem(refused.Message, refused.Hint)
		x.suggestForm(ctx, req.Pattern, lang, strictness, req.Selector)
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	x.describe(p)
	if !p.clean {
		x.suggestForm(ctx, req.Pattern, lang, strictness, req.Selector)
	}
	if req.Snippet == "" {
		return x, nil
	}
	return x, x.try(ctx, p, req)
}

func (x *Explanation) problem(what, hint string) {
	x.Problems = append(x.Problems, what)
	if hint != "" {
		x.Suggestions = append(x.Suggestions, hint)
	}
}

// suggestForm adds a form of the pattern that parses, if one is found.
func (x *Explanation) suggestForm(ctx context.Context, pattern string, l *language, s Strictness, selector string) {
	if form := suggestForm(ctx, pattern, l, CompileOptions{Strictness: s, Selector: selector}); form != "" {
		x.Suggestions = append(x.Suggestions, "This parses: "+form)
	}
}

// describe fills in what the compiled pattern says by itself.
func (x *Explanation) describe(p *Pattern) {
	for _, r := range p.readings {
		var b strings.Builder
		p.writeNode(&b, r.root)
		x.Parsed = append(x.Parsed, b.String())
		x.Contexts = append(x.Contexts, r.context)
	}
	x.RootKind = p.lang.grammar.KindName(p.readings[0].kind)
	x.Metavariables = p.Metavariables()
	root := p.readings[0].root
	switch {
	case p.broken:
		x.problem("The pattern does not parse as "+p.lang.Name+".", "Complete it to code that stands on its own, or put it into such code and name its kind with a selector.")
	case root.op == opSingle && !p.readings[0].onlyKind:
		x.problem("The pattern is a metavariable alone: it matches every node.", "Put it into some code, or give a selector.")
	case root.op == opTerminal && strings.Contains(root.text, "$"):
		x.problem("The pattern is taken as literal text: the \"$\" in it starts no metavariable.", "Metavariables are upper-case: $NAME, $_, $$$ARGS.")
	}
	for _, word := range lowerCaseVars(p.source) {
		if p.lang.Name != "php" && p.lang.Name != "bash" {
			x.problem(word+" is literal text.", "Write "+strings.ToUpper(word)+" for a metavariable.")
		}
	}
}

// lowerCaseVars finds what looks like metavariables with lower-case names.
func lowerCaseVars(pattern string) []string {
	var words []string
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '$' || i+1 == len(pattern) || pattern[i+1] < 'a' || pattern[i+1] > 'z' {
			continue
		}
		end := i + 1
		for end < len(pattern) && isWordByte(pattern[end]) && pattern[end] < 0x80 {
			end++
		}
		words = append(words, pattern[i:end])
	}
	return words
}

// writeNode writes a pattern node as an S-expression.
func (p *Pattern) writeNode(b *strings.Builder, n *patternNode) {
	switch n.op {
	case opTerminal:
		if n.named {
			b.WriteString("(" + p.lang.grammar.KindName(n.kind) + " " + quote(n.text) + ")")
		} else {
			b.WriteString(quote(n.text))
		}
	case opInternal:
		b.WriteString("(" + p.lang.grammar.KindName(n.kind))
		for i := range n.children {
			b.WriteByte(' ')
			p.writeNode(b, &n.children[i])
		}
		b.WriteByte(')')
	default:
		b.WriteString(p.variable(n).String())
	}
}

// variable returns what a metavariable node was written as.
func (p *Pattern) variable(n *patternNode) metavar {
	switch {
	case n.slot >= 0:
		return p.vars[n.slot]
	case n.op == opMulti:
		return metavar{multi: true}
	}
	return metavar{name: "_"}
}

// try matches the snippet.
func (x *Explanation) try(ctx context.Context, p *Pattern, req ExplainRequest) error {
	tree, err := Parse(ctx, req.Lang, []byte(req.Snippet))
	if errors.Is(err, flat.ErrStuck) {
		x.problem("The snippet was not read: "+err.Error()+".", "")
		return nil
	}
	if err != nil {
		return err
	}
	if tree.HasError() {
		e := firstError("snippet", tree.tree.Text, syntaxErrors(tree.tree))
		x.problem("The snippet has a "+e.Message+".", "")
	}
	found, err := p.Match(ctx, tree)
	if err != nil {
		return err
	}
	x.Matches = make([]ExplainMatch, len(found))
	for i, m := range found {
		captures := map[string]string{}
		for v, c := range m.captures {
			if c.Bound {
				captures[p.vars[v].String()] = req.Snippet[c.Start:c.End]
			}
		}
		x.Matches[i] = ExplainMatch{Start: m.Start, End: m.End, Text: req.Snippet[m.Start:m.End], Captures: captures}
	}
	if len(found) == 0 {
		x.explainMiss(p, tree.tree)
	}
	return nil
}

// explainMiss says why nothing matched, as far as it can be told.
func (x *Explanation) explainMiss(p *Pattern, t *flat.Tree) {
	want := p.readings[0].kind
	for i := range t.Nodes {
		if t.Nodes[i].Kind == want {
			x.problem("The snippet has a "+x.RootKind+", but it differs from the pattern.",
				"Replace more of the pattern by $NAME or $$$ARGS, or lower the strictness.")
			return
		}
	}
	kinds := map[string]bool{}
	var other []string
	for i := range t.Nodes {
		n := &t.Nodes[i]
		name := p.lang.grammar.KindName(n.Kind)
		if i > 0 && n.Flags&flat.Named != 0 && n.Skip > 1 && !kinds[name] && len(other) < 5 {
			kinds[name] = true
			other = append(other, name)
		}
	}
	x.problem("The pattern is a "+x.RootKind+", and the snippet has none.",
		"The snippet's outermost nodes are: "+strings.Join(other, ", ")+". Use one of them as a selector, with the pattern in fitting surroundings.")
}
