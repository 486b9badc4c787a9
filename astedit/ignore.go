package astedit

import (
	"os"
	"path/filepath"
	"strings"
)

// ignoreRule is one line of a .gitignore.
type ignoreRule struct {
	pattern string
	negated bool
	dirOnly bool
	rooted  bool   // matched against the path from the rules' directory, not the name
	literal bool   // has no special character
	suffix  bool   // is "*" and a literal; pattern is the literal
	prefix  string // of a rooted rule: what is before its first special character
}

// ignoreFile is the rules of one file, which hold below one directory.
type ignoreFile struct {
	dir   string // relative to the walk's base, slash-separated, "" or ending in "/"
	rules []ignoreRule
	next  *ignoreFile // asked when no rule here has a say
}

// ignored says whether git ignores a path, which lies below f.dir, by the rules
// of f and of those that it follows. The last rule of the first file that has a
// matching rule decides.
func (f *ignoreFile) ignored(path, name string, dir bool) bool {
	for ; f != nil; f = f.next {
		below := strings.TrimPrefix(path, f.dir)
		for i := len(f.rules) - 1; i >= 0; i-- {
			if r := &f.rules[i]; r.matches(below, name, dir) {
				return !r.negated
			}
		}
	}
	return false
}

func (r *ignoreRule) matches(path, name string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	text := name
	if r.rooted {
		text = path
	}
	switch {
	case r.literal:
		return text == r.pattern
	case r.suffix:
		return strings.HasSuffix(text, r.pattern)
	}
	// git compares the prefix first and matches what is left, so that "a**/b"
	// is a "**" at the start.
	text, ok := strings.CutPrefix(text, r.prefix)
	return ok && wildmatch(r.pattern, text)
}

// parseIgnore reads the text of a .gitignore.
func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		if r, ok := parseIgnoreRule(strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseIgnoreRule(line string) (ignoreRule, bool) {
	if strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	line = trimIgnoreSpaces(line)
	var r ignoreRule
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return r, false
	}
	r.rooted = strings.Contains(line, "/")
	r.pattern = strings.TrimPrefix(line, "/")
	const special = `*?[\`
	if i := strings.IndexAny(r.pattern, special); r.rooted && i > 0 {
		r.prefix, r.pattern = r.pattern[:i], r.pattern[i:]
	}
	r.literal = !strings.ContainsAny(r.pattern, special)
	if rest := strings.TrimPrefix(r.pattern, "*"); !r.rooted && rest != r.pattern && !strings.ContainsAny(rest, special) {
		r.suffix, r.pattern = true, rest
	}
	return r, true
}

// trimIgnoreSpaces takes trailing spaces off, but those after a backslash.
func trimIgnoreSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// readIgnore puts the rules of a file, if it has any, before next.
func readIgnore(file, dir string, next *ignoreFile) *ignoreFile {
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return next
	}
	rules := parseIgnore(string(text))
	if len(rules) == 0 {
		return next
	}
	return &ignoreFile{dir: dir, rules: rules, next: next}
}
