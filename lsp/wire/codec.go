package wire

import (
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Codec encodes LSP payloads with the protocol module, which knows LSP's
// unions. Raw messages pass through as they are.
type Codec struct{}

var _ jsonrpc2.Codec = Codec{}

// Marshal implements [jsonrpc2.Codec].
func (Codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		if raw == nil {
			return []byte("null"), nil
		}
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal implements [jsonrpc2.Codec].
func (Codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append((*raw)[:0:0], data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// Encode returns one of this package's values as a payload. Those types are
// plain data, so it cannot fail on them.
func Encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encoding %T: %v", v, err))
	}
	return data
}
