package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

const (
	diagnosticSource = "pending-lsp"
	// maxRelated caps the other files a diagnostic points to.
	maxRelated = 5
	// maxInline caps, in bytes, code quoted in one-line texts.
	maxInline = 80
)

// diagnostics computes what to show for one file now. The ranges are those of
// the buffer the client has, or of the file as previewed when it is not open.
func (s *session) diagnostics(key docKey) *protocol.PublishDiagnosticsParams {
	params := &protocol.PublishDiagnosticsParams{
		URI:         s.uriOf(key.seat, key.path),
		Diagnostics: []protocol.Diagnostic{},
	}
	severity := protocol.DiagnosticSeverityInformation
	switch s.settings().Diagnostics {
	case "off":
		return params
	case "hint":
		severity = protocol.DiagnosticSeverityHint
	}
	_, _, open := key.seat.member.Document(key.path)
	for _, fh := range key.seat.member.FileHunks(key.path) {
		if open && fh.File.Version != nil {
			params.Version.Set(*fh.File.Version)
		}
		var related []protocol.DiagnosticRelatedInformation
		if s.client.related {
			related = s.related(key.seat, fh)
		}
		for _, h := range fh.File.Hunks {
			d := s.diagnostic(fh, h)
			d.Severity, d.RelatedInformation = severity, related
			params.Diagnostics = append(params.Diagnostics, d)
		}
	}
	return params
}

func (s *session) diagnostic(fh pending.FileHunks, h pending.HunkView) protocol.Diagnostic {
	message := fmt.Sprintf("%s: %s", fh.Action.Label, change(h.Hunk))
	if h.Stale {
		message = fmt.Sprintf("%s: the text here changed, so this part no longer applies", fh.Action.Label)
	}
	if fh.Action.Above > 0 {
		message += fmt.Sprintf(" (%d of %d pending)", fh.Action.Above+1, fh.Action.Depth)
	}
	return protocol.Diagnostic{
		Range:   toRange(fh.File.Text, h.Start, h.End, s.client.encoding),
		Code:    protocol.String(fh.Action.SourceToolName),
		Source:  protocol.NewOptional(diagnosticSource),
		Message: protocol.String(message),
		Data:    protocol.LSPAny(wire.Encode(wire.ActionData{Action: fh.Action.ID, Hunk: h.ID})),
	}
}

// related points to the first hunk of the action's other files.
func (s *session) related(st *seat, fh pending.FileHunks) []protocol.DiagnosticRelatedInformation {
	action, ok := st.ws.Action(fh.Action.ID)
	if !ok {
		return nil
	}
	var out []protocol.DiagnosticRelatedInformation
	for _, f := range action.Files {
		if f.Path == fh.File.Path || len(f.Hunks) == 0 {
			continue
		}
		if len(out) == maxRelated {
			break
		}
		first := f.Hunks[0]
		out = append(out, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{
				URI:   s.uriOf(st, f.Path),
				Range: toRange(f.Text, first.Start, first.End, s.client.encoding),
			},
			Message: "also changed: " + change(first.Hunk),
		})
	}
	return out
}

// clearDiagnostics takes back what was shown for a file.
func (s *session) clearDiagnostics(key docKey) {
	s.publishDiagnostics(&protocol.PublishDiagnosticsParams{
		URI:         s.uriOf(key.seat, key.path),
		Diagnostics: []protocol.Diagnostic{},
	})
}

// change says in one line what a hunk does.
func change(h pending.Hunk) string {
	switch {
	case h.After == "":
		return "delete " + inline(h.Before)
	case h.Before == "":
		return "insert " + inline(h.After)
	default:
		return inline(h.Before) + " → " + inline(h.After)
	}
}

// inline quotes code in one short line.
func inline(code string) string {
	line := strings.Join(strings.Fields(code), " ")
	if len(line) > maxInline {
		line = strings.ToValidUTF8(line[:maxInline], "") + "…"
	}
	return pending.Visible(line)
}
