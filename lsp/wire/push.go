package wire

import "encoding/json"

// PushParams is the argument of [CommandPush].
type PushParams struct {
	Label          string          `json:"label"`
	SourceToolName string          `json:"sourceToolName,omitempty"`
	Details        json.RawMessage `json:"details,omitempty"`
	Edit           json.RawMessage `json:"edit,omitempty"`
	Callbacks      *Callbacks      `json:"callbacks,omitempty"`
	Workspace      string          `json:"workspace,omitempty"`
}

// Callbacks say which requests the owner of an action answers. With Apply,
// which must be true, the owner does the work when the action is applied.
type Callbacks struct {
	Apply  bool `json:"apply"`
	Reject bool `json:"reject,omitempty"`
}

// ApplyParams are the params of [RequestApply].
type ApplyParams struct {
	ID     string   `json:"id"`
	Reason string   `json:"reason"`
	Hunks  []string `json:"hunks,omitempty"`
}

// RejectParams are the params of [RequestReject].
type RejectParams struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// CallbackResult is the answer to [RequestApply] and [RequestReject]: a tool
// result, to apply optionally with an edit for the server to carry out.
type CallbackResult struct {
	Content []Content       `json:"content,omitempty"`
	Details json.RawMessage `json:"details,omitempty"`
	IsError bool            `json:"isError,omitempty"`
	Edit    json.RawMessage `json:"edit,omitempty"`
}

// PushDetails are the details of a push's tool result.
type PushDetails struct {
	ActionID string `json:"actionId"`
	Depth    int    `json:"depth"`
}
