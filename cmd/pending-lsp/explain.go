package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) explainCommand() *cobra.Command {
	var o connectOptions
	var params wire.ExplainPatternParams
	cmd := &cobra.Command{
		Use:   "explain -p PATTERN -l LANG [FILE]",
		Short: "Say how a pattern is read, and what it matches in a file",
		Long: `Say how a pattern of edit is read: the parsed form, its metavariables, and problems
with how to mend them; and with a FILE ("-" is standard input) what it matches there.

Exit status: 0 done, 1 it matches nothing in FILE, 2 the request is wrong.`,
		Example: `  pending-lsp explain -p 'console.log($$$A)' -l ts web/src/board.ts`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				text, err := p.readFile(args[0])
				if err != nil {
					return &exitError{exitUsage, err}
				}
				params.Snippet = string(text)
			}
			matches := 0
			err := ask(cmd.Context(), p, o, func(c *agent.Client) (*wire.ExplainPatternResult, error) {
				x, err := c.ExplainPattern(cmd.Context(), params)
				if err == nil {
					matches = len(x.Matches)
				}
				return x, err
			}, func(x *wire.ExplainPatternResult) { fmt.Fprint(p.out, digest.Explain(x, len(args) == 1)) })
			if err == nil && len(args) == 1 && matches == 0 {
				err = &exitError{code: exitNothing}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVarP(&params.Pat, "pattern", "p", "", "the pattern")
	f.StringVarP(&params.Lang, "lang", "l", "", "its language")
	f.StringVar(&params.Sel, "selector", "", "as in edit")
	f.StringVar(&params.Strictness, "strictness", "", "as in edit")
	o.jsonFlag(cmd, "the explanation")
	_ = cmd.MarkFlagRequired("pattern")
	_ = cmd.MarkFlagRequired("lang")
	o.flags(cmd)
	return cmd
}
