package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// requestFailed is LSP's RequestFailed: the request was well-formed and could
// not be carried out. ContentModified would be nearer for some failures, but
// vscode-languageclient swallows it on executeCommand.
const requestFailed = jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed)

// errCancelled marks the error of a request that the client cancelled, whatever
// was refused on the way.
var errCancelled = errors.New("cancelled")

// invalidParams says what is wrong with an argument.
func invalidParams(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, format, args...)
}

// toWire is the one place where errors become wire errors. What a person can
// act on keeps its kind and message; anything else is an InternalError.
func toWire(err error) *jsonrpc2.Error {
	var (
		refused *pending.Error
		engine  *astedit.Error
		wired   *jsonrpc2.Error
	)
	switch {
	case errors.Is(err, errCancelled), errors.Is(err, protocol.ErrRequestCancelled):
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, err.Error())
	case errors.As(err, &refused):
		return failed(refused.Message, wire.ErrorData{Kind: string(refused.Kind), Paths: refused.Paths, ActionID: refused.Action})
	case errors.As(err, &engine):
		data := wire.ErrorData{Kind: string(engine.Kind), Hint: engine.Hint, Languages: engine.Languages}
		if engine.Place != nil {
			data.Paths = []string{engine.Place.Path}
		}
		out := failed(engine.Error(), data)
		if engine.Kind == astedit.KindInvalidRequest {
			out.Code = jsonrpc2.InvalidParams
		}
		return out
	case errors.Is(err, jsonrpc2.ErrParse):
		// The protocol module reports undecodable params so; the message itself
		// was JSON.
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	case errors.As(err, &wired):
		return wired
	case errors.Is(err, context.Canceled):
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, err.Error())
	default:
		return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
	}
}

func failed(message string, data wire.ErrorData) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: requestFailed, Message: message, Data: jsonrpc2.RawMessage(wire.Encode(data))}
}
