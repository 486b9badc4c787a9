package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

const astEditDescription = `Preview a structural rewrite of code and leave it pending. Nothing is written: the person's editor shows the preview, and it lands only when it is resolved.

pat is code with holes: $NAME matches one node, $$$NAME any number, $_ is a node without a name; the same name twice must match the same code. Whitespace and comments do not matter. out is the replacement, with the same holes; an empty out deletes. Each pat must be a single node that parses in lang; for a fragment, write the code around it in pat and name the fragment's node kind in sel.

The result has every hunk, numbered, and says what to do next.`

type op struct {
	Pat string `json:"pat" jsonschema:"Code to look for, with $NAME and $$$NAME as holes."`
	Out string `json:"out" jsonschema:"Code to put in its place, with the same holes; empty deletes."`
}

type astEditIn struct {
	scope
	Ops        []op            `json:"ops" jsonschema:"The rewrite rules; all are applied in one pass."`
	Lang       string          `json:"lang,omitempty" jsonschema:"Language, such as go, typescript, tsx, python, rust; needed when the files in scope are of several."`
	Path       wire.StringList `json:"path,omitempty" jsonschema:"Files, folders or globs, relative to the workspace root or absolute inside it; default the whole workspace."`
	Glob       wire.StringList `json:"glob,omitempty" jsonschema:"Only files that match; !GLOB excludes."`
	Sel        string          `json:"sel,omitempty" jsonschema:"Node kind inside pat that is to match; the rest of pat is its context."`
	Strictness string          `json:"strictness,omitempty" jsonschema:"How exactly code must match; default smart."`
	Limit      int             `json:"limit,omitempty" jsonschema:"At most this many replacements; 0 means no limit."`
	Broken     bool            `json:"allowBroken,omitempty" jsonschema:"Let a rewrite through that leaves a syntax error; it is then a warning."`
	Label      string          `json:"label,omitempty" jsonschema:"What to call it on the stack, for the person."`
}

type fileCount struct {
	Path  string `json:"path"`
	Count int    `json:"count" jsonschema:"replacements in the file"`
}

type astEditOut struct {
	ActionID          string      `json:"actionId,omitempty" jsonschema:"the pending action; absent when nothing would change"`
	Depth             int         `json:"depth" jsonschema:"how many actions are pending now"`
	TotalReplacements int         `json:"totalReplacements"`
	FilesTouched      int         `json:"filesTouched"`
	FilesSearched     int         `json:"filesSearched"`
	LimitReached      bool        `json:"limitReached"`
	Files             []fileCount `json:"files" jsonschema:"the first hundred files"`
	Warnings          int         `json:"warnings" jsonschema:"how many there are; the text has them"`
	Applied           bool        `json:"applied" jsonschema:"always false: a preview writes nothing"`
}

// maxListed caps lists in structured results.
const maxListed = 100

var astEditWords = digest.Words{
	Rest: func(id string, next int) string {
		return fmt.Sprintf(`call pending_show with {"id": %q, "from": %d}.`, id, next)
	},
	Next:    `check the hunks, then call resolve with action "apply" or "discard" and a reason, or await_resolution with the action's id to let the person decide.`,
	Explain: "call explain_pattern with the pattern and a snippet of the code that it should match.",
}

func (s *server) addASTEdit() {
	destructive := false
	addTool(s, &mcp.Tool{
		Name: toolASTEdit, Title: "Preview a structural edit", Description: astEditDescription,
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive},
		InputSchema: schema[astEditIn](func(p map[string]*jsonschema.Schema) {
			one := 1
			p["ops"].MinItems = &one
			p["strictness"].Enum = []any{"cst", "smart", "ast", "relaxed", "signature", "template"}
			for _, name := range []string{"path", "glob"} {
				p[name] = &jsonschema.Schema{Description: p[name].Description, AnyOf: []*jsonschema.Schema{
					{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}},
				}}
			}
			zero := 0.0
			p["limit"].Minimum = &zero
		},
			map[string]any{"ops": []any{map[string]any{"pat": "console.log($$$ARGS)", "out": "logger.debug($$$ARGS)"}}, "lang": "typescript", "path": "src"},
			map[string]any{"ops": []any{map[string]any{"pat": "errors.Wrap($ERR, $MSG)", "out": `fmt.Errorf("%s: %w", $MSG, $ERR)`}}, "lang": "go", "label": "Use %w"},
		),
	}, astEdit)
}

func astEdit(ctx context.Context, c call, arg astEditIn) (string, astEditOut, error) {
	p := wire.ASTEditParams{
		Lang: arg.Lang, Path: arg.Path, Glob: arg.Glob, Sel: arg.Sel, Strictness: arg.Strictness,
		Limit: arg.Limit, AllowBroken: arg.Broken, Label: arg.Label, Changes: true,
	}
	for _, o := range arg.Ops {
		p.Ops = append(p.Ops, wire.Op(o))
	}
	token, stop := c.follow(ctx, c.reporter)
	defer stop()
	p.WorkDoneToken = token
	_, d, err := c.client.ASTEdit(ctx, p)
	if err != nil {
		return "", astEditOut{}, err
	}
	out := astEditOut{
		ActionID: d.ActionID, Depth: d.Depth, TotalReplacements: d.TotalReplacements,
		FilesTouched: d.FilesTouched, FilesSearched: d.FilesSearched, LimitReached: d.LimitReached,
		Files: []fileCount{}, Warnings: len(d.Warnings) + len(d.ParseErrors),
	}
	for _, f := range d.FileReplacements[:min(len(d.FileReplacements), maxListed)] {
		out.Files = append(out.Files, fileCount{Path: f.Path, Count: f.Count})
	}
	label := arg.Label
	if label == "" {
		label = fmt.Sprintf("AST Edit: %s in %s", digest.Plural(d.TotalReplacements, "replacement"), digest.Plural(d.FilesTouched, "file"))
	}
	return digest.ASTEdit(label, d, astEditWords), out, nil
}
