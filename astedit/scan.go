package astedit

import "context"

// Scan finds every match of the request's patterns and returns what the
// rewrites would change. It reads files once each and writes nothing.
func Scan(ctx context.Context, req Request, src Source) (*Preview, error) {
	return nil, &Error{Kind: KindUnsupportedLanguage, Message: "no languages are linked yet"}
}
