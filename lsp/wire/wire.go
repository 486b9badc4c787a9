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
)

// NotificationDidChange tells a session that the stack of one of its workspaces
// changed. It goes to sessions that set initializationOptions.didChange.
const NotificationDidChange = "pending-lsp/didChange"

// Code action kinds.
const (
	KindApply   = "refactor.rewrite.pending.apply"
	KindDiscard = "refactor.rewrite.pending.discard"
)

// InitializationOptions are the settings a client gives at initialize.
type InitializationOptions struct {
	// Workspace is "root" (default: the version-control root that encloses a
	// folder) or "folder" (the folder itself).
	Workspace string `json:"workspace,omitempty"`
	// Apply is "hybrid" (default: open files through the editor, others on disk)
	// or "editor" (every file through the editor).
	Apply string `json:"apply,omitempty"`
	// DidChange asks for [NotificationDidChange].
	DidChange bool `json:"didChange,omitempty"`
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

// Op is one rewrite rule: code that matches Pat becomes Out.
type Op struct {
	Pat string `json:"pat"`
	Out string `json:"out"`
}

// StringList accepts one string or a list of them.
type StringList []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *StringList) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = StringList{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

// ASTEditParams is the argument of [CommandASTEdit].
type ASTEditParams struct {
	Ops        []Op       `json:"ops"`
	Lang       string     `json:"lang,omitempty"`
	Path       StringList `json:"path,omitempty"`
	Glob       StringList `json:"glob,omitempty"`
	Sel        string     `json:"sel,omitempty"`
	Strictness string     `json:"strictness,omitempty"`
	Limit      int        `json:"limit,omitempty"`
	Label      string     `json:"label,omitempty"`
	// Changes asks for details.changes.
	Changes       bool            `json:"changes,omitempty"`
	Workspace     string          `json:"workspace,omitempty"`
	WorkDoneToken json.RawMessage `json:"workDoneToken,omitempty"`
}

// Count is the number of replacements in one file.
type Count struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Change is one replacement as a person and a program would name its place.
// Lines and columns are 1-based, columns count bytes; offsets are 0-based bytes.
type Change struct {
	Path        string `json:"path"`
	Before      string `json:"before"`
	After       string `json:"after"`
	ByteStart   int    `json:"byteStart"`
	ByteEnd     int    `json:"byteEnd"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
}

// ParseError is a place that tree-sitter could not parse; 1-based.
type ParseError struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Warning is something worth knowing before applying; Line is 1-based, 0 when
// it concerns no line.
type Warning struct {
	Kind    string `json:"kind"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// ASTEditDetails are the details of an astEdit's tool result.
type ASTEditDetails struct {
	ActionID          string       `json:"actionId,omitempty"`
	Depth             int          `json:"depth"`
	TotalReplacements int          `json:"totalReplacements"`
	FilesTouched      int          `json:"filesTouched"`
	FilesSearched     int          `json:"filesSearched"`
	Applied           bool         `json:"applied"`
	LimitReached      bool         `json:"limitReached"`
	ParseErrors       []ParseError `json:"parseErrors,omitempty"`
	Warnings          []Warning    `json:"warnings,omitempty"`
	ScopePath         string       `json:"scopePath"`
	Files             []string     `json:"files"`
	FileReplacements  []Count      `json:"fileReplacements"`
	// Changes are sorted by path, then offset; only when asked for.
	Changes []Change `json:"changes,omitempty"`
}

// PushParams is the argument of [CommandPush].
type PushParams struct {
	Label          string          `json:"label"`
	SourceToolName string          `json:"sourceToolName,omitempty"`
	Details        json.RawMessage `json:"details,omitempty"`
	Edit           json.RawMessage `json:"edit,omitempty"`
	Workspace      string          `json:"workspace,omitempty"`
}

// PushDetails are the details of a push's tool result.
type PushDetails struct {
	ActionID string `json:"actionId"`
	Depth    int    `json:"depth"`
}

// ResolveParams is the argument of [CommandResolve].
type ResolveParams struct {
	Action       string   `json:"action"`
	Reason       string   `json:"reason,omitempty"`
	ID           string   `json:"id,omitempty"`
	Hunks        []string `json:"hunks,omitempty"`
	Cascade      bool     `json:"cascade,omitempty"`
	AllowPartial bool     `json:"allowPartial,omitempty"`
	Workspace    string   `json:"workspace,omitempty"`
}

// ResolvedFile says what an apply did to one file.
type ResolvedFile struct {
	Path  string `json:"path"`
	Hunks int    `json:"hunks"`
	Via   string `json:"via"`
	Saved bool   `json:"saved"`
}

// ResolveDetails are the details of a resolve's tool result.
type ResolveDetails struct {
	Action              string          `json:"action"`
	Reason              string          `json:"reason"`
	ActionID            string          `json:"actionId"`
	Label               string          `json:"label"`
	SourceToolName      string          `json:"sourceToolName"`
	Depth               int             `json:"depth"`
	Files               []ResolvedFile  `json:"files"`
	NewMatches          int             `json:"newMatches,omitempty"`
	SourceResultDetails json.RawMessage `json:"sourceResultDetails,omitempty"`
}

// ListParams is the argument of [CommandPeek] and [CommandList].
type ListParams struct {
	Workspace string `json:"workspace,omitempty"`
}

// Position and Range are LSP's, in the encoding negotiated at initialize.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is half-open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Hunk is one replacement of a pending action.
type Hunk struct {
	ID     string `json:"id"`
	Range  Range  `json:"range"`
	Before string `json:"before"`
	After  string `json:"after"`
	Stale  bool   `json:"stale,omitempty"`
}

// ActionFile is one file of an [Action].
type ActionFile struct {
	URI   string `json:"uri"`
	Path  string `json:"path"`
	Hunks []Hunk `json:"hunks"`
}

// Party is who pushed an action.
type Party struct {
	Name   string `json:"name"`
	Editor bool   `json:"editor"`
}

// Action is a pending action.
type Action struct {
	ID             string          `json:"id"`
	Label          string          `json:"label"`
	SourceToolName string          `json:"sourceToolName"`
	State          string          `json:"state"`
	Stale          bool            `json:"stale"`
	Orphaned       bool            `json:"orphaned"`
	CreatedAt      string          `json:"createdAt"`
	By             Party           `json:"by"`
	Details        json.RawMessage `json:"details,omitempty"`
	Files          []ActionFile    `json:"files"`
}

// ListResult is the result of [CommandPeek] and [CommandList]: top first.
type ListResult struct {
	Actions    []Action `json:"actions"`
	HasPending bool     `json:"hasPending"`
	Depth      int      `json:"depth"`
}

// PreviewParams is the argument of [CommandPreview].
type PreviewParams struct {
	ID        string `json:"id,omitempty"`
	Format    string `json:"format,omitempty"`
	Workspace string `json:"workspace,omitempty"`
}

// PreviewFile is one file's text before and after.
type PreviewFile struct {
	URI    string `json:"uri"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// PreviewResult is the result of [CommandPreview]: Diff with format "diff"
// (default), Files with "texts".
type PreviewResult struct {
	ID    string        `json:"id"`
	Label string        `json:"label"`
	Diff  string        `json:"diff,omitempty"`
	Files []PreviewFile `json:"files,omitempty"`
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
