// Package wire defines what pending-lsp says on the wire beyond plain LSP: the
// workspace/executeCommand commands with their arguments and results, the
// notifications, and the data of errors. PROTOCOL.md beside this file describes
// the same to people who write clients; a test fails when the two differ.
package wire

import "encoding/json"

// ProtocolVersion is what a client of the daemon and the daemon must share. It
// changes when a message changes its meaning, not when one is added.
const ProtocolVersion = 1

// Commands of workspace/executeCommand. Each takes one object.
const (
	CommandASTEdit = "pending-lsp.astEdit"
	CommandPush    = "pending-lsp.push"
	CommandResolve = "pending-lsp.resolve"
	CommandPeek    = "pending-lsp.peek"
	CommandList    = "pending-lsp.list"
	CommandPreview = "pending-lsp.preview"
	CommandAwait   = "pending-lsp.await"
	CommandUndo    = "pending-lsp.undo"
	CommandLog     = "pending-lsp.log"
	CommandExplain = "pending-lsp.explainPattern"
)

// NotificationDidChange tells a session that the stack of one of its workspaces
// changed. It goes to sessions that set initializationOptions.didChange.
const NotificationDidChange = "pending-lsp/didChange"

// Requests from the server to the session that owns an action with callbacks.
const (
	RequestApply  = "pending-lsp/apply"
	RequestReject = "pending-lsp/reject"
)

// Code action kinds.
const (
	KindApply       = "refactor.rewrite.pending.apply"
	KindApplyHunk   = "refactor.rewrite.pending.apply.hunk"
	KindDiscard     = "refactor.rewrite.pending.discard"
	KindDiscardHunk = "refactor.rewrite.pending.discard.hunk"
	KindShow        = "refactor.rewrite.pending.show"
)

// InitializationOptions are the settings. A client gives them at initialize;
// approval and those that say what is told and how things are shown may change
// later, as the section pendingLsp of workspace/configuration.
type InitializationOptions struct {
	// Workspace is "root" (default: the version-control root that encloses a
	// folder) or "folder" (the folder itself).
	Workspace string `json:"workspace,omitempty"`
	// Apply is "hybrid" (default: open files through the editor, others on disk)
	// or "editor" (every file through the editor).
	Apply string `json:"apply,omitempty"`
	// DidChange asks for [NotificationDidChange].
	DidChange bool `json:"didChange,omitempty"`
	// Approval says for which tools an agent's apply waits until the user of an
	// editor has agreed. Only an editor's counts; nil wants nothing.
	Approval *Approval `json:"approval,omitempty"`
	// CodeActionEdit gives code actions that apply something an edit when they are
	// resolved, for clients that take one so; their command then acknowledges it.
	CodeActionEdit bool `json:"codeActionEdit,omitempty"`
	// Confirm marks every change of an apply as one that the user is to confirm,
	// for clients with change annotations; the apply then takes as long as they do.
	Confirm bool `json:"confirm,omitempty"`
	// Diagnostics is "information" (default), "hint" or "off".
	Diagnostics string `json:"diagnostics,omitempty"`
	// CodeLens and InlayHints are on unless false.
	CodeLens   *bool `json:"codeLens,omitempty"`
	InlayHints *bool `json:"inlayHints,omitempty"`
}

// Content is one part of a [ToolResult]; Type is always "text".
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// ToolChoice names the tool an agent should call next.
type ToolChoice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// ToolResult is the result of the commands that act, in the form of an agent's
// tool call.
type ToolResult struct {
	Content []Content `json:"content"`
	// Details depend on the command.
	Details    json.RawMessage `json:"details,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	ToolChoice *ToolChoice     `json:"toolChoice,omitempty"`
}

// Top is the top of the stack as [DidChangeParams] shows it.
type Top struct {
	ID             string `json:"id"`
	Label          string `json:"label"`
	SourceToolName string `json:"sourceToolName"`
}

// DidChangeParams are the params of [NotificationDidChange].
type DidChangeParams struct {
	Workspace  string `json:"workspace"`
	HasPending bool   `json:"hasPending"`
	Depth      int    `json:"depth"`
	Top        *Top   `json:"top,omitempty"`
	ToolChoice string `json:"toolChoice,omitempty"`
	Cause      string `json:"cause"`
	ActionID   string `json:"actionId,omitempty"`
}

// ActionData is the data of diagnostics, code actions and code lenses.
type ActionData struct {
	Action string `json:"action"`
	Hunk   string `json:"hunk,omitempty"`
	// Apply says of a code action that resolving it gives it an edit, which applies
	// Hunks, or all if there are none.
	Apply     bool     `json:"apply,omitempty"`
	Hunks     []string `json:"hunks,omitempty"`
	Workspace string   `json:"workspace,omitempty"`
}

// ErrorData is the data of every error a user can meet.
type ErrorData struct {
	Kind     string   `json:"kind"`
	Paths    []string `json:"paths,omitempty"`
	ActionID string   `json:"actionId,omitempty"`
	Hint     string   `json:"hint,omitempty"`
	// Languages are those found, for languageRequired.
	Languages []string `json:"languages,omitempty"`
}

// Capability is advertised as capabilities.experimental.pendingLsp.
type Capability struct {
	ProtocolVersion int      `json:"protocolVersion"`
	Version         string   `json:"version"`
	Commands        []string `json:"commands"`
	Notifications   []string `json:"notifications"`
	Languages       []string `json:"languages"`
}
