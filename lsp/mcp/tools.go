package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/agent"
	"github.com/pending-lsp/pending-lsp/lsp/digest"
)

// The names of the tools.
const (
	toolASTEdit = "ast_edit"
	toolList    = "pending_list"
	toolShow    = "pending_show"
	toolResolve = "resolve"
	toolAwait   = "await_resolution"
	toolUndo    = "undo"
	toolExplain = "explain_pattern"
)

// in is the argument of a tool: it names the workspace it means.
type in interface{ workspace() string }

// scope is the argument that all tools share.
type scope struct {
	Workspace string `json:"workspace,omitempty" jsonschema:"A folder of the workspace that is meant; needed only when this session has several."`
}

func (s scope) workspace() string { return s.Workspace }

// call is one tool call.
type call struct {
	*seat
	*reporter
}

// handler does the work of a tool and returns the text for the model and the
// same for programs.
type handler[In, Out any] func(ctx context.Context, c call, in In) (string, Out, error)

// addTool registers a tool. A refusal becomes a tool error, which the model sees.
func addTool[In in, Out any](s *server, t *mcp.Tool, run handler[In, Out]) {
	s.remember(t)
	open := false
	t.Annotations.OpenWorldHint = &open
	t.OutputSchema = schema[Out](func(p map[string]*jsonschema.Schema) {
		p[textMember] = &jsonschema.Schema{Type: "string", Description: "what the text content says, for clients that show a model this object alone"}
	})
	mcp.AddTool(s.mcp, t, func(ctx context.Context, req *mcp.CallToolRequest, arg In) (*mcp.CallToolResult, Out, error) {
		var none Out
		st, err := s.seatFor(ctx, req, arg.workspace())
		if err != nil {
			return nil, none, err
		}
		text, out, err := run(ctx, call{st, newReporter(req)}, arg)
		if err != nil {
			return nil, none, st.refusal(err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, out, nil
	})
}

// refusal words an error for a model: the message, which says how to mend the
// request, and the kind.
func (st *seat) refusal(err error) error {
	if st.over() {
		return errGone
	}
	var refused *agent.Error
	if errors.As(err, &refused) {
		if refused.Data.Kind == "" {
			return errors.New(refused.Message)
		}
		message := refused.Message
		if k := refused.Data.Kind; k == "parseError" || k == "introducesParseError" {
			message = "Refused:\n" + strings.TrimSuffix(digest.Quote(message), "\n") // it quotes code
		}
		return fmt.Errorf("%s\n(%s)", message, refused.Data.Kind)
	}
	return err
}

// sayPending ends a tool's result with a line about what is pending.
func (s *server) sayPending(ctx context.Context, r *mcp.CallToolResult) {
	seats := s.everySeat()
	var parts []string
	for _, st := range seats {
		_, _ = st.look(ctx) // what it fails to read is said as it was last read
		if stack := st.stack(); len(stack) > 0 {
			part := fmt.Sprintf("%s, on top %s %q", digest.Plural(len(stack), "action"), stack[0].id, stack[0].label)
			if len(seats) > 1 {
				part += " in " + digest.Visible(st.path())
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		sameText(r)
		return
	}
	defer sameText(r)
	line := "Pending: " + strings.Join(parts, "; ") + ". Call resolve, or await_resolution to let the person decide, before going on."
	for i := len(r.Content) - 1; i >= 0; i-- {
		if text, ok := r.Content[i].(*mcp.TextContent); ok {
			text.Text = strings.TrimRight(text.Text, "\n") + "\n\n" + line
			return
		}
	}
	r.Content = append(r.Content, &mcp.TextContent{Text: line})
}

// textMember is where a structured result repeats the text: some clients, Claude
// Code and Codex among them, show their model nothing else of it.
const textMember = "text"

// sameText puts the text of a result into its structured form too.
func sameText(r *mcp.CallToolResult) {
	data, ok := r.StructuredContent.(json.RawMessage)
	var members map[string]any
	if !ok || json.Unmarshal(data, &members) != nil {
		return
	}
	var text []string
	for _, part := range r.Content {
		if part, ok := part.(*mcp.TextContent); ok {
			text = append(text, part.Text)
		}
	}
	members[textMember] = strings.Join(text, "\n")
	r.StructuredContent = members
}

// schema is T's, with examples and with what the struct tags cannot say.
func schema[T any](more func(properties map[string]*jsonschema.Schema), examples ...any) *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // the types are ours
	}
	neverNull(s)
	if more != nil {
		more(s.Properties)
	}
	s.Examples = examples
	return s
}

// neverNull makes lists plain arrays: a Go slice could be null, ours are not,
// and some clients refuse types that are lists.
func neverNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		neverNull(p)
	}
	if s.Items != nil {
		neverNull(s.Items)
	}
}

// addTools registers all tools.
func (s *server) addTools() {
	s.addASTEdit()
	s.addList()
	s.addShow()
	s.addResolve()
	s.addAwait()
	s.addUndo()
	s.addExplain()
}
