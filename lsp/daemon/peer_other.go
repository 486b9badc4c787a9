//go:build !linux

package daemon

import "net"

// checkPeer trusts the 0700 folder that the socket lies in.
func checkPeer(*net.UnixConn) error { return nil }
