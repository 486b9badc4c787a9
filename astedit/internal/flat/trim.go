package flat

import "strings"

// trimTokens takes white space off both ends of nodes, for grammars whose tokens
// reach over the line break before them. Strings and comments are left alone.
func trimTokens(t *Tree) {
	for i := 0; i < len(t.Nodes); {
		n := &t.Nodes[i]
		if name := t.Lang.KindName(n.Kind); i > 0 && (strings.Contains(name, "string") || strings.Contains(name, "comment")) {
			i += int(n.Skip)
			continue
		}
		for n.Start < n.End && isSpace(t.Text[n.Start]) {
			n.Start++
		}
		for n.End > n.Start && isSpace(t.Text[n.End-1]) {
			n.End--
		}
		i++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
