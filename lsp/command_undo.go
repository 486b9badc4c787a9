package lsp

import (
	"context"
	"encoding/json"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// undo takes back the last applied action.
func (s *session) undo(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.UndoParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	release(ctx)

	result, err := st.member.Undo(ctx)
	if err != nil {
		return nil, err
	}
	return resolveResult(result), nil
}
