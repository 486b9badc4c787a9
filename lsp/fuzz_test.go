package lsp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/pending"
)

// FuzzWire sends the server what nobody should: it must not crash, hang, or
// touch a file outside the workspace. The input is one message a line, framed
// by the test; a line that starts with "!" goes out as it is.
func FuzzWire(f *testing.F) {
	const (
		open   = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://$DIR/a.js","languageId":"javascript","version":1,"text":"log(1)\n"}}}`
		change = `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file://$DIR/a.js","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":9},"end":{"line":7,"character":0}},"text":"😀"},{"text":"log(2)"}]}}`
		edit   = `{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"pending-lsp.astEdit","arguments":[{"ops":[{"pat":"log($A)","out":"x($A)"}],"lang":"js"}]}}`
		apply  = `{"jsonrpc":"2.0","id":3,"method":"workspace/executeCommand","params":{"command":"pending-lsp.resolve","arguments":[{"action":"apply","hunks":["h1"]}]}}`
		answer = `{"jsonrpc":"2.0","id":1,"result":{"applied":true}}`
	)
	start := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://$DIR","capabilities":{"workspace":{"applyEdit":true},"textDocument":{"publishDiagnostics":{}}}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"initialized","params":{}}` + "\n"
	for _, seed := range []string{
		"", "!garbage\r\n\r\n", "!Content-Length: 9999\r\n\r\n{}", start,
		start + open + "\n" + edit + "\n" + apply + "\n" + answer + "\n" + change,
		start + open + "\n" + change + "\n" + edit + "\n" + `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`,
		start + `{"jsonrpc":"2.0","id":5,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file://$DIR/a.js"},"range":{"start":{"line":9,"character":9},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}}`,
		start + `{"jsonrpc":"2.0","id":6,"method":"workspace/textDocumentContent","params":{"uri":"pending-lsp:/x/after/../../a"}}`,
		start + `{"jsonrpc":"2.0","id":7,"method":"workspace/executeCommand","params":{"command":"pending-lsp.push","arguments":[{"label":"l","edit":{"changes":{"file://$DIR/../outside.js":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"x"}]}}}]}}` + "\n" + apply,
		start + `{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"file:///","name":"x"}],"removed":[{"uri":"file://$DIR","name":"x"}]}}}`,
		start + `{"jsonrpc":"2.0","id":8,"method":"workspace/executeCommand","params":{"command":"pending-lsp.push","workDoneToken":1,"arguments":[{"label":"l","callbacks":{"apply":true}}]}}` + "\n" + apply + "\n" + `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"t"}],"edit":7}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte(`"file:///"`)) && bytes.Contains(input, []byte("astEdit")) {
			t.Skip("would search the whole disk")
		}
		parent, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(parent, "w")
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		outside := filepath.Join(parent, "outside.js")
		for path, text := range map[string]string{filepath.Join(dir, "a.js"): "log(1)\n", outside: "log(0)\n"} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			o := pending.Options{EditorTimeout: 50 * time.Millisecond, VerifyTimeout: 50 * time.Millisecond, CallbackTimeout: 50 * time.Millisecond}
			_ = lsp.Serve(ctx, theirs, lsp.Options{Registry: pending.NewRegistry(o), Logger: slog.New(slog.DiscardHandler)})
		}()
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		for line := range bytes.SplitSeq(input, []byte("\n")) {
			line = bytes.ReplaceAll(line, []byte("$DIR"), []byte(dir))
			if raw, ok := bytes.CutPrefix(line, []byte("!")); ok {
				line = raw
			} else {
				line = append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(line)), line...)
			}
			if _, err := ours.Write(line); err != nil {
				break // the server has ended the session
			}
		}
		_ = ours.Close()
		<-done
		if ctx.Err() != nil {
			t.Error("the session did not end")
		}
		if got, err := os.ReadFile(outside); err != nil || string(got) != "log(0)\n" {
			t.Errorf("a file outside the workspace: %q, %v", got, err)
		}
	})
}
