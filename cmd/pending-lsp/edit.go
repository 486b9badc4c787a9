package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pending-lsp/pending-lsp/lsp"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

type editOptions struct {
	pattern, rewrite string
	lang, selector   string
	strictness       string
	globs            []string
	limit            int
	opsFile          string
	json, push       bool
	allowBroken      bool
	allowInvalidUTF8 bool
	label            string
	connect          connectOptions
}

func (p *program) editCommand() *cobra.Command {
	var o editOptions
	cmd := &cobra.Command{
		Use:   "edit -p PATTERN -r REWRITE [PATH...]",
		Short: "Preview a structural edit; --push leaves it pending",
		Long: `Preview a structural edit. Patterns are code with holes, as in ast-grep: $A is one
node, $$$A any number of them. Nothing is ever written; with --push the edit is
left pending on the workspace's stack, for a person or "resolve" to apply.

Exit status: 0 there are changes, 1 there are none, 2 the request is wrong.`,
		Example: `  pending-lsp edit -p 'console.log($$$A)' -r 'logger.debug($$$A)' -l ts web/
  pending-lsp edit -p 'errors.Wrap($E, $M)' -r 'fmt.Errorf("%s: %w", $M, $E)' -l go --push`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.edit(cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.pattern, "pattern", "p", "", "code to look for")
	f.StringVarP(&o.rewrite, "rewrite", "r", "", "code to put in its place; empty deletes")
	f.StringVarP(&o.lang, "lang", "l", "", "language (needed when PATHs hold several)")
	f.StringVar(&o.selector, "selector", "", "node kind inside the pattern to match; the rest of the pattern is its context")
	f.StringVar(&o.strictness, "strictness", "", "cst, smart (default), ast, relaxed, signature or template")
	f.StringArrayVar(&o.globs, "globs", nil, `only files that match; "!GLOB" excludes`)
	f.IntVar(&o.limit, "limit", 0, "stop after this many replacements; 0 means no limit")
	f.StringVar(&o.opsFile, "ops", "", `JSON file of several rules: [{"pat": "...", "out": "..."}]; "-" is standard input`)
	f.BoolVar(&o.allowBroken, "allow-broken", false, "let rewrites through that leave a syntax error")
	f.BoolVar(&o.allowInvalidUTF8, "allow-invalid-utf8", false, "search files that are not valid UTF-8 too")
	f.BoolVar(&o.json, "json", false, "print the changes as JSON")
	f.BoolVar(&o.push, "push", false, "leave the edit pending")
	f.StringVar(&o.label, "label", "", "what to call it on the stack")
	o.connect.flags(cmd)
	return cmd
}

// editReport is what edit --json prints; the form is part of the interface.
type editReport struct {
	Changes           []wire.Change     `json:"changes"`
	FileChanges       []wire.Count      `json:"fileChanges"`
	TotalReplacements int               `json:"totalReplacements"`
	FilesTouched      int               `json:"filesTouched"`
	FilesSearched     int               `json:"filesSearched"`
	Applied           bool              `json:"applied"`
	LimitReached      bool              `json:"limitReached"`
	ParseErrors       []wire.ParseError `json:"parseErrors"`
	Warnings          []wire.Warning    `json:"warnings"`
	ActionID          string            `json:"actionId,omitempty"`

	diff string
}

func (p *program) edit(cmd *cobra.Command, o editOptions, paths []string) error {
	params, err := p.editParams(cmd, o, paths)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	preview := previewHere
	if o.push {
		preview = func(ctx context.Context, params wire.ASTEditParams) (*editReport, error) {
			return p.previewAndPush(ctx, o.connect, params)
		}
	}
	report, err := preview(cmd.Context(), params)
	if err != nil {
		return err
	}
	if o.json {
		if err := p.printJSON(report); err != nil {
			return err
		}
	} else {
		p.printReport(report)
	}
	if report.TotalReplacements == 0 {
		return &exitError{code: exitNothing}
	}
	return nil
}

// editParams reads the flags. PATHs are made absolute: they are relative to the
// current directory, the engine's to the workspace.
func (p *program) editParams(cmd *cobra.Command, o editOptions, paths []string) (wire.ASTEditParams, error) {
	params := wire.ASTEditParams{
		Lang: o.lang, Glob: o.globs, Sel: o.selector, Strictness: o.strictness,
		Limit: o.limit, Label: o.label, Changes: o.json,
		AllowBroken: o.allowBroken, AllowInvalidUTF8: o.allowInvalidUTF8,
	}
	cwd, err := os.Getwd()
	if err != nil {
		return params, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		params.Path = append(params.Path, path)
	}
	switch hasPattern := cmd.Flags().Changed("pattern"); {
	case o.opsFile != "" && hasPattern:
		return params, errors.New("give either --ops or --pattern, not both")
	case o.opsFile != "":
		params.Ops, err = p.readOps(o.opsFile)
	case !hasPattern:
		err = errors.New("a pattern is needed: -p PATTERN -r REWRITE")
	case !cmd.Flags().Changed("rewrite"):
		err = errors.New("a rewrite is needed: -r REWRITE (-r '' deletes what matches)")
	default:
		params.Ops = []wire.Op{{Pat: o.pattern, Out: o.rewrite}}
	}
	return params, err
}

func (p *program) readOps(path string) ([]wire.Op, error) {
	data, err := p.readFile(path)
	if err != nil {
		return nil, err
	}
	var ops []wire.Op
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&ops); err != nil {
		return nil, fmt.Errorf("--ops %s: %w", path, err)
	}
	return ops, nil
}

// previewHere previews against the disk, with no daemon.
func previewHere(ctx context.Context, params wire.ASTEditParams) (*editReport, error) {
	details, diff, err := lsp.Preview(ctx, engine(slog.New(slog.DiscardHandler)), ".", params)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return newReport(*details, diff), nil
}

// previewAndPush lets the daemon preview, which sees unsaved buffers, and
// leaves the result pending.
func (p *program) previewAndPush(ctx context.Context, o connectOptions, params wire.ASTEditParams) (*editReport, error) {
	c, err := p.connect(ctx, o)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	_, details, err := c.ASTEdit(ctx, params)
	if err != nil {
		return nil, refusal(err)
	}
	if details.ActionID == "" {
		return newReport(*details, ""), nil
	}
	preview, err := c.Preview(ctx, wire.PreviewParams{ID: details.ActionID})
	if err != nil {
		return nil, refusal(err)
	}
	return newReport(*details, preview.Diff), nil
}

func newReport(d wire.ASTEditDetails, diff string) *editReport {
	r := &editReport{
		Changes: orEmpty(d.Changes), FileChanges: orEmpty(d.FileReplacements),
		TotalReplacements: d.TotalReplacements, FilesTouched: d.FilesTouched, FilesSearched: d.FilesSearched,
		LimitReached: d.LimitReached, ParseErrors: orEmpty(d.ParseErrors), Warnings: orEmpty(d.Warnings),
		ActionID: d.ActionID, diff: diff,
	}
	return r
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (p *program) printReport(r *editReport) {
	p.printDiff(r.diff)
	for _, w := range r.Warnings {
		p.warn(w.Path, w.Line, w.Message)
	}
	for _, e := range r.ParseErrors {
		p.warn(e.Path, e.Line, e.Message+"; matches near it may be missing")
	}
	if r.TotalReplacements == 0 {
		fmt.Fprintf(p.err, "no changes (%s searched)\n", plural(r.FilesSearched, "file"))
		return
	}
	state := "preview only, nothing is written; --push leaves it pending"
	if r.ActionID != "" {
		state = "pending as " + r.ActionID
	}
	fmt.Fprintf(p.err, "%s; %s\n", countOf(r), state)
	if r.LimitReached {
		fmt.Fprintln(p.err, "the limit was reached: there are more")
	}
}

func (p *program) warn(path string, line int, message string) {
	place := ""
	switch {
	case line > 0:
		place = fmt.Sprintf("%s:%d: ", lsp.Visible(path), line)
	case path != "":
		place = lsp.Visible(path) + ": "
	}
	fmt.Fprintf(p.err, "warning: %s%s\n", place, message)
}

func countOf(r *editReport) string {
	return plural(r.TotalReplacements, "replacement") + " in " + plural(r.FilesTouched, "file")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
