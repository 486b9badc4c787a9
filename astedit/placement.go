package astedit

// placement is a piece of code around a pattern that makes the grammar read the
// pattern as one kind of thing. "The file itself" has nothing around it.
type placement struct {
	name          string
	before, after string
	// fallback placements are tried only when the others give no clean reading:
	// f($A) may be a method in an interface, but is not meant so when it can be
	// a call.
	fallback bool
}

// file is tried first, unless a language's table has its own.
var file = placement{name: "file", after: "\n"}

// typescriptPlacements are those of TypeScript, with JSX or without.
var typescriptPlacements = []placement{
	{name: "expression", before: "(", after: "\n)", fallback: true},
	{name: "class member", before: "class _ {\n", after: "\n}", fallback: true},
	{name: "interface member", before: "interface _ {\n", after: "\n}", fallback: true},
	{name: "type", before: "type _ = ", after: "\n;", fallback: true},
	{name: "property", before: "({\n", after: "\n})", fallback: true},
	{name: "enum member", before: "enum _ {\n", after: "\n}", fallback: true},
	{name: "switch case", before: "switch (x) {\n", after: "\n}", fallback: true},
	{name: "catch clause", before: "try {}\n", after: "\n", fallback: true},
	{name: "function body", before: "async function* _() {\n", after: "\n}", fallback: true},
	{name: "parameter", before: "function _(", after: "\n) {}", fallback: true},
}
