package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) resolveCommand() *cobra.Command {
	var o connectOptions
	var params wire.ResolveParams
	cmd := &cobra.Command{
		Use:   "resolve apply|discard",
		Short: "Apply or discard the top of the stack",
		Long: `Apply or discard the top of the stack of the current directory's workspace.
Files open in an editor change there, unsaved; the others change on disk.

Exit status: 0 done, 1 nothing is pending, 2 the request is wrong, 3 refused.`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"apply", "discard"},
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Action = args[0]
			return ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.ToolResult, error) {
				result, _, err := c.Resolve(cmd.Context(), params)
				return result, err
			}, p.printResult)
		},
	}
	f := cmd.Flags()
	f.StringVar(&params.Reason, "reason", "", "why; kept with the result, it changes nothing")
	f.StringVar(&params.ID, "id", "", "fail unless this action is the one resolved")
	f.StringSliceVar(&params.Hunks, "hunks", nil, "only these hunks, by the ids that list --json has; the rest stays pending")
	f.BoolVar(&params.Cascade, "cascade", false, "with --id: resolve everything above it first, the same way")
	f.BoolVar(&params.AllowPartial, "allow-partial", false, "apply what still matches of a stale action")
	o.jsonFlag(cmd, "the result")
	_ = cmd.RegisterFlagCompletionFunc("id", p.completeActions(&o))
	o.flags(cmd)
	return cmd
}

// printResult prints a tool result for a person.
func (p *program) printResult(result *wire.ToolResult) {
	for _, part := range result.Content {
		fmt.Fprintln(p.out, part.Text)
	}
}
