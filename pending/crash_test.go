package pending_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pending-lsp/pending-lsp/pending"
)

var kills = flag.Int("kills", 300, "how many processes TestCrash kills")

const crashFiles = 50

// failPoints are the named points, each with the hits at which to die.
var failPoints = []struct {
	name string
	hits []int
}{
	{"store", []int{1, 2, 3, 4}}, // push, push, intent, outcome
	{"stored", []int{1, 2, 3, 4}},
	{"intent", []int{1}},
	{"temp", []int{1, 2, 25, 50}},
	{"rename", []int{1, 2, 25, 49, 50}},
	{"renamed", []int{1}},
}

// crashChild is the process that is killed: it pushes two actions, says so, and
// applies the upper one.
func crashChild(dir string) {
	fatal := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	}
	name, at, _ := strings.Cut(os.Getenv("PENDING_FAIL_POINT"), ":")
	hit, _ := strconv.Atoi(at)
	var mu sync.Mutex
	o := pending.Options{}
	o.SetFailPoint(func(n string) error {
		mu.Lock()
		defer mu.Unlock()
		if n != name {
			return nil
		}
		if hit--; hit == 0 {
			fatal(syscall.Kill(os.Getpid(), syscall.SIGKILL))
			select {} // until it arrives
		}
		return nil
	})
	journal, err := pending.OpenBolt(filepath.Join(dir, "state.db"), slog.New(slog.DiscardHandler))
	fatal(err)
	o.Journal = journal
	w := pending.NewRegistry(o).Open(filepath.Join(dir, "repo"))
	if os.Getenv("PENDING_CRASH_ONLY_RECOVER") != "" {
		return
	}
	m := w.Join(pending.Party{Name: "child"}, pending.JoinOptions{})
	l := &literal{Old: "below", New: "under"}
	p, err := l.Propose(context.Background(), m.Source())
	fatal(err)
	_, err = m.Push(context.Background(), pending.New{Label: "lower", Proposal: p})
	fatal(err)
	l = &literal{Old: "old", New: "brand new"}
	p, err = l.Propose(context.Background(), m.Source())
	fatal(err)
	_, err = m.Push(context.Background(), pending.New{Label: "upper", Proposal: p})
	fatal(err)
	fmt.Println("pushed")
	_, err = m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply, Reason: "crash"})
	fatal(err)
	fmt.Println("applied")
	fatal(journal.Close())
}

// crashRun is one life of a child and what was found after it.
type crashRun struct {
	dir       string
	failPoint string        // or
	delay     time.Duration // after "pushed"
	again     string        // a fail point of a second child, which only recovers
}

func (c crashRun) String() string {
	if c.failPoint != "" {
		return strings.TrimSuffix(c.failPoint+", then "+c.again, ", then ")
	}
	return c.delay.String()
}

func (c crashRun) text(i int, after bool) string {
	word := "old"
	if after {
		word = "brand new"
	}
	return fmt.Sprintf("file %d\r\n%s and %s\nbelow", i, word, word)
}

// run lets a child die and checks what recovery makes of it.
func (c crashRun) run(t *testing.T) (killed, after bool) {
	t.Helper()
	repo := filepath.Join(c.dir, "repo")
	if err := os.RemoveAll(c.dir); err != nil {
		t.Fatal(err)
	}
	for i := range crashFiles {
		path := c.path(i)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text(i, false)), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	killed, out := c.child(t, c.failPoint, c.delay, false)
	if c.again != "" {
		c.child(t, c.again, 0, true)
	}

	journal, err := pending.OpenBolt(filepath.Join(c.dir, "state.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	defer func() { _ = journal.Close() }()
	w := pending.NewRegistry(pending.Options{Journal: journal}).Open(repo)
	defer w.Close()

	count := 0
	for i := range crashFiles {
		text, err := os.ReadFile(c.path(i))
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		switch string(text) {
		case c.text(i, true):
			count++
		case c.text(i, false):
		default:
			t.Errorf("%v: file %d holds %q", c, i, text)
		}
	}
	if count != 0 && count != crashFiles {
		t.Errorf("%v: half done: %d of %d files", c, count, crashFiles)
	}
	after = count > 0
	_ = filepath.WalkDir(repo, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".pending-lsp") {
			t.Errorf("%v: left behind: %s", c, path)
		}
		return err
	})
	labels := ""
	for _, v := range w.List() {
		labels += v.Label + " "
		checkView(t, v)
	}
	pushed, applied := strings.Contains(out, "pushed"), strings.Contains(out, "applied")
	if want := "upper lower "; pushed && !after && labels != want || after && labels != "lower " || applied && !after {
		t.Errorf("%v: child said %q, files applied: %v, but pending: %s", c, out, after, labels)
	}
	if labels == "lower " { // and it can be applied
		m := w.Join(pending.Party{Name: "parent"}, pending.JoinOptions{})
		defer m.Leave()
		res, err := m.Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionApply})
		if err != nil || len(res.Files) != crashFiles {
			t.Errorf("%v: apply what was below: %v", c, err)
		}
		if after { // undo reaches across the crash
			for range 2 {
				if _, err := m.Undo(context.Background()); err != nil {
					t.Errorf("%v: %v", c, err)
				}
			}
			if text, _ := os.ReadFile(c.path(0)); string(text) != c.text(0, false) {
				t.Errorf("%v: undone to %q", c, text)
			}
		}
	}
	return killed, after
}

func (c crashRun) path(i int) string {
	return filepath.Join(c.dir, "repo", fmt.Sprintf("d%d", i%7), fmt.Sprintf("f%02d.txt", i))
}

func (c crashRun) child(t *testing.T, failPoint string, delay time.Duration, onlyRecover bool) (killed bool, out string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PENDING_CRASH_DIR="+c.dir, "PENDING_FAIL_POINT="+failPoint)
	if onlyRecover {
		cmd.Env = append(cmd.Env, "PENDING_CRASH_ONLY_RECOVER=1")
	}
	var stderr, stdout bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var timer *time.Timer
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		fmt.Fprintln(&stdout, lines.Text())
		if lines.Text() == "pushed" && failPoint == "" && !onlyRecover {
			timer = time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
		}
	}
	err = cmd.Wait()
	if timer != nil {
		timer.Stop()
	}
	if stderr.Len() > 0 {
		t.Errorf("%v: child: %s", c, &stderr)
	}
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return err != nil && status.Signaled(), stdout.String()
}

// TestCrash kills real processes in the middle of an apply over 50 files: at
// every named point, again in the recovery, and at random moments. After the
// recovery all files are as before or all are as after, and the stack agrees.
func TestCrash(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		*kills = 30
	}
	var runs []crashRun
	for _, p := range failPoints {
		for _, hit := range p.hits {
			runs = append(runs, crashRun{failPoint: fmt.Sprintf("%s:%d", p.name, hit)})
		}
	}
	for _, again := range []string{"temp:1", "renamed:1", "rename:1", "rename:20", "store:1", "stored:1"} {
		for _, first := range []string{"intent:1", "rename:1", "rename:25"} {
			runs = append(runs, crashRun{failPoint: first, again: again})
		}
	}
	rand.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	named := len(runs)
	for len(runs) < 4**kills { // some will be too late
		runs = append(runs, crashRun{delay: rand.N(25 * time.Millisecond)})
	}
	var mu sync.Mutex
	var died, survived, before, after int
	var wg sync.WaitGroup
	next := 0
	for worker := range 2 {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(worker))
		wg.Go(func() {
			for {
				mu.Lock()
				if next == len(runs) || died >= *kills || t.Failed() {
					mu.Unlock()
					return
				}
				c := runs[next]
				next++
				mu.Unlock()
				c.dir = dir
				killed, done := c.run(t)
				mu.Lock()
				if killed {
					died++
				} else {
					survived++
				}
				if done {
					after++
				} else {
					before++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d runs, %d of them at named points: %d killed, %d finished first; %d all-before, %d all-after, 0 half",
		next, min(named, next), died, survived, before, after)
}
