package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(p.out, "pending-lsp %s (protocol %d, %s %s/%s)\n", version(), wire.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
