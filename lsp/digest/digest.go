// Package digest words, for a model to read, what a pending action would change:
// numbered hunks in a fenced diff of bounded size, with what was left out and how
// to see it.
//
// File content is untrusted: whoever wrote the code may have written it for a
// model to obey. It appears only between the lines [Open] and [Close], and a line
// of content always starts with "-", "+" or "\", so that it can stand for neither
// of them nor for a hunk's header.
package digest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pending-lsp/pending-lsp/pending"
)

// The lines around a diff.
const (
	Open  = "```diff"
	Close = "```"
)

// Bounds of one diff, in bytes: what is shown unless more is asked for, and what
// can be asked for.
const (
	DefaultBudget = 8 << 10
	MaxBudget     = 64 << 10

	// MaxHunks is more than fit in DefaultBudget.
	MaxHunks = DefaultBudget / 10

	maxLine = 400 // a longer line is cut: minified code says nothing to a reader
)

// Hunk is one replacement.
type Hunk struct {
	Path          string
	Line          int // 1-based
	Before, After string
	Stale         bool
}

// Diff returns hunks number from (1-based) and those after it that fit in the
// budget, fenced, and the number of the first hunk left out, or 0. One hunk is
// always shown, shortened if it must be.
func Diff(hunks []Hunk, from, budget int) (text string, next int) {
	var b strings.Builder
	b.WriteString(Open + "\n")
	from = max(from, 1)
	for i := from - 1; i < len(hunks); i++ {
		one := hunk(i+1, hunks[i], budget/2)
		if i >= from && b.Len()+len(one) > budget {
			next = i + 1
			break
		}
		b.WriteString(one)
	}
	b.WriteString(Close + "\n")
	return b.String(), next
}

// Quote returns lines that quote code, such as those of warnings, fenced as a diff
// is.
func Quote(lines ...string) string {
	var b strings.Builder
	b.WriteString(Open + "\n")
	for _, line := range lines {
		b.WriteString(`\ ` + code(line) + "\n")
	}
	b.WriteString(Close + "\n")
	return b.String()
}

// hunk words one hunk in about budget bytes.
func hunk(n int, h Hunk, budget int) string {
	var b strings.Builder
	stale := ""
	if h.Stale {
		stale = " (stale: the code under it has changed)"
	}
	fmt.Fprintf(&b, "@@ %d %s:%d%s @@\n", n, Visible(h.Path), h.Line, stale)
	side(&b, '-', h.Before, budget/2)
	side(&b, '+', h.After, budget/2)
	return b.String()
}

// side words the lines of one side of a hunk.
func side(b *strings.Builder, sign byte, text string, budget int) {
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	start := b.Len()
	for i, line := range lines {
		if i > 0 && b.Len()-start+min(len(line), maxLine) > budget {
			fmt.Fprintf(b, "\\ %d more lines\n", len(lines)-i)
			return
		}
		b.WriteByte(sign)
		b.WriteString(code(line))
		b.WriteByte('\n')
	}
}

// code makes a line of code safe to show; tabs are what code is made of.
func code(line string) string {
	cut := 0
	if len(line) > maxLine {
		at := maxLine
		for at > 0 && !utf8.RuneStart(line[at]) {
			at--
		}
		line, cut = line[:at], len(line)-at
	}
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = pending.Visible(part)
	}
	line = strings.Join(parts, "\t")
	if cut > 0 {
		line += fmt.Sprintf(" … %d more bytes", cut)
	}
	return line
}

// Visible makes what could mislead a reader visible, as everywhere.
func Visible(s string) string { return pending.Visible(s) }

// Plural counts something.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
