package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) showCommand() *cobra.Command {
	var o connectOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show what a pending action would change (the top one if no ID is given)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := p.connect(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer c.Close(cmd.Context())
			var params wire.PreviewParams
			if len(args) == 1 {
				params.ID = args[0]
			}
			preview, err := c.Preview(cmd.Context(), params)
			if err != nil {
				return refusal(err)
			}
			if asJSON {
				return p.printJSON(preview)
			}
			fmt.Fprintf(p.err, "%s  %s\n", preview.ID, lsp.Visible(preview.Label))
			p.printDiff(preview.Diff)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the preview as JSON")
	cmd.ValidArgsFunction = p.completeActions(&o)
	o.flags(cmd)
	return cmd
}
