package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// finding is one thing that doctor looked at.
type finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func (p *program) doctorCommand() *cobra.Command {
	var o connectOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that editors and agents can meet here",
		Long: `Check the runtime folder, the daemon, its version, the state folder, the grammars
you listed and the workspace of the current directory, and say what is wrong.

Exit status: 0 all is well, 3 something is not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := p.examine(cmd.Context(), o)
			if asJSON {
				if err := p.printJSON(findings); err != nil {
					return err
				}
			}
			for _, f := range findings {
				if asJSON {
					break
				}
				mark := "ok     "
				if !f.OK {
					mark = "PROBLEM"
				}
				fmt.Fprintf(p.out, "%s  %-15s  %s\n", mark, f.What, lsp.Visible(f.Text))
			}
			for _, f := range findings {
				if !f.OK {
					return &exitError{code: exitRefused}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	o.flags(cmd)
	return cmd
}

func (p *program) examine(ctx context.Context, o connectOptions) []finding {
	var out []finding
	add := func(what, text string, err error) {
		if err != nil {
			text = err.Error()
		}
		out = append(out, finding{what, err == nil, text})
	}
	socket, err := socketOf(o)
	add("runtime folder", filepath.Dir(socket), err)
	state, err := writableState()
	add("state folder", state, err)
	count, err := lsp.CheckGrammars(grammarList())
	add("grammars", fmt.Sprintf("%d of your own, in %s", count, grammarList()), err)
	text, err := wishes()
	add("configuration", text, err)
	text, err = p.askDaemon(ctx, o, socket)
	add("daemon", text, err)
	text, err = p.askWorkspace(ctx, o)
	add("workspace", text, err)
	return out
}

func socketOf(o connectOptions) (string, error) {
	remote, err := o.daemon()
	if err != nil {
		return "", err
	}
	if path, ok := remote.Path(); ok {
		return path, nil
	}
	return daemon.DefaultPath()
}

// writableState makes sure that the journal can be written.
func writableState() (string, error) {
	dir, err := stateDir()
	if err != nil {
		return "", err
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return "", err
	}
	return dir, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// wishes says what the user's file wants.
func wishes() (string, error) {
	path, err := configPath()
	if err != nil {
		return "", err
	}
	config, err := readConfig()
	if err != nil || config.Approval == nil {
		return path + " wants nothing", err
	}
	return fmt.Sprintf("%s wants approval %s", path, wire.Encode(config.Approval)), nil
}

// askDaemon starts the daemon if there is none, as any session would.
func (p *program) askDaemon(ctx context.Context, o connectOptions, socket string) (string, error) {
	c, err := p.connect(ctx, o)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	conn, theirs, err := daemon.Dial(ctx, socket, version())
	if err != nil {
		return "", err
	}
	_ = conn.Close()
	if theirs.Version != version() {
		return "", fmt.Errorf("pid %d is pending-lsp %s and this is %s: it goes on serving until its sessions end, or end it with: kill %d", theirs.PID, theirs.Version, version(), theirs.PID)
	}
	return fmt.Sprintf("pid %d, pending-lsp %s, on %s", theirs.PID, theirs.Version, socket), nil
}

func (p *program) askWorkspace(ctx context.Context, o connectOptions) (string, error) {
	root := lsp.WorkspaceRoot(".")
	if home, err := os.UserHomeDir(); err == nil && root == home {
		return "", errors.New("this is your home folder; go to a project")
	}
	c, err := p.connect(ctx, o)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	list, err := c.List(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s pending", root, plural(list.Depth, "action")), nil
}
