package agent_test

import (
	"path/filepath"
	"testing"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// A subscriber first learns what is pending already, then of every change.
func TestSubscribe(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, map[string]string{"a.txt": "one\n"})
	other, c := w.agent(dir, "other"), w.agent(dir, "subscriber")
	_, d, err := other.Push(w.ctx, wire.PushParams{Label: "x", Edit: replaceLine(filepath.Join(dir, "a.txt"), 3, "two")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	changes := make(chan wire.DidChangeParams, 10)
	f := func(p wire.DidChangeParams) { changes <- p }
	if err := c.Subscribe(w.ctx, f); err != nil {
		t.Fatal(err)
	}
	if err := c.Subscribe(w.ctx, f); err == nil {
		t.Error("subscribed twice")
	}
	if p := <-changes; p.Depth != 1 || p.Top == nil || p.Top.ID != d.ActionID || p.ToolChoice != "resolve" {
		t.Errorf("first told %+v", p)
	}
	if _, _, err := other.Resolve(w.ctx, wire.ResolveParams{Action: "discard"}); err != nil {
		t.Fatal(err)
	}
	if p := <-changes; p.Cause != "discard" || p.HasPending || p.Top != nil || p.ActionID != d.ActionID {
		t.Errorf("then told %+v", p)
	}
}
