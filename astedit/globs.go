package astedit

import (
	"path"
	"strings"
)

// globList narrows a scope as ast-grep's --globs: rules as in a .gitignore with
// "!" turned round, the last one that matches decides, and once one of them
// includes, a file must be included by one.
type globList struct {
	rules    []ignoreRule // negated ones exclude
	includes bool
}

func parseGlobs(globs []string) (globList, error) {
	var list globList
	for _, g := range globs {
		if strings.TrimSpace(g) == "" {
			return list, &Error{Kind: KindInvalidRequest, Message: "a glob is empty."}
		}
		for _, one := range expandBraces(g) {
			if strings.HasPrefix(one, "#") {
				one = `\` + one
			}
			r, ok := parseIgnoreRule(one)
			if !ok {
				return list, &Error{Kind: KindInvalidRequest, Message: "glob " + quote(g) + " matches nothing."}
			}
			list.rules = append(list.rules, r)
			list.includes = list.includes || !r.negated
		}
	}
	return list, nil
}

// file says whether a file stays in the scope.
func (l *globList) file(p string) bool {
	if r := l.decides(p, false); r != nil {
		return !r.negated
	}
	return !l.includes
}

// directory says whether files below a directory may stay in the scope.
func (l *globList) directory(p string) bool {
	r := l.decides(p, true)
	return r == nil || !r.negated
}

func (l *globList) decides(p string, dir bool) *ignoreRule {
	if len(l.rules) == 0 {
		return nil
	}
	name := path.Base(p)
	for i := len(l.rules) - 1; i >= 0; i-- {
		if l.rules[i].matches(p, name, dir) {
			return &l.rules[i]
		}
	}
	return nil
}

// maxBraces bounds what a glob with braces expands to.
const maxBraces = 1000

// expandBraces turns "a.{b,c}" into "a.b" and "a.c".
func expandBraces(glob string) []string {
	open := strings.IndexByte(glob, '{')
	if open < 0 {
		return []string{glob}
	}
	depth, shut := 0, -1
	for i := open; i < len(glob) && shut < 0; i++ {
		switch glob[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				shut = i
			}
		}
	}
	if shut < 0 {
		return []string{glob}
	}
	var out []string
	rests := expandBraces(glob[shut+1:])
	for _, choice := range splitCommas(glob[open+1 : shut]) {
		for _, middle := range expandBraces(choice) {
			for _, rest := range rests {
				if len(out) < maxBraces {
					out = append(out, glob[:open]+middle+rest)
				}
			}
		}
	}
	return out
}
