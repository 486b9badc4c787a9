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

// CodeAction implements textDocument/codeAction: what can be decided about the
// pending actions with a hunk in the range, or anywhere in the file when the
// client asks for kinds of its own choosing. Only the top of the stack can be
// resolved; the others are shown disabled, with the reason.
func (s *session) CodeAction(_ context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	out := []protocol.CommandOrCodeAction{}
	st, path, ok := s.locate(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	wanted := wants(p.Context.Only)
	context := byAction(p.Context.Diagnostics)
	for _, fh := range st.member.FileHunks(path) {
		touched := s.touched(fh, p.Range)
		if len(touched) == 0 && len(p.Context.Only) == 0 {
			continue
		}
		for _, offer := range s.offers(st, fh, touched) {
			if !wanted(offer.kind) {
				continue
			}
			if a := s.codeAction(fh.Action, offer, context[fh.Action.ID]); a != nil {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// offer is one thing that can be done about an action.
type offer struct {
	kind     protocol.CodeActionKind
	command  protocol.Command
	disabled string // why it cannot be done now
	data     wire.ActionData
}

// offers lists what can be done about an action of which some hunks in a file
// are touched: all of it, this hunk, this file, everything down to it, a look.
func (s *session) offers(st *seat, fh pending.FileHunks, touched []string) []offer {
	a := fh.Action
	blocked := unresolvable(a)
	var out []offer
	resolve := func(kind protocol.CodeActionKind, title, decision string, p wire.ResolveParams, disabled string) {
		p.ID = a.ID
		data := wire.ActionData{Action: a.ID}
		if s.editsActions() && decision == "apply" && !p.Cascade && disabled == "" {
			p.Offered = true
			data.Apply, data.Hunks, data.Workspace = true, p.Hunks, string(uri.File(st.ws.Root()))
		}
		out = append(out, offer{kind, resolveCommand(st, title, decision, p), disabled, data})
	}
	resolve(wire.KindApply, "Apply: "+a.Label, "apply", wire.ResolveParams{}, blocked)
	resolve(wire.KindDiscard, "Discard: "+a.Label, "discard", wire.ResolveParams{}, blocked)
	if blocked == "" {
		total := st.hunks(a.ID)
		if len(touched) > 0 && len(touched) < total {
			this := "this change"
			if len(touched) > 1 {
				this = fmt.Sprintf("these %d changes", len(touched))
			}
			p := wire.ResolveParams{Hunks: touched}
			resolve(wire.KindApplyHunk, "Apply only "+this+" of: "+a.Label, "apply", p, "")
			resolve(wire.KindDiscardHunk, "Discard only "+this+" of: "+a.Label, "discard", p, "")
		}
		if here := len(fh.File.Hunks); here > len(touched) && here < total {
			p := wire.ResolveParams{Hunks: hunkIDs(fh.File)}
			resolve(wire.KindApplyHunk, "Apply only this file of: "+a.Label, "apply", p, "")
			resolve(wire.KindDiscardHunk, "Discard only this file of: "+a.Label, "discard", p, "")
		}
	} else if a.Above > 0 {
		p := wire.ResolveParams{Cascade: true}
		resolve(wire.KindApply, fmt.Sprintf("Apply the %d actions down to: %s", a.Above+1, a.Label), "apply", p, "")
		resolve(wire.KindDiscard, fmt.Sprintf("Discard the %d actions down to: %s", a.Above+1, a.Label), "discard", p, "")
	}
	if s.client.showDocument {
		out = append(out, offer{kind: wire.KindShow, command: showCommand(st, "Show diff: "+a.Label, a.ID), data: wire.ActionData{Action: a.ID}})
	}
	return out
}

func (s *session) codeAction(a pending.ActionView, o offer, diagnostics []protocol.Diagnostic) *protocol.CodeAction {
	if o.disabled != "" && !s.client.disabledSupport {
		return nil
	}
	out := &protocol.CodeAction{
		Title:       o.command.Title,
		Kind:        &o.kind,
		Diagnostics: diagnostics,
		Command:     o.command,
		Data:        protocol.LSPAny(wire.Encode(o.data)),
	}
	if o.disabled != "" {
		out.Disabled = protocol.CodeActionDisabled{Reason: o.disabled}
	}
	if s.client.tagLLM && !a.By.Editor {
		out.Tags = []protocol.CodeActionTag{protocol.CodeActionTagLLMGenerated}
	}
	return out
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
func resolveCommand(st *seat, title, decision string, p wire.ResolveParams) protocol.Command {
	p.Action, p.Reason = decision, "Applied in the editor"
	if decision == "discard" {
		p.Reason = "Discarded in the editor"
	}
	p.Workspace = string(uri.File(st.ws.Root()))
	return protocol.Command{
		Title:     title,
		Command:   wire.CommandResolve,
		Arguments: []protocol.LSPAny{protocol.LSPAny(wire.Encode(p))},
	}
}

// showCommand shows an action's diff, where the client can show documents.
func showCommand(st *seat, title, id string) protocol.Command {
	return protocol.Command{
		Title:   title,
		Command: wire.CommandPreview,
		Arguments: []protocol.LSPAny{protocol.LSPAny(wire.Encode(wire.PreviewParams{
			ID: id, Show: true, Workspace: string(uri.File(st.ws.Root())),
		}))},
	}
}

// touched lists the hunks of fh that meet the range; a cursor at either end of
// a hunk meets it.
func (s *session) touched(fh pending.FileHunks, r protocol.Range) []string {
	start, end := fromRange(fh.File.Text, r, s.client.encoding)
	var ids []string
	for _, h := range fh.File.Hunks {
		if h.Start <= end && start <= h.End {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

func hunkIDs(f pending.FileView) []string {
	ids := make([]string, len(f.Hunks))
	for i, h := range f.Hunks {
		ids[i] = h.ID
	}
	return ids
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

// byAction sorts the diagnostics of a request's context by the action they are
// of, going by their data: their ranges may be older than the buffer.
func byAction(diagnostics []protocol.Diagnostic) map[string][]protocol.Diagnostic {
	out := map[string][]protocol.Diagnostic{}
	for _, d := range diagnostics {
		var data wire.ActionData
		if decode(d.Data, &data) == nil && data.Action != "" {
			out[data.Action] = append(out[data.Action], d)
		}
	}
	return out
}
