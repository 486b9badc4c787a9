package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

var encodings = []string{"utf-8", "utf-16", "utf-32"}

func (p *program) pushCommand() *cobra.Command {
	var o connectOptions
	var params wire.PushParams
	var details, encoding string
	cmd := &cobra.Command{
		Use:   "push --label LABEL [FILE]",
		Short: "Leave an edit of your own tool pending",
		Long: `Leave an LSP WorkspaceEdit pending, read as JSON from FILE or standard input. It is
for tools that compute edits themselves; nothing is written until the action is
applied. The action's ID is printed on standard output.

Exit status: 0 done, 2 the request is wrong, 3 refused.`,
		Example: `  my-rename --dry-run old new | pending-lsp push --label 'Rename old to new' --source my-rename`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if params.Edit, err = p.readEdit(args); err != nil {
				return &exitError{exitUsage, err}
			}
			if details != "" {
				if !json.Valid([]byte(details)) {
					return &exitError{exitUsage, errors.New("--details is not JSON")}
				}
				params.Details = json.RawMessage(details)
			}
			if !slices.Contains(encodings, encoding) {
				return &exitError{exitUsage, fmt.Errorf("--encoding must be one of %v, not %q", encodings, encoding)}
			}
			c, err := p.connectAs(cmd.Context(), o, agent.Options{PositionEncoding: encoding})
			if err != nil {
				return err
			}
			defer c.Close(cmd.Context())
			result, d, err := c.Push(cmd.Context(), params, nil)
			if err != nil {
				return refusal(err)
			}
			if o.json {
				return p.printJSON(result)
			}
			fmt.Fprintf(p.err, "%s; pending\n", lsp.Visible(params.Label))
			fmt.Fprintln(p.out, d.ActionID)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&params.Label, "label", "", "what the edit does, in a few words")
	f.StringVar(&params.SourceToolName, "source", "", "name of the tool (default custom_tool)")
	f.StringVar(&details, "details", "", "JSON to hand through to whoever looks at the action")
	f.StringVar(&encoding, "encoding", "utf-16", "what the edit's characters count: utf-8, utf-16 or utf-32 units")
	o.jsonFlag(cmd, "the result")
	_ = cmd.MarkFlagRequired("label")
	_ = cmd.RegisterFlagCompletionFunc("encoding", cobra.FixedCompletions(encodings, cobra.ShellCompDirectiveNoFileComp))
	o.flags(cmd)
	return cmd
}

// readEdit reads the edit from the file named, or from standard input.
func (p *program) readEdit(args []string) (json.RawMessage, error) {
	data, err := p.readFile(append(args, "-")[0])
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("the edit is not a JSON object: %w", err)
	}
	return data, nil
}

// readFile reads a file, or standard input for "-".
func (p *program) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.in)
	}
	return os.ReadFile(name)
}
