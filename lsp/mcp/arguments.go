package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// invalidArguments is how the SDK begins to say that arguments do not fit the
// schema of a tool.
const invalidArguments = `validating "arguments": `

var schemaPath = regexp.MustCompile(`validating (\S+): `)

// teachArguments words what is wrong with the arguments of a call for a model:
// where, what, and how it is done right.
func (s *server) teachArguments(tool string, r *mcp.CallToolResult) {
	if !r.IsError || len(r.Content) == 0 {
		return
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok || !strings.HasPrefix(text.Text, invalidArguments) {
		return
	}
	where, why := "", strings.TrimPrefix(text.Text, invalidArguments)
	for _, m := range schemaPath.FindAllStringSubmatch(why, -1) {
		if m[1] != "root" {
			where = m[1]
		}
	}
	why = schemaPath.ReplaceAllString(why, "")
	if where != "" {
		why = strings.NewReplacer("/properties/", ".", "/items", "[]").Replace(where)[1:] + ": " + why
	}
	s.mu.Lock()
	example := s.examples[tool]
	s.mu.Unlock()
	text.Text = fmt.Sprintf("The arguments of %s do not fit: %s. Nothing was done. An example: %s", tool, why, example)
}

// remember keeps the first example in the schema of a tool's arguments.
func (s *server) remember(t *mcp.Tool) {
	example := any(map[string]any{})
	if in, ok := t.InputSchema.(*jsonschema.Schema); ok && len(in.Examples) > 0 {
		example = in.Examples[0]
	}
	data, err := json.Marshal(example)
	if err != nil {
		panic(err) // the examples are ours
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.examples[t.Name] = string(data)
}
