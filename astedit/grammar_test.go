package astedit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// buildLibrary compiles C files into a shared library, as people do with grammars.
func buildLibrary(t *testing.T, name string, sources ...string) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), name)
	out, err := exec.CommandContext(t.Context(), "cc", append([]string{"-shared", "-fPIC", "-o", library, "-I", filepath.Dir(sources[0])}, sources...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("cc: %v: %s", err, out)
	}
	return library
}

// tomlLibrary is smacker's TOML, in a library.
func tomlLibrary(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/smacker/go-tree-sitter").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "toml")
	return buildLibrary(t, "toml.so", dir+"/parser.c", dir+"/scanner.c")
}

func loadList(t *testing.T, json string) (*Languages, error) {
	t.Helper()
	list := filepath.Join(t.TempDir(), "grammars.json")
	if err := os.WriteFile(list, []byte(json), 0o600); err != nil {
		t.Fatal(err)
	}
	return LoadLanguages(list)
}

func TestGrammarOfTheUser(t *testing.T) {
	ls, err := loadList(t, `[{"name": "conf", "library": "`+tomlLibrary(t)+`", "symbol": "tree_sitter_toml", "extensions": ["conf"], "aliases": ["cf"]}]`)
	if err != nil {
		t.Fatal(err)
	}
	if err := ls.Check(); err != nil {
		t.Fatal(err)
	}
	src := newSource(t, map[string]string{"a.conf": "[x]\na = 1\nb = \"c\"\n", "b.go": "package b\n"})
	for _, lang := range []string{"conf", "CF"} {
		p, err := Scan(t.Context(), Request{Ops: []Op{{"$K = 1", "$K = 2"}}, Lang: lang, Languages: ls}, src)
		if err != nil {
			t.Fatal(err)
		}
		if p.Lang != "conf" || p.TotalReplacements != 1 || p.Files[0].Hunks[0].After != "a = 2" {
			t.Errorf("%s: %+v", lang, p)
		}
	}
	p, err := Scan(t.Context(), Request{Ops: []Op{{"$K = 1", "$K = 2"}}, Paths: []string{"a.conf"}, Languages: ls}, src)
	if err != nil || p.Lang != "conf" {
		t.Errorf("inferred %v, %v", p, err)
	}
	x, err := Explain(t.Context(), ExplainRequest{Pattern: "$K = 1", Lang: "conf", Languages: ls})
	if err != nil || x.RootKind != "pair" {
		t.Errorf("explained as %+v, %v", x, err)
	}
	// The others are still there, and this build does not know the new one.
	if _, err := Scan(t.Context(), Request{Ops: []Op{{"$A", "$A"}}, Lang: "go", Languages: ls}, src); err != nil {
		t.Error(err)
	}
	if _, err := Scan(t.Context(), Request{Ops: []Op{{"$A", "$A"}}, Lang: "conf"}, src); err == nil {
		t.Error("conf is known without the list")
	}
}

// A newer grammar of a language of this build takes its place.
func TestGrammarReplaces(t *testing.T) {
	ls, err := loadList(t, `[{"name": "toml", "library": "`+tomlLibrary(t)+`", "extensions": ["toml", "lock"]}]`)
	if err != nil {
		t.Fatal(err)
	}
	src := newSource(t, map[string]string{"a.toml": "a = 1\n", "b.lock": "b = 1\n", "Pipfile": "c = 1\n"})
	p, err := Scan(t.Context(), Request{Ops: []Op{{"$K = 1", "$K = 2"}}, Languages: ls}, src)
	if err != nil || p.Lang != "toml" || p.FilesTouched != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	if got, want := len(ls.List()), len(builtin.List()); got != want || ls.Of("Pipfile") != "" || builtin.Of("Pipfile") != "toml" {
		t.Errorf("%d languages, want %d; Pipfile is %q", got, want, ls.Of("Pipfile"))
	}
}

func TestUnusableGrammars(t *testing.T) {
	newer := filepath.Join(t.TempDir(), "newer.c")
	if err := os.WriteFile(newer, []byte("const unsigned grammar[64] = {15};\nconst void *tree_sitter_newer(void) { return grammar; }\nconst void *tree_sitter_none(void) { return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	library := buildLibrary(t, "newer.so", newer)
	for name, c := range map[string]struct{ grammar, want string }{
		"wrong ABI":     {`{"name": "newer", "library": "` + library + `"}`, "ABI 15, this build runs 13 to 14"},
		"no grammar":    {`{"name": "none", "library": "` + library + `"}`, "returns no grammar"},
		"no function":   {`{"name": "other", "library": "` + library + `"}`, "tree_sitter_other"},
		"no library":    {`{"name": "other", "library": "nowhere.so"}`, "nowhere.so"},
		"no name":       {`{"library": "x.so"}`, "no name"},
		"unknown field": {`{"name": "other", "library": "x.so", "path": ""}`, `unknown field "path"`},
		"not JSON":      {`x`, "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			ls, err := loadList(t, "["+c.grammar+"]")
			if err == nil {
				err = ls.Check()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			// Who asks for the language hears it too; the others go on.
			lang := "other"
			for _, known := range []string{"newer", "none"} {
				if strings.Contains(c.grammar, known+`"`) {
					lang = known
				}
			}
			_, err = Explain(t.Context(), ExplainRequest{Pattern: "a", Lang: lang, Languages: ls})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("asked for, got %v, want %q", err, c.want)
			}
			if _, err := Explain(t.Context(), ExplainRequest{Pattern: "a", Lang: "go", Languages: ls}); err != nil {
				t.Error(err)
			}
		})
	}
	if ls, err := LoadLanguages(filepath.Join(t.TempDir(), "none.json")); ls != nil || err != nil {
		t.Errorf("without a list: %v, %v", ls, err)
	}
	if _, err := flat.Open("", "x"); err == nil {
		t.Error("the program itself was opened as a grammar")
	}
}
