package lsp

import (
	"context"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/pending"
)

// showDiff opens an action's diff in the client with window/showDocument: as a
// virtual document, or for clients without those as a file of this session's.
func (s *session) showDiff(ctx context.Context, a pending.ActionView) error {
	target := contentURI(a.ID, sideDiff, a.ID+".diff")
	if !s.client.textContent {
		var err error
		if target, err = s.diffFile(a); err != nil {
			return err
		}
	}
	var shown protocol.ShowDocumentResult
	return protocol.Call(ctx, s.conn, protocol.MethodWindowShowDocument, &protocol.ShowDocumentParams{URI: target, TakeFocus: ptr(true)}, &shown)
}

// diffFile writes an action's diff to a file that goes with the session.
func (s *session) diffFile(a pending.ActionView) (uri.URI, error) {
	diff, err := diffOf(a)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tempDir == "" {
		if s.tempDir, err = os.MkdirTemp("", "pending-lsp-diff-"); err != nil {
			return "", err
		}
	}
	f, err := os.OpenFile(filepath.Join(s.tempDir, a.ID+".diff"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	if _, err := f.WriteString(diff); err != nil {
		_ = f.Close()
		return "", err
	}
	return uri.File(f.Name()), f.Close()
}

// removeTemp removes what showDiff wrote.
func (s *session) removeTemp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tempDir != "" {
		_ = os.RemoveAll(s.tempDir)
	}
}
