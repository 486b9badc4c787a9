package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// maxSocketPath is the longest path every Unix accepts for a socket (macOS has
// 104 bytes, one of them for the terminating NUL).
const maxSocketPath = 103

// runtimeRoot is where Linux keeps the runtime folders of all users.
var runtimeRoot = "/run/user"

// userRuntimeDir is $XDG_RUNTIME_DIR, or what it would be: some agents, Codex
// among them, start their servers without most of the environment, and would
// miss the daemon of the user's editors.
func userRuntimeDir() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return dir
	}
	dir := filepath.Join(runtimeRoot, strconv.Itoa(os.Getuid()))
	if info, err := os.Lstat(dir); err == nil && info.IsDir() && ownerOf(info) == os.Getuid() {
		return dir
	}
	return ""
}

// DefaultPath returns the socket of this user's daemon. It makes the folder it
// lies in: pending-lsp in the user's runtime folder, or a folder of the user's own below the
// temporary one. It fails when that folder is not the user's alone, since
// whoever owns it could stand in for the daemon. The name carries the protocol
// version: daemons of two versions run side by side.
func DefaultPath() (string, error) {
	dir := userRuntimeDir()
	if dir != "" {
		dir = filepath.Join(dir, "pending-lsp")
	} else {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("pending-lsp-%d", os.Getuid()))
	}
	if err := privateDir(dir); err != nil {
		return "", err
	}
	return checkPath(filepath.Join(dir, fmt.Sprintf("v%d.sock", wire.ProtocolVersion)))
}

// checkPath refuses what the kernel would only call an invalid argument.
func checkPath(path string) (string, error) {
	if len(path) > maxSocketPath {
		return "", fmt.Errorf("socket path is too long (%d bytes, the limit is %d): %s", len(path), maxSocketPath, path)
	}
	return path, nil
}

// privateDir makes dir, readable by the user alone, or checks that it is.
func privateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case ownerOf(info) != os.Getuid():
		return fmt.Errorf("%s belongs to user %d, not to you (%d)", dir, ownerOf(info), os.Getuid())
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users (mode %v); expected 0700", dir, info.Mode().Perm())
	}
	return nil
}
