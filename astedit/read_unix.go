//go:build unix

package astedit

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// rawFile is an open file without what package os does for files that may block:
// most of a rare search is opening files, and that makes it twice as slow.
type rawFile int

func openFile(name string) (rawFile, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return rawFile(fd), nil
	}
}

func (f rawFile) close() { _ = unix.Close(int(f)) }

func (f rawFile) stamp() (stamp, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f), &st); err != nil {
		return stamp{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return stamp{}, fs.ErrInvalid
	}
	return stampOf(&st), nil
}

// readAt reads what is there at an offset; 0 bytes are the end.
func (f rawFile) readAt(b []byte, offset int64) (int, error) {
	for {
		n, err := unix.Pread(int(f), b, offset)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// stampFile returns the stamp of a file, links not followed.
func stampFile(name string) (stamp, error) {
	var st unix.Stat_t
	if err := unix.Lstat(name, &st); err != nil {
		return stamp{}, err
	}
	return stampOf(&st), nil
}

func stampOf(st *unix.Stat_t) stamp {
	sec, nsec := st.Mtim.Unix()
	return stamp{st.Size, time.Unix(sec, nsec)}
}
