package pending_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/pending"
)

// TestAwait waits for verdicts: before, after and beyond the member that gives
// them.
func TestAwait(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "old"})
	v := d.propose("old", "new")
	ctx := context.Background()

	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if _, err := d.w.Await(short, v.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing was resolved, but: %v", err)
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			got, err := d.w.Await(ctx, v.ID)
			if err != nil || got.State != pending.Applied || got.Reason != "fine" || got.By.Name != "user" || got.Result.Files[0].Path != "a" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	user := d.w.Join(pending.Party{Name: "user"}, pending.JoinOptions{})
	if _, err := user.Resolve(ctx, pending.Resolution{Decision: pending.DecisionApply, Reason: "fine"}); err != nil {
		t.Fatal(err)
	}
	user.Leave()
	wg.Wait()
	if got, err := d.w.Await(ctx, v.ID); err != nil || got.State != pending.Applied {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
	if _, err := d.w.Await(ctx, "01ARZ3NDEKTSV4RRFFQ69G5FAV"); errorOf(err).Kind != pending.UnknownAction {
		t.Errorf("unknown: %v", err)
	}
}

// TestLimits exceeds each limit by one; nothing is pushed or resolved.
func TestLimits(t *testing.T) {
	t.Parallel()
	limits := pending.Limits{Depth: 2, Files: 2, Bytes: 20, Label: 10}
	d := newDesk(t, pending.Options{Limits: limits}, map[string]string{"a": "x", "b": "x", "c": "x"})
	ctx := context.Background()
	edit := func(label, after string, paths ...string) error {
		p := &pending.Proposal{}
		for _, path := range paths {
			p.Files = append(p.Files, pending.FileProposal{Path: path, Text: []byte("x"), Hunks: []pending.Hunk{{End: 1, Before: "x", After: after}}})
		}
		_, err := d.m.Push(ctx, pending.New{Label: label, Proposal: p})
		return err
	}
	refused := func(err error, want string) {
		t.Helper()
		if e := errorOf(err); e.Kind != pending.Limit || !strings.Contains(e.Message, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(edit("a very long label", "y", "a"), "the label has 17 bytes, at most 10 are taken")
	for _, n := range []pending.New{
		{Label: "json", Callbacks: &owner{}, Details: []byte("{")},
		{Label: "json", Callbacks: &owner{}, Recipe: []byte("no")},
	} {
		if _, err := d.m.Push(ctx, n); errorOf(err).Kind != pending.InvalidResolution {
			t.Errorf("invalid JSON: %v", err)
		}
	}
	_, err := d.m.Push(ctx, pending.New{Label: "tool", SourceToolName: "a very long name", Callbacks: &owner{}})
	refused(err, "the name of the tool has 16 bytes")
	refused(edit("files", "y", "a", "b", "c"), "the edit touches 3 files, at most 2 are taken")
	refused(edit("bytes", strings.Repeat("y", 20), "a"), "the edit has 21 bytes, at most 20 are taken")
	for range 2 {
		if err := edit("fits", "y", "a", "b"); err != nil {
			t.Fatal(err)
		}
	}
	refused(edit("depth", "y", "a"), "2 actions are pending, the most this workspace takes")
	_, err = d.m.Resolve(ctx, pending.Resolution{Decision: pending.DecisionApply, Reason: "a very long reason"})
	refused(err, "the reason has 18 bytes")
	if d.w.Depth() != 2 {
		t.Errorf("depth %d", d.w.Depth())
	}
}

// TestEvents checks order and content, and that a Notify function may call back.
func TestEvents(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "old"})
	var got []string
	watcher := d.w.Join(pending.Party{Name: "watcher"}, pending.JoinOptions{Notify: func(e pending.Event) {
		if e.HasPending != (e.Depth > 0) {
			t.Errorf("%+v", e)
		}
		d.w.List()
		stack := ""
		if e.Stack {
			stack = "!"
		}
		got = append(got, string(e.Cause)+stack+" "+strings.Join(e.Paths, ","))
	}})
	defer watcher.Leave()
	d.propose("old", "new")
	d.write("a", "gone")
	_, _ = d.apply() // stale
	d.write("a", "an old")
	d.m.DiskChanged([]string{"a"})
	_, _ = d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
	d.propose("old", "new")
	_, _ = d.apply()
	_, _ = d.m.Undo(context.Background())
	want := "push! a|stale a|restore |discard! |push! a|applying a|apply! a|applying |undo a"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestOpenShares checks the lifetime of workspaces.
func TestOpenShares(t *testing.T) {
	t.Parallel()
	r := pending.NewRegistry(pending.Options{})
	root := t.TempDir()
	w := r.Open(root)
	if r.Open(root) != w {
		t.Fatal("one root has two workspaces")
	}
	m := w.Join(pending.Party{Name: "agent"}, pending.JoinOptions{})
	if _, err := m.Push(context.Background(), pending.New{Label: "x", Callbacks: &owner{}}); err != nil {
		t.Fatal(err)
	}
	m.Leave()
	m.Leave()
	w.Close()
	w.Close()
	again := r.Open(root)
	defer again.Close()
	if v, ok := again.Peek(); !ok || !v.Orphaned || v.SourceToolName != pending.DefaultSourceToolName {
		t.Errorf("%+v, %v", v, ok)
	}
	if _, err := m.Push(context.Background(), pending.New{Label: "x", Callbacks: &owner{}}); err == nil || err.Error() != pending.MessageStoreUnavailable {
		t.Errorf("push after leave: %v", err)
	}
}

// TestLabels has real plurals.
func TestLabels(t *testing.T) {
	t.Parallel()
	for want, n := range map[string][2]int{
		"AST Edit: 1 replacement in 1 file":    {1, 1},
		"AST Edit: 3 replacements in 2 files":  {3, 2},
		"AST Edit: 2 replacements in 1 file":   {2, 1},
		"AST Edit: 0 replacements in 0 files":  {0, 0},
		"AST Edit: 21 replacements in 1 file":  {21, 1},
		"AST Edit: 11 replacements in 2 files": {11, 2},
	} {
		if got := pending.ASTEditLabel(n[0], n[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestVisible writes out what misleads and leaves the rest alone.
func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain ünïcode 日本語":     "plain ünïcode 日本語",
		"👩\u200d👩\u200d👧":       "👩\u200d👩\u200d👧",
		"a\nb\tc\rd":            `a\nb\tc\rd`,
		"\x1b[31mred\x07":       `\u001b[31mred\u0007`,
		"a\u202egpj.exe":        `a\u202egpj.exe`,
		"zero\u200bwidth\ufeff": `zero\u200bwidth\ufeff`,
		"tag \U000e0041":        `tag \U000e0041`,
		"\xff\xfeé":             `\xff\xfeé`,
		"line\u2028sep":         `line\u2028sep`,
		"\u0085nel \u2066lri":   `\u0085nel \u2066lri`,
	} {
		if got := pending.Visible(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := pending.Visible(pending.Visible(in)); got != want {
			t.Errorf("twice: %q", got)
		}
	}
}

// TestMemory keeps what a pending hunk costs beside its text in bounds.
func TestMemory(t *testing.T) {
	const actions, hunks = 200, 100
	d := newDesk(t, pending.Options{}, nil)
	text := []byte(strings.Repeat("old line\n", hunks))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range actions {
		p := &pending.Proposal{Files: []pending.FileProposal{{Path: "a", Text: text}}}
		for i := range hunks {
			p.Files[0].Hunks = append(p.Files[0].Hunks, pending.Hunk{Start: i * 9, End: i*9 + 3, Before: "old", After: "new"})
		}
		if _, err := d.m.Push(context.Background(), pending.New{Label: "x", Proposal: p}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	perHunk := float64(after.HeapAlloc-before.HeapAlloc) / (actions * hunks)
	t.Logf("%.0f bytes a hunk", perHunk)
	if perHunk > 1500 {
		t.Errorf("%.0f bytes a hunk", perHunk)
	}
	runtime.KeepAlive(d)
}

// TestMemberViews shows hunks to an editor whose text is not the leading one.
func TestMemberViews(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "one\nold\ntwo\nold\n"})
	var editors []*fakeEditor
	for _, name := range []string{"first", "second"} {
		e := newFakeEditor(d.root)
		e.member = d.w.Join(pending.Party{Name: name}, pending.JoinOptions{Editor: e})
		defer e.member.Leave()
		if err := e.open("a"); err != nil {
			t.Fatal(err)
		}
		editors = append(editors, e)
	}
	d.propose("old", "new")
	if err := editors[1].replaceOnce("a", "one\nold", "zero\none\nout"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 1} {
		views := editors[i].member.FileHunks("a")
		if len(views) != 1 || len(views[0].File.Hunks) != want {
			t.Fatalf("editor %d: %+v", i, views)
		}
		text, _ := editors[i].text("a")
		for _, h := range views[0].File.Hunks {
			if got := text[h.Start:h.End]; got != h.Before {
				t.Errorf("editor %d: covers %q", i, got)
			}
		}
	}
}

// An editor whose buffer has other line breaks by now writes its own.
func TestEditorsLineBreaks(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{VerifyTimeout: 5 * time.Second}, map[string]string{"a": "one\nold\n"})
	e := newFakeEditor(d.root)
	e.member = d.w.Join(pending.Party{Name: "editor"}, pending.JoinOptions{Editor: e})
	defer e.member.Leave()
	if err := e.open("a"); err != nil {
		t.Fatal(err)
	}
	d.propose("old", "new\nlines")
	e.next = []string{"dos"}
	if _, err := d.m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply}); err != nil {
		t.Fatal(err)
	}
	if text, _ := e.text("a"); text != "one\nnew\r\nlines\n" || d.w.HasPending() {
		t.Errorf("%q, pending %v", text, d.w.HasPending())
	}
}

// panicky is foreign code at its worst.
type panicky struct{ quiet int }

func (p *panicky) Propose(context.Context, pending.Source) (*pending.Proposal, error) {
	if p.quiet--; p.quiet >= 0 {
		return &pending.Proposal{Files: []pending.FileProposal{{Path: "a", Text: []byte("old"), Hunks: []pending.Hunk{{End: 3, Before: "old", After: "new"}}}}}, nil
	}
	panic("producer")
}
func (p *panicky) ApplyEdits(context.Context, pending.BufferEdits) error { panic("editor") }

// TestPanics lets foreign code panic: the stack goes on.
func TestPanics(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pending.Options{}, map[string]string{"a": "old"})
	noisy := d.w.Join(pending.Party{Name: "noisy"}, pending.JoinOptions{Editor: &panicky{}, Notify: func(pending.Event) { panic("notify") }})
	noisy.OpenDocument("a", 1, []byte("old"))
	ctx := context.Background()
	if _, err := d.m.Push(ctx, pending.New{Label: "never", Proposer: &panicky{}}); err == nil {
		t.Error("pushed")
	}
	if _, err := d.m.Push(ctx, pending.New{Label: "once", Proposer: &panicky{quiet: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.apply(); err == nil || !strings.Contains(err.Error(), "the producer panicked") {
		t.Errorf("%v", err)
	}
	d.propose("old", "new")
	if _, err := d.apply(); errorOf(err).Kind != pending.EditorRejected {
		t.Errorf("%v", err)
	}
	noisy.Leave()
	if _, err := d.apply(); err != nil || d.read("a") != "new" {
		t.Errorf("%v", err)
	}
}
