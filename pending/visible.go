package pending

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with every character that could mislead a reader written
// out: controls and line breaks, bidirectional overrides, other invisible
// format characters and bytes that are not UTF-8 become \n, \u202e, \xff and so
// on. The zero-width joiner stays, since names and emoji need it. Labels,
// reasons and names of parties pass through it before anybody sees them.
func Visible(s string) string {
	if !strings.ContainsFunc(s, misleading) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case !misleading(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
}

func misleading(r rune) bool {
	const zeroWidthJoiner = '\u200d'
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		unicode.Is(unicode.Cf, r) && r != zeroWidthJoiner
}
