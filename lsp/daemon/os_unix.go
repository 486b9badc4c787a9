//go:build unix

package daemon

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// detached keeps a daemon alive when the terminal or editor that started it is
// closed.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func ownerOf(info os.FileInfo) int {
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked")

// lockFile takes an exclusive lock that the kernel gives back when the process
// ends, however it ends. Without wait it returns errLocked at once.
func lockFile(path string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err = unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errLocked
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// RedirectOutput sends this process's standard output and error to f.
func RedirectOutput(f *os.File) {
	for _, fd := range []int{1, 2} {
		_ = dup(int(f.Fd()), fd)
	}
}
