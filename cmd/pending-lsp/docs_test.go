package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var (
	jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")
	tomlArgs  = regexp.MustCompile(`(?m)^args = (\[.*\])$`)
)

// What docs/agents.md says to paste is JSON, and starts this program in a way it
// understands.
func TestAgentSetUps(t *testing.T) {
	doc, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := jsonBlock.FindAllStringSubmatch(string(doc), -1)
	if len(blocks) != 6 {
		t.Errorf("%d set-ups", len(blocks))
	}
	for _, args := range tomlArgs.FindAllStringSubmatch(string(doc), -1) {
		args[1] = `{"command": "pending-lsp", "args": ` + args[1] + "}" // an array of strings is the same in both
		blocks = append(blocks, args)
	}
	for _, block := range blocks {
		var v any
		if err := json.Unmarshal([]byte(block[1]), &v); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
			continue
		}
		args := commandIn(v)
		if len(args) == 0 || args[0] != "pending-lsp" {
			t.Errorf("no command in\n%s", block[1])
			continue
		}
		if out, err := exec.Command(binary, append(args[1:], "--help")...).CombinedOutput(); err != nil || !strings.Contains(string(out), "Serve MCP, for a coding agent") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}

// commandIn finds the command line in a client's configuration.
func commandIn(v any) []string {
	object, _ := v.(map[string]any)
	var line []string
	for _, key := range []string{"command", "args"} {
		switch part := object[key].(type) {
		case string:
			line = append(line, part)
		case []any:
			for _, arg := range part {
				text, _ := arg.(string)
				line = append(line, text)
			}
		}
	}
	if line != nil {
		return line
	}
	for _, member := range object {
		if line := commandIn(member); line != nil {
			return line
		}
	}
	return nil
}
