package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) undoCommand() *cobra.Command {
	var o connectOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo",
		Short: "Take back the last applied action",
		Long: `Take back the last action applied in the current directory's workspace, if every
file still is as the apply left it; otherwise say which are not and change nothing.

Exit status: 0 done, 1 there is nothing to take back, 3 refused.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.connect(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer c.Close(cmd.Context())
			result, _, err := c.Undo(cmd.Context(), wire.UndoParams{})
			var refused *agent.Error
			if errors.As(err, &refused) && refused.Data.Kind == "invalidResolution" {
				return &exitError{exitNothing, err}
			}
			if err != nil {
				return refusal(err)
			}
			return p.printResult(result, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	o.flags(cmd)
	return cmd
}
