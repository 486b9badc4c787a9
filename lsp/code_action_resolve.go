package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// CodeActionResolve implements codeAction/resolve. Where the client wants it so,
// an action that applies something gets its edit, for the client to apply before
// it runs the command. Others are complete as they are; clients resolve
// command-only actions all the same.
//
// Clients resolve to show, too, and may run the command even if this fails. So
// what stands in the way is left for the command to say.
func (s *session) CodeActionResolve(ctx context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data wire.ActionData
	if !s.editsActions() || decode(a.Data, &data) != nil || !data.Apply {
		return a, nil
	}
	st, err := s.seatFor(data.Workspace)
	if err != nil {
		return a, nil
	}
	release(ctx)

	edits, err := st.member.Offer(ctx, data.Action, data.Hunks)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.logger.Debug("code action has no edit", "action", data.Action, "err", err)
	case len(edits.Files) > 0:
		a.Edit = ptr(editor{s, st}.workspaceEdit(edits))
	}
	return a, nil
}

// editsActions reports whether code actions get edits.
func (s *session) editsActions() bool {
	return s.client.options.CodeActionEdit && s.client.editor && s.client.resolvesEdit
}
