package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) listCommand() *cobra.Command {
	var o connectOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the pending actions of the current directory's workspace, top first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.ListResult, error) {
				return c.List(cmd.Context())
			}, p.printList)
		},
	}
	o.jsonFlag(cmd, "the list")
	o.flags(cmd)
	return cmd
}

func (p *program) printList(list *wire.ListResult) {
	if !list.HasPending {
		fmt.Fprintln(p.out, "nothing is pending")
		return
	}
	for i, a := range list.Actions {
		mark := "  "
		if i == 0 {
			mark = "->"
		}
		flags := ""
		if a.Stale {
			flags += " (stale)"
		}
		if a.Orphaned {
			flags += " (orphaned)"
		}
		if a.State != "pending" {
			flags += " (" + a.State + ")"
		}
		fmt.Fprintf(p.out, "%s %s  %s%s\n", mark, a.ID, a.Label, flags)
		fmt.Fprintf(p.out, "     by %s through %s, %s\n", lsp.Visible(a.By.Name), lsp.Visible(a.SourceToolName), ago(a.CreatedAt))
		for _, f := range a.Files {
			fmt.Fprintf(p.out, "     %s: %d\n", lsp.Visible(f.Path), len(f.Hunks))
		}
	}
}

func ago(stamp string) string {
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return stamp
	}
	d := time.Since(at).Round(time.Second)
	if d < time.Second {
		return "just now"
	}
	return d.String() + " ago"
}

func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return &exitError{exitRefused, err}
	}
	return nil
}
