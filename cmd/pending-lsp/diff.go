package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/pending-lsp/pending-lsp/lsp"
)

// The ANSI colours of a diff.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	reset = "\x1b[0m"
)

// isTerminal reports whether w is a terminal that wants colour.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// printDiff prints a unified diff. On a terminal it is coloured, and control
// characters of the code are made visible: a file under review must not be able
// to repaint the screen it is reviewed on.
func (p *program) printDiff(diff string) {
	if !isTerminal(p.out) {
		fmt.Fprint(p.out, diff)
		return
	}
	for line := range strings.Lines(diff) {
		text, newline := strings.CutSuffix(line, "\n")
		indented := strings.ReplaceAll(text, "\t", "    ")
		text = lsp.Visible(indented)
		switch {
		case strings.HasPrefix(text, "---"), strings.HasPrefix(text, "+++"):
			text = bold + text + reset
		case strings.HasPrefix(text, "@@"):
			text = cyan + text + reset
		case strings.HasPrefix(text, "-"):
			text = red + text + reset
		case strings.HasPrefix(text, "+"):
			text = green + text + reset
		}
		if newline {
			text += "\n"
		}
		fmt.Fprint(p.out, text)
	}
}
