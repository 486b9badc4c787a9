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
func OpenRegistry(stateDir string, c Config, log *slog.Logger, engine Engine) (*pending.Registry, io.Closer, error) {
	// Daemons of two protocol versions may run side by side.
	journal, err := pending.OpenBolt(filepath.Join(stateDir, fmt.Sprintf("v%d.db", wire.ProtocolVersion)), log)
	if err != nil {
		return nil, nil, err
	}
	o := c.options()
	o.Logger, o.Journal, o.Revive = log, journal, engine.revive
	return pending.NewRegistry(o), journal, nil
}

// NewRegistry returns a registry that keeps its stacks in memory only.
func NewRegistry(c Config, log *slog.Logger) *pending.Registry {
	o := c.options()
	o.Logger = log
	return pending.NewRegistry(o)
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
