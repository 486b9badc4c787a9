package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// tempPrefix begins the names of temporary files, which lie beside the files
// they will replace.
const tempPrefix = ".pending-lsp-"

// preparing is how many files are written and synced at a time.
const preparing = 8

// diskWrite is the replacement of one file's text.
type diskWrite struct {
	file *diskFile
	plan *planned // nil in a recovery
	text []byte
	temp string // where the new text is written before it replaces the file
	made bool   // temp exists
}

// writeDisk writes the files of a plan that no editor takes: all of them, or
// none and the error says so. What it is about to do is in the journal before
// it begins; the caller ends that, together with what became of it.
func (w *Workspace) writeDisk(files []*planned, in *savedIntent) error {
	var writes []*diskWrite
	for _, p := range files {
		if p.editor == nil && string(p.before) != string(p.after) {
			writes = append(writes, &diskWrite{file: p.disk, plan: p, text: p.after})
		}
	}
	if len(writes) > 0 {
		w.plan(in, writes)
		if err := w.begin(in); err != nil {
			return err
		}
		if err := w.options().failPoint("intent"); err != nil {
			return err
		}
		if err := w.replaceAll(writes); err != nil {
			return err
		}
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
func (w *Workspace) replaceAll(writes []*diskWrite) error {
	defer func() {
		for _, d := range writes {
			if d.made {
				_ = os.Remove(d.temp) // left over by an error that is reported
			}
		}
	}()
	if err := w.prepareAll(writes); err != nil {
		return err
	}
	for i, d := range writes {
		err := w.options().failPoint("rename")
		if err == nil {
			err = d.unchanged()
		}
		if err == nil {
			err = d.commit()
		}
		if err != nil {
			return rollBack(writes[:i], diskError(d.file.path, err))
		}
	}
	if err := w.options().failPoint("renamed"); err != nil {
		return rollBack(writes, diskError(writes[0].file.path, err))
	}
	syncDirs(writes)
	return nil
}

// prepareAll prepares the files, several at a time: most of it is waiting for
// the disk.
func (w *Workspace) prepareAll(writes []*diskWrite) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first *Error
	next := 0
	for range min(preparing, len(writes)) {
		wg.Go(func() {
			for {
				mu.Lock()
				if first != nil || next == len(writes) {
					mu.Unlock()
					return
				}
				d := writes[next]
				next++
				mu.Unlock()
				err := w.options().failPoint("temp")
				if err == nil {
					err = d.prepare()
				}
				if err != nil {
					mu.Lock()
					if first == nil {
						first = diskError(d.file.path, err)
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if first != nil {
		return first
	}
	return nil
}

// prepare writes the new text to a temporary file beside the old one, with its
// mode and, where permitted, its owner and attributes.
func (d *diskWrite) prepare() (err error) {
	f, err := os.OpenFile(d.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	d.made = true
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(d.text); err != nil {
		return err
	}
	if err := likeFile(f, d.file); err != nil {
		return err
	}
	return f.Sync()
}

// isTemp reports whether a path names a temporary file of ours.
func isTemp(path string) bool { return strings.HasPrefix(filepath.Base(path), tempPrefix) }

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

// unchanged makes sure that the file is still the one that was read. It reads it
// again: times are too coarse to tell.
func (d *diskWrite) unchanged() error {
	info, err := os.Lstat(d.file.real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("it became a %s meanwhile", kindOf(info.Mode()))
	}
	if os.SameFile(info, d.file.info) && info.Size() == d.file.info.Size() {
		text, err := os.ReadFile(d.file.real)
		if err != nil {
			return err
		}
		if string(text) == string(d.file.text) {
			return nil
		}
	}
	return errors.New("it was changed on disk meanwhile")
}

func (d *diskWrite) commit() error {
	if err := os.Rename(d.temp, d.file.real); err != nil {
		return err
	}
	d.made = false
	return nil
}

// rollBack restores files that were renamed over and returns the cause with what
// could not be restored.
func rollBack(done []*diskWrite, cause *Error) error {
	var left []string
	var errs []error
	for _, d := range done {
		back := &diskWrite{file: d.file, text: d.file.text, temp: d.temp}
		err := back.prepare()
		if err == nil {
			err = back.commit()
		}
		if err != nil {
			left = append(left, d.file.path)
			errs = append(errs, err)
			if back.made {
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
func syncDirs(writes []*diskWrite) {
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
}
