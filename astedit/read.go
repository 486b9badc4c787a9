package astedit

import (
	"bytes"
	"errors"
	"io"
	"os"
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
	f, err := os.Open(name)
	if err != nil {
		return nil, at, err
	}
	defer f.Close()
	for range 3 {
		before, err := f.Stat()
		if err != nil {
			return nil, at, err
		}
		if before.Size() >= maxFileSize {
			return nil, at, errTooLarge
		}
		text, err = readAll(f, buffer, int(before.Size()))
		if err != nil {
			return nil, at, err
		}
		after, err := f.Stat()
		if err != nil {
			return nil, at, err
		}
		if int64(len(text)) == after.Size() && before.ModTime().Equal(after.ModTime()) {
			return text, stamp{after.Size(), after.ModTime()}, nil
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, at, err
		}
	}
	return nil, at, errChanging
}

// readAll reads what should be size bytes, and a little more to see the end.
func readAll(f *os.File, buffer []byte, size int) ([]byte, error) {
	if cap(buffer) < size+1 {
		buffer = make([]byte, size+size/4+512)
	}
	buffer = buffer[:cap(buffer)]
	n := 0
	for {
		if n == len(buffer) {
			buffer = append(buffer, 0)
			buffer = buffer[:cap(buffer)]
		}
		m, err := f.Read(buffer[n:])
		n += m
		switch {
		case err == io.EOF:
			return buffer[:n], nil
		case err != nil:
			return nil, err
		case n >= maxFileSize:
			return nil, errTooLarge
		}
	}
}

// isBinary says whether a text looks like no text.
func isBinary(text []byte) bool {
	return bytes.IndexByte(text[:min(len(text), binaryWindow)], 0) >= 0
}

// unfit says why a text cannot be searched, if it cannot.
func unfit(text []byte) (SkipReason, string) {
	if isBinary(text) {
		return SkipBinary, "it has a NUL byte, so it is taken for binary"
	}
	if !utf8.Valid(text) {
		return SkipInvalidUTF8, "it is not valid UTF-8"
	}
	return "", ""
}
