package astedit

import (
	"bytes"
	"errors"
	"time"
	"unicode/utf8"
)

// maxFileSize is the size in bytes from which files are left alone: their trees
// would take about a hundred times as much.
const maxFileSize = 64 << 20

// binaryWindow is how many bytes at the start of a file are looked at for a NUL,
// which makes it binary, as for git.
const binaryWindow = 8000

// stamp tells whether a file may have changed.
type stamp struct {
	size     int64
	modified time.Time
}

var (
	errTooLarge = errors.New("file is too large")
	errChanging = errors.New("file changes while it is read")
)

// readFile reads a whole file into buffer, which it may grow. The text is what
// the file was at one moment, as far as its size and time of change can tell.
func readFile(name string, buffer []byte) (text []byte, at stamp, err error) {
	f, err := openFile(name)
	if err != nil {
		return nil, at, err
	}
	defer f.close()
	for range 3 {
		before, err := f.stamp()
		if err != nil {
			return nil, at, err
		}
		if before.size >= maxFileSize {
			return nil, at, errTooLarge
		}
		if text, err = f.readFrom(0, buffer, int(before.size)); err != nil {
			return nil, at, err
		}
		after, err := f.stamp()
		if err != nil {
			return nil, at, err
		}
		if int64(len(text)) == after.size && before.equal(after) {
			return text, after, nil
		}
	}
	return nil, at, errChanging
}

// readFrom reads what should be size bytes from an offset on. One byte more than
// expected is asked for, to notice a file that grew.
func (f rawFile) readFrom(offset int64, buffer []byte, size int) ([]byte, error) {
	if cap(buffer) < size+1 {
		buffer = make([]byte, size+size/4+512)
	}
	buffer = buffer[:cap(buffer)]
	n := 0
	for n <= size {
		m, err := f.readAt(buffer[n:size+1], offset+int64(n))
		n += m
		if err != nil {
			return nil, err
		}
		if m == 0 || n == size {
			break
		}
	}
	return buffer[:n], nil
}

func (s stamp) equal(o stamp) bool { return s.size == o.size && s.modified.Equal(o.modified) }

// isBinary says whether a text looks like no text.
func isBinary(text []byte) bool {
	return bytes.IndexByte(text[:min(len(text), binaryWindow)], 0) >= 0
}

// unfit says why a text is not searched, if it is not.
func unfit(text []byte, allowInvalidUTF8 bool) (SkipReason, string) {
	if isBinary(text) {
		return SkipBinary, "it has a NUL byte, so it is taken for binary"
	}
	if !allowInvalidUTF8 && !utf8.Valid(text) {
		return SkipInvalidUTF8, "it is not valid UTF-8"
	}
	return "", ""
}
