package wire

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented are the types that PROTOCOL.md has a table for.
var documented = map[string]any{
	"InitializationOptions": InitializationOptions{},
	"Capability":            Capability{},
	"ToolResult":            ToolResult{},
	"ASTEditParams":         ASTEditParams{},
	"ASTEditDetails":        ASTEditDetails{},
	"Change":                Change{},
	"PushParams":            PushParams{},
	"PushDetails":           PushDetails{},
	"ResolveParams":         ResolveParams{},
	"ResolveDetails":        ResolveDetails{},
	"ListParams":            ListParams{},
	"ListResult":            ListResult{},
	"Action":                Action{},
	"Hunk":                  Hunk{},
	"PreviewParams":         PreviewParams{},
	"PreviewResult":         PreviewResult{},
	"DidChangeParams":       DidChangeParams{},
	"ActionData":            ActionData{},
	"ErrorData":             ErrorData{},
	"AwaitParams":           AwaitParams{}, "AwaitResult": AwaitResult{}, "UndoParams": UndoParams{},
	"LogParams": LogParams{}, "LogEntry": LogEntry{},
	"ExplainPatternParams": ExplainPatternParams{}, "ExplainPatternResult": ExplainPatternResult{},
	"ApplyParams": ApplyParams{}, "RejectParams": RejectParams{}, "CallbackResult": CallbackResult{},
}

var (
	tableMark = regexp.MustCompile(`(?s)<!-- wire:(\w+) -->\n\| field .*?\n\|[-|]+\|\n(.*?)\n\n`)
	firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	command   = regexp.MustCompile("pending-lsp[./][a-zA-Z]+")
)

// PROTOCOL.md and the Go types say the same, member by member.
func TestProtocolDocument(t *testing.T) {
	doc := readDocument(t)
	seen := map[string]bool{}
	for _, m := range tableMark.FindAllStringSubmatch(doc, -1) {
		name, table := m[1], m[2]
		seen[name] = true
		v, ok := documented[name]
		if !ok {
			t.Errorf("PROTOCOL.md has a table for %s, which this test does not know", name)
			continue
		}
		var inDoc []string
		for _, cell := range firstCell.FindAllStringSubmatch(table+"\n", -1) {
			inDoc = append(inDoc, cell[1])
		}
		if inGo := members(reflect.TypeOf(v)); !slices.Equal(inDoc, inGo) {
			t.Errorf("%s: PROTOCOL.md has %q, the Go type %q", name, inDoc, inGo)
		}
	}
	for name := range documented {
		if !seen[name] {
			t.Errorf("PROTOCOL.md has no table for %s", name)
		}
	}
}

// Every command and notification has a heading, and none is made up.
func TestProtocolDocumentNames(t *testing.T) {
	doc := readDocument(t)
	known := []string{
		CommandASTEdit, CommandPush, CommandResolve, CommandPeek, CommandList, CommandPreview,
		CommandAwait, CommandUndo, CommandLog, CommandExplain,
		NotificationDidChange, RequestApply, RequestReject,
	}
	var headed []string
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(line, "### ") {
			headed = append(headed, command.FindAllString(line, -1)...)
		}
	}
	slices.Sort(headed)
	slices.Sort(known)
	if !slices.Equal(headed, known) {
		t.Errorf("headings of PROTOCOL.md: %q, in Go: %q", headed, known)
	}
}

func readDocument(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// members lists the JSON members of a struct in order.
func members(typ reflect.Type) []string {
	var out []string
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}
