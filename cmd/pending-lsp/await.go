package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) awaitCommand() *cobra.Command {
	var o connectOptions
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "await ID",
		Short: "Wait until an action is applied or discarded",
		Long: `Wait until an action is resolved, by whomever, and say how and why.

Exit status: 0 applied, 1 discarded or still pending after --timeout, 2 the
request is wrong, 3 refused.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			state := ""
			err := ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.AwaitResult, error) {
				verdict, err := c.Await(cmd.Context(), wire.AwaitParams{ID: args[0], TimeoutMs: int(timeout.Milliseconds())})
				if err == nil {
					state = verdict.State
				}
				return verdict, err
			}, p.printVerdict)
			if err == nil && state != "applied" {
				err = &exitError{code: exitNothing}
			}
			return err
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "give up after this long; 0 means never")
	o.jsonFlag(cmd, "the verdict")
	cmd.ValidArgsFunction = p.completeActions(&o)
	o.flags(cmd)
	return cmd
}

func (p *program) printVerdict(r *wire.AwaitResult) {
	if r.By == nil {
		fmt.Fprintln(p.out, r.State)
		return
	}
	fmt.Fprintf(p.out, "%s by %s", r.State, lsp.Visible(r.By.Name))
	if r.Approver != nil {
		fmt.Fprintf(p.out, ", approved by %s", lsp.Visible(r.Approver.Name))
	}
	if r.Reason != "" {
		fmt.Fprintf(p.out, ": %s", lsp.Visible(r.Reason))
	}
	fmt.Fprintln(p.out)
}
