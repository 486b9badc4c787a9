package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client of another version is refused politely, by either side.
func TestVersionMismatch(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	refused := make(chan error, 1)
	go func() {
		_, err := welcome(server, "2.0")
		refused <- err
	}()
	if _, err := io.WriteString(client, `{"protocol":999,"version":"9.9","pid":1}`+"\n"); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(client).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var reply Handshake
	if err := json.Unmarshal([]byte(line), &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Protocol != wire.ProtocolVersion || !strings.Contains(reply.Error, "speaks protocol 1 and the client (pending-lsp 9.9) 999") {
		t.Errorf("reply %+v", reply)
	}
	if err := <-refused; !errors.Is(err, ErrVersion) {
		t.Errorf("the daemon's error: %v", err)
	}

	client2, server2 := net.Pipe()
	defer client2.Close()
	defer server2.Close()
	go func() {
		_, _ = readLine(server2)
		_, _ = io.WriteString(server2, `{"protocol":2,"version":"9.9","pid":1}`+"\n")
	}()
	if _, err := greet(client2, "1.0"); !errors.Is(err, ErrVersion) {
		t.Errorf("the client's error: %v", err)
	}
}

// Whatever comes instead of a handshake is an error and not a hang.
func TestBadHandshake(t *testing.T) {
	for name, said := range map[string]string{
		"not JSON":  "hello\n",
		"too long":  strings.Repeat("x", maxHandshake+10),
		"LSP":       "Content-Length: 2\r\n\r\n{}",
		"hanged up": "",
	} {
		t.Run(name, func(t *testing.T) {
			client, server := net.Pipe()
			defer server.Close()
			go func() {
				_, _ = io.WriteString(client, said)
				_ = client.Close()
			}()
			if _, err := welcome(server, "1.0"); err == nil {
				t.Error("accepted")
			}
		})
	}
}

// What follows the handshake is the session's, byte for byte.
func TestRunServesWhatFollows(t *testing.T) {
	dir, err := os.MkdirTemp("", "pl-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "d.sock")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	ln, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		done <- ln.Run(ctx, Options{
			Version: "1.0", Logger: slog.New(slog.DiscardHandler),
			Serve: func(_ context.Context, conn net.Conn) {
				_, _ = io.Copy(conn, conn)
			},
		})
	}()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket mode %v, %v", info.Mode(), err)
	}
	conn, theirs, err := Dial(ctx, path, "1.1")
	if err != nil {
		t.Fatal(err)
	}
	if theirs.Version != "1.0" || theirs.PID != os.Getpid() {
		t.Errorf("handshake %+v", theirs)
	}
	var out strings.Builder
	if err := Forward(ctx, conn, theirs, strings.NewReader("byte for byte\x00\n"), &out, "1.1"); err != nil {
		t.Error(err)
	}
	if out.String() != "byte for byte\x00\n" {
		t.Errorf("echo %q", out.String())
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := ln.Close(); err != nil {
		t.Error(err)
	}
}
