package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/lsptest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// The benchmarks measure what a client sees: the time from its message to the
// answer, or to what it is then shown, on a connection in the same process.
// Beside the mean they report the median and the 99th percentile.

const (
	benchActions = 1000
	benchFiles   = 5 // of each action
	benchHunks   = 20
)

// spread times b.N calls one by one.
func spread(b *testing.B, call func(i int)) {
	b.Helper()
	times := make([]time.Duration, 0, b.N)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		call(i)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

// lines is a file of n calls.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "log(%d);\n", i)
	}
	return b.String()
}

// rewriteLines is an edit of every line of some files.
func rewriteLines(files []string, text string) *pending.Proposal {
	p := &pending.Proposal{}
	for _, path := range files {
		f := pending.FileProposal{Path: path, Text: []byte(text)}
		at := 0
		for line := range strings.Lines(text) {
			f.Hunks = append(f.Hunks, pending.Hunk{Start: at, End: at + 3, Before: "log", After: "trace"})
			at += len(line)
		}
		p.Files = append(p.Files, f)
	}
	return p
}

// fullStack is a workspace with benchActions actions of 100 hunks each, over
// 5,000 files.
func fullStack(b *testing.B) (s *server, dir string) {
	b.Helper()
	s = newServer(b, pending.Options{})
	text := lines(benchHunks)
	files := map[string]string{}
	name := func(action, file int) string { return fmt.Sprintf("d%03d/f%d.js", action, file) }
	for a := range benchActions {
		for f := range benchFiles {
			files[name(a, f)] = text
		}
	}
	dir = workspace(b, files)
	ws := s.registry.Open(dir)
	m := ws.Join(pending.Party{Session: "bench", Name: "bench"}, pending.JoinOptions{})
	for a := range benchActions {
		var paths []string
		for f := range benchFiles {
			paths = append(paths, name(a, f))
		}
		if _, err := m.Push(s.ctx, pending.New{Label: "bench", Proposal: rewriteLines(paths, text)}); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() {
		m.Leave()
		ws.Close()
	})
	return s, dir
}

// BenchmarkCodeAction asks for the code actions of a file with 20 hunks while
// 1,000 actions with 100,000 hunks over 5,000 files are pending.
func BenchmarkCodeAction(b *testing.B) {
	s, dir := fullStack(b)
	path := filepath.Join(dir, fmt.Sprintf("d%03d/f0.js", benchActions-1))
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, path))
	s.await(e, "all that is pending to be shown", func() bool { return e.Shows() == benchActions*benchFiles })
	spread(b, func(int) {
		actions, err := e.CodeActions(s.ctx, path, "log(7)")
		if err != nil || len(actions) == 0 {
			b.Fatal(len(actions), err)
		}
	})
}

// BenchmarkPushToDiagnostics pushes an action of 10 hunks and waits until the
// editor shows it.
func BenchmarkPushToDiagnostics(b *testing.B) {
	s := newServer(b, pending.Options{})
	dir := workspace(b, map[string]string{"a.js": lines(10)})
	path := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, path))
	s.sync(e)
	ag := s.agent(dir)
	var edits []any
	for i := range uint32(10) {
		edits = append(edits, protocolEdit(path, i, 0, 3, "trace")["changes"].(map[string]any)["file://"+path].([]any)...)
	}
	edit := wire.Encode(map[string]any{"changes": map[string]any{"file://" + path: edits}})
	times := make([]time.Duration, 0, b.N)
	for b.Loop() {
		start := time.Now()
		_, _, err := ag.Push(s.ctx, wire.PushParams{Label: "bench", Edit: edit}, nil)
		s.must(err)
		s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(path)) == 10 })
		times = append(times, time.Since(start))
		_, _, err = ag.Resolve(s.ctx, wire.ResolveParams{Action: "discard"})
		s.must(err)
		s.await(e, "none", func() bool { return len(e.Diagnostics(path)) == 0 })
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkKeystroke types at the start of a document with 100 pending hunks
// and waits until the ranges shown have followed.
func BenchmarkKeystroke(b *testing.B) {
	s := newServer(b, pending.Options{})
	dir := workspace(b, map[string]string{"a.js": lines(100)})
	path := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, path))
	s.sync(e)
	s.edit(s.agent(dir), "log($A)", "trace($A)")
	s.await(e, "diagnostics", func() bool { return len(e.Diagnostics(path)) == 100 })
	spread(b, func(i int) {
		s.must(e.Replace(s.ctx, path, "", "\n"))
		s.await(e, "ranges that follow", func() bool { return e.Diagnostics(path)[0].Range.Start.Line == uint32(i+1) })
	})
}

// BenchmarkResolve applies an action of one file in an open buffer, the
// editor's answer included.
func BenchmarkResolve(b *testing.B) {
	s := newServer(b, pending.Options{})
	dir := workspace(b, map[string]string{"a.js": "log(1);\n"})
	path := filepath.Join(dir, "a.js")
	e := s.editor(lsptest.EditorOptions{Folders: []string{dir}})
	s.must(e.Open(s.ctx, path))
	s.sync(e)
	ag := s.agent(dir)
	pats := [2]string{"log($A)", "trace($A)"}
	times := make([]time.Duration, 0, b.N)
	for i := 0; b.Loop(); i++ {
		s.edit(ag, pats[i%2], pats[(i+1)%2])
		start := time.Now()
		s.must(e.Execute(s.ctx, wire.CommandResolve, args(wire.ResolveParams{Action: "apply"}), nil))
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}
