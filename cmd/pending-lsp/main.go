// Command pending-lsp is a language server that shows what a coding agent wants
// to change and lets a person accept it, and the command line to the same.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
)

// Exit codes. They are part of the interface.
const (
	exitDone    = 0
	exitNothing = 1 // nothing to change, nothing pending, or discarded
	exitUsage   = 2 // wrong flags or arguments, or a pattern that cannot work
	exitRefused = 3 // refused or failed; the reason is on stderr
)

// exitError ends the program with a code, after printing err if there is one.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// program is the command line's surroundings.
type program struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	os.Exit(p.run(ctx, os.Args[1:]))
}

// run executes one command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.rootCommand()
	root.SetArgs(doubleDash(root, args))
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		// cobra's own complaints: unknown command, flag or argument.
		exit = &exitError{code: exitUsage, err: err}
	}
	if exit.err != nil {
		fmt.Fprintf(p.err, "pending-lsp: %v\n", exit.err)
	}
	// For scripts that want to tell refusals apart.
	var refused *agent.Error
	if errors.As(err, &refused) && refused.Data.Kind != "" {
		fmt.Fprintf(p.err, "kind: %s\n", refused.Data.Kind)
	}
	return exit.code
}

func (p *program) rootCommand() *cobra.Command {
	var o serveOptions
	root := &cobra.Command{
		Use:   "pending-lsp",
		Short: "See what an agent wants to change, in your editor, before it does",
		Long: `pending-lsp is a language server. An agent proposes a structural edit; nothing
is written. The proposal is pending: your editor shows it where it would change
the code, and you apply or discard it there.

Without a command it serves LSP on standard input and output, for an editor to
start. The other commands are the same for the shell.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), o) },
	}
	o.flags(root.Flags())
	root.AddCommand(
		p.serveCommand(), p.daemonCommand(), p.editCommand(), p.pushCommand(), p.listCommand(),
		p.showCommand(), p.resolveCommand(), p.awaitCommand(), p.undoCommand(), p.logCommand(),
		p.explainCommand(), p.mcpCommand(), p.demoCommand(), p.doctorCommand(), p.versionCommand(), p.manCommand(),
	)
	return root
}

// doubleDash lets long flags be written with one dash, as gopls and other
// language servers have them: -remote=auto, -rpc.trace.
func doubleDash(root *cobra.Command, args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && len(name) > 2 && isServeFlag(root, name) {
			out[i] = "-" + arg
		}
	}
	return out
}

func isServeFlag(root *cobra.Command, name string) bool {
	for _, c := range append(root.Commands(), root) {
		if (c == root || c.Name() == "daemon" || c.Name() == "serve") && c.Flags().Lookup(name) != nil {
			return true
		}
	}
	return false
}

// version is the module's version, or the commit of a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
