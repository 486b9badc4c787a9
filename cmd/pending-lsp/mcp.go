package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	mcpserver "github.com/pending-lsp/pending-lsp/lsp/mcp"
)

type mcpOptions struct {
	workspaces    []string
	alwaysResolve bool
	logfile       string
	connect       connectOptions
}

func (p *program) mcpCommand() *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the Model Context Protocol on standard input and output",
		Long: `Serve MCP, for a coding agent to start. The agent gets the tools ast_edit,
pending_list, pending_show, resolve, await_resolution, undo and explain_pattern,
on the stacks that your editors show.

The workspaces are the roots that the client names, else --workspace, else the
current directory.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.mcp(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.workspaces, "workspace", nil, "folder of a workspace, for clients that name no roots; may be repeated (default: the current directory)")
	f.BoolVar(&o.alwaysResolve, "always-resolve", false, "list the tool resolve also while nothing is pending, for clients that do not follow changes of the list")
	f.StringVar(&o.logfile, "logfile", "", "append the log to this file")
	o.connect.flags(cmd)
	return cmd
}

func (p *program) mcp(ctx context.Context, o mcpOptions) error {
	remote, err := o.connect.daemon()
	if err != nil {
		return err
	}
	starter, err := p.starter()
	if err != nil {
		return &exitError{exitRefused, err}
	}
	logs, err := openLog(o.logfile, p.err)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	defer logs.Close()
	folders, err := absolute(o.workspaces)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	err = mcpserver.Serve(ctx, mcpStream(p.in, p.out), mcpserver.Options{
		Dial: func(ctx context.Context, folder string, a agent.Options) (*agent.Client, error) {
			return agent.DialDaemon(ctx, starter, remote, folder, a)
		},
		Folders: folders, AlwaysResolve: o.alwaysResolve, Version: version(), Logger: newLogger(logs, false),
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return &exitError{exitRefused, err}
	}
	return nil
}

func mcpStream(in io.Reader, out io.Writer) mcp.Transport {
	return &mcp.IOTransport{Reader: stdio{Reader: in}, Writer: stdio{Writer: out}}
}

// absolute makes folders absolute; none means the current directory.
func absolute(folders []string) ([]string, error) {
	if len(folders) == 0 {
		folders = []string{"."}
	}
	var out []string
	for _, folder := range folders {
		path, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}
