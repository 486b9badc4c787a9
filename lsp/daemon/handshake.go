package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// maxHandshake bounds a handshake line, in bytes.
const maxHandshake = 4 << 10

// handshakeTimeout bounds how long either side waits for the other's line.
const handshakeTimeout = 5 * time.Second

// Handshake is the line each side of a daemon connection sends first.
type Handshake struct {
	// Protocol is [wire.ProtocolVersion]; the two sides must agree.
	Protocol int `json:"protocol"`
	// Version is the program's, for people.
	Version string `json:"version"`
	PID     int    `json:"pid"`
	// Error says why the daemon refuses; the connection is closed after it.
	Error string `json:"error,omitempty"`
}

// ErrVersion says that the two sides speak different protocol versions.
var ErrVersion = errors.New("protocol versions differ")

func ours(version string) Handshake {
	return Handshake{Protocol: wire.ProtocolVersion, Version: version, PID: os.Getpid()}
}

// greet is the client's half.
func greet(conn net.Conn, version string) (Handshake, error) {
	if err := conn.SetDeadline(time.Now().Add(handshakeTimeout)); err != nil {
		return Handshake{}, err
	}
	if err := writeLine(conn, ours(version)); err != nil {
		return Handshake{}, err
	}
	theirs, err := readLine(conn)
	if err != nil {
		return Handshake{}, err
	}
	if theirs.Error != "" {
		return theirs, fmt.Errorf("%w: %s", ErrVersion, theirs.Error)
	}
	if theirs.Protocol != wire.ProtocolVersion {
		return theirs, mismatch(theirs)
	}
	return theirs, conn.SetDeadline(time.Time{})
}

// welcome is the daemon's half.
func welcome(conn net.Conn, version string) (Handshake, error) {
	if err := conn.SetDeadline(time.Now().Add(handshakeTimeout)); err != nil {
		return Handshake{}, err
	}
	theirs, err := readLine(conn)
	if err != nil {
		return Handshake{}, err
	}
	reply := ours(version)
	if theirs.Protocol != wire.ProtocolVersion {
		err = mismatch(theirs)
		reply.Error = fmt.Sprintf("this daemon (pending-lsp %s, pid %d) speaks protocol %d and the client (pending-lsp %s) %d; use the same version of both",
			version, reply.PID, reply.Protocol, theirs.Version, theirs.Protocol)
	}
	if werr := writeLine(conn, reply); err == nil {
		err = werr
	}
	if err != nil {
		return theirs, err
	}
	return theirs, conn.SetDeadline(time.Time{})
}

func mismatch(theirs Handshake) error {
	return fmt.Errorf("%w: theirs is %d (pending-lsp %s), ours is %d", ErrVersion, theirs.Protocol, theirs.Version, wire.ProtocolVersion)
}

func writeLine(w io.Writer, h Handshake) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// readLine reads byte by byte: what follows the line belongs to LSP.
func readLine(r io.Reader) (Handshake, error) {
	var h Handshake
	line := make([]byte, 0, 256)
	var b [1]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return h, fmt.Errorf("handshake: %w", err)
		}
		if b[0] == '\n' {
			break
		}
		if line = append(line, b[0]); len(line) > maxHandshake {
			return h, errors.New("handshake: the line is too long")
		}
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, fmt.Errorf("handshake: %w", err)
	}
	return h, nil
}
