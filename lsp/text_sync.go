package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// document is an open document of this client. One that lies in no workspace
// yet keeps its own text, for the day its folder is added.
type document struct {
	seat    *seat // nil: in no workspace
	path    string
	version int32
	text    *textedit.Mapper // nil when the workspace has it
}

// docKey names a document the way the workspace does.
type docKey struct {
	seat *seat
	path string
}

// DidOpen implements textDocument/didOpen. Documents that are not files, and
// files outside every workspace, are kept out of the stack's sight.
func (s *session) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	item := p.TextDocument
	doc := &document{version: item.Version, text: textedit.NewMapper([]byte(item.Text))}
	s.docs[item.URI] = doc
	s.adopt(item.URI, doc)
	return nil
}

// DidChange implements textDocument/didChange, with incremental and full
// changes in any mixture.
func (s *session) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	doc, ok := s.docs[p.TextDocument.URI]
	if !ok {
		return invalidParams("didChange for %s, which is not open", p.TextDocument.URI)
	}
	text := doc.text
	if doc.seat != nil {
		text, _, _ = doc.seat.member.Document(doc.path)
	}
	var edits []textedit.Edit
	for i, change := range p.ContentChanges {
		var edit textedit.Edit
		switch change := change.(type) {
		case *protocol.TextDocumentContentChangePartial:
			edit.Start, edit.End = fromRange(text, change.Range, s.client.encoding)
			edit.New = change.Text
		case *protocol.TextDocumentContentChangeWholeDocument:
			if doc.seat != nil && len(p.ContentChanges) == 1 {
				doc.version = p.TextDocument.Version
				doc.seat.member.ReplaceDocument(doc.path, doc.version, []byte(change.Text))
				return nil
			}
			edit = textedit.Edit{End: len(text.Text()), New: change.Text}
		}
		edits = append(edits, edit)
		if i < len(p.ContentChanges)-1 || doc.seat == nil {
			next, err := textedit.Apply(text.Text(), []textedit.Edit{edit})
			if err != nil {
				return err
			}
			text = textedit.NewMapper(next)
		}
	}
	doc.version = p.TextDocument.Version
	if doc.seat == nil {
		doc.text = text
		return nil
	}
	doc.seat.member.ChangeDocument(doc.path, doc.version, edits)
	return nil
}

// DidClose implements textDocument/didClose.
func (s *session) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	doc, ok := s.docs[p.TextDocument.URI]
	if !ok {
		return nil
	}
	delete(s.docs, p.TextDocument.URI)
	if doc.seat == nil {
		return nil
	}
	s.mu.Lock()
	delete(s.open, docKey{doc.seat, doc.path})
	s.mu.Unlock()
	doc.seat.member.CloseDocument(doc.path)
	return nil
}

// DidChangeWatchedFiles implements workspace/didChangeWatchedFiles.
func (s *session) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	changed := map[*seat][]string{}
	for _, c := range p.Changes {
		if st, rel, ok := s.locate(c.URI); ok {
			changed[st] = append(changed[st], rel)
		}
	}
	for st, paths := range changed {
		st.member.DiskChanged(paths)
	}
	return nil
}

// adopt hands a document to the workspace it lies in, if there is one.
func (s *session) adopt(u uri.URI, doc *document) {
	st, rel, ok := s.locate(u)
	if !ok {
		return
	}
	s.mu.Lock()
	s.open[docKey{st, rel}] = u
	s.mu.Unlock()
	text := doc.text.Text()
	doc.seat, doc.path, doc.text = st, rel, nil
	st.member.OpenDocument(rel, doc.version, text)
}

// adoptDocuments looks for documents that a new folder makes ours.
func (s *session) adoptDocuments() {
	for u, doc := range s.docs {
		if doc.seat == nil {
			s.adopt(u, doc)
		}
	}
}

// orphanDocuments takes the texts of a seat's documents back before it is left.
func (s *session) orphanDocuments(st *seat) {
	for _, doc := range s.docs {
		if doc.seat != st {
			continue
		}
		doc.text, _, _ = st.member.Document(doc.path)
		s.mu.Lock()
		delete(s.open, docKey{st, doc.path})
		s.mu.Unlock()
		doc.seat, doc.path = nil, ""
	}
}
