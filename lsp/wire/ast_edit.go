package wire

import "encoding/json"

// Op is one rewrite rule: code that matches Pat becomes Out.
type Op struct {
	Pat string `json:"pat"`
	Out string `json:"out"`
}

// StringList accepts one string or a list of them.
type StringList []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *StringList) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = StringList{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

// ASTEditParams is the argument of [CommandASTEdit].
type ASTEditParams struct {
	Ops              []Op       `json:"ops"`
	Lang             string     `json:"lang,omitempty"`
	Path             StringList `json:"path,omitempty"`
	Glob             StringList `json:"glob,omitempty"`
	Sel              string     `json:"sel,omitempty"`
	Strictness       string     `json:"strictness,omitempty"`
	Limit            int        `json:"limit,omitempty"`
	MaxFiles         int        `json:"maxFiles,omitempty"`
	FailOnParseError bool       `json:"failOnParseError,omitempty"`
	StrictParse      bool       `json:"strictParse,omitempty"`
	AllowBroken      bool       `json:"allowBroken,omitempty"`
	AllowInvalidUTF8 bool       `json:"allowInvalidUtf8,omitempty"`
	Label            string     `json:"label,omitempty"`
	// Changes asks for details.changes.
	Changes       bool            `json:"changes,omitempty"`
	Workspace     string          `json:"workspace,omitempty"`
	WorkDoneToken json.RawMessage `json:"workDoneToken,omitempty"`
}

// Count is the number of replacements in one file.
type Count struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Change is one replacement as a person and a program would name its place.
// Lines and columns are 1-based, columns count bytes; offsets are 0-based bytes.
type Change struct {
	Path        string `json:"path"`
	Before      string `json:"before"`
	After       string `json:"after"`
	ByteStart   int    `json:"byteStart"`
	ByteEnd     int    `json:"byteEnd"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
}

// ParseError is a place that tree-sitter could not parse; 1-based.
type ParseError struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Warning is something worth knowing before applying; Line is 1-based, 0 when
// it concerns no line.
type Warning struct {
	Kind    string `json:"kind"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// ASTEditDetails are the details of an astEdit's tool result.
type ASTEditDetails struct {
	ActionID          string       `json:"actionId,omitempty"`
	Depth             int          `json:"depth"`
	TotalReplacements int          `json:"totalReplacements"`
	FilesTouched      int          `json:"filesTouched"`
	FilesSearched     int          `json:"filesSearched"`
	Applied           bool         `json:"applied"`
	LimitReached      bool         `json:"limitReached"`
	ParseErrors       []ParseError `json:"parseErrors,omitempty"`
	Warnings          []Warning    `json:"warnings,omitempty"`
	ScopePath         string       `json:"scopePath"`
	Files             []string     `json:"files"`
	FileReplacements  []Count      `json:"fileReplacements"`
	// Changes are sorted by path, then offset; only when asked for.
	Changes []Change `json:"changes,omitempty"`
}
