package astedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// rank orders readings by how well the grammar took the text.
type rank uint8

const (
	rankClean   rank = iota
	rankHole         // a metavariable has no place in the grammar, or the kind is unlikely
	rankMissing      // a token had to be invented
	rankError
)

// attempt is what one placement made of a pattern.
type attempt struct {
	reading
	rank     rank
	fallback bool
}

// compile tries a pattern in all placements of a language and keeps the best
// readings.
//
// Readings of the file and of statements are all kept, for one text can be two
// things (in Go, f($$$A) at the top of a file is a conversion, in a function a
// call). The narrower placements count when those give nothing clean. When
// nothing is clean anywhere, the file's reading is used as it is, as ast-grep
// does.
func compile(ctx context.Context, pattern string, l *language, opts CompileOptions) (*Pattern, error) {
	if strings.TrimSpace(pattern) == "" {
		return nil, invalidPattern(pattern, "is empty.", "Write the code to look for, with $NAME for what may vary.")
	}
	grammar, err := l.load()
	if err != nil {
		return nil, err
	}
	parser, err := flat.NewParser(grammar)
	if err != nil {
		return nil, &Error{Kind: KindUnsupportedLanguage, Message: "cannot parse " + l.Name + ".", Err: err}
	}
	defer parser.Close()

	p := &Pattern{lang: l, source: pattern, strictness: opts.Strictness}
	attempts, several, err := p.attempts(ctx, parser, opts.Selector)
	if err != nil {
		return nil, err
	}
	p.keepBest(attempts)
	if len(p.readings) == 0 {
		return nil, p.noReading(opts.Selector, several)
	}
	if p.readings[0].root.op == opMulti {
		return nil, invalidPattern(pattern, "is only a `$$$`, which stands for a list, not for a node.",
			"Use $NAME for one node, or put the `$$$` inside a larger pattern.")
	}
	p.index()
	return p, nil
}

// attempts parses the pattern in every placement, in one disguise of its
// metavariables after the other until something is clean. several says that in
// one of them it was more than one node, none of them an error.
func (p *Pattern) attempts(ctx context.Context, parser *flat.Parser, selector string) (out []attempt, several bool, err error) {
	for _, d := range p.lang.disguises() {
		clean := false
		for _, place := range p.lang.placements() {
			found, many, err := p.attempt(ctx, parser, place, &d, selector)
			if errors.Is(err, flat.ErrStuck) {
				// The grammar loops on this text, and would again in the next
				// place: it takes seconds to find out.
				return out, several, nil
			}
			if err != nil {
				return nil, false, err
			}
			several = several || many
			for _, a := range found {
				clean = clean || a.rank == rankClean
				out = append(out, a)
			}
		}
		if clean {
			break
		}
	}
	return out, several, nil
}

func (p *Pattern) attempt(ctx context.Context, parser *flat.Parser, place placement, d *disguise, selector string) (out []attempt, several bool, err error) {
	text := d.apply(p.source)
	start, end := trimmedSpan(text)
	t, err := parser.Parse(ctx, []byte(place.before+text+place.after))
	if err != nil {
		return nil, false, err
	}
	l := locator{tree: t, disguise: d, place: place, span: span{uint32(len(place.before) + start), uint32(len(place.before) + end)}}
	found, ok := l.locate(selector)
	if !ok {
		return nil, false, nil
	}
	if found.node < 0 {
		return nil, found.rank == rankClean, nil
	}
	kind := t.Nodes[found.node].Kind
	if selector == "" && slices.Contains(p.lang.Unlikely, t.Lang.KindName(kind)) {
		found.rank = max(found.rank, rankHole)
	}
	root := p.convert(t, found.node, found.keepTo, d)
	return []attempt{{
		reading:  reading{root: &root, kind: kind, onlyKind: selector != "", context: place.name},
		rank:     found.rank,
		fallback: place.fallback,
	}}, false, nil
}

// keepBest keeps the readings that count, without doubles: those of the wider
// placements with at most a hole where the grammar wants something else, and
// when none of them is clean the clean ones of the narrower placements too.
// Without any, the best there is.
func (p *Pattern) keepBest(attempts []attempt) {
	have := func(fallback bool, r rank) bool {
		return slices.ContainsFunc(attempts, func(a attempt) bool { return a.fallback == fallback && a.rank <= r })
	}
	counts := func(a attempt) bool { return !a.fallback && a.rank <= rankHole }
	switch {
	case have(false, rankClean):
	case have(true, rankClean):
		counts = func(a attempt) bool { return !a.fallback && a.rank <= rankHole || a.fallback && a.rank == rankClean }
	case have(false, rankHole):
	default:
		order := func(a, b attempt) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), boolCompare(a.fallback, b.fallback))
		}
		if len(attempts) == 0 {
			return
		}
		best := slices.MinFunc(attempts, order)
		counts = func(a attempt) bool { return order(a, best) == 0 }
		p.broken = best.rank == rankError
	}
	p.wide = have(false, rankHole)
	p.clean = p.wide || have(true, rankClean)
	slices.SortStableFunc(attempts, func(a, b attempt) int { return cmp.Compare(a.rank, b.rank) })
	for _, a := range attempts {
		if !counts(a) || len(p.readings) == 255 {
			continue
		}
		// A lone name or literal is itself anywhere: the first reading will do.
		if len(p.readings) > 0 && (p.broken || a.root.op != opInternal) {
			continue
		}
		if !slices.ContainsFunc(p.readings, func(r reading) bool {
			return r.kind == a.kind && r.onlyKind == a.onlyKind && r.root.equal(a.root)
		}) {
			p.readings = append(p.readings, a.reading)
		}
	}
}

func (p *Pattern) noReading(selector string, several bool) error {
	switch {
	case selector != "" && len(p.lang.grammar.Kinds(selector)) == 0:
		return invalidPattern(p.source, fmt.Sprintf("has the selector %s, which is no kind of node in %s.", quote(selector), p.lang.Name),
			nearest(selector, p.lang.grammar.KindNames()))
	case selector != "":
		return invalidPattern(p.source, fmt.Sprintf("has no node of the kind %s in it.", quote(selector)),
			"The selector names the part of the pattern's text that is to match.")
	case several:
		return invalidPattern(p.source, "is more than one node.",
			"A pattern matches a single node: put the statements in a block, or use one pattern each.")
	}
	return invalidPattern(p.source, "is not "+p.lang.Name+" code.", "Check that it parses on its own, or give its surroundings and a selector.")
}

func invalidPattern(pattern, what, hint string) *Error {
	return &Error{Kind: KindInvalidPattern, Message: "pattern " + quote(pattern) + " " + what, Hint: hint}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// trimmedSpan returns the bounds of s without the white space around it.
func trimmedSpan(s string) (start, end int) {
	end = len(strings.TrimRight(s, " \t\r\n"))
	return len(s) - len(strings.TrimLeft(s, " \t\r\n")), end
}
