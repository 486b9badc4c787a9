package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The table of languages in docs/patterns.md has those that the server tells of.
func TestLanguagesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/patterns.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "| language | aliases | files |\n|---|---|---|\n")
	var documented []string
	for line := range strings.Lines(table) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " ")
		documented = append(documented, name)
	}
	m := newMachine(t)
	e := m.editor(m.start(), workspace(t))
	known := regexp.MustCompile(`"languages":\[([^\]]*)\]`).FindStringSubmatch(string(e.Server.Capabilities.Experimental))
	if known == nil {
		t.Fatalf("no languages in %s", e.Server.Capabilities.Experimental)
	}
	if got, want := strings.Join(documented, ","), strings.ReplaceAll(known[1], `"`, ""); got != want {
		t.Errorf("documented: %s\nknown: %s", got, want)
	}
}

// Every kind of refusal is in PROTOCOL.md.
func TestErrorKindsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../lsp/wire/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	for _, file := range []string{"../../pending/errors.go", "../../astedit/errors.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`ErrorKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			kinds++
			if !strings.Contains(string(doc), "| `"+m[1]+"` |") {
				t.Errorf("%s of %s is not in PROTOCOL.md", m[1], file)
			}
		}
	}
	if kinds < 20 {
		t.Errorf("only %d kinds found: did the sources change their form?", kinds)
	}
}

// Links between the documents lead somewhere.
func TestLinks(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("not a checkout")
	}
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)
	for _, file := range strings.Fields(string(out)) {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			continue // deleted and not yet committed
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			}
		}
	}
}
