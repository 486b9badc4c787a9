package lsp_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Wrong arguments are named; nothing becomes pending and no file changes.
func TestBadArguments(t *testing.T) {
	outside := filepath.Join(workspace(t, map[string]string{"secret.js": "log(0)\n"}), "secret.js")
	files := map[string]string{
		"a.js":       "log(1)\n",
		"b.py":       "log(1)\n",
		"binary.js":  "log(1)\x00\n",
		"invalid.js": "log('\xff')\n",
	}
	const ops = `"ops": [{"pat": "log($A)", "out": "x($A)"}]`
	for name, c := range map[string]struct {
		command, argument string
		code              jsonrpc2.Code
		says              string
	}{
		"unknown command":      {"pending-lsp.nope", `{}`, jsonrpc2.InvalidParams, "unknown command"},
		"argument not object":  {wire.CommandASTEdit, `[1]`, jsonrpc2.InvalidParams, "must be an object"},
		"unknown member":       {wire.CommandASTEdit, `{"pattern": "x"}`, jsonrpc2.InvalidParams, `unknown field "pattern"`},
		"wrong type":           {wire.CommandASTEdit, `{"ops": "log($A)"}`, jsonrpc2.InvalidParams, "ops must not be a string"},
		"wrong type inside":    {wire.CommandASTEdit, `{` + ops + `, "limit": "ten"}`, jsonrpc2.InvalidParams, "limit must not be a string"},
		"no ops":               {wire.CommandASTEdit, `{"ops": []}`, jsonrpc2.InvalidParams, ""},
		"empty pattern":        {wire.CommandASTEdit, `{"ops": [{"pat": "", "out": "x"}], "lang": "js"}`, 0, "pattern"},
		"duplicate patterns":   {wire.CommandASTEdit, `{"ops": [{"pat": "a", "out": "b"}, {"pat": "a", "out": "c"}], "lang": "js"}`, 0, "pattern"},
		"unparsable pattern":   {wire.CommandASTEdit, `{"ops": [{"pat": "a b c", "out": "x"}], "lang": "js"}`, 0, "pattern"},
		"unknown language":     {wire.CommandASTEdit, `{` + ops + `, "lang": "klingon"}`, 0, "klingon"},
		"several languages":    {wire.CommandASTEdit, `{` + ops + `}`, 0, "python"},
		"missing path":         {wire.CommandASTEdit, `{` + ops + `, "lang": "js", "path": "nowhere"}`, 0, "nowhere"},
		"path above":           {wire.CommandASTEdit, `{` + ops + `, "lang": "js", "path": "../"}`, 0, "outside"},
		"path elsewhere":       {wire.CommandASTEdit, `{` + ops + `, "lang": "js", "path": ` + quote(outside) + `}`, 0, "outside"},
		"path through a link":  {wire.CommandASTEdit, `{` + ops + `, "lang": "js", "path": "link.js"}`, 0, "outside"},
		"unknown strictness":   {wire.CommandASTEdit, `{` + ops + `, "lang": "js", "strictness": "lax"}`, jsonrpc2.InvalidParams, "lax"},
		"push without label":   {wire.CommandPush, `{"edit": {"changes": {}}}`, jsonrpc2.InvalidParams, "label"},
		"push without edit":    {wire.CommandPush, `{"label": "x"}`, jsonrpc2.InvalidParams, "edit"},
		"push of nothing":      {wire.CommandPush, `{"label": "x", "edit": {"changes": {}}}`, jsonrpc2.InvalidParams, "changes nothing"},
		"push outside":         {wire.CommandPush, `{"label": "x", "edit": ` + string(pushEdit(outside, 0, 0, 3, "y")) + `}`, 0, "outside"},
		"push creating a file": {wire.CommandPush, `{"label": "x", "edit": {"documentChanges": [{"kind": "create", "uri": "file:///x"}]}}`, jsonrpc2.InvalidParams, "only text edits"},
		"resolve what":         {wire.CommandResolve, `{"action": "maybe"}`, jsonrpc2.InvalidParams, "maybe"},
		"resolve nothing":      {wire.CommandResolve, `{"action": "apply"}`, 0, "No pending action to resolve. Nothing to apply or discard."},
		"resolve unknown id":   {wire.CommandResolve, `{"action": "apply", "id": "nope"}`, 0, ""},
		"preview nothing":      {wire.CommandPreview, `{}`, 0, "No pending action"},
		"preview unknown id":   {wire.CommandPreview, `{"id": "nope"}`, 0, "nope"},
		"preview format":       {wire.CommandPreview, `{"format": "html"}`, jsonrpc2.InvalidParams, "html"},
		"workspace elsewhere":  {wire.CommandList, `{"workspace": "file:///elsewhere"}`, jsonrpc2.InvalidParams, "not in a workspace"},
		"workspace not a URI":  {wire.CommandList, `{"workspace": "elsewhere"}`, jsonrpc2.InvalidParams, "workspace"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, pending.Options{})
			dir := workspace(t, files)
			s.must(os.Symlink(outside, filepath.Join(dir, "link.js")))
			e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
			err := e.Execute(s.ctx, c.command, []protocol.LSPAny{protocol.LSPAny(c.argument)}, nil)
			var wired *jsonrpc2.Error
			if !errors.As(err, &wired) {
				t.Fatalf("answered %v, want an error", err)
			}
			if c.code != 0 && wired.Code != c.code {
				t.Errorf("code %d (%v), want %d", wired.Code, err, c.code)
			}
			if wired.Code == jsonrpc2.InternalError || !strings.Contains(wired.Message, c.says) {
				t.Errorf("%d %q does not say %q", wired.Code, wired.Message, c.says)
			}
			var list wire.ListResult
			s.must(e.Execute(s.ctx, wire.CommandList, nil, &list))
			if list.HasPending {
				t.Error("something became pending")
			}
			for name, want := range files {
				if got := read(t, filepath.Join(dir, name)); got != want {
					t.Errorf("%s changed to %q", name, got)
				}
			}
			if got := read(t, outside); got != "log(0)\n" {
				t.Errorf("a file outside changed to %q", got)
			}
		})
	}
}

// Binary files and invalid UTF-8 are passed over, and said so when named.
func TestUnreadableText(t *testing.T) {
	s := newServer(t, pending.Options{})
	dir := workspace(t, map[string]string{"binary.js": "log(1)\x00\n", "invalid.js": "log('\xff')\n"})
	ag := s.agent(dir)
	for _, name := range []string{"binary.js", "invalid.js"} {
		result, details, err := ag.ASTEdit(s.ctx, wire.ASTEditParams{
			Ops: []wire.Op{{Pat: "log($A)", Out: "x($A)"}}, Lang: "javascript", Path: wire.StringList{name},
		})
		s.must(err)
		if details.TotalReplacements != 0 || len(details.Warnings) == 0 || !strings.Contains(result.Content[0].Text, name) {
			t.Errorf("%s: %+v\n%s", name, details, result.Content[0].Text)
		}
	}
}

// A file that is not UTF-8 is searched when asked for, and written byte for byte:
// never by an editor, which would save it as something else.
func TestInvalidUTF8OnRequest(t *testing.T) {
	s := newServer(t, pending.Options{})
	const before, after = "log('\xff')\nlog(1) // \xfe\r\n", "log('\xff')\nx(1) // \xfe\r\n"
	dir := workspace(t, map[string]string{"latin1.js": before})
	file := filepath.Join(dir, "latin1.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}, Init: wire.InitializationOptions{Apply: "editor"}})
	s.sync(e)
	ag := s.agent(dir)
	_, details, err := ag.ASTEdit(s.ctx, wire.ASTEditParams{
		Ops: []wire.Op{{Pat: "log($A)", Out: "x($A)"}}, Lang: "javascript", AllowInvalidUTF8: true,
	})
	s.must(err)
	if details.TotalReplacements != 1 || len(details.Warnings) != 1 || details.Warnings[0].Kind != "invalidUTF8" {
		t.Fatalf("%+v", details)
	}
	_, _, err = ag.Resolve(s.ctx, wire.ResolveParams{Action: "apply"})
	s.must(err)
	if got := read(t, file); got != after {
		t.Errorf("after apply: %q", got)
	}
	_, _, err = ag.Undo(s.ctx, wire.UndoParams{})
	s.must(err)
	if got := read(t, file); got != before {
		t.Errorf("after undo: %q", got)
	}
}

// raw is a connection that sends whatever it likes.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func (s *server) raw() *raw {
	conn := s.dial()
	return &raw{conn, bufio.NewReader(conn)}
}

func (r *raw) send(t *testing.T, body string) {
	t.Helper()
	if _, err := fmt.Fprintf(r, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
}

// receive reads messages until one that is a response.
func (r *raw) receive(t *testing.T) map[string]any {
	t.Helper()
	for {
		length := 0
		for {
			line, err := r.in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if line == "\r\n" {
				break
			}
			_, _ = fmt.Sscanf(line, "Content-Length: %d", &length)
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r.in, body); err != nil {
			t.Fatal(err)
		}
		var msg map[string]any
		if err := json.Unmarshal(body, &msg); err != nil {
			t.Fatal(err)
		}
		if msg["method"] == nil {
			return msg
		}
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`

// A frame that is not JSON-RPC, or too large, is refused and the session goes
// on.
func TestRefusedFrames(t *testing.T) {
	huge := strings.Repeat("x", 100<<20)
	for name, frame := range map[string]string{
		"not JSON":      `{"jsonrpc":`,
		"not JSON-RPC":  `{"hello":"world"}`,
		"a bare string": `"initialize"`,
		"a batch":       `[` + initialize + `]`,
		"100 MB":        huge,
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, pending.Options{})
			r := s.raw()
			r.send(t, frame)
			answer := r.receive(t)
			if answer["error"] == nil || answer["id"] != nil {
				t.Errorf("answered %v, want an error with a null id", answer)
			}
			r.send(t, initialize)
			if answer := r.receive(t); answer["result"] == nil {
				t.Errorf("initialize after it: %v", answer)
			}
		})
	}
}

// Bytes that are not the protocol end that session and no other.
func TestGarbageEndsTheSessionAlone(t *testing.T) {
	for name, bytes := range map[string]string{
		"garbage":                 "\x16\x03\x01garbage garbage\r\n\r\n",
		"an HTTP request":         "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"negative Content-Length": "Content-Length: -5\r\n\r\n",
		"overlong Content-Length": "Content-Length: 99999999999999999999\r\n\r\n",
		"no Content-Length":       "Content-Type: x\r\n\r\n{}",
		"an endless header":       strings.Repeat("x", 1<<20),
		"a cut-off frame":         "Content-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, pending.Options{})
			dir := workspace(t, map[string]string{"a.js": "log(1)\n"})
			other := s.agent(dir)
			r := s.raw()
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				_, _ = io.WriteString(r, bytes) // fails once the server has seen enough
				if strings.Contains(name, "cut-off") {
					_ = r.Close()
				}
			}()
			if _, err := io.Copy(io.Discard, r.in); err != nil && !errors.Is(err, io.ErrClosedPipe) {
				t.Error(err)
			}
			<-sent
			s.edit(other, "log($A)", "trace($A)")
			if _, _, err := other.Resolve(s.ctx, wire.ResolveParams{Action: "apply"}); err != nil {
				t.Errorf("the other session: %v", err)
			}
		})
	}
}

// The life cycle is LSP's.
func TestLifeCycle(t *testing.T) {
	s := newServer(t, pending.Options{})
	r := s.raw()
	code := func(answer map[string]any) float64 {
		e, _ := answer["error"].(map[string]any)
		c, _ := e["code"].(float64)
		return c
	}
	r.send(t, `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`)
	if got := code(r.receive(t)); got != -32002 {
		t.Errorf("request before initialize: %v", got)
	}
	r.send(t, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`)
	r.send(t, strings.Replace(initialize, `"id":1`, `"id":2`, 1))
	if answer := r.receive(t); answer["result"] == nil {
		t.Fatalf("initialize: %v", answer)
	}
	r.send(t, strings.Replace(initialize, `"id":1`, `"id":3`, 1))
	if got := code(r.receive(t)); got != -32600 {
		t.Errorf("second initialize: %v", got)
	}
	r.send(t, `{"jsonrpc":"2.0","id":4,"method":"no/such","params":{}}`)
	if got := code(r.receive(t)); got != -32601 {
		t.Errorf("unknown method: %v", got)
	}
	r.send(t, `{"jsonrpc":"2.0","method":"$/whatever","params":{}}`)
	r.send(t, `{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{"textDocument":7}}`)
	if got := code(r.receive(t)); got != -32602 {
		t.Errorf("wrong params: %v", got)
	}
	r.send(t, `{"jsonrpc":"2.0","id":6,"method":"shutdown"}`)
	if answer := r.receive(t); answer["error"] != nil {
		t.Errorf("shutdown: %v", answer)
	}
	r.send(t, `{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}}`)
	if got := code(r.receive(t)); got != -32600 {
		t.Errorf("request after shutdown: %v", got)
	}
	r.send(t, `{"jsonrpc":"2.0","method":"exit"}`)
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("after exit: %v, want the end of the connection", err)
	}
}

func quote(s string) string { return string(wire.Encode(s)) }
