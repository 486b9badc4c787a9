package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// command decodes its argument, takes what it needs of the documents, releases
// the connection if it may take time, and answers.
type command func(s *session, ctx context.Context, arg json.RawMessage) (any, error)

// commands maps the names of executeCommand to what they do.
func commands() map[string]command {
	return map[string]command{
		wire.CommandASTEdit: (*session).astEdit,
		wire.CommandPush:    (*session).push,
		wire.CommandResolve: (*session).resolve,
		wire.CommandPeek:    (*session).peek,
		wire.CommandList:    (*session).list,
		wire.CommandPreview: (*session).preview,
		wire.CommandAwait:   (*session).await,
		wire.CommandUndo:    (*session).undo,
		wire.CommandLog:     (*session).log,
		wire.CommandExplain: (*session).explainPattern,
	}
}

// commandNames lists the commands in a stable order.
func commandNames() []string {
	var names []string
	for name := range commands() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ExecuteCommand implements workspace/executeCommand.
func (s *session) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	run, ok := commands()[p.Command]
	if !ok {
		return nil, invalidParams("unknown command %q; the commands are %s", p.Command, strings.Join(commandNames(), ", "))
	}
	if len(p.Arguments) > 1 {
		return nil, invalidParams("%s takes one object, not %d arguments", p.Command, len(p.Arguments))
	}
	arg := json.RawMessage("{}")
	if len(p.Arguments) == 1 {
		arg = json.RawMessage(p.Arguments[0])
	}
	if p.WorkDoneToken != nil {
		var err error
		if arg, err = withToken(p.Command, arg, p.WorkDoneToken); err != nil {
			return nil, err
		}
	}
	result, err := run(s, ctx, arg)
	if err != nil {
		return nil, err
	}
	return protocol.LSPAny(wire.Encode(result)), nil
}

// withToken puts the request's own workDoneToken into the argument of the
// command that reports progress, unless it has one.
func withToken(command string, arg json.RawMessage, token protocol.ProgressToken) (json.RawMessage, error) {
	if command != wire.CommandASTEdit {
		return arg, nil
	}
	var members map[string]json.RawMessage
	if err := decode(arg, &members); err != nil {
		return nil, err
	}
	if _, ok := members["workDoneToken"]; !ok {
		raw, err := protocol.Marshal(token)
		if err != nil {
			return nil, err
		}
		members["workDoneToken"] = raw
	}
	return wire.Encode(members), nil
}

// decode reads one JSON object strictly: an unknown or ill-typed member is the
// caller's mistake, and is named.
func decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrong) && wrong.Field != "":
			return invalidParams("%s must not be a %s", wrong.Field, wrong.Value)
		case errors.As(err, &wrong):
			return invalidParams("the argument must be an object, not a %s", wrong.Value)
		case errors.Is(err, io.EOF):
			return invalidParams("the argument is missing")
		}
		return invalidParams("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
