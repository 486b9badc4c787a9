package daemon

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A program that was started without XDG_RUNTIME_DIR finds the same daemon as
// one that was not.
func TestDefaultPathWithoutEnvironment(t *testing.T) {
	root, err := os.MkdirTemp("", "pl-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	defer func(old string) { runtimeRoot = old }(runtimeRoot)
	runtimeRoot = root
	t.Setenv("TMPDIR", root)
	t.Setenv("XDG_RUNTIME_DIR", "")
	without, err := DefaultPath()
	if err != nil || !strings.HasPrefix(without, filepath.Join(root, "pending-lsp-")) {
		t.Errorf("with no runtime folder at all: %s, %v", without, err)
	}
	mine := filepath.Join(root, strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	without, err = DefaultPath()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", mine)
	with, err := DefaultPath()
	if err != nil || with != without || !strings.HasPrefix(with, mine+"/pending-lsp/") {
		t.Errorf("with the variable %s, without %s, %v", with, without, err)
	}
}
