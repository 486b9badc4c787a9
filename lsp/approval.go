package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/pending"
)

// approve asks the user whether an agent may apply an action. It waits for as
// long as the user thinks.
func (s *session) approve(ctx context.Context, r pending.ApprovalRequest) (bool, error) {
	const yes = "Apply"
	message := fmt.Sprintf("%s wants to apply %q", r.By.Name, r.Action.Label)
	if r.Reason != "" {
		message += ": " + r.Reason
	}
	params := protocol.ShowMessageRequestParams{
		Type:    protocol.MessageTypeWarning,
		Message: message,
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Keep pending"}},
	}
	var picked *protocol.MessageActionItem
	if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowMessageRequest, &params, &picked); err != nil {
		return false, err
	}
	return picked != nil && picked.Title == yes, nil
}
