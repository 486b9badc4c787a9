package pending

import "encoding/json"

// The decisions of a [Resolution].
const (
	DecisionApply   = "apply"
	DecisionDiscard = "discard"
)

// Resolution is a verdict on the top of the stack.
type Resolution struct {
	// Decision is [DecisionApply] or [DecisionDiscard].
	Decision string
	// Reason is informational: it is reported and logged, and changes nothing.
	Reason string
	// ID names the action; empty means the top.
	ID string
	// Hunks are the IDs of the hunks to resolve; empty means all. The others stay
	// pending.
	Hunks []string
	// Cascade resolves everything above ID first, top down, the same way.
	Cascade bool
	// AllowPartial skips hunks that are no longer there instead of failing.
	AllowPartial bool
	// Agent names an agent for which the member resolves, as an editor does that has
	// one built in: it counts as an agent's doing then, not as its user's.
	Agent string
	// Offered says that the member's client was to apply an edit of
	// [Member.Offer] before this: the resolve waits until its documents show it,
	// for as long as for the answer to any edit.
	Offered bool
	// Waiting, if set, is called without a lock when that wait begins.
	Waiting func()

	by       Party  // who resolves
	approver *Party // whose user approved it, if one was asked
}

// Result is what a resolve did.
type Result struct {
	Decision       string
	Reason         string
	ActionID       string
	Label          string
	SourceToolName string
	// Text is for people and agents to read.
	Text string
	// Files were written, sorted by path.
	Files []FileResult
	// NewMatches counts matches that were never previewed and so not applied.
	NewMatches int
	// Depth is what remains on the stack.
	Depth int
	// Source is the callback's own result, if there was a callback.
	Source *ToolResult
	// IsError says that Source reports an error; the action is still pending.
	IsError bool
	// Cascaded are the results of the actions above, top first.
	Cascaded []*Result
}

// Details returns the callback's details, if any.
func (r *Result) Details() json.RawMessage {
	if r.Source == nil {
		return nil
	}
	return r.Source.Details
}

// FileResult is one file of a [Result].
type FileResult struct {
	// Path is relative to the workspace root, slash-separated.
	Path  string
	Hunks int
	// Via is "editor" or "disk".
	Via string
	// Saved says that the disk has the text now.
	Saved bool
	// Links counts the names of the file on disk. Where there are several, the
	// others keep the old text, since the file was replaced.
	Links int
}
