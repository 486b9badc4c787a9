package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand is for packagers.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return &exitError{exitRefused, err}
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the same source makes the same page
			header := &doc.GenManHeader{Title: "PENDING-LSP", Section: "1", Source: "pending-lsp " + version(), Manual: "pending-lsp"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return &exitError{exitRefused, err}
			}
			return nil
		},
	}
}
