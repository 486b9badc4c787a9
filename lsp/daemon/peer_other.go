//go:build unix && !linux

package daemon

import (
	"net"

	"golang.org/x/sys/unix"
)

// checkPeer trusts the 0700 folder that the socket lies in.
func checkPeer(*net.UnixConn) error { return nil }

func dup(from, to int) error { return unix.Dup2(from, to) }
