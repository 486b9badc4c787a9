package wire

// ExplainPatternParams is the argument of [CommandExplain].
type ExplainPatternParams struct {
	Pat        string `json:"pat"`
	Lang       string `json:"lang"`
	Sel        string `json:"sel,omitempty"`
	Strictness string `json:"strictness,omitempty"`
	Snippet    string `json:"snippet,omitempty"`
}

// PatternMatch is one match of a pattern in a snippet; offsets are 0-based bytes.
type PatternMatch struct {
	Start    int               `json:"start"`
	End      int               `json:"end"`
	Text     string            `json:"text"`
	Captures map[string]string `json:"captures"`
}

// ExplainPatternResult is the result of [CommandExplain].
type ExplainPatternResult struct {
	Parsed        []string       `json:"parsed"`
	Contexts      []string       `json:"contexts"`
	Metavariables []string       `json:"metavariables"`
	RootKind      string         `json:"rootKind"`
	Problems      []string       `json:"problems"`
	Suggestions   []string       `json:"suggestions"`
	Matches       []PatternMatch `json:"matches,omitempty"`
}
