package lsp

import (
	"context"
	"encoding/json"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// astEditTool is the sourceToolName of structural edits.
const astEditTool = "ast_edit"

// astEdit previews a structural edit and, if it would change anything, pushes
// it on the stack. The preview sees the documents as they were when the request
// arrived.
func (s *session) astEdit(ctx context.Context, arg json.RawMessage) (any, error) {
	var p wire.ASTEditParams
	if err := decode(arg, &p); err != nil {
		return nil, err
	}
	st, err := s.seatFor(p.Workspace)
	if err != nil {
		return nil, err
	}
	src := st.member.Source()
	release(ctx)

	ctx, progress := s.beginProgress(ctx, p.WorkDoneToken, "ast_edit")
	defer progress.end()
	req := s.opts.Engine.request(p)
	req.Progress = progress.report
	preview, hints, err := search(ctx, p, req, src)
	if err != nil {
		return nil, err
	}
	req.Progress = nil
	details := scanDetails(preview, p.Changes)
	details.Depth = st.ws.Depth()
	if preview.TotalReplacements == 0 {
		details.Warnings = append(details.Warnings, hints...)
		return toolResult(astEditText("", preview, details), details, details.Depth > 0), nil
	}
	label := p.Label
	if label == "" {
		label = pending.ASTEditLabel(preview.TotalReplacements, preview.FilesTouched)
	}
	action, err := st.member.Push(ctx, pending.New{
		Label:          label,
		SourceToolName: astEditTool,
		Proposal:       proposal(preview),
		Proposer:       rerun{req: req, limited: preview.LimitReached},
		Recipe:         wire.Encode(savedRerun{Params: p, Limited: preview.LimitReached}),
	})
	if err != nil {
		return nil, err
	}
	details.ActionID, details.Depth = action.ID, action.Depth
	return toolResult(astEditText(label, preview, details), details, true), nil
}

// rerun is how a structural edit proposes itself again when it is applied. A
// limit held only for the preview: what it cut off must not push a previewed
// hunk out of the re-run.
type rerun struct {
	req     astedit.Request
	limited bool
}

var _ pending.Proposer = rerun{}

// Propose implements [pending.Proposer].
func (r rerun) Propose(ctx context.Context, src pending.Source) (*pending.Proposal, error) {
	req := r.req
	req.Limit = 0
	preview, err := astedit.Scan(ctx, req, src)
	if err != nil {
		return nil, err
	}
	p := proposal(preview)
	p.Limited = r.limited
	return p, nil
}

// proposal turns the engine's preview into the stack's terms.
func proposal(preview *astedit.Preview) *pending.Proposal {
	out := &pending.Proposal{Limited: preview.LimitReached}
	for _, f := range preview.Files {
		file := pending.FileProposal{Path: f.Path, Text: f.Text}
		for _, h := range f.Hunks {
			file.Hunks = append(file.Hunks, pending.Hunk{Start: h.Start, End: h.End, Before: h.Before, After: h.After})
		}
		out.Files = append(out.Files, file)
	}
	return out
}

// scanDetails is the wire's form of a preview; changes asks for each change too.
func scanDetails(preview *astedit.Preview, changes bool) wire.ASTEditDetails {
	d := wire.ASTEditDetails{
		TotalReplacements: preview.TotalReplacements,
		FilesTouched:      preview.FilesTouched,
		FilesSearched:     preview.FilesSearched,
		LimitReached:      preview.LimitReached,
		ScopePath:         preview.ScopePath,
		Files:             []string{},
		FileReplacements:  []wire.Count{},
	}
	for _, f := range preview.Files {
		d.Files = append(d.Files, f.Path)
		d.FileReplacements = append(d.FileReplacements, wire.Count{Path: f.Path, Count: len(f.Hunks)})
	}
	for _, e := range preview.ParseErrors {
		d.ParseErrors = append(d.ParseErrors, wire.ParseError(e))
	}
	d.Warnings = warnings(preview)
	if changes {
		d.Changes = changeList(preview, preview.TotalReplacements)
	}
	return d
}

// warnings lists everything the engine warns of: about the request, about
// hunks, and about files it left out.
func warnings(preview *astedit.Preview) []wire.Warning {
	var out []wire.Warning
	add := func(w astedit.Warning) {
		out = append(out, wire.Warning{Kind: string(w.Kind), Path: w.Path, Line: w.Line, Message: w.Message})
	}
	for _, w := range preview.Warnings {
		add(w)
	}
	for _, f := range preview.Files {
		for _, h := range f.Hunks {
			for _, w := range h.Warnings {
				add(w)
			}
		}
	}
	for _, skipped := range preview.Skipped {
		out = append(out, wire.Warning{Kind: string(skipped.Reason), Path: skipped.Path, Message: skipped.Message})
	}
	return out
}

// changeList lists the replacements with their places, sorted by path and offset,
// at most so many.
func changeList(preview *astedit.Preview, most int) []wire.Change {
	out := []wire.Change{}
	for _, f := range preview.Files {
		if len(out) == most {
			break
		}
		m := textedit.NewMapper(f.Text)
		for _, h := range f.Hunks[:min(len(f.Hunks), most-len(out))] {
			start, end := m.Position(h.Start, textedit.UTF8), m.Position(h.End, textedit.UTF8)
			out = append(out, wire.Change{
				Path: f.Path, Before: h.Before, After: h.After,
				ByteStart: h.Start, ByteEnd: h.End,
				StartLine: int(start.Line) + 1, StartColumn: int(start.Character) + 1,
				EndLine: int(end.Line) + 1, EndColumn: int(end.Character) + 1,
			})
		}
	}
	return out
}

// toolResult builds the result of a command that acts. While something is
// pending, an agent is pointed to resolve.
func toolResult(text string, details any, pendingNow bool) *wire.ToolResult {
	r := &wire.ToolResult{
		Content: []wire.Content{{Type: "text", Text: text}},
		Details: wire.Encode(details),
	}
	if pendingNow {
		r.ToolChoice = &wire.ToolChoice{Type: "tool", Name: "resolve"}
	}
	return r
}
