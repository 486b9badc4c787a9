package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) showCommand() *cobra.Command {
	var o connectOptions
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show what a pending action would change (the top one if no ID is given)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var params wire.PreviewParams
			if len(args) == 1 {
				params.ID = args[0]
			}
			return ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.PreviewResult, error) {
				return c.Preview(cmd.Context(), params)
			}, func(preview *wire.PreviewResult) {
				fmt.Fprintf(p.err, "%s  %s\n", preview.ID, lsp.Visible(preview.Label))
				p.printDiff(preview.Diff)
			})
		},
	}
	o.jsonFlag(cmd, "the preview")
	cmd.ValidArgsFunction = p.completeActions(&o)
	o.flags(cmd)
	return cmd
}
