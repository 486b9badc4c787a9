package astedit

import "errors"

// ErrorKind is a reason that users and the wire can switch on. The strings are
// part of the protocol and do not change.
type ErrorKind string

// The kinds of [Error].
const (
	// KindInvalidPattern: a pattern is empty of nodes, has several roots, or
	// cannot be read in its language.
	KindInvalidPattern ErrorKind = "invalidPattern"
	// KindUnsupportedLanguage: no grammar has the name asked for.
	KindUnsupportedLanguage ErrorKind = "unsupportedLanguage"
	// KindLanguageRequired: files of several languages (or of none) are in
	// scope and the request names no language.
	KindLanguageRequired ErrorKind = "languageRequired"
	// KindOverlap: two rules match ranges that overlap without one enclosing
	// the other.
	KindOverlap ErrorKind = "overlap"
	// KindLimit: more files than Request.MaxFiles would change.
	KindLimit ErrorKind = "limit"
	// KindOutsideWorkspace: a path leads out of Source.Root.
	KindOutsideWorkspace ErrorKind = "outsideWorkspace"
	// KindInvalidRequest: the request contradicts itself or lacks something.
	KindInvalidRequest ErrorKind = "invalidRequest"
	// KindNotFound: a path or glob names nothing.
	KindNotFound ErrorKind = "notFound"
	// KindParseError: Request.FailOnParseError is set and a file does not parse.
	KindParseError ErrorKind = "parseError"
	// KindBrokenRewrite: the rewritten text would not parse where the original
	// did, and Request.AllowBroken is not set.
	KindBrokenRewrite ErrorKind = "introducesParseError"
)

// Error is what this package returns for anything a user can cause. Message is
// one sentence for people; Hint, when not empty, says how to mend the request.
type Error struct {
	Kind    ErrorKind
	Message string
	Hint    string
	// Languages lists the languages found, for KindLanguageRequired.
	Languages []string
	// Place is where in a file the trouble is, when it has a place.
	Place *ParseError
	Err   error
}

// Error returns the message, followed by the hint if there is one.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first [*Error] in err's chain, or "".
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
