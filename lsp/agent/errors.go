package agent

import (
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"
)

// asError turns a wire error into an [*Error] and leaves others as they are.
func asError(err error) error {
	var refused *jsonrpc2.Error
	if !errors.As(err, &refused) {
		return err
	}
	out := &Error{Code: int(refused.Code), Message: refused.Message}
	if len(refused.Data) > 0 {
		_ = json.Unmarshal(refused.Data, &out.Data) // data of an unknown form stays empty
	}
	return out
}
