// Command agent is a whole agent.
//
//	agent edit WORKSPACE              propose an edit until somebody accepts it
//	agent rename WORKSPACE EXT FILE…  a custom tool: rename files once somebody says so
//
// It joins the editors that have the same workspace open, through the daemon,
// which `pending-lsp daemon` starts when there is none.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: agent edit WORKSPACE | agent rename WORKSPACE EXT FILE...")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		// The kind of a refusal says why, in one word.
		var refused *agent.Error
		if errors.As(err, &refused) {
			err = fmt.Errorf("refused (%s): %w", refused.Data.Kind, err)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, mode, workspace string, rest []string) error {
	c, err := agent.Dial(ctx, workspace, agent.Options{Name: "go example", Version: "1"})
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if mode == "edit" {
		return edit(ctx, c)
	}
	return batchRenamePreview(ctx, c, workspace, rest[0], rest[1:])
}

var better = regexp.MustCompile(`use ([\w.]+)`)

// edit previews, waits for the verdict, and reacts to the reason for a refusal.
func edit(ctx context.Context, c *agent.Client) error {
	for logger := "logger.debug"; ; {
		_, details, err := c.ASTEdit(ctx, wire.ASTEditParams{
			Ops:  []wire.Op{{Pat: "console.log($$$ARGS)", Out: logger + "($$$ARGS)"}},
			Lang: "typescript",
		})
		if err != nil {
			return err
		}
		if details.ActionID == "" {
			fmt.Println("nothing to do")
			return nil
		}
		fmt.Printf("proposed %s: %d replacements\n", logger, details.TotalReplacements)
		verdict, err := c.Await(ctx, wire.AwaitParams{ID: details.ActionID})
		if err != nil {
			return err
		}
		fmt.Printf("%s by %s: %s\n", verdict.State, verdict.By.Name, verdict.Reason)
		// Here a real agent asks its model. This one knows one answer.
		word := better.FindStringSubmatch(verdict.Reason)
		if verdict.State == "applied" || word == nil {
			return nil
		}
		logger = word[1]
	}
}

// batchRenamePreview is a custom tool that does its own work, in callbacks, when
// it is resolved.
func batchRenamePreview(ctx context.Context, c *agent.Client, workspace, extension string, files []string) error {
	text := func(format, reason string) *wire.CallbackResult {
		return &wire.CallbackResult{Content: []wire.Content{{Type: "text", Text: fmt.Sprintf(format, reason)}}}
	}
	_, details, err := c.Push(ctx, wire.PushParams{
		Label:          fmt.Sprintf("Batch rename: %d files", len(files)),
		SourceToolName: "batch_rename_preview",
		Details:        wire.Encode(map[string]any{"files": files}),
	}, &agent.Callbacks{
		Apply: func(_ context.Context, p wire.ApplyParams) (*wire.CallbackResult, error) {
			for _, name := range files {
				old := filepath.Join(workspace, name)
				if err := os.Rename(old, strings.TrimSuffix(old, filepath.Ext(old))+"."+extension); err != nil {
					return nil, err // the action stays pending
				}
			}
			return text("Applied batch rename. Reason: %s", p.Reason), nil
		},
		Reject: func(_ context.Context, p wire.RejectParams) (*wire.CallbackResult, error) {
			return text("Discarded batch rename. Reason: %s", p.Reason), nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Printf("Prepared rename plan for %d files. Call resolve to apply or discard.\n", len(files))
	verdict, err := c.Await(ctx, wire.AwaitParams{ID: details.ActionID})
	if err != nil {
		return err
	}
	fmt.Println(verdict.Result.Content[0].Text)
	return nil
}
