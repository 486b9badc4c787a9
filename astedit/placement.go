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
