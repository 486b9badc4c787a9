package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// diskWrite is the replacement of one file's text.
type diskWrite struct {
	file *diskFile
	text []byte
	temp string // written and synced, ready to be renamed over the file
	done bool
}

// writeDisk writes the files of a plan that no editor takes: all of them, or
// none and the error says so.
func (w *Workspace) writeDisk(files []*planned) error {
	var writes []*diskWrite
	for _, p := range files {
		if p.editor == nil && string(p.before) != string(p.after) {
			writes = append(writes, &diskWrite{file: p.disk, text: p.after})
		}
	}
	if err := replaceAll(writes); err != nil {
		return err
	}
	for _, p := range files {
		if p.editor == nil {
			p.saved = true
		}
	}
	return nil
}

// replaceAll prepares every file before it renames the first, and undoes the
// renames if one fails.
func replaceAll(writes []*diskWrite) error {
	defer func() {
		for _, d := range writes {
			if d.temp != "" {
				_ = os.Remove(d.temp) // left over by an error that is reported
			}
		}
	}()
	for _, d := range writes {
		if err := d.prepare(); err != nil {
			return diskError(d.file.path, err)
		}
	}
	for i, d := range writes {
		err := d.unchanged()
		if err == nil {
			err = d.commit()
		}
		if err != nil {
			return rollBack(writes[:i], diskError(d.file.path, err))
		}
	}
	return syncDirs(writes)
}

// prepare writes the new text to a temporary file beside the old one, with its
// mode and, where permitted, its owner and attributes.
func (d *diskWrite) prepare() (err error) {
	f, err := os.CreateTemp(filepath.Dir(d.file.real), ".pending-lsp-*")
	if err != nil {
		return err
	}
	d.temp = f.Name()
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(d.text); err != nil {
		return err
	}
	if err := likeFile(f, d.file); err != nil {
		return err
	}
	return f.Sync()
}

// likeFile gives an open file the owner, attributes and mode of another. The
// mode comes last: changing the owner clears set-id bits, which a file that
// could not keep its owner must not get back.
func likeFile(f *os.File, like *diskFile) error {
	mode := like.info.Mode().Perm()
	if st, ok := like.info.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(st.Uid), int(st.Gid)) == nil {
			mode |= like.info.Mode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		}
	}
	copyAttributes(f, like.real)
	return f.Chmod(mode)
}

// copyAttributes copies extended attributes, ACLs among them, as far as the
// system lets us: a file without them is better than no file.
func copyAttributes(f *os.File, from string) {
	size, err := unix.Listxattr(from, nil)
	if err != nil || size == 0 {
		return
	}
	names := make([]byte, size)
	if size, err = unix.Listxattr(from, names); err != nil {
		return
	}
	for _, name := range strings.Split(strings.TrimRight(string(names[:size]), "\x00"), "\x00") {
		n, err := unix.Getxattr(from, name, nil)
		if err != nil {
			continue
		}
		value := make([]byte, n)
		if n, err = unix.Getxattr(from, name, value); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value[:n], 0)
		}
	}
}

// unchanged makes sure that the file is still the one that was read.
func (d *diskWrite) unchanged() error {
	info, err := os.Lstat(d.file.real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("it became a %s meanwhile", kindOf(info.Mode()))
	}
	if !os.SameFile(info, d.file.info) || info.Size() != d.file.info.Size() || !info.ModTime().Equal(d.file.info.ModTime()) {
		return errors.New("it was changed on disk meanwhile")
	}
	return nil
}

func (d *diskWrite) commit() error {
	if err := os.Rename(d.temp, d.file.real); err != nil {
		return err
	}
	d.temp, d.done = "", true
	return nil
}

// rollBack restores files that were renamed over and returns the cause with what
// could not be restored.
func rollBack(done []*diskWrite, cause *Error) error {
	var left []string
	var errs []error
	for _, d := range done {
		back := &diskWrite{file: d.file, text: d.file.text}
		err := back.prepare()
		if err == nil {
			err = back.commit()
		}
		if err != nil {
			left = append(left, d.file.path)
			errs = append(errs, err)
			if back.temp != "" {
				_ = os.Remove(back.temp)
			}
		}
	}
	if len(left) == 0 {
		return cause
	}
	return &Error{
		Kind:    WriteFailed,
		Message: fmt.Sprintf("%s But %s had been written already and could not be restored.", cause.Message, Visible(strings.Join(left, ", "))),
		Paths:   left,
		Err:     errors.Join(append(errs, cause)...),
	}
}

// syncDirs makes the renames durable. They have happened: an error here is not
// one of the apply, and file systems that cannot sync a directory say so.
func syncDirs(writes []*diskWrite) error {
	synced := map[string]bool{}
	for _, d := range writes {
		dir := filepath.Dir(d.file.real)
		if synced[dir] {
			continue
		}
		synced[dir] = true
		if f, err := os.Open(dir); err == nil {
			_ = f.Sync()
			_ = f.Close()
		}
	}
	return nil
}
