package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The transcript on the README's first screen is what the demo prints. A line
// "…" stands for any lines; "…" at the end of a line for the rest of it.
func TestReadmeShowsTheRealDemo(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(readme), "$ go run ./cmd/pending-lsp demo\n")
	if !ok {
		t.Fatal("the README has no transcript")
	}
	block, _, _ = strings.Cut(block, "```")
	cmd := exec.Command(binary, "demo")
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.Split(string(out), "\n")
	at, skip := 0, false
	for want := range strings.SplitSeq(strings.TrimSuffix(block, "\n"), "\n") {
		if want == "…" {
			skip = true
			continue
		}
		prefix, open := strings.CutSuffix(want, "…")
		same := func(line string) bool {
			return line == want || open && strings.HasPrefix(line, prefix)
		}
		for skip && at < len(got) && !same(got[at]) {
			at++
		}
		if at == len(got) || !same(got[at]) {
			t.Fatalf("the README says\n%s\nwhere the demo prints\n%s", want, strings.Join(got[min(at, len(got)):min(at+3, len(got))], "\n"))
		}
		at, skip = at+1, false
	}
	if rest := strings.TrimSpace(strings.Join(got[at:], "\n")); rest != "" {
		t.Errorf("the README leaves out the end:\n%s", rest)
	}
}
