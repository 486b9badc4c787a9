package pending

// ErrorKind classifies an [Error]; the values are the wire's.
type ErrorKind string

// The kinds this package reports.
const (
	EmptyStack        ErrorKind = "emptyStack"
	StoreUnavailable  ErrorKind = "storeUnavailable"
	NotTop            ErrorKind = "notTop"
	Stale             ErrorKind = "stale"
	Busy              ErrorKind = "busy"
	Orphaned          ErrorKind = "orphaned"
	DivergentBuffers  ErrorKind = "divergentBuffers"
	OutsideWorkspace  ErrorKind = "outsideWorkspace"
	Overlap           ErrorKind = "overlap"
	Limit             ErrorKind = "limit"
	ReadOnly          ErrorKind = "readOnly"
	EditorRejected    ErrorKind = "editorRejected"
	EditorTimeout     ErrorKind = "editorTimeout"
	Policy            ErrorKind = "policy"
	UndoDrift         ErrorKind = "undoDrift"
	CallbackFailed    ErrorKind = "callbackFailed"
	UnknownAction     ErrorKind = "unknownAction"
	WriteFailed       ErrorKind = "writeFailed"
	InvalidResolution ErrorKind = "invalidResolution"
)

// Error is a refusal a person can act on: Message says what happened, what was
// left untouched and what to do next.
type Error struct {
	Kind    ErrorKind
	Message string
	// Paths are the files concerned, relative to the workspace root.
	Paths []string
	// Action is the ID of the action concerned, if any.
	Action string
	Err    error
}

// Error returns the message; the cause, where there is one, is part of it.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Messages of the reference runtime, to the letter.
const (
	// MessageEmptyStack answers a resolve when nothing is pending.
	MessageEmptyStack = "No pending action to resolve. Nothing to apply or discard."
	// MessageStoreUnavailable answers a custom tool's push in a session that has
	// no workspace.
	MessageStoreUnavailable = "Pending action store unavailable for custom tools in this runtime."
)
