package lsptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Model is LSP's meta-model: what each message must look like.
type Model struct {
	requests      map[string]*method
	notifications map[string]*method
	structures    map[string]*structure
	enumerations  map[string]*enumeration
	aliases       map[string]*typ
}

type method struct {
	Method string `json:"method"`
	Params *typ   `json:"params"`
	Result *typ   `json:"result"`
}

type structure struct {
	Name       string     `json:"name"`
	Properties []property `json:"properties"`
	Extends    []*typ     `json:"extends"`
	Mixins     []*typ     `json:"mixins"`
}

type property struct {
	Name     string `json:"name"`
	Type     *typ   `json:"type"`
	Optional bool   `json:"optional"`
}

type enumeration struct {
	Name   string `json:"name"`
	Values []struct {
		Value any `json:"value"`
	} `json:"values"`
	Custom bool `json:"supportsCustomValues"`
}

// typ is a type of the meta-model, of any kind.
type typ struct {
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Element *typ            `json:"element"`
	Items   []*typ          `json:"items"`
	Key     *typ            `json:"key"`
	Value   json.RawMessage `json:"value"` // a type of a map, a structure of a literal, or a constant
}

// LoadModel reads the meta-model that the protocol module ships with its
// source.
func LoadModel() (*Model, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.lsp.dev/protocol").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "internal", "genlsp", "testdata", "metaModel.json"))
	if err != nil {
		return nil, err
	}
	var raw struct {
		Requests      []*method      `json:"requests"`
		Notifications []*method      `json:"notifications"`
		Structures    []*structure   `json:"structures"`
		Enumerations  []*enumeration `json:"enumerations"`
		TypeAliases   []struct {
			Name string `json:"name"`
			Type *typ   `json:"type"`
		} `json:"typeAliases"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	m := &Model{map[string]*method{}, map[string]*method{}, map[string]*structure{}, map[string]*enumeration{}, map[string]*typ{}}
	for _, r := range raw.Requests {
		m.requests[r.Method] = r
	}
	for _, n := range raw.Notifications {
		m.notifications[n.Method] = n
	}
	for _, s := range raw.Structures {
		m.structures[s.Name] = s
	}
	for _, e := range raw.Enumerations {
		m.enumerations[e.Name] = e
	}
	for _, a := range raw.TypeAliases {
		m.aliases[a.Name] = a.Type
	}
	if len(m.requests) == 0 || len(m.structures) == 0 {
		return nil, errors.New("the meta-model is empty")
	}
	return m, nil
}

// CheckParams checks the params of a request or notification. known is false
// for methods that LSP does not have.
func (m *Model) CheckParams(name string, call bool, params []byte) (known bool, err error) {
	table := m.notifications
	if call {
		table = m.requests
	}
	method, ok := table[name]
	if !ok {
		return false, nil
	}
	if method.Params == nil {
		if len(params) > 0 && string(params) != "null" {
			return true, fmt.Errorf("%s takes no params, not %s", name, params)
		}
		return true, nil
	}
	return true, m.checkRaw(name+" params", params, method.Params)
}

// CheckResult checks the result of a request.
func (m *Model) CheckResult(name string, result []byte) (known bool, err error) {
	method, ok := m.requests[name]
	if !ok || method.Result == nil {
		return ok, nil
	}
	return true, m.checkRaw(name+" result", result, method.Result)
}

func (m *Model) checkRaw(at string, raw []byte, t *typ) error {
	if len(raw) == 0 {
		raw = []byte("null")
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return m.check(at, v, t)
}

// check reports where a value differs from a type.
func (m *Model) check(at string, v any, t *typ) error {
	switch t.Kind {
	case "base":
		return checkBase(at, v, t.Name)
	case "reference":
		return m.checkReference(at, v, t.Name)
	case "array":
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s: %T is no array", at, v)
		}
		for i, item := range list {
			if err := m.check(fmt.Sprintf("%s[%d]", at, i), item, t.Element); err != nil {
				return err
			}
		}
		return nil
	case "map":
		return m.checkMap(at, v, t)
	case "and":
		return m.checkAll(at, v, t.Items)
	case "or":
		return m.checkAny(at, v, t.Items)
	case "tuple":
		list, ok := v.([]any)
		if !ok || len(list) != len(t.Items) {
			return fmt.Errorf("%s: %v is no tuple of %d", at, v, len(t.Items))
		}
		for i, item := range list {
			if err := m.check(fmt.Sprintf("%s[%d]", at, i), item, t.Items[i]); err != nil {
				return err
			}
		}
		return nil
	case "literal":
		var s structure
		if err := json.Unmarshal(t.Value, &s); err != nil {
			return err
		}
		return m.checkProperties(at, v, s.Properties)
	case "stringLiteral", "integerLiteral", "booleanLiteral":
		var want any
		if err := json.Unmarshal(t.Value, &want); err != nil {
			return err
		}
		if v != want {
			return fmt.Errorf("%s: %v, want %v", at, v, want)
		}
		return nil
	}
	return fmt.Errorf("%s: the meta-model has a type of unknown kind %q", at, t.Kind)
}

func checkBase(at string, v any, name string) error {
	ok := false
	switch name {
	case "string", "URI", "DocumentUri", "RegExp":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "null":
		ok = v == nil
	case "decimal":
		_, ok = v.(float64)
	case "integer", "uinteger":
		var n float64
		n, ok = v.(float64)
		ok = ok && n == math.Trunc(n) && n <= math.MaxInt32 && (n >= 0 || name == "integer" && n >= math.MinInt32)
	}
	if !ok {
		return fmt.Errorf("%s: %v (%T) is no %s", at, v, v, name)
	}
	return nil
}

func (m *Model) checkReference(at string, v any, name string) error {
	switch name {
	case "LSPAny", "LSPObject", "LSPArray":
		return nil
	}
	if alias, ok := m.aliases[name]; ok {
		return m.check(at, v, alias)
	}
	if e, ok := m.enumerations[name]; ok {
		for _, value := range e.Values {
			if value.Value == v {
				return nil
			}
		}
		if e.Custom {
			return nil
		}
		return fmt.Errorf("%s: %v is no %s", at, v, name)
	}
	return m.checkProperties(at, v, m.properties(name))
}

// properties lists those of a structure, inherited ones included.
func (m *Model) properties(name string) []property {
	s := m.structures[name]
	if s == nil {
		return nil
	}
	out := slices.Clone(s.Properties)
	for _, parent := range append(slices.Clone(s.Extends), s.Mixins...) {
		for _, p := range m.properties(parent.Name) {
			if !slices.ContainsFunc(out, func(q property) bool { return q.Name == p.Name }) {
				out = append(out, p)
			}
		}
	}
	return out
}

// checkProperties wants every property that is not optional and no other.
func (m *Model) checkProperties(at string, v any, properties []property) error {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %v (%T) is no object", at, v, v)
	}
	known := map[string]bool{}
	for _, p := range properties {
		known[p.Name] = true
		value, present := object[p.Name]
		if !present {
			if !p.Optional {
				return fmt.Errorf("%s: %s is missing", at, p.Name)
			}
			continue
		}
		if err := m.check(at+"."+p.Name, value, p.Type); err != nil {
			return err
		}
	}
	for name := range object {
		if !known[name] {
			return fmt.Errorf("%s: %s is not LSP's", at, name)
		}
	}
	return nil
}

func (m *Model) checkMap(at string, v any, t *typ) error {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %T is no object", at, v)
	}
	var value typ
	if err := json.Unmarshal(t.Value, &value); err != nil {
		return err
	}
	for key, item := range object {
		if err := m.check(at+"."+key, item, &value); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) checkAll(at string, v any, items []*typ) error {
	for _, t := range items {
		if err := m.check(at, v, t); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) checkAny(at string, v any, items []*typ) error {
	var errs []error
	for _, t := range items {
		err := m.check(at, v, t)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("%s: fits none of %d types: %w", at, len(items), errors.Join(errs...))
}
