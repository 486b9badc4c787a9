package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) logCommand() *cobra.Command {
	var o connectOptions
	var limit int
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Say who did what, when and why, the latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.LogResult, error) {
				return c.Log(cmd.Context(), wire.LogParams{Limit: limit})
			}, p.printLog)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most this many entries; 0 means all")
	o.jsonFlag(cmd, "the log")
	o.flags(cmd)
	return cmd
}

func (p *program) printLog(log *wire.LogResult) {
	for _, e := range log.Entries {
		fmt.Fprintf(p.out, "%s  %-7s  %s  by %s", e.Time, e.Cause, lsp.Visible(e.Label), lsp.Visible(e.By.Name))
		switch {
		case e.Approver == nil && e.Cause == "decline":
			fmt.Fprint(p.out, ", nobody there to approve")
		case e.Approver != nil && e.Cause == "decline":
			fmt.Fprintf(p.out, ", declined by %s", lsp.Visible(e.Approver.Name))
		case e.Approver != nil:
			fmt.Fprintf(p.out, ", approved by %s", lsp.Visible(e.Approver.Name))
		}
		if e.Reason != "" {
			fmt.Fprintf(p.out, ": %s", lsp.Visible(e.Reason))
		}
		fmt.Fprintln(p.out)
	}
}
