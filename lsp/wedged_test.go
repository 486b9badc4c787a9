package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// A client that never reads holds up nobody, and is dropped once too much waits
// for it.
func TestWedgedClient(t *testing.T) {
	s := newServer(t, pending.Options{})
	s.queued = 1 << 20
	big := strings.Repeat("// a comment of some size, to be sent twice\n", 100<<10/44)
	dir := workspace(t, map[string]string{"a.js": "log(1)\n", "big.txt": big})
	a := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, a))
	s.sync(e)
	ag := s.agent(dir)

	r := s.raw()
	r.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":%q,"initializationOptions":{"didChange":true},"capabilities":{"textDocument":{"publishDiagnostics":{}}}}}`, uri.File(dir)))
	r.receive(t)
	r.send(t, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	// From here on it reads nothing. The others work as ever.
	for range 50 {
		s.edit(ag, "log($A)", "trace($A)")
		s.await(e, "the push", func() bool { return len(e.Diagnostics(a)) == 1 })
		_, _, err := ag.Resolve(s.ctx, wire.ResolveParams{Action: "discard"})
		s.must(err)
		s.await(e, "the discard", func() bool { return len(e.Diagnostics(a)) == 0 })
	}

	_, _, err := ag.Push(s.ctx, wire.PushParams{Label: "big", Edit: pushEdit(filepath.Join(dir, "big.txt"), 0, 0, 2, "##")}, nil)
	s.must(err)
	for i := 0; err == nil; i++ { // until it is dropped
		message := `{"jsonrpc":"2.0","method":"$/nothing"}`
		if i < 20 { // 200 KiB of answer each; the bound is 1 MiB
			message = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"workspace/executeCommand","params":{"command":"pending-lsp.preview","arguments":[{"format":"texts"}]}}`, i+2)
		}
		_, err = fmt.Fprintf(r, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	list, err := ag.List(s.ctx)
	s.must(err)
	if list.Depth != 1 {
		t.Errorf("stack %+v", list)
	}
}
