package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/uri"
)

var errGone = errors.New("the session with the daemon has ended; call again to start it anew")

// caller is what a request says of the client; all server requests have it.
type caller interface {
	ClientInfo() *mcp.Implementation
	ClientCapabilities() *mcp.ClientCapabilities
	ProtocolVersion() string
}

// firstWithoutCalls is the protocol version from which a server may not send
// requests: it asks for roots in the answer to a call.
const firstWithoutCalls = "2026-07-28"

// rootsKey names the request for roots in such an answer.
const rootsKey = "roots"

// ensure joins the workspaces of the client that are not joined yet.
func (s *server) ensure(ctx context.Context, req mcp.Request) error {
	s.joining.Lock()
	defer s.joining.Unlock()
	for _, st := range s.everySeat() {
		if st.over() {
			s.drop(st) // the seat's own watcher may not have noticed yet
		}
	}
	s.readRoots(ctx, req)
	name, version := "MCP client", ""
	if c, ok := req.(caller); ok && c.ClientInfo() != nil && c.ClientInfo().Name != "" {
		name, version = c.ClientInfo().Name, c.ClientInfo().Version
	}
	var failed error
	for _, folder := range s.wanted() {
		if err := s.joinFolder(ctx, folder, name, version); err != nil {
			failed = errors.Join(failed, fmt.Errorf("workspace %s: %w", folder, err))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seats) > 0 {
		return nil
	}
	if failed == nil {
		failed = errors.New("no workspace: the client named no folder")
	}
	return failed
}

// wanted are the folders the client means: its roots, or ours if it names none.
func (s *server) wanted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.roots) > 0 {
		return s.roots
	}
	return s.opts.Folders
}

// joinFolder takes a seat in the folder's workspace. Folders of one workspace
// share it.
func (s *server) joinFolder(ctx context.Context, folder, name, version string) error {
	s.mu.Lock()
	st := s.folders[folder]
	s.mu.Unlock()
	if st != nil {
		return nil
	}
	if err := checkFolder(folder); err != nil {
		return err
	}
	st, err := s.join(ctx, folder, name, version)
	if err != nil {
		return err
	}
	s.mu.Lock()
	for _, other := range s.seats {
		if other.root == st.root {
			s.folders[folder] = other
			s.mu.Unlock()
			return st.client.Close(context.WithoutCancel(ctx))
		}
	}
	s.folders[folder] = st
	s.seats = append(s.seats, st)
	s.mu.Unlock()
	s.background(st.watch)
	_, err = st.look(ctx)
	return err
}

// checkFolder refuses folders that hold everything: a client started nowhere in
// particular would search them whole.
func checkFolder(folder string) error {
	home, _ := os.UserHomeDir()
	if folder == filepath.Dir(folder) || folder == home {
		return errors.New("this is not a project; start the server in one, or name it with --workspace")
	}
	info, err := os.Stat(folder)
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	return err
}

// readRoots asks an older client for its roots, once until they change.
func (s *server) readRoots(ctx context.Context, req mcp.Request) {
	c, ok := req.(caller)
	session, live := req.GetSession().(*mcp.ServerSession)
	s.mu.Lock()
	asked := s.asked
	s.mu.Unlock()
	if !ok || !live || asked || !hasRoots(c) || c.ProtocolVersion() >= firstWithoutCalls {
		return
	}
	result, err := session.ListRoots(ctx, nil)
	if err != nil {
		s.opts.Logger.Warn("roots/list failed", "err", err)
		return
	}
	s.takeRoots(result)
}

func hasRoots(c caller) bool {
	caps := c.ClientCapabilities()
	return caps != nil && caps.RootsV2 != nil
}

// askForRoots is the answer to a newer client's first call: it repeats the call
// with its roots. It is nil when there is nothing to ask.
func (s *server) askForRoots(req mcp.Request) mcp.Result {
	c, ok := req.(caller)
	if !ok || !hasRoots(c) || c.ProtocolVersion() < firstWithoutCalls {
		return nil
	}
	s.mu.Lock()
	asked := s.asked
	s.mu.Unlock()
	if asked {
		return nil
	}
	if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
		if answer, ok := p.InputResponses[rootsKey].(*mcp.ListRootsResult); ok {
			s.takeRoots(answer)
			return nil
		}
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}}}
}

// takeRoots takes over the client's roots and leaves workspaces they no longer
// name.
func (s *server) takeRoots(result *mcp.ListRootsResult) {
	var roots []string
	for _, r := range result.Roots {
		u, err := uri.Parse(r.URI)
		if err != nil || !strings.HasPrefix(r.URI, "file:") {
			s.opts.Logger.Warn("root ignored: it is not a file URI", "uri", r.URI)
			continue
		}
		roots = append(roots, filepath.Clean(u.FsPath()))
	}
	s.mu.Lock()
	s.roots, s.asked = roots, true
	s.mu.Unlock()
	s.leaveUnwanted()
}

func (s *server) leaveUnwanted() {
	wanted := s.wanted()
	s.mu.Lock()
	var leave []*seat
	for folder := range s.folders {
		if !slices.Contains(wanted, folder) {
			delete(s.folders, folder)
		}
	}
	s.seats = slices.DeleteFunc(s.seats, func(st *seat) bool {
		for _, used := range s.folders {
			if used == st {
				return false
			}
		}
		leave = append(leave, st)
		return true
	})
	s.mu.Unlock()
	for _, st := range leave {
		st.leave()
	}
	s.stackChanged()
}

// newRoots follows notifications/roots/list_changed.
func (s *server) newRoots(r *mcp.RootsListChangedRequest) {
	s.mu.Lock()
	s.asked = false
	s.mu.Unlock()
	if err := s.ensure(s.ctx, r); err != nil {
		s.opts.Logger.Warn("after a change of roots", "err", err)
	}
}

// localPath reads a path or a file URI, and resolves its symlinks: workspaces
// are known by their real names.
func localPath(name string) string {
	if strings.HasPrefix(name, "file:") {
		if u, err := uri.Parse(name); err == nil {
			name = u.FsPath()
		}
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// drop forgets a seat whose daemon is gone, once; the next call joins anew.
func (s *server) drop(st *seat) {
	s.mu.Lock()
	if !slices.Contains(s.seats, st) {
		s.mu.Unlock()
		return
	}
	s.seats = slices.DeleteFunc(s.seats, func(o *seat) bool { return o == st })
	for folder, used := range s.folders {
		if used == st {
			delete(s.folders, folder)
		}
	}
	s.mu.Unlock()
	s.replaceResources(st.stack(), nil)
	s.stackChanged()
}

// leave gives the seat up.
func (st *seat) leave() {
	close(st.left)
	_ = st.client.Close(context.WithoutCancel(st.s.ctx))
	st.s.replaceResources(st.stack(), nil)
}

func (s *server) leaveAll() {
	s.joining.Lock()
	defer s.joining.Unlock()
	s.mu.Lock()
	seats := s.seats
	s.seats, s.folders = nil, map[string]*seat{}
	s.mu.Unlock()
	for _, st := range seats {
		st.leave()
	}
}

// seatFor is the seat a call means: that of the workspace it names, or the only
// one.
func (s *server) seatFor(ctx context.Context, req mcp.Request, workspace string) (*seat, error) {
	if err := s.ensure(ctx, req); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if workspace == "" && len(s.seats) == 1 {
		return s.seats[0], nil
	}
	var names []string
	path := localPath(workspace)
	for _, st := range s.seats {
		if workspace != "" && (path == st.path() || strings.HasPrefix(path, st.path()+string(filepath.Separator))) {
			return st, nil
		}
		names = append(names, st.path())
	}
	if workspace == "" {
		return nil, fmt.Errorf("this session has several workspaces; say which with workspace: %s", strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("%s is not in a workspace of this session; they are: %s", workspace, strings.Join(names, ", "))
}
