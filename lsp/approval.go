package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// approve asks the user whether an agent may apply an action, or take it back. It
// waits for as long as the user thinks.
func (s *session) approve(ctx context.Context, r pending.ApprovalRequest) (bool, error) {
	yes, no, what := "Apply", "Keep pending", "apply"
	if r.Undo {
		yes, no, what = "Undo", "Keep applied", "undo"
	}
	message := fmt.Sprintf("%s wants to %s %q", r.By.Name, what, r.Action.Label)
	if r.Reason != "" {
		message += ": " + r.Reason
	}
	params := protocol.ShowMessageRequestParams{
		Type:    protocol.MessageTypeWarning,
		Message: message,
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: no}},
	}
	var picked *protocol.MessageActionItem
	if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowMessageRequest, &params, &picked); err != nil {
		return false, err
	}
	return picked != nil && picked.Title == yes, nil
}

// approvalPolicy is the setting in the stack's terms; nil if the client said
// nothing.
func approvalPolicy(a *wire.Approval) *pending.ApprovalPolicy {
	if a == nil {
		return nil
	}
	p := &pending.ApprovalPolicy{Default: pending.Approval(a.Default), Tools: map[string]pending.Approval{}}
	for tool, approval := range a.Tools {
		p.Tools[tool] = pending.Approval(approval)
	}
	return p
}
