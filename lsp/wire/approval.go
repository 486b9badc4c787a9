package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Approval says whose word an agent needs to apply what a tool proposed: each
// value is "anyone" or "editor". In JSON it is the one value for all tools, or an
// object.
type Approval struct {
	// Default is for the tools that Tools does not name; "anyone" if empty.
	Default string `json:"default,omitempty"`
	// Tools are exceptions, by sourceToolName.
	Tools map[string]string `json:"tools,omitempty"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It refuses members it does not
// know: a misspelt one must not let more through than was meant.
func (a *Approval) UnmarshalJSON(data []byte) error {
	*a = Approval{}
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &a.Default)
	}
	type plain Approval
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode((*plain)(a)); err != nil {
		return fmt.Errorf(`approval: not a string or {"default": STRING, "tools": {TOOL: STRING}}: %s`, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (a Approval) MarshalJSON() ([]byte, error) {
	if len(a.Tools) == 0 {
		return json.Marshal(a.Default)
	}
	type plain Approval
	return json.Marshal(plain(a))
}
