package pending_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/pending"
)

// An agent proposes, a person decides.
func Example() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	text := []byte("hello, wrld\n")
	if err := os.WriteFile(filepath.Join(root, "greeting.txt"), text, 0o644); err != nil {
		panic(err)
	}

	w := pending.NewRegistry(pending.Options{}).Open(root)
	defer w.Close()
	agent := w.Join(pending.Party{Name: "agent"}, pending.JoinOptions{})
	defer agent.Leave()
	person := w.Join(pending.Party{Name: "person"}, pending.JoinOptions{})
	defer person.Leave()

	ctx := context.Background()
	_, err = agent.Push(ctx, pending.New{
		Label: "Fix the spelling",
		Proposal: &pending.Proposal{Files: []pending.FileProposal{{
			Path: "greeting.txt", Text: text,
			Hunks: []pending.Hunk{{Start: 7, End: 11, Before: "wrld", After: "world"}},
		}}},
	})
	if err != nil {
		panic(err)
	}
	top, _ := w.Peek()
	fmt.Printf("%s, by %s: %s\n", top.Label, top.By.Name, top.State)

	res, err := person.Resolve(ctx, pending.Resolution{Decision: pending.DecisionApply, Reason: "thanks"})
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Text)
	_, err = person.Resolve(ctx, pending.Resolution{Decision: pending.DecisionApply})
	fmt.Println(err)

	// Output:
	// Fix the spelling, by agent: pending
	// Applied: Fix the spelling. Reason: thanks
	// greeting.txt: 1 replacement, written to disk
	// No pending action to resolve. Nothing to apply or discard.
}
