package agent_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// An agent previews an edit, another session decides, and the agent learns why.
// A program outside of this package gets its Client from [agent.Dial].
func Example() {
	ctx := context.Background()
	dir := exampleProject()
	defer os.RemoveAll(dir)
	join := exampleDaemon(ctx)

	c, err := agent.New(ctx, join(), dir, agent.Options{Name: "my agent"})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close(ctx)
	changes := make(chan wire.DidChangeParams, 10)
	if err := c.Subscribe(ctx, func(p wire.DidChangeParams) { changes <- p }); err != nil {
		log.Fatal(err)
	}
	<-changes // what was there already

	_, details, err := c.ASTEdit(ctx, wire.ASTEditParams{
		Ops:  []wire.Op{{Pat: "log.Printf($FMT, $$$ARGS)", Out: "slog.Info(fmt.Sprintf($FMT, $$$ARGS))"}},
		Lang: "go",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("previewed", details.TotalReplacements, "replacement, applied:", details.Applied)
	fmt.Println("the stack is", (<-changes).Depth, "deep")

	// Meanwhile, somebody else, or an editor:
	other, err := agent.New(ctx, join(), dir, agent.Options{Name: "reviewer"})
	if err != nil {
		log.Fatal(err)
	}
	defer other.Close(ctx)
	if _, _, err := other.Resolve(ctx, wire.ResolveParams{Action: "discard", Reason: "slog wants attributes"}); err != nil {
		log.Fatal(err)
	}

	verdict, err := c.Await(ctx, wire.AwaitParams{ID: details.ActionID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s by %s: %s\n", verdict.State, verdict.By.Name, verdict.Reason)

	// Output:
	// previewed 1 replacement, applied: false
	// the stack is 1 deep
	// discarded by reviewer: slog wants attributes
}

func exampleProject() string {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	text := "package a\n\nfunc f() { log.Printf(\"%d\", 1) }\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
	return dir
}

// exampleDaemon stands in for the user's daemon.
func exampleDaemon(ctx context.Context) (join func() net.Conn) {
	registry := lsp.NewRegistry(lsp.Config{}, slog.New(slog.DiscardHandler))
	return func() net.Conn {
		ours, theirs := net.Pipe()
		go func() { _ = lsp.Serve(ctx, theirs, lsp.Options{Registry: registry}) }()
		return ours
	}
}
