package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/daemon"
)

// connectOptions are the flags of commands that speak to the daemon.
type connectOptions struct {
	remote string
	json   bool
}

// jsonFlag adds --json, which prints what.
func (o *connectOptions) jsonFlag(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&o.json, "json", false, "print "+what+" as JSON")
}

func (o *connectOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.remote, "remote", "auto", `the daemon: "auto" (yours, started when there is none) or "unix;PATH"`)
}

// daemon is the daemon that the flags name.
func (o *connectOptions) daemon() (daemon.Remote, error) {
	remote := daemon.Remote(o.remote)
	if err := remote.Check(); err != nil {
		return "", &exitError{exitUsage, err}
	}
	if remote == daemon.None {
		return "", &exitError{exitUsage, errors.New("remote=none: a stack of this process alone would be empty")}
	}
	return remote, nil
}

// ask joins the workspace of the current directory, asks the daemon something and
// prints the answer: as JSON, or in print's words. A refusal becomes an exit code.
func ask[T any](ctx context.Context, p *program, o connectOptions, request func(*agent.Client) (T, error), print func(T)) error {
	c, err := p.connect(ctx, o)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	answer, err := request(c)
	switch {
	case err != nil:
		return refusal(err)
	case o.json:
		return p.printJSON(answer)
	}
	print(answer)
	return nil
}

// connect joins the workspace of the current directory.
func (p *program) connect(ctx context.Context, o connectOptions) (*agent.Client, error) {
	return p.connectAs(ctx, o, agent.Options{})
}

// connectAs is connect with options of the session's own.
func (p *program) connectAs(ctx context.Context, o connectOptions, a agent.Options) (*agent.Client, error) {
	remote, err := o.daemon()
	if err != nil {
		return nil, err
	}
	starter, err := p.starter()
	if err != nil {
		return nil, &exitError{exitRefused, err}
	}
	a.Name, a.Version = "pending-lsp command line", version()
	c, err := agent.DialDaemon(ctx, starter, remote, ".", a)
	if err != nil {
		return nil, &exitError{exitRefused, err}
	}
	return c, nil
}

// refusal turns what a server refused into an exit code: bad arguments and
// patterns are the caller's to mend, an empty stack is nothing to do.
func refusal(err error) error {
	var refused *agent.Error
	if !errors.As(err, &refused) {
		return &exitError{exitRefused, err}
	}
	switch refused.Data.Kind {
	case "emptyStack":
		return &exitError{exitNothing, err}
	case "invalidPattern", "unsupportedLanguage", "languageRequired", "overlap", "outsideWorkspace", "invalidRequest", "notFound", "unknownAction", "invalidResolution", "introducesParseError", "parseError":
		return &exitError{exitUsage, err}
	}
	if refused.Code == -32602 {
		return &exitError{exitUsage, err}
	}
	return &exitError{exitRefused, err}
}
