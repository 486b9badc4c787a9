package agent

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// Progress says how far a request is.
type Progress struct {
	// Token is the WorkDoneToken of the request; a string token without quotes.
	Token string
	// Percentage of the work is done.
	Percentage int
	Message    string
	// Done says that this is the last report.
	Done bool
}

func progressOf(params jsonrpc2.RawMessage) (Progress, bool) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       string `json:"kind"`
			Message    string `json:"message"`
			Percentage int    `json:"percentage"`
		} `json:"value"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return Progress{}, false
	}
	out := Progress{Token: string(p.Token), Percentage: p.Value.Percentage, Message: p.Value.Message, Done: p.Value.Kind == "end"}
	var text string
	if json.Unmarshal(p.Token, &text) == nil {
		out.Token = text
	}
	return out, true
}
