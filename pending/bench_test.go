package pending

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// benchProposal proposes n hunks in one text.
func benchProposal(path string, n int) (*Proposal, []byte) {
	text := bytes.Repeat([]byte("func old() { return }\n"), 10*n)
	f := FileProposal{Path: path, Text: text}
	for i := range n {
		at := i*10*22 + 5
		f.Hunks = append(f.Hunks, Hunk{Start: at, End: at + 3, Before: "old", After: "fresh"})
	}
	return &Proposal{Files: []FileProposal{f}}, text
}

// benchJournal opens a journal for the length of a benchmark.
func benchJournal(b *testing.B) *BoltJournal {
	j, err := OpenBolt(filepath.Join(b.TempDir(), "state.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = j.Close() })
	return j
}

// BenchmarkPushPeekPop is one data-only action of ten hunks through the stack,
// in memory and with the journal.
func BenchmarkPushPeekPop(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchStack(b, Options{}) })
	b.Run("journal", func(b *testing.B) { benchStack(b, Options{Journal: benchJournal(b)}) })
}

func benchStack(b *testing.B, o Options) {
	w := NewRegistry(o).Open(b.TempDir())
	m := w.Join(Party{Name: "bench"}, JoinOptions{})
	defer m.Leave()
	p, text := benchProposal("a.go", 10)
	m.OpenDocument("a.go", 1, text)
	ctx := context.Background()
	for range 100 { // what lies below must not matter
		if _, err := m.Push(ctx, New{Label: "below", Proposal: p}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Push(ctx, New{Label: "bench", Proposal: p}); err != nil {
			b.Fatal(err)
		}
		if _, ok := w.Peek(); !ok {
			b.Fatal("nothing pending")
		}
		if _, err := m.Resolve(ctx, Resolution{Decision: DecisionDiscard, Reason: "bench"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKeystroke is one character typed while 1,000 actions of ten hunks
// each are pending, in one document or each in its own.
func BenchmarkKeystroke(b *testing.B) {
	for _, files := range []int{1, 10, 1000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			w := NewRegistry(Options{}).Open(b.TempDir())
			m := w.Join(Party{Name: "bench"}, JoinOptions{})
			defer m.Leave()
			ctx := context.Background()
			for i := range 1000 {
				path := fmt.Sprintf("f%d.go", i%files)
				p, text := benchProposal(path, 10)
				if i < files {
					m.OpenDocument(path, 1, text)
				}
				if _, err := m.Push(ctx, New{Label: "bench", Proposal: p}); err != nil {
					b.Fatal(err)
				}
			}
			change := [][]textedit.Edit{{{New: "x"}}, {{End: 1}}}
			n := int32(1)
			b.ReportAllocs()
			for b.Loop() {
				n++
				m.ChangeDocument("f0.go", n, change[n%2])
			}
		})
	}
}

// BenchmarkApplyDisk applies 1,000 files of ten hunks each; BenchmarkPlainLoop
// writes the same bytes with nothing but temp file, sync and rename.
func BenchmarkApplyDisk(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchApply(b, Options{}) })
	b.Run("journal", func(b *testing.B) { benchApply(b, Options{Journal: benchJournal(b)}) })
}

func benchApply(b *testing.B, o Options) {
	const files = 1000
	root := b.TempDir()
	whole := &Proposal{}
	for i := range files {
		p, text := benchProposal(fmt.Sprintf("f%04d.go", i), 10)
		whole.Files = append(whole.Files, p.Files...)
		if err := os.WriteFile(filepath.Join(root, p.Files[0].Path), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	w := NewRegistry(o).Open(root)
	m := w.Join(Party{Name: "bench"}, JoinOptions{})
	defer m.Leave()
	ctx := context.Background()
	for b.Loop() {
		if _, err := m.Push(ctx, New{Label: "bench", Proposal: whole}); err != nil {
			b.Fatal(err)
		}
		if _, err := m.Resolve(ctx, Resolution{Decision: DecisionApply}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		for _, f := range whole.Files {
			if err := os.WriteFile(filepath.Join(root, f.Path), f.Text, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
	}
}

func BenchmarkPlainLoop(b *testing.B) {
	const files = 1000
	root := b.TempDir()
	p, text := benchProposal("a.go", 10)
	edits := make([]textedit.Edit, len(p.Files[0].Hunks))
	for i, h := range p.Files[0].Hunks {
		edits[i] = h.Edit()
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%04d.go", i)), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for i := range files {
			path := filepath.Join(root, fmt.Sprintf("f%04d.go", i))
			old, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			after, err := textedit.Apply(old, edits)
			if err != nil {
				b.Fatal(err)
			}
			f, err := os.CreateTemp(root, "tmp")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.Write(after); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			if err := os.Rename(f.Name(), path); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		for i := range files {
			if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%04d.go", i)), text, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
	}
}
