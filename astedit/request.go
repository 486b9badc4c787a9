package astedit

// Op is one rewrite rule: what Pattern matches becomes what Rewrite says. An
// empty Rewrite deletes the match.
type Op struct{ Pattern, Rewrite string }

// Request asks for a preview of rewrites. The zero value of every field but Ops
// is its default.
type Request struct {
	// Ops are all matched on the original text. Where two match one node the
	// first wins; where one match encloses another the outer one is the hunk
	// and the inner one is rewritten inside it.
	Ops []Op
	// Lang is a language's name or alias. When empty it is inferred from the
	// files; several found is KindLanguageRequired.
	Lang string
	// Paths are files, directories or globs, relative to Source.Root or
	// absolute inside it; one string may hold several, separated by commas.
	// Empty means the whole root. Ignored files are searched only when a path
	// names them.
	Paths []string
	// Globs narrow Paths as ast-grep's --globs do: "!" excludes, the last glob
	// that matches decides, any including glob makes inclusion a must.
	Globs []string
	// Selector is a node kind: the pattern is the node of that kind inside
	// Op.Pattern, which is only its context.
	Selector string
	// Strictness is one of cst, smart, ast, relaxed, signature, template; ""
	// means smart.
	Strictness string
	// Limit is the greatest number of replacements over all files, in path
	// order; 0 means no limit.
	Limit int
	// MaxFiles is the greatest number of files that may change; more is
	// KindLimit. 0 means no limit.
	MaxFiles int
	// FailOnParseError makes a file with a syntax error fail the request.
	FailOnParseError bool
	// StrictParse skips files with a syntax error instead of matching the
	// parts of them that are clean.
	StrictParse bool
	// AllowBroken lets rewrites through that introduce syntax errors; they are
	// then warnings.
	AllowBroken bool
	// AllowInvalidUTF8 searches files that are not valid UTF-8 instead of passing
	// them over. Replacements whose own text is not are left out, with a warning:
	// the bytes of a hunk must survive JSON.
	AllowInvalidUTF8 bool
	// Languages are those to know; nil means those of this build.
	Languages *Languages
	// Cache, when not nil, is asked for files that have not changed since an
	// earlier request with the same cache.
	Cache *Cache
	// Progress, when not nil, is called from one goroutine at a time as files
	// are done.
	Progress func(done, total int)
}

// Source is where text comes from: documents open in an editor first, then the
// disk. Its methods may be called from several goroutines at once.
type Source interface {
	// Root is the absolute workspace folder, symlinks resolved.
	Root() string
	// Overlay returns the text of an open document. The path is relative to
	// Root, slash-separated. The text must not change afterwards.
	Overlay(path string) ([]byte, bool)
	// Overlays lists the relative paths of the open documents inside Root.
	// They need not exist on disk.
	Overlays() []string
}
