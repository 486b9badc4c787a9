package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) logCommand() *cobra.Command {
	var o connectOptions
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Say who did what, when and why, the latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.connect(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer c.Close(cmd.Context())
			result, err := c.Log(cmd.Context(), wire.LogParams{Limit: limit})
			if err != nil {
				return refusal(err)
			}
			if asJSON {
				return p.printJSON(result)
			}
			for _, e := range result.Entries {
				fmt.Fprintf(p.out, "%s  %-7s  %s  by %s", e.Time, e.Cause, lsp.Visible(e.Label), lsp.Visible(e.By.Name))
				if e.Approver != nil {
					verb := "approved"
					if e.Cause == "decline" {
						verb = "declined"
					}
					fmt.Fprintf(p.out, ", %s by %s", verb, lsp.Visible(e.Approver.Name))
				}
				if e.Reason != "" {
					fmt.Fprintf(p.out, ": %s", lsp.Visible(e.Reason))
				}
				fmt.Fprintln(p.out)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most this many entries; 0 means all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the log as JSON")
	o.flags(cmd)
	return cmd
}
