package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) undoCommand() *cobra.Command {
	var o connectOptions
	cmd := &cobra.Command{
		Use:   "undo",
		Short: "Take back the last applied action",
		Long: `Take back the last action applied in the current directory's workspace, if every
file still is as the apply left it; otherwise say which are not and change nothing.

Exit status: 0 done, 1 there is nothing to take back, 3 refused.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.ToolResult, error) {
				result, _, err := c.Undo(cmd.Context(), wire.UndoParams{})
				return result, err
			}, p.printResult)
			var refused *agent.Error
			if errors.As(err, &refused) && refused.Data.Kind == "invalidResolution" {
				return &exitError{exitNothing, err}
			}
			return err
		},
	}
	o.jsonFlag(cmd, "the result")
	o.flags(cmd)
	return cmd
}
