package wire

import "encoding/json"

// ResolveParams is the argument of [CommandResolve].
type ResolveParams struct {
	Action       string   `json:"action"`
	Reason       string   `json:"reason,omitempty"`
	ID           string   `json:"id,omitempty"`
	Hunks        []string `json:"hunks,omitempty"`
	Cascade      bool     `json:"cascade,omitempty"`
	AllowPartial bool     `json:"allowPartial,omitempty"`
	// Agent names an agent inside the client for which it resolves.
	Agent string `json:"agent,omitempty"`
	// Offered says that the client has applied the edit of the code action whose
	// command this is, if it was given one.
	Offered   bool   `json:"offered,omitempty"`
	Workspace string `json:"workspace,omitempty"`
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
	Action         string         `json:"action"`
	Reason         string         `json:"reason"`
	ActionID       string         `json:"actionId"`
	Label          string         `json:"label"`
	SourceToolName string         `json:"sourceToolName"`
	Depth          int            `json:"depth"`
	Files          []ResolvedFile `json:"files"`
	NewMatches     int            `json:"newMatches,omitempty"`
	// Unverified says that the client that resolved has said it applied the edit
	// and does not show it yet; what comes of it is in the log.
	Unverified          bool            `json:"unverified,omitempty"`
	SourceResultDetails json.RawMessage `json:"sourceResultDetails,omitempty"`
}

// AwaitParams is the argument of [CommandAwait].
type AwaitParams struct {
	ID        string `json:"id"`
	TimeoutMs int    `json:"timeoutMs,omitempty"`
	Workspace string `json:"workspace,omitempty"`
}

// AwaitResult is the result of [CommandAwait].
type AwaitResult struct {
	State  string `json:"state"`
	Action string `json:"action,omitempty"`
	Reason string `json:"reason,omitempty"`
	By     *Party `json:"by,omitempty"`
	// Approver is the editor whose user approved it, if somebody had to.
	Approver *Party      `json:"approver,omitempty"`
	Result   *ToolResult `json:"result,omitempty"`
}

// UndoParams is the argument of [CommandUndo].
type UndoParams struct {
	Workspace string `json:"workspace,omitempty"`
}
