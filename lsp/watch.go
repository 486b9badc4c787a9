package lsp

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const (
	// watchID is the registration that tells the client which files to watch.
	watchID = "pending-lsp-files"
	// maxWatched is how many files a client is asked to watch; changes to others
	// are noticed when their action is resolved.
	maxWatched = 2000
)

// watch asks the client to watch the files with pending changes, and no others:
// an editor that watches a whole workspace pays for it. It is called by the
// publisher, one call at a time, and returns the files now watched.
func (s *session) watch(ctx context.Context, watched []docKey) []docKey {
	want := s.pendingFiles()
	if slices.Equal(want, watched) {
		return watched
	}
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	if len(watched) > 0 {
		params := protocol.UnregistrationParams{Unregisterations: []protocol.Unregistration{{ID: watchID, Method: protocol.MethodWorkspaceDidChangeWatchedFiles}}}
		if err := protocol.Call(ctx, s.conn, protocol.MethodClientUnregisterCapability, &params, nil); err != nil {
			s.unwatched(err)
			return watched
		}
	}
	if len(want) == 0 {
		return nil
	}
	options := protocol.DidChangeWatchedFilesRegistrationOptions{}
	for _, key := range want {
		options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: s.watchPattern(key)})
	}
	raw, err := protocol.Marshal(&options)
	if err == nil {
		params := protocol.RegistrationParams{Registrations: []protocol.Registration{{
			ID: watchID, Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: protocol.LSPAny(raw),
		}}}
		err = protocol.Call(ctx, s.conn, protocol.MethodClientRegisterCapability, &params, nil)
	}
	if err != nil {
		s.unwatched(err)
		return nil
	}
	return want
}

func (s *session) unwatched(err error) {
	if !errors.Is(err, context.Canceled) {
		s.logger.Debug("files are not watched", "err", err)
	}
}

// pendingFiles lists the files to watch, sorted.
func (s *session) pendingFiles() []docKey {
	found := map[docKey]bool{}
	for _, st := range s.joined() {
		for _, p := range st.ws.PendingPaths() {
			// A glob has no way to say such a name.
			if !strings.ContainsAny(p, `*?[]{}\`) && len(found) < maxWatched {
				found[docKey{st, p}] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b docKey) int {
		if c := strings.Compare(a.seat.ws.Root(), b.seat.ws.Root()); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
}

// watchPattern names one file.
func (s *session) watchPattern(key docKey) protocol.GlobPattern {
	if s.client.relativePatterns {
		return &protocol.RelativePattern{BaseURI: protocol.URI(uri.File(key.seat.ws.Root())), Pattern: protocol.Pattern(key.path)}
	}
	return protocol.Pattern(path.Join(key.seat.ws.Root(), key.path))
}
