package lsptest

import (
	"strings"
	"testing"
)

// The check finds what is wrong, so that passing it means something.
func TestModelFindsFaults(t *testing.T) {
	m, err := LoadModel()
	if err != nil {
		t.Fatal(err)
	}
	const diagnostics = "textDocument/publishDiagnostics"
	for name, c := range map[string]struct{ method, params, says string }{
		"right":             {diagnostics, `{"uri":"file:///a","diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"m","severity":3,"data":{"x":1}}]}`, ""},
		"missing member":    {diagnostics, `{"uri":"file:///a"}`, "diagnostics is missing"},
		"unknown member":    {diagnostics, `{"uri":"file:///a","diagnostics":[],"colour":1}`, "colour is not LSP's"},
		"wrong type":        {diagnostics, `{"uri":7,"diagnostics":[]}`, "is no"},
		"negative line":     {diagnostics, `{"uri":"file:///a","diagnostics":[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":1}},"message":"m"}]}`, "uinteger"},
		"wrong enumeration": {diagnostics, `{"uri":"file:///a","diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"m","severity":9}]}`, "DiagnosticSeverity"},
		"null for a list":   {diagnostics, `{"uri":"file:///a","diagnostics":null}`, "no array"},
		"params for none":   {"exit", `{"a":1}`, "takes no params"},
	} {
		known, err := m.CheckParams(c.method, false, []byte(c.params))
		switch {
		case !known:
			t.Errorf("%s: %s is unknown", name, c.method)
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
	}
	if _, err := m.CheckResult("textDocument/codeAction", []byte(`[{"title":"t","kind":"refactor","disabled":{}}]`)); err == nil {
		t.Error("a disabled action without a reason passes")
	}
	if known, _ := m.CheckParams("no/such", true, nil); known {
		t.Error("an unknown method is known")
	}
}
