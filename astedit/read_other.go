//go:build !unix

package astedit

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// rawFile is an open file.
type rawFile struct{ *os.File }

func openFile(name string) (rawFile, error) {
	f, err := os.Open(name)
	return rawFile{f}, err
}

func (f rawFile) close() { _ = f.Close() }

func (f rawFile) stamp() (stamp, error) {
	info, err := f.Stat()
	if err != nil {
		return stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return stamp{}, fs.ErrInvalid
	}
	return stamp{info.Size(), info.ModTime()}, nil
}

// readAt reads what is there at an offset; 0 bytes are the end.
func (f rawFile) readAt(b []byte, offset int64) (int, error) {
	n, err := f.ReadAt(b, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// stampFile returns the stamp of a file, links not followed.
func stampFile(name string) (stamp, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.Size(), info.ModTime()}, nil
}
