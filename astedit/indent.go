package astedit

import (
	"bytes"
	"strings"
)

// indentWindow is how far back the start of a line is looked for. In a longer
// line nothing counts as indentation.
const indentWindow = 512

// indentation is the white space a line starts with. Code that is indented by
// spaces is moved by their number, as ast-grep does; tabs are kept as they are
// and only ever added.
type indentation struct {
	spaces int
	tabs   string // the whole white space when it has a tab
}

// indentBefore returns the indentation of the line that ends text.
func indentBefore(text []byte) indentation {
	window := text[max(0, len(text)-indentWindow):]
	line := bytes.LastIndexByte(window, '\n') + 1
	if line == 0 && len(window) < len(text) {
		return indentation{}
	}
	rest := window[line:]
	white := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]
	if bytes.IndexByte(white, '\t') >= 0 {
		return indentation{tabs: string(white)}
	}
	return indentation{spaces: len(white)}
}

// rebase moves the lines of a captured text, but the first, from the indentation
// it had to the one its place in the template asks for.
func rebase(text string, from, to indentation) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	switch {
	case from.tabs != "" || to.tabs != "":
		// Lines of tabs stay where they were in the file; a deeper place in the
		// template pushes them right.
		if to.tabs == "" {
			return text
		}
		return indentLines(text, to.tabs)
	case from.spaces > to.spaces:
		strip := strings.Repeat(" ", from.spaces-to.spaces)
		return strings.ReplaceAll(text, "\n"+strip, "\n")
	default:
		return indentLines(text, strings.Repeat(" ", to.spaces-from.spaces))
	}
}

// indentLines puts prefix before every line but the first.
func indentLines(text, prefix string) string {
	if prefix == "" {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\n"+prefix)
}
