package lsp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/pending-lsp/pending-lsp/astedit/textedit"
	"github.com/pending-lsp/pending-lsp/pending"
)

// contentScheme is the scheme of the virtual documents:
//
//	pending-lsp:/ACTION/before/PATH   a file as it is
//	pending-lsp:/ACTION/after/PATH    the same file once the action is applied
//	pending-lsp:/ACTION/diff/NAME     the action as a unified diff
const contentScheme = "pending-lsp"

// The sides of a virtual document.
const (
	sideBefore = "before"
	sideAfter  = "after"
	sideDiff   = "diff"
)

// maxContents is how many virtual documents a session is told to refresh.
const maxContents = 1000

// contentURI names a virtual document. The path keeps its slashes, so that an
// editor sees the file's name and picks its language.
func contentURI(action, side, path string) uri.URI {
	u := url.URL{Scheme: contentScheme, OmitHost: true, Path: "/" + action + "/" + side + "/" + path}
	return uri.URI(u.String())
}

// parseContentURI takes a virtual document's name apart. Clients differ in how
// many slashes they leave after the scheme.
func parseContentURI(u uri.URI) (action, side, path string, err error) {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != contentScheme {
		return "", "", "", invalidParams("%q is not a %s: URI", string(u), contentScheme)
	}
	parts := strings.SplitN(strings.TrimLeft(parsed.Host+parsed.Path+parsed.Opaque, "/"), "/", 3)
	if len(parts) < 3 || !slices.Contains([]string{sideBefore, sideAfter, sideDiff}, parts[1]) {
		return "", "", "", invalidParams("%q names no virtual document", string(u))
	}
	return parts[0], parts[1], parts[2], nil
}

// TextDocumentContent implements workspace/textDocumentContent.
func (s *session) TextDocumentContent(_ context.Context, p *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	id, side, path, err := parseContentURI(p.URI)
	if err != nil {
		return nil, err
	}
	_, a, err := s.findAnywhere(id)
	if err != nil {
		return nil, err
	}
	s.pub.showing(p.URI, id)
	text, err := content(a, side, path)
	if err != nil {
		return nil, err
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
}

// findAnywhere looks for an action in all workspaces of the session.
func (s *session) findAnywhere(id string) (*seat, pending.ActionView, error) {
	for _, st := range s.joined() {
		if a, ok := st.ws.Action(id); ok {
			return st, a, nil
		}
	}
	return nil, pending.ActionView{}, unknownAction(id)
}

func content(a pending.ActionView, side, path string) (string, error) {
	if side == sideDiff {
		return diffOf(a)
	}
	for _, f := range a.Files {
		if f.Path != path {
			continue
		}
		if side == sideBefore {
			return string(f.Text.Text()), nil
		}
		return afterText(f)
	}
	return "", invalidParams("%s changes no file %q", a.Label, path)
}

// afterText is a file's text once its pending hunks are applied.
func afterText(f pending.FileView) (string, error) {
	after, err := textedit.Apply(f.Text.Text(), liveEdits(f))
	return string(after), err
}

// diffOf is an action as a unified diff of all its files.
func diffOf(a pending.ActionView) (string, error) {
	diffs := make([]string, len(a.Files))
	group := pool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0)).WithErrors()
	for i, f := range a.Files {
		group.Go(func() (err error) {
			diffs[i], err = textedit.UnifiedEdits(f.Path, string(f.Text.Text()), liveEdits(f))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	return strings.Join(diffs, ""), nil
}

// refreshContents asks the client to fetch virtual documents anew.
func (s *session) refreshContents(ctx context.Context, shown []uri.URI) {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	for _, u := range shown {
		err := protocol.Call(ctx, s.conn, protocol.MethodWorkspaceTextDocumentContentRefresh, &protocol.TextDocumentContentRefreshParams{URI: u}, nil)
		if err != nil && !errors.Is(err, context.Canceled) {
			s.logger.Debug("content refresh failed", "uri", u, "err", err)
			return
		}
	}
}

func unknownAction(id string) error {
	return &pending.Error{
		Kind:    pending.UnknownAction,
		Message: fmt.Sprintf("No pending action has the id %q; it may have been resolved already.", pending.Visible(id)),
		Action:  id,
	}
}
