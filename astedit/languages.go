package astedit

import (
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
)

// The comments of many languages. Some engines take HTML's for comments too.
var (
	slashComments = &commentForms{line: []string{"//", "<!--", "-->"}, end: "*/"}
	hashComments  = &commentForms{line: []string{"#"}}
)

// languages is the table of languages, sorted by name. A new one is a new row.
var languages = []language{
	{
		LanguageInfo: LanguageInfo{
			Name: "bash", Aliases: []string{"sh", "shell", "zsh"},
			Extensions: []string{"sh", "bash", "bats", "ksh", "zsh", "command", "env", "tool", "cgi", "fcgi", "tmux", "ebuild", "eclass"},
			FileNames:  []string{".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zprofile", ".zshenv", "PKGBUILD"},
		},
		Shebangs: []string{"sh", "bash", "dash", "ash", "ksh", "zsh", "bats"},
		Grammar:  bash.GetLanguage,
		Placements: []placement{
			{name: "expansion", before: "echo ${", after: "}\n"},
			{name: "case item", before: "case x in\n", after: "\nesac\n", fallback: true},
			{name: "word", before: "_ ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "c", Extensions: []string{"c", "h"}},
		Disguises:    []disguise{letter},
		Grammar:      c.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "void _(void) {\n", after: "\n}\n"},
			{name: "expression", before: "void _(void) { _ =\n", after: "\n; }\n"},
			{name: "statement without semicolon", before: "void _(void) {\n", after: "\n; }\n"},
			{name: "declaration without semicolon", before: "", after: "\n;\n", fallback: true},
			{name: "struct field", before: "struct _ {\n", after: "\n};\n", fallback: true},
			{name: "enumerator", before: "enum _ {\n", after: "\n};\n", fallback: true},
			{name: "declarator", before: "int ", after: "\n{}\n", fallback: true},
			{name: "parameter", before: "void _(", after: ");\n", fallback: true},
			{name: "case", before: "void _(void) { switch (x) {\n", after: "\n} }\n", fallback: true},
			{name: "initializer", before: "int _[] = {\n", after: "\n};\n", fallback: true},
			{name: "type", before: "", after: " _;\n"},
		},
	},
	{
		LanguageInfo: LanguageInfo{
			Name: "cpp", Aliases: []string{"c++", "cc", "cxx"},
			Extensions: []string{"cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "cu", "cuh", "ino", "ipp", "tpp"},
		},
		Disguises: []disguise{letter},
		Grammar:   cpp.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "void _() {\n", after: "\n}\n"},
			{name: "expression", before: "void _() { _ =\n", after: "\n; }\n"},
			{name: "statement without semicolon", before: "void _() {\n", after: "\n; }\n"},
			{name: "declaration without semicolon", before: "", after: "\n;\n", fallback: true},
			{name: "class member", before: "class _ {\n", after: "\n};\n", fallback: true},
			{name: "enumerator", before: "enum _ {\n", after: "\n};\n", fallback: true},
			{name: "declarator", before: "auto ", after: "\n{}\n", fallback: true},
			{name: "parameter", before: "void _(", after: ");\n", fallback: true},
			{name: "case", before: "void _() { switch (x) {\n", after: "\n} }\n", fallback: true},
			{name: "catch clause", before: "void _() { try {}\n", after: "\n}\n", fallback: true},
			{name: "type", before: "", after: " _;\n"},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "csharp", Aliases: []string{"cs", "c#", "c-sharp"}, Extensions: []string{"cs", "csx"}},
		Disguises:    []disguise{letter, {sigil: "µ", listClose: "();"}},
		Grammar:      csharp.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "class _ { void _() {\n", after: "\n} }\n"},
			{name: "statement without semicolon", before: "class _ { void _() {\n", after: "\n; } }\n"},
			{name: "expression", before: "class _ { void _() { _ =\n", after: "\n; } }\n", fallback: true},
			{name: "class member", before: "class _ {\n", after: "\n}\n"},
			{name: "interface member", before: "interface _ {\n", after: "\n}\n", fallback: true},
			{name: "enum member", before: "enum _ {\n", after: "\n}\n", fallback: true},
			{name: "parameter", before: "class _ { void _(", after: ") {} }\n", fallback: true},
			{name: "type", before: "class _ { ", after: " _; }\n", fallback: true},
			{name: "catch clause", before: "class _ { void _() { try {}\n", after: "\n} }\n", fallback: true},
			{name: "case", before: "class _ { void _() { switch (x) {\n", after: "\n} } }\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "css", Aliases: []string{"scss"}, Extensions: []string{"css", "scss"}},
		Disguises:    []disguise{letter, ascii},
		Grammar:      css.GetLanguage,
		Placements: []placement{
			{name: "block", before: "a ", after: "\n", fallback: true},
			{name: "declaration", before: "a {\n", after: "\n}\n", fallback: true},
			{name: "declaration without semicolon", before: "a {\n", after: "\n; }\n", fallback: true},
			{name: "value", before: "a { b: ", after: "; }\n", fallback: true},
			{name: "selector", before: "", after: " {}\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "cue", Extensions: []string{"cue"}},
		Disguises:    []disguise{letter},
		Grammar:      cue.GetLanguage,
		Placements: []placement{
			{name: "value", before: "_x: ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "dockerfile", Aliases: []string{"docker", "containerfile"}, Extensions: []string{"dockerfile", "Dockerfile"}, FileNames: []string{"Dockerfile", "Containerfile", "dockerfile"}},
		Disguises:    []disguise{letter, ascii, {open: `"`, sigil: "zqj", close: `"`}},
		Grammar:      dockerfile.GetLanguage,
	},
	{
		LanguageInfo: LanguageInfo{Name: "elixir", Aliases: []string{"ex", "exs"}, Extensions: []string{"ex", "exs"}},
		Shebangs:     []string{"elixir"},
		Disguises:    []disguise{letter, class},
		Grammar:      elixir.GetLanguage,
		Placements: []placement{
			{name: "clause", before: "fn\n", after: "\nend\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "elm", Extensions: []string{"elm"}},
		Disguises:    []disguise{letter, class},
		Grammar:      elm.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "x =\n  ", after: "\n", fallback: true},
			{name: "type", before: "x : ", after: "\n", fallback: true},
			{name: "branch", before: "x =\n  case y of\n    ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "go", Aliases: []string{"golang"}, Extensions: []string{"go"}},
		Disguises:    []disguise{letter},
		Comments:     slashComments,
		Grammar:      golang.GetLanguage,
		Unlikely:     []string{"labeled_statement"},
		Placements: []placement{
			{name: "statement", before: "package p\nfunc _() {\n", after: "\n}\n"},
			{name: "type", before: "package p\nvar _ ", after: "\n"},
			{name: "expression", before: "package p\nvar _ = ", after: "\n", fallback: true},
			{name: "case", before: "package p\nfunc _() {\nswitch x {\n", after: "\n}\n}\n", fallback: true},
			{name: "type case", before: "package p\nfunc _() {\nswitch x.(type) {\n", after: "\n}\n}\n", fallback: true},
			{name: "select case", before: "package p\nfunc _() {\nselect {\n", after: "\n}\n}\n", fallback: true},
			{name: "struct field", before: "package p\ntype _ struct {\n", after: "\n}\n", fallback: true},
			{name: "interface method", before: "package p\ntype _ interface {\n", after: "\n}\n", fallback: true},
			{name: "parameter", before: "package p\nfunc _(", after: ") {}\n", fallback: true},
			{name: "element", before: "package p\nvar _ = T{", after: "}\n", fallback: true},
			{name: "import", before: "package p\nimport (\n", after: "\n)\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "groovy", Extensions: []string{"groovy", "gradle", "gvy", "gy", "gsh"}, FileNames: []string{"Jenkinsfile"}},
		Shebangs:     []string{"groovy"},
		Grammar:      groovy.GetLanguage,
		Placements: []placement{
			{name: "class member", before: "class A {\n", after: "\n}\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "hcl", Aliases: []string{"terraform", "tf"}, Extensions: []string{"hcl", "tf", "tfvars", "nomad", "workflow"}},
		Disguises:    []disguise{letter, {sigil: "zqj", listClose: " {}"}},
		Grammar:      hcl.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "_ = ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "html", Aliases: []string{"htm"}, Extensions: []string{"html", "htm", "xhtml"}},
		Disguises:    []disguise{ascii},
		Grammar:      html.GetLanguage,
		Placements: []placement{
			{name: "attribute", before: "<a ", after: "></a>\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "java", Extensions: []string{"java"}},
		Comments:     slashComments,
		Grammar:      java.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "class A { void f() {\n", after: "\n} }\n"},
			{name: "statement without semicolon", before: "class A { void f() {\n", after: "\n; } }\n"},
			{name: "expression", before: "class A { void f() { x =\n", after: "\n; } }\n", fallback: true},
			{name: "class member", before: "class A {\n", after: "\n}\n"},
			{name: "interface member", before: "interface A {\n", after: "\n}\n", fallback: true},
			{name: "field without semicolon", before: "class A {\n", after: "\n; }\n", fallback: true},
			{name: "annotation", before: "", after: "\nclass A {}\n", fallback: true},
			{name: "enum constant", before: "enum A {\n", after: "\n}\n", fallback: true},
			{name: "parameter", before: "class A { void f(", after: ") {} }\n", fallback: true},
			{name: "type", before: "class A { ", after: " x; }\n", fallback: true},
			{name: "catch clause", before: "class A { void f() { try {}\n", after: "\n} }\n", fallback: true},
			{name: "case", before: "class A { void f() { switch (x) {\n", after: "\n} } }\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "javascript", Aliases: []string{"js", "jsx", "node"}, Extensions: []string{"js", "jsx", "cjs", "mjs"}},
		Shebangs:     []string{"node", "nodejs"},
		Comments:     slashComments,
		Grammar:      javascript.GetLanguage,
		Unlikely:     []string{"labeled_statement"},
		Placements: []placement{
			{name: "expression", before: "(", after: "\n)", fallback: true},
			{name: "class member", before: "class _ {\n", after: "\n}", fallback: true},
			{name: "property", before: "({\n", after: "\n})", fallback: true},
			{name: "switch case", before: "switch (x) {\n", after: "\n}", fallback: true},
			{name: "catch clause", before: "try {}\n", after: "\n", fallback: true},
			{name: "function body", before: "async function* _() {\n", after: "\n}", fallback: true},
			{name: "JSX attribute", before: "<a ", after: "/>", fallback: true},
			{name: "parameter", before: "function _(", after: "\n) {}", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "kotlin", Aliases: []string{"kt"}, Extensions: []string{"kt", "kts", "ktm"}},
		Disguises:    []disguise{letter},
		Grammar:      kotlin.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "fun _f() {\n", after: "\n}\n", fallback: true},
			{name: "expression", before: "val _x =\n", after: "\n", fallback: true},
			{name: "class member", before: "class A {\n", after: "\n}\n", fallback: true},
			{name: "branch", before: "val _x = when (y) {\n", after: "\n}\n", fallback: true},
			{name: "type", before: "val _x: ", after: "\n", fallback: true},
			{name: "parameter", before: "fun _f(", after: ") {}\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "lua", Extensions: []string{"lua", "rockspec"}},
		Shebangs:     []string{"lua", "luajit", "texlua"},
		Disguises:    []disguise{ascii},
		Quirks:       flat.Options{TrimTokens: true},
		Grammar:      lua.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "local _ = ", after: "\n", fallback: true},
			{name: "field", before: "local _ = {\n", after: "\n}\n", fallback: true},
			{name: "function body", before: "function _()\n", after: "\nend\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "markdown", Aliases: []string{"md"}, Extensions: []string{"md", "markdown", "mdown", "mkd"}},
		Disguises:    []disguise{letter},
		Quirks:       flat.Options{TrimTokens: true},
		Grammar:      markdown.GetLanguage,
	},
	{
		LanguageInfo: LanguageInfo{Name: "ocaml", Aliases: []string{"ml"}, Extensions: []string{"ml"}},
		Shebangs:     []string{"ocaml"},
		Disguises:    []disguise{ascii, class},
		Grammar:      ocaml.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "let _ =\n", after: "\n", fallback: true},
			{name: "match case", before: "let _ = match x with\n", after: "\n", fallback: true},
			{name: "type", before: "type _t =\n", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "php", Extensions: []string{"php", "phtml", "php3", "php4", "php5", "php7", "phps"}},
		Shebangs:     []string{"php"},
		Disguises:    []disguise{letter, {open: "$", sigil: "zqj"}},
		AnyCase:      true,
		Grammar:      php.GetLanguage,
		NoFile:       true,
		Placements: []placement{
			{name: "statement", before: "<?php\n", after: "\n"},
			{name: "statement without semicolon", before: "<?php\n", after: "\n;\n"},
			{name: "expression", before: "<?php\n$_ =\n", after: "\n;\n", fallback: true},
			{name: "class member", before: "<?php\nclass _ {\n", after: "\n}\n"},
			{name: "parameter", before: "<?php\nfunction _(", after: ") {}\n", fallback: true},
			{name: "array entry", before: "<?php\n$_ = [\n", after: "\n];\n", fallback: true},
			{name: "catch clause", before: "<?php\ntry {}\n", after: "\n", fallback: true},
			{name: "case", before: "<?php\nswitch ($x) {\n", after: "\n}\n", fallback: true},
			{name: "file", before: "", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "protobuf", Aliases: []string{"proto"}, Extensions: []string{"proto"}},
		Disguises:    []disguise{ascii},
		Grammar:      protobuf.GetLanguage,
		Placements: []placement{
			{name: "definition", before: "syntax = \"proto3\";\n", after: "\n"},
			{name: "field", before: "syntax = \"proto3\";\nmessage M {\n", after: "\n}\n", fallback: true},
			{name: "enum value", before: "syntax = \"proto3\";\nenum E {\n", after: "\n}\n", fallback: true},
			{name: "method", before: "syntax = \"proto3\";\nservice S {\n", after: "\n}\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{
			Name: "python", Aliases: []string{"py", "python3"},
			Extensions: []string{"py", "py3", "pyi", "pyw", "bzl", "bazel"},
			FileNames:  []string{"SConstruct", "SConscript", "BUILD", "WORKSPACE", "wscript"},
		},
		Shebangs:  []string{"python", "pypy"},
		Disguises: []disguise{letter},
		Comments:  hashComments,
		Grammar:   python.GetLanguage,
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
		LanguageInfo: LanguageInfo{
			Name: "ruby", Aliases: []string{"rb"},
			Extensions: []string{"rb", "rbw", "gemspec", "rake", "ru", "podspec"},
			FileNames:  []string{"Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Capfile"},
		},
		Shebangs:  []string{"ruby", "jruby", "rake"},
		Disguises: []disguise{letter, class},
		Grammar:   ruby.GetLanguage,
		Placements: []placement{
			{name: "method body", before: "def _f\n", after: "\nend\n", fallback: true},
			{name: "when clause", before: "case x\n", after: "\nend\n", fallback: true},
			{name: "rescue clause", before: "begin\n", after: "\nend\n", fallback: true},
			{name: "argument", before: "_f(", after: ")\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "rust", Aliases: []string{"rs"}, Extensions: []string{"rs"}},
		Shebangs:     []string{"rust-script"},
		Disguises:    []disguise{letter},
		Comments:     slashComments,
		Grammar:      rust.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "fn _f() { let _ = ", after: "\n; }", fallback: true},
			{name: "statement", before: "fn _f() {\n", after: "\n}", fallback: true},
			{name: "impl member", before: "impl T {\n", after: "\n}", fallback: true},
			{name: "struct field", before: "struct T {\n", after: "\n}", fallback: true},
			{name: "match arm", before: "fn _f() { match x {\n", after: "\n} }", fallback: true},
			{name: "enum variant", before: "enum T {\n", after: "\n}", fallback: true},
			{name: "type", before: "type T = ", after: "\n;", fallback: true},
			{name: "pattern", before: "fn _f() { let ", after: "\n = x; }", fallback: true},
			{name: "parameter", before: "fn _f(", after: "\n) {}", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "scala", Extensions: []string{"scala", "sc", "sbt"}},
		Shebangs:     []string{"scala", "amm"},
		Grammar:      scala.GetLanguage,
		Placements: []placement{
			{name: "member", before: "object A {\n", after: "\n}\n", fallback: true},
			{name: "expression", before: "val x =\n", after: "\n", fallback: true},
			{name: "case", before: "val x = y match {\n", after: "\n}\n", fallback: true},
			{name: "type", before: "val x: ", after: " = 1\n", fallback: true},
			{name: "parameter", before: "def f(", after: ") = 1\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "sql", Extensions: []string{"sql", "ddl", "dml"}},
		Disguises:    []disguise{ascii},
		AnyCase:      true,
		Grammar:      sql.GetLanguage,
		Placements: []placement{
			{name: "expression", before: "SELECT ", after: "\n", fallback: true},
			{name: "condition", before: "SELECT a FROM b WHERE ", after: "\n", fallback: true},
			{name: "column", before: "CREATE TABLE t (\n", after: "\n)\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "svelte", Extensions: []string{"svelte"}},
		Disguises:    []disguise{ascii},
		Grammar:      svelte.GetLanguage,
		Placements: []placement{
			{name: "attribute", before: "<a ", after: "></a>\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "swift", Extensions: []string{"swift"}},
		Shebangs:     []string{"swift"},
		Disguises:    []disguise{letter},
		Quirks:       flat.Options{TrimTokens: true},
		Grammar:      swift.GetLanguage,
		Placements: []placement{
			{name: "statement", before: "func _f() {\n", after: "\n}\n", fallback: true},
			{name: "expression", before: "let _x =\n", after: "\n", fallback: true},
			{name: "class member", before: "class A {\n", after: "\n}\n", fallback: true},
			{name: "protocol member", before: "protocol A {\n", after: "\n}\n", fallback: true},
			{name: "case", before: "switch x {\n", after: "\n}\n", fallback: true},
			{name: "type", before: "let _x: ", after: "\n", fallback: true},
		},
	},
	{
		LanguageInfo: LanguageInfo{Name: "toml", Extensions: []string{"toml"}, FileNames: []string{"Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"}},
		Disguises:    []disguise{ascii, {open: `"`, sigil: "zqj", close: `"`}},
		Grammar:      toml.GetLanguage,
	},
	{
		LanguageInfo: LanguageInfo{Name: "tsx", Extensions: []string{"tsx"}},
		Comments:     slashComments,
		Grammar:      tsx.GetLanguage,
		Unlikely:     []string{"labeled_statement", "instantiation_expression"},
		Placements:   typescriptPlacements,
	},
	{
		LanguageInfo: LanguageInfo{Name: "typescript", Aliases: []string{"ts"}, Extensions: []string{"ts", "cts", "mts"}},
		Shebangs:     []string{"deno", "bun", "ts-node", "tsx"},
		Comments:     slashComments,
		Grammar:      typescript.GetLanguage,
		Unlikely:     []string{"labeled_statement", "instantiation_expression"},
		Placements:   typescriptPlacements,
	},
	{
		LanguageInfo: LanguageInfo{Name: "yaml", Aliases: []string{"yml"}, Extensions: []string{"yaml", "yml"}, FileNames: []string{".clang-format", ".clang-tidy"}},
		Grammar:      yaml.GetLanguage,
		Placements: []placement{
			{name: "flow entry", before: "{", after: "}\n"},
		},
	},
}
