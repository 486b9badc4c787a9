package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/pending"
)

// seat is this session's place in one workspace. Several of the client's
// folders may lie in one workspace and share a seat.
type seat struct {
	ws     *pending.Workspace
	member *pending.Member
	// answered holds a token when the client has said that it applied an edit.
	answered chan struct{}
	// folders are the client's own, as it named them. Guarded by session.mu.
	folders []folder
}

// folder is a workspace folder of the client.
type folder struct {
	uri  uri.URI
	path string // as the client named it
	real string // symlinks resolved
}

// relative returns path (absolute, symlinks not yet resolved) relative to the
// workspace root, slash-separated, if it lies inside.
func (s *seat) relative(path string) (string, bool) {
	rel, err := filepath.Rel(s.ws.Root(), realPath(path))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// hunks counts the hunks of an action in all its files.
func (s *seat) hunks(action string) int {
	a, _ := s.ws.Action(action)
	n := 0
	for _, f := range a.Files {
		n += len(f.Hunks)
	}
	return n
}

// WorkspaceRoot is the root of the workspace that a folder belongs to: the
// version-control root that encloses it, symlinks resolved, or the folder.
func WorkspaceRoot(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return vcsRoot(realPath(dir))
}

// vcsRoot returns the nearest folder at or above dir that a version control
// system calls its root, or dir itself. The home directory never counts: dotfile
// repositories there would merge every project into one workspace.
func vcsRoot(dir string) string {
	home, _ := os.UserHomeDir()
	home = realPath(home)
	for at := dir; ; at = filepath.Dir(at) {
		if at == home || at == filepath.Dir(at) {
			return dir
		}
		for _, marker := range []string{".git", ".jj", ".hg", ".svn"} {
			if _, err := os.Lstat(filepath.Join(at, marker)); err == nil {
				return at
			}
		}
	}
}

// addFolder joins the workspace that encloses a folder of the client.
func (s *session) addFolder(u uri.URI) {
	path, err := filePath(u)
	if err != nil {
		s.logger.Warn("workspace folder ignored", "err", err)
		return
	}
	f := folder{uri: u, path: path, real: realPath(path)}
	root := f.real
	if s.client.options.Workspace != "folder" {
		root = vcsRoot(f.real)
	}
	if !s.shareSeat(root, f) {
		st := &seat{ws: s.opts.Registry.Open(root), answered: make(chan struct{}, 1), folders: []folder{f}}
		st.member = st.ws.Join(s.party(), s.joinOptions(st))
		s.mu.Lock()
		s.seats = append(s.seats, st)
		s.mu.Unlock()
		s.logger.Info("joined workspace", "root", root)
		s.pub.joined(st)
	}
	s.adoptDocuments()
}

// shareSeat adds the folder to the seat that this session has at root already.
func (s *session) shareSeat(root string, f folder) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.seats {
		if st.ws.Root() == root {
			if !slices.ContainsFunc(st.folders, func(g folder) bool { return g.uri == f.uri }) {
				st.folders = append(st.folders, f)
			}
			return true
		}
	}
	return false
}

// removeFolder leaves the workspace when its last folder goes.
func (s *session) removeFolder(u uri.URI) {
	s.mu.Lock()
	var left *seat
	s.seats = slices.DeleteFunc(s.seats, func(st *seat) bool {
		st.folders = slices.DeleteFunc(st.folders, func(f folder) bool { return f.uri == u })
		if len(st.folders) == 0 {
			left = st
		}
		return len(st.folders) == 0
	})
	s.mu.Unlock()
	if left == nil {
		return
	}
	s.orphanDocuments(left)
	s.pub.forget(left)
	left.member.Leave()
	left.ws.Close()
}

// leaveAll gives up every seat at the end of the session.
func (s *session) leaveAll() {
	s.mu.Lock()
	seats := s.seats
	s.seats = nil
	s.mu.Unlock()
	for _, st := range seats {
		st.member.Leave()
		st.ws.Close()
	}
}

// seated reports whether the session still has the seat.
func (s *session) seated(st *seat) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.seats, st)
}

// joined lists the workspaces of the session, in the order it joined them.
func (s *session) joined() []*seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seats)
}

// locate finds the seat and the path in it of a document.
func (s *session) locate(u uri.URI) (*seat, string, bool) {
	path, err := filePath(u)
	if err != nil {
		return nil, "", false
	}
	var best *seat
	var bestRel string
	for _, st := range s.joined() {
		// The innermost workspace owns a file of a nested repository.
		if rel, ok := st.relative(path); ok && (best == nil || len(rel) < len(bestRel)) {
			best, bestRel = st, rel
		}
	}
	return best, bestRel, best != nil
}

// uriOf names a file of a workspace the way the client does: by the URI it
// opened it with, else below the folder as the client spelled it.
func (s *session) uriOf(st *seat, rel string) uri.URI {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u, ok := s.open[docKey{st, rel}]; ok {
		return u
	}
	abs := filepath.Join(st.ws.Root(), filepath.FromSlash(rel))
	for _, f := range st.folders {
		if f.path == f.real {
			continue
		}
		if in, err := filepath.Rel(f.real, abs); err == nil && in != ".." && !strings.HasPrefix(in, ".."+string(filepath.Separator)) {
			return uri.File(filepath.Join(f.path, in))
		}
	}
	return uri.File(abs)
}
