package astedit

import "strings"

// wildmatch matches a slash-separated path with a pattern of .gitignore, as git
// does: `*`, `?` and `[…]` do not match a slash, `**` between slashes matches
// any number of directories.
func wildmatch(pattern, path string) bool { return wild(pattern, 0, path) == wildYes }

// wildResult tells a `*` further out whether going on makes sense.
type wildResult uint8

const (
	wildNo wildResult = iota
	wildYes
	wildAbort       // the text ran out: no `*` can help
	wildAbortToStar // a `*` met a slash: only a `**` can help
)

// wild matches pattern[p:] with all of text. The pattern is passed whole because
// `**` looks at what is before it.
func wild(pattern string, p int, text string) wildResult {
	for ; p < len(pattern); p++ {
		c := pattern[p]
		if text == "" && c != '*' {
			return wildAbort
		}
		switch c {
		case '?':
			if text[0] == '/' {
				return wildNo
			}
		case '[':
			ok, size := wildClass(pattern[p:], text[0])
			if size == 0 {
				return wildAbort
			}
			if !ok || text[0] == '/' {
				return wildNo
			}
			p += size - 1
		case '*':
			return wildStar(pattern, p, text)
		case '\\':
			if p++; p == len(pattern) {
				return wildNo
			}
			c = pattern[p]
			fallthrough
		default:
			if text[0] != c {
				return wildNo
			}
		}
		text = text[1:]
	}
	if text != "" {
		return wildNo
	}
	return wildYes
}

// wildStar matches from the `*` at pattern[p] on.
func wildStar(pattern string, p int, text string) wildResult {
	start := p
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	slashes := false
	if p-start > 1 && (start == 0 || pattern[start-1] == '/') {
		rest := pattern[p:]
		if rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`) {
			// "a/**/b" matches "a/b" too.
			if rest != "" && rest[0] == '/' && wild(pattern, p+1, text) == wildYes {
				return wildYes
			}
			slashes = true
		}
	}
	if p == len(pattern) {
		if !slashes && strings.Contains(text, "/") {
			return wildAbortToStar
		}
		return wildYes
	}
	if !slashes && pattern[p] == '/' {
		slash := strings.IndexByte(text, '/')
		if slash < 0 {
			return wildAbort
		}
		return wild(pattern, p, text[slash:])
	}
	for ; text != ""; text = text[1:] {
		switch r := wild(pattern, p, text); {
		case r == wildNo:
		case !slashes || r != wildAbortToStar:
			return r
		}
		if !slashes && text[0] == '/' {
			return wildAbortToStar
		}
	}
	return wildAbort
}

// wildClass matches c with the bracket expression at the start of s; size is its
// length, 0 when it is not closed.
func wildClass(s string, c byte) (ok bool, size int) {
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var low byte // the last single character, which may start a range
	for first := true; ; first = false {
		if i >= len(s) {
			return false, 0
		}
		switch {
		case s[i] == ']' && !first:
			return ok != negated, i + 1
		case s[i] == '-' && low != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i >= len(s) {
					return false, 0
				}
			}
			ok = ok || low <= c && c <= s[i]
			low = 0
		case strings.HasPrefix(s[i:], "[:"):
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return false, 0
			}
			name, closed := strings.CutSuffix(s[i+2:i+2+end], ":")
			if !closed {
				// Not a class after all: a plain "[".
				ok, low = ok || c == '[', '['
				break
			}
			in, known := posixClass(name, c)
			if !known {
				return false, 0
			}
			ok, low = ok || in, 0
			i += 2 + end
		default:
			if s[i] == '\\' {
				if i++; i >= len(s) {
					return false, 0
				}
			}
			low = s[i]
			ok = ok || c == low
		}
		i++
	}
}

func posixClass(name string, c byte) (in, known bool) {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', isDigit(c)
	switch name {
	case "alpha":
		return lower || upper, true
	case "digit":
		return digit, true
	case "alnum":
		return lower || upper || digit, true
	case "lower":
		return lower, true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "blank":
		return c == ' ' || c == '\t', true
	case "punct":
		return c > ' ' && c < 0x7f && !lower && !upper && !digit, true
	case "print":
		return c >= ' ' && c < 0x7f, true
	case "graph":
		return c > ' ' && c < 0x7f, true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	}
	return false, false
}
