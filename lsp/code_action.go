package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// CodeAction implements textDocument/codeAction: apply and discard for every
// pending action with a hunk in the range. Only the top of the stack can be
// resolved; the others are shown disabled, with the reason.
func (s *session) CodeAction(_ context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	out := []protocol.CommandOrCodeAction{}
	st, path, ok := s.locate(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	wanted := wants(p.Context.Only)
	for _, fh := range st.member.FileHunks(path) {
		if !s.touches(fh, p.Range) {
			continue
		}
		for _, kind := range []protocol.CodeActionKind{wire.KindApply, wire.KindDiscard} {
			if !wanted(kind) {
				continue
			}
			if a := s.codeAction(st, fh, kind, p.Context.Diagnostics); a != nil {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// CodeActionResolve implements codeAction/resolve. Ours are complete as they
// are; clients resolve command-only actions all the same.
func (s *session) CodeActionResolve(_ context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	return a, nil
}

func (s *session) codeAction(st *seat, fh pending.FileHunks, kind protocol.CodeActionKind, context []protocol.Diagnostic) *protocol.CodeAction {
	verb, decision := "Apply", "apply"
	if kind == wire.KindDiscard {
		verb, decision = "Discard", "discard"
	}
	a := &protocol.CodeAction{
		Title:       verb + ": " + fh.Action.Label,
		Kind:        &kind,
		Diagnostics: ofAction(context, fh.Action.ID),
		Command:     resolveCommand(st, verb+": "+fh.Action.Label, decision, fh.Action.ID),
		Data:        protocol.LSPAny(wire.Encode(wire.ActionData{Action: fh.Action.ID})),
	}
	if reason := unresolvable(fh.Action); reason != "" {
		if !s.client.disabledSupport {
			return nil
		}
		a.Disabled = protocol.CodeActionDisabled{Reason: reason}
	}
	return a
}

// unresolvable says why an action cannot be resolved now, or nothing.
func unresolvable(a pending.ActionView) string {
	switch {
	case a.State == pending.Applying:
		return "This action is being applied"
	case a.Above == 1:
		return "1 pending action above it must be resolved first"
	case a.Above > 1:
		return fmt.Sprintf("%d pending actions above it must be resolved first", a.Above)
	}
	return ""
}

// resolveCommand is the command behind code actions and lenses.
func resolveCommand(st *seat, title, decision, id string) protocol.Command {
	reason := "Applied in the editor"
	if decision == "discard" {
		reason = "Discarded in the editor"
	}
	return protocol.Command{
		Title:   title,
		Command: wire.CommandResolve,
		Arguments: []protocol.LSPAny{protocol.LSPAny(wire.Encode(wire.ResolveParams{
			Action:    decision,
			Reason:    reason,
			ID:        id,
			Workspace: string(uri.File(st.ws.Root())),
		}))},
	}
}

// touches reports whether a hunk of fh meets the range; a cursor at either end
// of a hunk meets it.
func (s *session) touches(fh pending.FileHunks, r protocol.Range) bool {
	start, end := fromRange(fh.File.Text, r, s.client.encoding)
	for _, h := range fh.File.Hunks {
		if h.Start <= end && start <= h.End {
			return true
		}
	}
	return false
}

// wants tells which kinds a client asked for. Kinds are a hierarchy: asking for
// "refactor" asks for everything below it.
func wants(only []protocol.CodeActionKind) func(protocol.CodeActionKind) bool {
	return func(kind protocol.CodeActionKind) bool {
		for _, o := range only {
			if o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".") {
				return true
			}
		}
		return len(only) == 0
	}
}

// ofAction picks the diagnostics of an action by their data: their ranges may
// be older than the buffer.
func ofAction(diagnostics []protocol.Diagnostic, id string) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, d := range diagnostics {
		var data wire.ActionData
		if decode(d.Data, &data) == nil && data.Action == id {
			out = append(out, d)
		}
	}
	return out
}
