package pending

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// diskFile is a regular file of the workspace as it was read.
type diskFile struct {
	path string // as the workspace names it
	real string // absolute, symlinks resolved
	text []byte
	info fs.FileInfo
}

// diskText returns the text of a file, empty when it cannot be read.
func (w *Workspace) diskText(path string) []byte {
	f, err := w.readFile(path)
	if err != nil {
		return nil
	}
	return f.text
}

// readFile reads a regular file inside the workspace, following symlinks that
// stay inside. A FIFO or a device does not block it.
func (w *Workspace) readFile(path string) (*diskFile, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(path)))
	if err != nil {
		return nil, diskError(path, err)
	}
	rel, err := filepath.Rel(w.root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, &Error{Kind: OutsideWorkspace, Message: fmt.Sprintf("%s is a link that leaves the workspace; nothing was changed.", Visible(path)), Paths: []string{path}}
	}
	if err := checkPath(filepath.ToSlash(rel)); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(real, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, diskError(path, err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, diskError(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{Kind: WriteFailed, Message: fmt.Sprintf("%s is a %s, not a regular file; nothing was changed.", Visible(path), kindOf(info.Mode())), Paths: []string{path}}
	}
	text := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return &diskFile{path: path, real: real, text: text, info: info}, nil
		}
		if err != nil {
			return nil, diskError(path, err)
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	default:
		return "special file"
	}
}

// diskError turns what the operating system says into what to do about it.
func diskError(path string, err error) *Error {
	kind := WriteFailed
	hint := "Look into it and apply again."
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = "The file is gone; restore it, or discard the action."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EROFS):
		kind, hint = ReadOnly, "Make it writable and apply again."
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		hint = "Free some space and apply again."
	}
	// The absolute path is noise: the message names the file already.
	why := err.Error()
	if p := new(fs.PathError); errors.As(err, &p) {
		why = p.Err.Error()
	}
	return &Error{Kind: kind, Message: fmt.Sprintf("%s: %s; nothing was changed. %s", Visible(path), strings.TrimSpace(why), hint), Paths: []string{path}, Err: err}
}
