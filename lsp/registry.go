package lsp

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// OpenRegistry returns a registry whose stacks survive in stateDir, and what
// closes its file. Restored structural edits use the engine. It fails with kind
// [pending.StoreUnavailable] when another process uses the directory.
func OpenRegistry(stateDir string, log *slog.Logger, engine Engine) (*pending.Registry, io.Closer, error) {
	// Daemons of two protocol versions may run side by side.
	journal, err := pending.OpenBolt(filepath.Join(stateDir, fmt.Sprintf("v%d.db", wire.ProtocolVersion)), log)
	if err != nil {
		return nil, nil, err
	}
	return pending.NewRegistry(pending.Options{Logger: log, Journal: journal, Revive: engine.revive}), journal, nil
}

// NewRegistry returns a registry that keeps its stacks in memory only.
func NewRegistry(log *slog.Logger) *pending.Registry {
	return pending.NewRegistry(pending.Options{Logger: log})
}

// revive makes the producer of an ast_edit from the request that pushed it, so
// that it can still be re-run after a restart.
func (e Engine) revive(tool string, recipe json.RawMessage) (pending.Proposer, error) {
	if tool != astEditTool {
		return nil, fmt.Errorf("no producer %q", tool)
	}
	var saved savedRerun
	if err := json.Unmarshal(recipe, &saved); err != nil {
		return nil, err
	}
	return rerun{req: e.request(saved.Params), limited: saved.Limited}, nil
}

// savedRerun is a [rerun] at rest.
type savedRerun struct {
	Params  wire.ASTEditParams `json:"params"`
	Limited bool               `json:"limited,omitempty"`
}
