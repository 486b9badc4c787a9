package astedit

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// repository is a git work tree: its own rules besides the .gitignore files, and
// the files it tracks, which are never ignored.
type repository struct {
	top    string // absolute
	gitDir string
	rules  *ignoreFile

	once    sync.Once
	tracked []string // sorted, relative to top
}

// openRepository returns the repository whose work tree starts at dir, nil when
// none does.
func openRepository(dir string) *repository {
	gitDir := filepath.Join(dir, ".git")
	info, err := os.Stat(gitDir)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		// A worktree or submodule: .git is a file that says where it is.
		text, err := os.ReadFile(gitDir)
		if err != nil {
			return nil
		}
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		gitDir = target
	} else if _, err := os.Stat(filepath.Join(gitDir, "HEAD")); err != nil {
		return nil
	}
	r := &repository{top: dir, gitDir: gitDir}
	common := gitDir
	if text, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		common = strings.TrimSpace(string(text))
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
	}
	if file := excludesFile(filepath.Join(common, "config")); file != "" {
		r.rules = readIgnore(file, "", r.rules)
	}
	r.rules = readIgnore(filepath.Join(common, "info", "exclude"), "", r.rules)
	return r
}

// enclosingRepository returns the repository that dir is in, nil when there is
// none.
func enclosingRepository(dir string) *repository {
	for {
		if r := openRepository(dir); r != nil {
			return r
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// tracks says whether git tracks the file, or a file below the directory, at
// path relative to the top. It reads the index when first asked.
func (r *repository) tracks(path string, dir bool) bool {
	if r == nil {
		return false
	}
	r.once.Do(func() { r.tracked = readIndex(filepath.Join(r.gitDir, "index")) })
	if dir {
		path += "/"
	}
	i, found := slices.BinarySearch(r.tracked, path)
	return found || dir && i < len(r.tracked) && strings.HasPrefix(r.tracked[i], path)
}

// excludesFile returns git's core.excludesFile, by the repository's
// configuration, the user's, or the default. It does not follow include.path.
func excludesFile(repoConfig string) string {
	home, _ := os.UserHomeDir()
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	for _, config := range []string{repoConfig, filepath.Join(home, ".gitconfig"), filepath.Join(xdg, "git", "config")} {
		if value, ok := configValue(config, "core", "excludesfile"); ok {
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = filepath.Join(home, rest)
			}
			return value
		}
	}
	if xdg == "" {
		return ""
	}
	return filepath.Join(xdg, "git", "ignore")
}

// configValue reads the last value of a key from a git configuration file.
func configValue(file, section, key string) (value string, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	in := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			in, _, _ = strings.Cut(strings.ToLower(line[1:]), "]")
			in = strings.TrimSpace(in)
			continue
		}
		k, v, has := strings.Cut(line, "=")
		if in == section && has && strings.EqualFold(strings.TrimSpace(k), key) {
			value, ok = strings.Trim(strings.TrimSpace(v), `"`), true
		}
	}
	return value, ok
}
