package wire

import "encoding/json"

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

// Party is who did something.
type Party struct {
	// Name is the clientInfo's name and version.
	Name   string `json:"name"`
	Editor bool   `json:"editor"`
	// Session tells connections of one name apart.
	Session string `json:"session,omitempty"`
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
	ID     string `json:"id,omitempty"`
	Format string `json:"format,omitempty"`
	// Show opens the diff with window/showDocument too.
	Show      bool   `json:"show,omitempty"`
	Workspace string `json:"workspace,omitempty"`
}

// PreviewFile is one file's text before and after.
type PreviewFile struct {
	URI string `json:"uri"`
	// BeforeURI and AfterURI name the same texts as virtual documents.
	BeforeURI string `json:"beforeUri"`
	AfterURI  string `json:"afterUri"`
	Before    string `json:"before"`
	After     string `json:"after"`
}

// PreviewResult is the result of [CommandPreview]: Diff with format "diff"
// (default), Files with "texts".
type PreviewResult struct {
	ID    string        `json:"id"`
	Label string        `json:"label"`
	Diff  string        `json:"diff,omitempty"`
	Files []PreviewFile `json:"files,omitempty"`
}

// LogParams is the argument of [CommandLog].
type LogParams struct {
	Limit     int    `json:"limit,omitempty"`
	Workspace string `json:"workspace,omitempty"`
}

// LogEntry is one line of the log.
type LogEntry struct {
	Time           string   `json:"time"`
	Cause          string   `json:"cause"`
	ActionID       string   `json:"actionId"`
	Label          string   `json:"label"`
	SourceToolName string   `json:"sourceToolName"`
	Reason         string   `json:"reason,omitempty"`
	By             Party    `json:"by"`
	Approver       *Party   `json:"approver,omitempty"`
	Files          []string `json:"files,omitempty"`
	Hunks          int      `json:"hunks"`
}

// LogResult is the result of [CommandLog]: the latest first.
type LogResult struct {
	Entries []LogEntry `json:"entries"`
}
