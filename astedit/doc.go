// Package astedit finds and rewrites code by its structure: it takes patterns in
// ast-grep's pattern language, matches them against tree-sitter trees, and
// returns byte-exact edits. It never writes a file.
//
// [Scan] is the whole job: a [Request] and a [Source] in, a [Preview] out.
// [Compile], [Pattern.Match] and [Pattern.Template] are its parts for callers
// that have one text in hand, [Explain] says how a pattern was read.
//
// Everything is safe for concurrent use unless a comment says otherwise. Bad
// input is an [*Error] with a kind, never a panic.
//
// # Patterns
//
// A pattern is code with holes:
//
//	$A      one named node; the same name again stands for equal code
//	$_      one named node, nothing captured; so does $_NAME
//	$$A     one node, which may be an unnamed token
//	$$$A    any number of neighbouring nodes, also none
//	$$$     the same, nothing captured
//
// Names are upper-case letters, digits and underscores. Everything else is taken
// literally, $lower too. A rewrite uses $A and $$$A; lines of a capture are moved
// to the indentation of its place in the rewrite, and those of the rewrite to
// that of the match. [Strictness] says which differences are overlooked.
//
// A pattern is read where it may stand: as a file, a statement, an expression, a
// type, a member. Readings without a syntax error are all tried, so f($A) in Go
// is a call and a conversion. Narrower places, such as a case or a parameter,
// count only when the wider ones give no clean reading. A selector picks one
// node out of a pattern whose rest is only context.
//
// # Rewriting
//
// Rules are matched on the original text. The outermost match becomes a hunk, and
// matches inside its captures are rewritten within it, inner ones first, so that
// f(f(1)) becomes g(g(1)) in one edit. A rewrite is never matched again: one that
// feeds itself comes to an end. Of two rules that match one range the first wins.
//
// A comment that a rewrite drops is a warning. A rewrite after which a file has a
// syntax error that it had not before fails the request, unless
// [Request.AllowBroken] is set. Matches in code that does not parse are left out,
// the rest of such a file is searched and its error reported.
//
// # Files
//
// Directories are searched as git lists them: ignored files and repositories
// inside are left out, hidden files are not, tracked files never are. Without a
// repository .gitignore files count all the same. node_modules is searched only
// when a path names it. Links are not followed; a path that leads out of the root
// is refused.
//
// A language's files are found by extension, name, or interpreter line. Files
// that hold none of a pattern's words are not parsed at all. Binary files and
// those that are not UTF-8 are skipped and reported; a byte order mark and line
// ends are kept.
package astedit
