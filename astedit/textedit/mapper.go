package textedit

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Encoding says what one unit of a [Position]'s Character is. The values are
// the LSP PositionEncodingKind strings.
type Encoding string

// The three encodings of LSP 3.17. UTF16 is the default when nothing is
// negotiated.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Position is an LSP position: Line and Character are 0-based, Character counts
// code units of the encoding in use.
type Position struct{ Line, Character uint32 }

// Mapper converts between byte offsets and positions of one text. Lines end at
// "\n", "\r\n" or a lone "\r", as LSP counts them. A Mapper is immutable and
// safe for concurrent use; it keeps the text it was made from, which must not
// change.
type Mapper struct {
	text  []byte
	lines []int
}

// NewMapper indexes the lines of text.
func NewMapper(text []byte) *Mapper {
	lines := make([]int, 1, 1+bytes.Count(text, []byte{'\n'}))
	if bytes.IndexByte(text, '\r') < 0 {
		// Most texts: the next line break is found sixteen bytes at a time.
		for i := bytes.IndexByte(text, '\n'); i >= 0; i = bytes.IndexByte(text[lines[len(lines)-1]:], '\n') {
			lines = append(lines, lines[len(lines)-1]+i+1)
		}
		return &Mapper{text: text, lines: lines}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			lines = append(lines, i+1)
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			lines = append(lines, i+1)
		}
	}
	return &Mapper{text: text, lines: lines}
}

// Offset returns the byte offset of p. A character past the end of its line
// means the end of that line, before its line break; a line past the end of the
// text means the end of the text; a character inside a multi-unit code point
// means the start of that code point.
func (m *Mapper) Offset(p Position, enc Encoding) int {
	if int64(p.Line) >= int64(len(m.lines)) {
		return len(m.text)
	}
	start, end := m.line(int(p.Line))
	want := int64(p.Character)
	for i := start; i < end; {
		r, size := utf8.DecodeRune(m.text[i:end])
		if want -= int64(units(r, size, enc)); want < 0 {
			return i
		}
		i += size
	}
	return end
}

// Position returns the position of a byte offset. Offsets outside the text are
// clamped to it; one inside a code point or a "\r\n" is moved back to its start.
func (m *Mapper) Position(offset int, enc Encoding) Position {
	offset = min(max(offset, 0), len(m.text))
	line := sort.Search(len(m.lines), func(i int) bool { return m.lines[i] > offset }) - 1
	start, end := m.line(line)
	var char uint32
	for i := start; i < min(offset, end); {
		r, size := utf8.DecodeRune(m.text[i:end])
		if i+size > offset {
			break
		}
		char += uint32(units(r, size, enc))
		i += size
	}
	return Position{Line: uint32(line), Character: char}
}

// Line returns the 0-based line that holds offset and the byte offset where the
// line starts.
func (m *Mapper) Line(offset int) (line, start int) {
	line = sort.Search(len(m.lines), func(i int) bool { return m.lines[i] > offset }) - 1
	return line, m.lines[line]
}

// Text returns the text the mapper was made from; callers must not change it.
func (m *Mapper) Text() []byte { return m.text }

// line returns the bounds of a line without its line break.
func (m *Mapper) line(n int) (start, end int) {
	start, end = m.lines[n], len(m.text)
	if n+1 < len(m.lines) {
		end = m.lines[n+1]
	}
	for end > start && (m.text[end-1] == '\n' || m.text[end-1] == '\r') {
		end--
	}
	return start, end
}

// units counts what a decoded rune of size bytes takes in enc. An invalid byte
// counts as one unit in every encoding.
func units(r rune, size int, enc Encoding) int {
	switch enc {
	case UTF8:
		return size
	case UTF32:
		return 1
	default:
		if r >= 0x10000 {
			return 2
		}
		return 1
	}
}
