package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pending-lsp/pending-lsp/lsp/digest"
)

// The resources: the stacks of all workspaces of the session, and what each
// pending action would change.
const (
	stackURI     = "pending-lsp:///stack"
	actionPrefix = "pending-lsp:///action/"
	actionForm   = actionPrefix + "{id}{?from}"

	diffType = "text/x-diff"
)

func actionURI(id string) string { return actionPrefix + id }

func (s *server) addResources() {
	s.mcp.AddResource(&mcp.Resource{
		URI: stackURI, Name: "stack", Title: "Pending edits", MIMEType: "application/json",
		Description: "What is pending in each workspace of this session, top first, without the code. Subscribe to hear of changes.",
	}, s.readStack)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: actionForm, Name: "action", Title: "A pending edit", MIMEType: diffType,
		Description: "What a pending action would change, as a numbered diff; from is the number of the first hunk.",
	}, s.readAction)
}

// replaceResources lists the pending actions as resources.
func (s *server) replaceResources(old, now []summary) {
	left := map[string]bool{}
	for _, a := range now {
		left[a.id] = true
	}
	was := map[string]bool{}
	var gone []string
	for _, a := range old {
		was[a.id] = true
		if !left[a.id] {
			gone = append(gone, actionURI(a.id))
		}
	}
	s.mcp.RemoveResources(gone...)
	for _, a := range now {
		if !was[a.id] {
			s.mcp.AddResource(&mcp.Resource{URI: actionURI(a.id), Name: a.id, Title: digest.Visible(a.label), MIMEType: diffType}, s.readAction)
		}
	}
}

// updated tells subscribers that a resource has changed.
func (s *server) updated(uri string) {
	if err := s.mcp.ResourceUpdated(s.ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		s.opts.Logger.Debug("resource update not sent", "uri", uri, "err", err)
	}
}

func (s *server) readStack(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	type stack struct {
		Workspace string `json:"workspace"`
		listOut
	}
	all := []stack{}
	for _, st := range s.everySeat() {
		list, err := st.look(ctx)
		if err != nil && st.over() {
			continue
		}
		if err != nil {
			return nil, st.refusal(err)
		}
		all = append(all, stack{st.path(), stackOf(list, 1)})
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	return contents(stackURI, "application/json", string(text)), nil
}

func (s *server) readAction(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id, from, ok := parseActionURI(req.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	for _, st := range s.everySeat() {
		list, err := st.look(ctx)
		if err != nil && st.over() {
			continue
		}
		if err != nil {
			return nil, st.refusal(err)
		}
		if a, err := pick(list, id); err == nil {
			text, _ := show(a, from, digest.MaxBudget)
			return contents(req.Params.URI, diffType, text), nil
		}
	}
	return nil, mcp.ResourceNotFoundError(req.Params.URI)
}

// parseActionURI reads the URI of an action; from is 1 unless it says otherwise.
func parseActionURI(uri string) (id string, from int, ok bool) {
	rest, ok := strings.CutPrefix(uri, actionPrefix)
	id, query, paged := strings.Cut(rest, "?")
	if !ok || id == "" {
		return "", 0, false
	}
	if !paged {
		return id, 1, true
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", 0, false
	}
	from, err = strconv.Atoi(values.Get("from"))
	return id, from, err == nil && from > 0
}

func contents(uri, mime, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}
}

func (s *server) everySeat() []*seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*seat(nil), s.seats...)
}
