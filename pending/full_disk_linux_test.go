package pending_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pending-lsp/pending-lsp/pending"
)

// TestFullDisk applies on a file system that is full.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip("needs the right to mount a small file system: ", err)
	}
	defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	for i := range 4 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(strings.Repeat("old ", 5000)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := pending.NewRegistry(pending.Options{}).Open(dir)
	defer w.Close()
	m := w.Join(pending.Party{Name: "agent"}, pending.JoinOptions{})
	defer m.Leave()
	if _, err := m.Push(context.Background(), pending.New{Label: "grow", Proposer: &literal{Old: "old", New: "newer"}}); err != nil {
		t.Fatal(err)
	}
	_, err := m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply})
	if e := errorOf(err); e.Kind != pending.WriteFailed || !strings.Contains(e.Message, "no space left") {
		t.Fatalf("%v", err)
	}
	for i := range 4 {
		if text, _ := os.ReadFile(filepath.Join(dir, fmt.Sprint(i))); string(text) != strings.Repeat("old ", 5000) {
			t.Errorf("file %d changed", i)
		}
	}
}
