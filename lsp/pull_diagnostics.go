package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// Diagnostic implements textDocument/diagnostic, for clients that pull.
func (s *session) Diagnostic(_ context.Context, p *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	report := &protocol.RelatedFullDocumentDiagnosticReport{}
	report.Kind = "full"
	report.Items = []protocol.Diagnostic{}
	if st, path, ok := s.locate(p.TextDocument.URI); ok {
		report.Items = s.diagnostics(docKey{st, path}).Diagnostics
	}
	return report, nil
}
