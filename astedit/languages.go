package astedit

import (
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// unsupported says why some languages people ask for are missing.
var unsupported = map[string]string{
	"json": "There is no JSON grammar in this build; most JSON parses as javascript when lang says so and a path names the file.",
}

// languages is the table of languages. A new one is a new row.
var languages = []language{
	{
		LanguageInfo: LanguageInfo{Name: "go", Aliases: []string{"golang"}, Extensions: []string{"go"}},
		Expando:      "µ",
		Grammar:      golang.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "package p\nfunc _() {\n", after: "\n}\n"},
			{name: "expression", before: "package p\nvar _ = ", after: "\n", fallback: true},
			{name: "type", before: "package p\nvar _ ", after: "\n", fallback: true},
			{name: "case", before: "package p\nfunc _() {\nswitch x {\n", after: "\n}\n}\n", fallback: true},
			{name: "select case", before: "package p\nfunc _() {\nselect {\n", after: "\n}\n}\n", fallback: true},
			{name: "struct field", before: "package p\ntype _ struct {\n", after: "\n}\n", fallback: true},
			{name: "interface method", before: "package p\ntype _ interface {\n", after: "\n}\n", fallback: true},
			{name: "parameter", before: "package p\nfunc _(", after: ") {}\n", fallback: true},
			{name: "import", before: "package p\nimport (\n", after: "\n)\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "javascript", Aliases: []string{"js", "jsx"}, Extensions: []string{"js", "jsx", "cjs", "mjs"}},
		Shebangs:     []string{"node", "nodejs"},
		Grammar:      javascript.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "(", after: "\n)", fallback: true},
			{name: "class member", before: "class _ {\n", after: "\n}", fallback: true},
			{name: "property", before: "({\n", after: "\n})", fallback: true},
			{name: "switch case", before: "switch (x) {\n", after: "\n}", fallback: true},
			{name: "function body", before: "async function* _() {\n", after: "\n}", fallback: true},
			{name: "JSX attribute", before: "<a ", after: "/>", fallback: true},
			{name: "parameter", before: "function _(", after: "\n) {}", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "python", Aliases: []string{"py", "python3"}, Extensions: []string{"py", "py3", "pyi", "pyw", "bzl", "bazel"}, FileNames: []string{"SConstruct", "SConscript", "BUILD", "WORKSPACE"}},
		Shebangs:     []string{"python", "pypy"},
		Expando:      "µ",
		Grammar:      python.GetLanguage,
		Placements: []placement{
			{name: "except clause", before: "try:\n  pass\n", after: "\n", fallback: true},
			{name: "else clause", before: "if x:\n  pass\n", after: "\n", fallback: true},
			{name: "case", before: "match x:\n ", after: "\n", fallback: true},
			{name: "decorator", before: "", after: "\ndef _(): pass\n", fallback: true},
			{name: "parameter", before: "def _(", after: "\n): pass\n", fallback: true},
			{name: "argument", before: "_(", after: "\n)\n", fallback: true},
			{name: "dictionary entry", before: "{", after: "\n}\n", fallback: true},
			{name: "subscript", before: "_[", after: "\n]\n", fallback: true},
			{name: "type", before: "_: ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "rust", Aliases: []string{"rs"}, Extensions: []string{"rs"}},
		Shebangs:     []string{"rust-script"},
		Expando:      "µ",
		Grammar:      rust.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "fn _f() { let _ = ", after: "\n; }", fallback: true},
			{name: "statement", before: "fn _f() {\n", after: "\n}", fallback: true},
			{name: "impl member", before: "impl T {\n", after: "\n}", fallback: true},
			{name: "struct field", before: "struct T {\n", after: "\n}", fallback: true},
			{name: "match arm", before: "fn _f() { match x {\n", after: "\n} }", fallback: true},
			{name: "type", before: "type T = ", after: "\n;", fallback: true},
			{name: "pattern", before: "fn _f() { let ", after: "\n = x; }", fallback: true},
			{name: "parameter", before: "fn _f(", after: "\n) {}", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "tsx", Extensions: []string{"tsx"}},
		Grammar:      tsx.GetLanguage,
		Placements:   typescriptPlacements,
	},
	{
		LanguageInfo: LanguageInfo{Name: "typescript", Aliases: []string{"ts"}, Extensions: []string{"ts", "cts", "mts"}},
		Shebangs:     []string{"deno", "bun", "ts-node", "tsx"},
		Grammar:      typescript.GetLanguage,
		Placements:   typescriptPlacements,
	},
}

var typescriptPlacements = []placement{
	{name: "expression", before: "(", after: "\n)", fallback: true},
	{name: "class member", before: "class _ {\n", after: "\n}", fallback: true},
	{name: "interface member", before: "interface _ {\n", after: "\n}", fallback: true},
	{name: "type", before: "type _ = ", after: "\n;", fallback: true},
	{name: "property", before: "({\n", after: "\n})", fallback: true},
	{name: "enum member", before: "enum _ {\n", after: "\n}", fallback: true},
	{name: "switch case", before: "switch (x) {\n", after: "\n}", fallback: true},
	{name: "function body", before: "async function* _() {\n", after: "\n}", fallback: true},
	{name: "parameter", before: "function _(", after: "\n) {}", fallback: true},
}
