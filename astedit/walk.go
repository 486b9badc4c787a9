package astedit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// walker lists the regular files below a directory that git would list, tracked
// or not: ignored files, nested repositories, symbolic links and node_modules
// are left out.
type walker struct {
	ctx  context.Context
	root string // absolute; emitted paths are relative to it
	// descend may turn a directory down; path ends without a slash.
	descend func(path string) bool
	// emit gets every file, in byte order of paths.
	emit func(path string) error
	// modules lets node_modules be entered.
	modules bool
}

type walkEntry struct {
	name string // ends in "/" for a directory, which sorts it among the files
	dir  bool
}

// walkPlace is a directory during a walk.
type walkPlace struct {
	path  string // relative to the walker's root, "" or ending in "/"
	repo  *repository
	inTop string // path relative to the repository's top, "" or ending in "/"
	rules *ignoreFile
	// ignored: the directory is ignored, only what git tracks counts.
	ignored bool
	// start: the walk began here; its repository is known.
	start bool
}

// specialEntries says which names with a meaning a directory holds.
type specialEntries struct{ ignore, repository bool }

// walk lists the files below dir, relative to the root and "" for itself. The
// directory itself may be ignored, it was asked for by name.
func (w *walker) walk(dir string) error {
	abs := filepath.Join(w.root, filepath.FromSlash(dir))
	p := walkPlace{path: withSlash(dir), repo: enclosingRepository(abs), start: true}
	top := w.root
	if p.repo != nil {
		top = p.repo.top
		p.rules = p.repo.rules
	}
	rel, err := filepath.Rel(top, abs)
	if err != nil {
		return err
	}
	if rel = filepath.ToSlash(rel); rel != "." {
		// The rules of the directories above hold here too.
		above := ""
		for part := range strings.SplitSeq(rel, "/") {
			p.rules = readIgnore(filepath.Join(top, above, ".gitignore"), above, p.rules)
			above += part + "/"
		}
		p.inTop = above
	}
	return w.list(p)
}

// list emits the files of one directory and goes into its directories.
func (w *walker) list(p walkPlace) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	abs := filepath.Join(w.root, filepath.FromSlash(p.path))
	entries, special, err := w.read(abs)
	if err != nil {
		// A directory that vanished or may not be read holds nothing for us.
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil
		}
		return err
	}
	if special.repository && !p.start {
		repo := openRepository(abs)
		if repo != nil && p.repo != nil {
			return nil
		}
		if repo != nil {
			p.repo, p.inTop, p.rules = repo, "", repo.rules
		}
	}
	if special.ignore {
		p.rules = readIgnore(filepath.Join(abs, ".gitignore"), p.inTop, p.rules)
	}
	for _, e := range entries {
		if !e.dir {
			if w.wanted(&p, e.name, false) {
				if err := w.emit(p.path + e.name); err != nil {
					return err
				}
			}
			continue
		}
		if err := w.enter(p, strings.TrimSuffix(e.name, "/")); err != nil {
			return err
		}
	}
	return nil
}

// enter goes into the directory name of p, unless it is left out.
func (w *walker) enter(p walkPlace, name string) error {
	path := p.path + name
	if name == ".git" || name == "node_modules" && !w.modules {
		return nil
	}
	ignored := p.ignored || p.rules.ignored(p.inTop+name, name, true)
	if ignored && !p.repo.tracks(p.inTop+name, true) {
		return nil
	}
	if w.descend != nil && !w.descend(path) {
		return nil
	}
	child := walkPlace{path: path + "/", repo: p.repo, inTop: p.inTop + name + "/", rules: p.rules, ignored: ignored}
	return w.list(child)
}

func (w *walker) wanted(p *walkPlace, name string, dir bool) bool {
	if p.ignored || p.rules.ignored(p.inTop+name, name, dir) {
		return p.repo.tracks(p.inTop+name, dir)
	}
	return true
}

// read lists a directory's regular files and directories in the order in which
// their paths sort.
func (w *walker) read(dir string) (entries []walkEntry, special specialEntries, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, special, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil && len(list) == 0 {
		return nil, special, err
	}
	entries = make([]walkEntry, 0, len(list))
	for _, e := range list {
		name := e.Name()
		special.ignore = special.ignore || name == ".gitignore"
		special.repository = special.repository || name == ".git"
		switch {
		case e.IsDir():
			entries = append(entries, walkEntry{name: name + "/", dir: true})
		case e.Type().IsRegular():
			entries = append(entries, walkEntry{name: name})
		}
	}
	slices.SortFunc(entries, func(a, b walkEntry) int { return strings.Compare(a.name, b.name) })
	return entries, special, nil
}

func withSlash(dir string) string {
	if dir == "" || dir == "." {
		return ""
	}
	return strings.TrimSuffix(dir, "/") + "/"
}
