package astedit

import (
	"slices"
	"strings"
	"testing"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// samples are pieces of code of which one should fit into any placement.
var samples = []string{
	"", "x", "X", "x;", "x: y", "x = 1", "int x;", "int x", "x: int", "f();", "f()", "case 1: x;", "case 1 => x", "case x => y", "case 1:\n  x",
	"case x:\nf()", "case <-x:\nf()", "case int:\nf()", "void f();", "f() {}", "fn f() {}", "x: u8,", "x int", "f() int", "import x", `"x"`,
	"catch (e) {}", "catch (E e) {}", "except E:\n  x", "else:\n  y", "x => y", "x => y,", "x -> y", "| X -> y", "y -> x", "X = 1;", "int32 x = 1;",
	"rpc F(A) returns (B);", "@Foo", "@foo", "def f = 1", "when 1\n x", "rescue E\n x", "x int,", "x=1", ".x", "a.b", "A = 1", "A", "a) b ;;", "X x", "X f;",
	"x Integer", "x -> 1", "1 -> x", "case 1: x", "var x: Int { get }", "default: x", "int", "$x", "catch (E $e) {}", "case 1: f();", "$x = 1", "public $x;", "A of int",
	"e", "syntax = \"proto3\";", "let x = 1", "x[0]", "catch { }", "return x", "x INT", "{ x: y; }",
}

// A placement is of use only when something parses cleanly in it.
func TestPlacementsParse(t *testing.T) {
	for i := range languages {
		l := &languages[i]
		grammar, err := l.load()
		if err != nil {
			t.Fatal(err)
		}
		parser, err := flat.NewParser(grammar)
		if err != nil {
			t.Fatal(err)
		}
		defer parser.Close()
		for _, p := range l.placements() {
			clean := slices.ContainsFunc(samples, func(s string) bool {
				tree, err := parser.Parse(t.Context(), []byte(p.before+s+p.after))
				return err == nil && !tree.HasError()
			})
			if !clean {
				t.Errorf("%s: nothing parses as %s: %q", l.Name, p.name, p.before+"…"+p.after)
			}
		}
	}
}

// The table must be unambiguous and sorted, and every disguise must be a name.
func TestLanguageTable(t *testing.T) {
	names := map[string]string{}
	for i, l := range languages {
		if i > 0 && languages[i-1].Name >= l.Name {
			t.Errorf("%s is not in order", l.Name)
		}
		for _, key := range slices.Concat([]string{l.Name}, l.Aliases) {
			if names[key] != "" || key != strings.ToLower(key) {
				t.Errorf("%s: name %s is taken by %s, or not lower-case", l.Name, key, names[key])
			}
			names[key] = l.Name
		}
		for _, key := range slices.Concat(prefixed(".", l.Extensions), prefixed("/", l.FileNames), prefixed("!", l.Shebangs)) {
			if names[key] != "" {
				t.Errorf("%s: %s belongs to %s", l.Name, key, names[key])
			}
			names[key] = l.Name
		}
	}
}

func prefixed(prefix string, words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = prefix + w
	}
	return out
}

func TestLanguageOfFiles(t *testing.T) {
	for name, want := range map[string]string{
		"a.go": "go", "x/Dockerfile": "dockerfile", "a.test.ts": "typescript", "A.PY": "python", "noext": "", ".bashrc": "bash", "a.": "", "Gemfile": "ruby",
		"a.d.mts": "typescript", "x.unknown": "",
	} {
		if got := builtin.Of(name); got != want {
			t.Errorf("Of(%q) = %q, want %q", name, got, want)
		}
	}
	for line, want := range map[string]string{
		"#!/usr/bin/env python3\n": "python", "#!/bin/sh -e\n": "bash", "#! /usr/bin/env -S node --x\n": "javascript", "#!/usr/bin/env A=b ruby": "ruby", "#!": "", "x": "",
		"#!/usr/bin/python3.12\n": "python",
	} {
		got := ""
		if l := builtin.ofShebang([]byte(line)); l != nil {
			got = l.Name
		}
		if got != want {
			t.Errorf("shebang %q is %q, want %q", line, got, want)
		}
	}
}
