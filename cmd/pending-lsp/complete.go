package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
)

// completeTimeout bounds what a press of the tab key may take.
const completeTimeout = 2 * time.Second

// completeActions completes the ids of what is pending, with the labels for
// shells that show them.
func (p *program) completeActions(o *connectOptions) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 && cmd.Name() != "resolve" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completeTimeout)
		defer cancel()
		c, err := p.connect(ctx, *o)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer c.Close(ctx)
		list, err := c.List(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var out []cobra.Completion
		for _, a := range list.Actions {
			out = append(out, cobra.CompletionWithDesc(a.ID, lsp.Visible(a.Label)))
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
