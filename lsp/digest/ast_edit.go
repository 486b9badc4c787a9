package digest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// How many lines of each list are shown before "and N more".
const (
	maxFiles    = 20
	maxWarnings = 10
)

// Words are what a text tells its reader to do, in the terms of the tools that
// the reader has.
type Words struct {
	// Rest says how to see the hunks from number next on.
	Rest func(actionID string, next int) string
	// Next is the step after the preview.
	Next string
	// Explain is the step after a pattern that matched nothing.
	Explain string
}

// ASTEdit words the result of an astEdit whose details list the changes, or the
// first [MaxHunks] of them.
func ASTEdit(label string, d *wire.ASTEditDetails, w Words) string {
	var b strings.Builder
	if d.TotalReplacements == 0 {
		scope, next := Visible(d.ScopePath), w.Explain
		if scope == "." {
			scope = "the workspace"
		}
		if d.FilesSearched == 0 {
			fmt.Fprintf(&b, "No replacements: path, glob and lang leave no file to search in %s, so nothing is pending.\n", scope)
			next = "mend path, glob or lang."
		} else {
			fmt.Fprintf(&b, "No replacements: nothing matches in %s (%s searched), so nothing is pending.\n", scope, Plural(d.FilesSearched, "file"))
		}
		notes(&b, d)
		fmt.Fprintf(&b, "\nNext: %s", next)
		return b.String()
	}
	fmt.Fprintf(&b, "%s\nPending: nothing is written yet. The action is %s.\n", Visible(label), d.ActionID)
	for i, f := range d.FileReplacements {
		if i == maxFiles {
			fmt.Fprintf(&b, "  and %d more files\n", len(d.FileReplacements)-i)
			break
		}
		fmt.Fprintf(&b, "  %s: %d\n", Visible(f.Path), f.Count)
	}
	b.WriteString("\n")
	hunks := changes(d.Changes)
	diff, next := Diff(hunks, 1, DefaultBudget)
	b.WriteString(diff)
	if next > 0 {
		fmt.Fprintf(&b, "Hunks 1 to %d of %d, %d more: %s\n", next-1, d.TotalReplacements, d.TotalReplacements-next+1, w.Rest(d.ActionID, next))
	}
	notes(&b, d)
	fmt.Fprintf(&b, "\nNext: %s", w.Next)
	return b.String()
}

func changes(list []wire.Change) []Hunk {
	out := make([]Hunk, len(list))
	for i, c := range list {
		out[i] = Hunk{Path: c.Path, Line: c.StartLine, Before: c.Before, After: c.After}
	}
	return out
}

// notes words what is worth knowing beside the hunks.
func notes(b *strings.Builder, d *wire.ASTEditDetails) {
	if d.LimitReached {
		b.WriteString("\nThe limit was reached: there are more matches than these. Raise or leave out limit, or resolve this and run it again.\n")
	}
	var lines, quotes []string
	for _, w := range d.Warnings {
		if line := place(w.Path, w.Line) + w.Message; slices.Contains(quoting, w.Kind) {
			quotes = append(quotes, line)
		} else {
			lines = append(lines, line)
		}
	}
	list(b, "Warnings:", lines)
	quoted(b, "Warnings that quote code:", quotes)
	quotes = nil
	for _, e := range d.ParseErrors {
		quotes = append(quotes, place(e.Path, e.Line)+e.Message)
	}
	quoted(b, "Files that do not parse cleanly; matches near these places may be missing:", quotes)
}

// quoting are the kinds of warnings in whose messages there is code of a file.
var quoting = []string{"lostComment", "introducesParseError"}

func list(b *strings.Builder, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", head)
	for _, line := range lines[:min(len(lines), maxWarnings)] {
		fmt.Fprintf(b, "- %s\n", Visible(line))
	}
	more(b, lines)
}

func quoted(b *strings.Builder, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n%s", head, Quote(lines[:min(len(lines), maxWarnings)]...))
	more(b, lines)
}

func more(b *strings.Builder, lines []string) {
	if n := len(lines) - maxWarnings; n > 0 {
		fmt.Fprintf(b, "and %d more\n", n)
	}
}

func place(path string, line int) string {
	switch {
	case path == "":
		return ""
	case line > 0:
		return fmt.Sprintf("%s:%d: ", Visible(path), line)
	}
	return Visible(path) + ": "
}
