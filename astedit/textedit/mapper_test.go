package textedit_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// oracle walks the text rune by rune and counts, which is slow and obvious. It
// returns the position of every offset at which a code point starts, and of the
// end.
func oracle(text []byte, enc textedit.Encoding) map[int]textedit.Position {
	out := map[int]textedit.Position{}
	var at textedit.Position
	for i := 0; i < len(text); {
		out[i] = at
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\r' && i+1 < len(text) && text[i+1] == '\n':
			// The break is one, and its second byte is no place of its own.
			at = textedit.Position{Line: at.Line + 1}
			i += 2
			continue
		case r == '\n' || r == '\r':
			at = textedit.Position{Line: at.Line + 1}
		case enc == textedit.UTF8:
			at.Character += uint32(size)
		case enc == textedit.UTF32:
			at.Character++
		default:
			at.Character += uint32(len(utf16.Encode([]rune{r})))
		}
		i += size
	}
	out[len(text)] = at
	return out
}

func encodings() []textedit.Encoding {
	return []textedit.Encoding{textedit.UTF8, textedit.UTF16, textedit.UTF32}
}

// FuzzMapper holds the mapper to the oracle in both directions, and to its
// promises on positions that do not exist.
func FuzzMapper(f *testing.F) {
	for _, seed := range []string{"", "a", "a\nb", "a\r\nb\rc\n", "é😀\u0301\n\t日本", "\xff\xfe\n\xf0\x9f", "\r", "\r\n", "\n\r", "\ufeffx"} {
		f.Add([]byte(seed), uint32(0), uint32(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, line, character uint32) {
		m := textedit.NewMapper(text)
		for _, enc := range encodings() {
			places := oracle(text, enc)
			for offset, want := range places {
				if got := m.Position(offset, enc); got != want {
					t.Fatalf("%q %s: offset %d is at %v, want %v", text, enc, offset, got, want)
				}
				if got := m.Offset(want, enc); got != offset {
					t.Fatalf("%q %s: position %v is at %d, want %d", text, enc, want, got, offset)
				}
			}
			// Any position is clamped to a place that exists.
			p := textedit.Position{Line: line, Character: character}
			at := m.Offset(p, enc)
			real, ok := places[at]
			if !ok {
				t.Fatalf("%q %s: position %v is at %d, where no code point starts", text, enc, p, at)
			}
			if real.Line > p.Line || real.Line == p.Line && real.Character > p.Character {
				t.Fatalf("%q %s: position %v was moved on to %v", text, enc, p, real)
			}
			// Offsets between places go back to one.
			for offset := range len(text) + 1 {
				back := m.Offset(m.Position(offset, enc), enc)
				if _, ok := places[back]; !ok || back > offset {
					t.Fatalf("%q %s: offset %d comes back as %d", text, enc, offset, back)
				}
			}
		}
	})
}

func TestMapperClamps(t *testing.T) {
	m := textedit.NewMapper([]byte("ab\r\n😀c\n"))
	for _, c := range []struct {
		p    textedit.Position
		want int
	}{
		{textedit.Position{Line: 0, Character: 99}, 2}, // the end of the line, before its break
		{textedit.Position{Line: 1, Character: 1}, 4},  // inside a surrogate pair: its start
		{textedit.Position{Line: 1, Character: 2}, 8},
		{textedit.Position{Line: 2, Character: 5}, 10},
		{textedit.Position{Line: 99, Character: 0}, 10},
		{textedit.Position{Line: 1 << 31, Character: 1 << 31}, 10},
	} {
		if got := m.Offset(c.p, textedit.UTF16); got != c.want {
			t.Errorf("%v is at %d, want %d", c.p, got, c.want)
		}
	}
	if line, start := m.Line(9); line != 1 || start != 4 {
		t.Errorf("offset 9 is in line %d, which starts at %d", line, start)
	}
}

func BenchmarkNewMapper(b *testing.B) {
	text := []byte(strings.Repeat("\tx, err := f(a, b)\n\tif err != nil {\n\t\treturn fmt.Errorf(\"f: %w\", err)\n\t}\n", 500))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		textedit.NewMapper(text)
	}
}

func BenchmarkMapper(b *testing.B) {
	var text []byte
	for range 10_000 {
		text = append(text, "\tif err := f(x, \"é\"); err != nil {\n"...)
	}
	b.Run("new", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			textedit.NewMapper(text)
		}
	})
	m := textedit.NewMapper(text)
	b.Run("position", func(b *testing.B) {
		for b.Loop() {
			m.Position(len(text)/2+20, textedit.UTF16)
		}
	})
	b.Run("offset", func(b *testing.B) {
		for b.Loop() {
			m.Offset(textedit.Position{Line: 5000, Character: 20}, textedit.UTF16)
		}
	})
}
