package lsp

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// NewCache returns a cache for [Options] of the default size.
func NewCache() *astedit.Cache { return astedit.NewCache(astedit.DefaultCacheSize) }

// OpenRegistry returns a registry whose stacks survive in stateDir, and what
// closes its file. Restored structural edits use the cache too. It fails with kind [pending.StoreUnavailable] when another
// process uses the directory.
func OpenRegistry(stateDir string, log *slog.Logger, cache *astedit.Cache) (*pending.Registry, io.Closer, error) {
	// Daemons of two protocol versions may run side by side.
	journal, err := pending.OpenBolt(filepath.Join(stateDir, fmt.Sprintf("v%d.db", wire.ProtocolVersion)), log)
	if err != nil {
		return nil, nil, err
	}
	return pending.NewRegistry(pending.Options{Logger: log, Journal: journal, Revive: reviver(cache)}), journal, nil
}

// NewRegistry returns a registry that keeps its stacks in memory only.
func NewRegistry(log *slog.Logger) *pending.Registry {
	return pending.NewRegistry(pending.Options{Logger: log})
}

// reviver makes the producer of an ast_edit from the request that pushed it, so
// that it can still be re-run after a restart.
func reviver(cache *astedit.Cache) func(tool string, recipe json.RawMessage) (pending.Proposer, error) {
	return func(tool string, recipe json.RawMessage) (pending.Proposer, error) {
		if tool != astEditTool {
			return nil, fmt.Errorf("no producer %q", tool)
		}
		var saved savedRerun
		if err := json.Unmarshal(recipe, &saved); err != nil {
			return nil, err
		}
		req := scanRequest(saved.Params)
		req.Cache = cache
		return rerun{req: req, limited: saved.Limited}, nil
	}
}

// savedRerun is a [rerun] at rest.
type savedRerun struct {
	Params  wire.ASTEditParams `json:"params"`
	Limited bool               `json:"limited,omitempty"`
}
