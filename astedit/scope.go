package astedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// scope is the files a request is about: what its paths name, less what its
// globs leave out.
type scope struct {
	root   string
	items  []scopeItem
	globs  globList
	source Source
	// open holds the documents open in editors; unsaved, sorted, those of them
	// that are not on the disk.
	open    map[string]bool
	unsaved []string
}

// scopeItem is one path of a request.
type scopeItem struct {
	path string // relative to the root, "" for itself
	file bool
	glob string // when not empty, files below path must match it
}

// target is a file to search. A named one is searched whatever its name says.
type target struct {
	path  string
	named bool
}

// newScope resolves the paths of a request. The errors are
// [KindOutsideWorkspace], [KindNotFound] and [KindInvalidRequest].
func newScope(req *Request, src Source) (*scope, error) {
	root := src.Root()
	if !filepath.IsAbs(root) {
		return nil, &Error{Kind: KindInvalidRequest, Message: "the workspace folder " + quote(root) + " is not an absolute path."}
	}
	globs, err := parseGlobs(req.Globs)
	if err != nil {
		return nil, err
	}
	s := &scope{root: filepath.Clean(root), source: src, globs: globs, open: map[string]bool{}}
	for _, p := range src.Overlays() {
		s.open[p] = true
		if _, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(p))); errors.Is(err, fs.ErrNotExist) {
			s.unsaved = append(s.unsaved, p)
		}
	}
	slices.Sort(s.unsaved)
	for _, p := range req.Paths {
		if err := s.add(p); err != nil {
			return nil, err
		}
	}
	if len(req.Paths) == 0 {
		s.items = []scopeItem{{}}
	}
	return s, nil
}

// add resolves one string of Request.Paths: a path that exists is taken as it
// is, else it may be a list with commas, else a glob.
func (s *scope) add(text string) error {
	if strings.TrimSpace(text) == "" || strings.ContainsRune(text, 0) {
		return &Error{Kind: KindInvalidRequest, Message: "path " + quote(text) + " is empty or not a path."}
	}
	item, err := s.resolve(text)
	if err == nil {
		s.items = append(s.items, item)
		return nil
	}
	if KindOf(err) != KindNotFound {
		return err
	}
	if parts := splitCommas(text); len(parts) > 1 {
		for _, p := range parts {
			if err := s.add(p); err != nil {
				return err
			}
		}
		return nil
	}
	if strings.ContainsAny(text, "*?[{") {
		return s.addGlob(text)
	}
	return err
}

func (s *scope) addGlob(text string) error {
	if !doublestar.ValidatePattern(filepath.ToSlash(text)) {
		return &Error{Kind: KindInvalidRequest, Message: "glob " + quote(text) + " is malformed."}
	}
	base, pattern := doublestar.SplitPattern(filepath.ToSlash(text))
	item, err := s.resolve(base)
	if err != nil {
		return err
	}
	if item.file {
		return notFound(text)
	}
	item.glob = withSlash(item.path) + pattern
	s.items = append(s.items, item)
	return nil
}

// resolve finds what a path names and makes sure it is inside the root, links
// followed.
func (s *scope) resolve(text string) (scopeItem, error) {
	abs := filepath.FromSlash(text)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.root, abs)
	}
	abs = filepath.Clean(abs)
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return s.resolveMissing(text, abs)
	}
	rel, ok := s.inside(real)
	if !ok {
		return scopeItem{}, outside(text)
	}
	info, err := os.Stat(real)
	if err != nil {
		return scopeItem{}, notFound(text)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return scopeItem{}, &Error{Kind: KindInvalidRequest, Message: "path " + quote(text) + " is neither a file nor a directory."}
	}
	return scopeItem{path: rel, file: !info.IsDir()}, nil
}

// resolveMissing handles a path that is not on the disk: an unsaved document, or
// an error, which tells outside from missing only by names that exist.
func (s *scope) resolveMissing(text, abs string) (scopeItem, error) {
	parent := abs
	for {
		next := filepath.Dir(parent)
		if next == parent {
			return scopeItem{}, notFound(text)
		}
		parent = next
		real, err := filepath.EvalSymlinks(parent)
		if err != nil {
			continue
		}
		rel, ok := s.inside(real)
		if !ok {
			return scopeItem{}, outside(text)
		}
		rest, err := filepath.Rel(parent, abs)
		if err != nil {
			return scopeItem{}, notFound(text)
		}
		if p := path.Join(rel, filepath.ToSlash(rest)); s.open[p] {
			return scopeItem{path: p, file: true}, nil
		}
		return scopeItem{}, notFound(text)
	}
}

// inside returns a real path relative to the root. git's own directory counts as
// outside.
func (s *scope) inside(real string) (string, bool) {
	rel, err := filepath.Rel(s.root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	if rel == "." {
		return "", true
	}
	return rel, !slices.Contains(strings.Split(rel, "/"), ".git")
}

func outside(text string) error {
	return &Error{Kind: KindOutsideWorkspace, Message: "path " + quote(text) + " is outside the workspace."}
}

func notFound(text string) error {
	return &Error{Kind: KindNotFound, Message: "path " + quote(text) + " does not exist.", Err: fs.ErrNotExist}
}

// name is what the preview calls the scope: its path, or the directory all of
// its paths are in.
func (s *scope) name() string {
	common := s.items[0].path
	for _, item := range s.items[1:] {
		for common != "" && item.path != common && !strings.HasPrefix(item.path, common+"/") {
			common = path.Dir(common)
			if common == "." {
				common = ""
			}
		}
	}
	if common == "" {
		return "."
	}
	return common
}

// each calls emit with every file of the scope once, in byte order of paths.
func (s *scope) each(ctx context.Context, emit func(target) error) error {
	if len(s.items) == 1 {
		return s.item(ctx, s.items[0], emit)
	}
	var all []target
	for _, item := range s.items {
		err := s.item(ctx, item, func(t target) error {
			all = append(all, t)
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(all, func(a, b target) int {
		if c := strings.Compare(a.path, b.path); c != 0 {
			return c
		}
		return -boolCompare(a.named, b.named)
	})
	all = slices.CompactFunc(all, func(a, b target) bool { return a.path == b.path })
	for _, t := range all {
		if err := emit(t); err != nil {
			return err
		}
	}
	return nil
}

// item calls emit with the files of one path. Documents that are not on the disk
// are put in where they would be.
func (s *scope) item(ctx context.Context, item scopeItem, emit func(target) error) error {
	if item.file {
		return emit(target{path: item.path, named: true})
	}
	unsaved := s.unsaved
	forward := func(p string) error {
		if item.glob != "" {
			if ok, err := doublestar.Match(item.glob, p); err != nil || !ok {
				return nil
			}
		}
		if !s.globs.file(p) {
			return nil
		}
		return emit(target{path: p})
	}
	below := withSlash(item.path)
	flush := func(before string) error {
		for len(unsaved) > 0 && (before == "" || unsaved[0] < before) {
			p := unsaved[0]
			unsaved = unsaved[1:]
			if strings.HasPrefix(p, below) {
				if err := forward(p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	w := walker{
		ctx: ctx, root: s.root, descend: s.globs.directory,
		modules: slices.Contains(strings.Split(item.path+"/"+item.glob, "/"), "node_modules"),
		emit: func(p string) error {
			if err := flush(p); err != nil {
				return err
			}
			return forward(p)
		},
	}
	if err := w.walk(item.path); err != nil {
		return fmt.Errorf("list %s: %w", quote(s.name()), err)
	}
	return flush("")
}

// splitCommas splits a list at its commas, but not those inside braces.
func splitCommas(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				parts = append(parts, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}
