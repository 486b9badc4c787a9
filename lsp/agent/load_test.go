package agent_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// Twenty agents push and resolve at once while an editor follows: every action
// is applied exactly once, no agent starves, and every file has every edit.
func TestTwentyAgents(t *testing.T) {
	const agents, rounds = 20, 10
	w := newWorld(t)
	files := map[string]string{}
	for i := range agents {
		files[fmt.Sprintf("f%d.txt", i)] = "round 0\n"
	}
	dir := workspace(t, files)
	e := w.editor(dir)
	open := filepath.Join(dir, "f0.txt") // this one is changed in the editor
	if err := e.Open(w.ctx, open); err != nil {
		t.Fatal(err)
	}
	if _, err := e.CodeLenses(w.ctx, open); err != nil { // the server has read didOpen
		t.Fatal(err)
	}
	var longest atomic.Int64
	var wg sync.WaitGroup
	for i := range agents {
		c := w.agent(dir, fmt.Sprintf("agent %d", i))
		wg.Go(func() {
			for round := range rounds {
				started := time.Now()
				if err := playRound(w, c, dir, i, round); err != nil {
					t.Errorf("agent %d, round %d: %v", i, round, err)
					return
				}
				took := int64(time.Since(started))
				for old := longest.Load(); took > old && !longest.CompareAndSwap(old, took); old = longest.Load() {
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	t.Logf("the longest from a push to its apply: %v", time.Duration(longest.Load()))
	want := fmt.Sprintf("round %d\n", rounds)
	for i := range agents {
		got, _ := os.ReadFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)))
		if i == 0 {
			buffer, _ := e.Text(open)
			got = []byte(buffer)
		}
		if string(got) != want {
			t.Errorf("f%d.txt is %q", i, got)
		}
	}
	checkLog(w, w.agent(dir, "auditor"), agents*rounds)
	// The editor heard of it all, and is left with an empty stack.
	if err := e.Await(w.ctx, func() bool { s := e.Stack(); return len(s) > 2*agents*rounds && !s[len(s)-1].HasPending }); err != nil {
		t.Error(err)
	}
}

// playRound proposes the next text of the agent's own file and sees to it that
// it is applied, with whatever lies above it.
func playRound(w *world, c *agent.Client, dir string, i, round int) error {
	old, next := fmt.Sprintf("round %d", round), fmt.Sprintf("round %d", round+1)
	_, d, err := c.Push(w.ctx, wire.PushParams{
		Label: fmt.Sprintf("agent %d, %s", i, next),
		Edit:  replaceLine(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), len(old), next),
	}, nil)
	if err != nil {
		return err
	}
	for {
		_, _, err := c.Resolve(w.ctx, wire.ResolveParams{Action: "apply", ID: d.ActionID, Cascade: true})
		var refused *agent.Error
		if errors.As(err, &refused) && slices.Contains([]string{"busy", "notTop", "unknownAction"}, refused.Data.Kind) {
			err = nil // others are at it
		}
		if err != nil {
			return err
		}
		verdict, err := c.Await(w.ctx, wire.AwaitParams{ID: d.ActionID, TimeoutMs: 5})
		if err != nil || verdict.State == "applied" {
			return err
		}
	}
}

// checkLog makes sure that so many actions were pushed, each once, and each
// applied once.
func checkLog(w *world, c *agent.Client, actions int) {
	w.t.Helper()
	log, err := c.Log(w.ctx, wire.LogParams{})
	if err != nil {
		w.t.Fatal(err)
	}
	seen := map[string]int{}
	for _, entry := range log.Entries {
		seen[entry.Cause+" "+entry.ActionID]++
		if !strings.HasPrefix(entry.By.Name, "agent ") {
			w.t.Errorf("by %q", entry.By.Name)
		}
	}
	if len(seen) != 2*actions {
		w.t.Errorf("%d different entries, want %d", len(seen), 2*actions)
	}
	for what, n := range seen {
		if n != 1 {
			w.t.Errorf("%s happened %d times", what, n)
		}
	}
}

// BenchmarkPush reports how long a push takes while 20 agents push and discard
// with an editor attached: as fast as they can, and at 100 pushes a second in
// all, which is far more than agents that think between their edits.
func BenchmarkPush(b *testing.B) {
	for name, pause := range map[string]time.Duration{"saturated": 0, "100-a-second": 200 * time.Millisecond} {
		b.Run(name, func(b *testing.B) { benchmarkPush(b, pause) })
	}
}

func benchmarkPush(b *testing.B, pause time.Duration) {
	const agents = 20
	w := newWorld(b)
	files := map[string]string{}
	for i := range agents {
		files[fmt.Sprintf("f%d.txt", i)] = "one\n"
	}
	dir := workspace(b, files)
	w.editor(dir)
	took := make([][]time.Duration, agents)
	var left atomic.Int64
	left.Store(int64(b.N))
	clients := make([]*agent.Client, agents)
	for i := range clients {
		clients[i] = w.agent(dir, fmt.Sprint("agent ", i))
	}
	b.ResetTimer()
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() {
			path := filepath.Join(dir, fmt.Sprintf("f%d.txt", i))
			time.Sleep(pause * time.Duration(i) / agents) // agents do not start in step
			for left.Add(-1) >= 0 {
				start := time.Now()
				_, d, err := c.Push(w.ctx, wire.PushParams{Label: "x", Edit: replaceLine(path, 3, "two")}, nil)
				took[i] = append(took[i], time.Since(start))
				if err == nil {
					err = discard(w, c, d.ActionID)
				}
				if err != nil {
					b.Error(err)
					return
				}
				time.Sleep(pause)
			}
		})
	}
	wg.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	if len(all) > 0 {
		b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	}
}

// discard drops an action and what lies above it, unless others do.
func discard(w *world, c *agent.Client, id string) error {
	for {
		_, _, err := c.Resolve(w.ctx, wire.ResolveParams{Action: "discard", ID: id, Cascade: true})
		var refused *agent.Error
		switch {
		case !errors.As(err, &refused) || refused.Data.Kind == "unknownAction":
			if refused != nil {
				err = nil
			}
			return err
		case refused.Data.Kind != "busy" && refused.Data.Kind != "notTop":
			return err
		}
	}
}
