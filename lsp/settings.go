package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// settingsSection is the name of our settings in workspace/configuration.
const settingsSection = "pendingLsp"

// choices are the values of the settings that have a fixed set of them; the
// empty one is the default.
func choices(o *wire.InitializationOptions) []choice {
	return append(approvalChoices(o.Approval),
		choice{"workspace", o.Workspace, []string{"root", "folder"}},
		choice{"apply", o.Apply, []string{"hybrid", "editor"}},
		choice{"diagnostics", o.Diagnostics, []string{"information", "hint", "off"}},
	)
}

func approvalChoices(a *wire.Approval) []choice {
	if a == nil {
		return nil
	}
	approvals := []string{"anyone", "editor"}
	list := []choice{{"approval", a.Default, approvals}}
	for tool, approval := range a.Tools {
		list = append(list, choice{"approval.tools." + tool, approval, approvals})
	}
	return list
}

type choice struct {
	name, value string
	of          []string
}

// check fails on the first choice with a wrong value.
func check(list []choice) error {
	for _, c := range list {
		if c.value != "" && !slices.Contains(c.of, c.value) {
			return fmt.Errorf("%s: %q is none of %s", c.name, c.value, strings.Join(c.of, ", "))
		}
	}
	return nil
}

// decodeSettings reads settings over what is set already. It names the members
// it does not know, and fails on one with a wrong value.
func decodeSettings(raw []byte, over wire.InitializationOptions) (o wire.InitializationOptions, unknown []string, err error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return over, nil, nil
	}
	o = over
	o.Approval, o.CodeLens, o.InlayHints = clone(over.Approval), clone(over.CodeLens), clone(over.InlayHints)
	if err := json.Unmarshal(raw, &o); err != nil {
		return over, nil, err
	}
	if err := check(choices(&o)); err != nil {
		return over, nil, err
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // it is an object: it was decoded as one
	known := settingNames()
	for name := range members {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return o, unknown, nil
}

// clone copies what a pointer points to: decoding over it must not change the
// original.
func clone[T any](v *T) *T {
	if v == nil {
		return nil
	}
	return ptr(*v)
}

// settingNames lists the members of the settings.
func settingNames() []string {
	var names []string
	t := reflect.TypeFor[wire.InitializationOptions]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// settings are those in force. What is read at initialize only does not change.
func (s *session) settings() wire.InitializationOptions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// reconfigure takes new settings of approval, and of what is told and shown.
func (s *session) reconfigure(raw []byte) {
	s.mu.Lock()
	next, unknown, err := decodeSettings(raw, s.client.options)
	told := s.shown.DidChange
	if err == nil {
		s.shown = next
	}
	seats := slices.Clone(s.seats)
	s.mu.Unlock()
	if err != nil {
		s.tell(protocol.MessageTypeWarning, "pending-lsp: settings ignored: "+err.Error())
		return
	}
	s.reportUnknown(unknown)
	for _, st := range seats {
		st.member.SetApproval(approvalPolicy(next.Approval))
		if next.DidChange && !told {
			s.pub.joined(st) // it is told what there is
		} else {
			s.pub.repaint(st)
		}
	}
}

// reportUnknown says once of each name that no setting has it.
func (s *session) reportUnknown(names []string) {
	var fresh []string
	s.mu.Lock()
	for _, name := range names {
		if !s.reported[name] {
			s.reported[name] = true
			fresh = append(fresh, name)
		}
	}
	s.mu.Unlock()
	if len(fresh) > 0 {
		s.tell(protocol.MessageTypeWarning, "pending-lsp: unknown settings: "+strings.Join(fresh, ", "))
	}
}

// tell writes to the client's log.
func (s *session) tell(level protocol.MessageType, message string) {
	s.send(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: level, Message: message})
}

// DidChangeConfiguration implements workspace/didChangeConfiguration. A client
// that sends no settings along is asked for them.
func (s *session) DidChangeConfiguration(ctx context.Context, p *protocol.DidChangeConfigurationParams) error {
	var sections map[string]json.RawMessage
	if json.Unmarshal(p.Settings, &sections) == nil {
		if ours, ok := sections[settingsSection]; ok {
			s.reconfigure(ours)
			return nil
		}
	}
	release(ctx)
	return s.fetchSettings(ctx)
}

// fetchSettings asks for our section with workspace/configuration.
func (s *session) fetchSettings(ctx context.Context) error {
	if !s.client.configuration {
		return nil
	}
	section := settingsSection
	params := protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}}
	var answer []protocol.LSPAny
	if err := protocol.Call(ctx, s.conn, protocol.MethodWorkspaceConfiguration, &params, &answer); err != nil {
		return err
	}
	if len(answer) == 1 {
		s.reconfigure(answer[0])
	}
	return nil
}

// watchSettings asks to be told when the settings change.
func (s *session) watchSettings(ctx context.Context) error {
	if !s.client.registerConfiguration {
		return nil
	}
	params := protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID:              "pending-lsp-settings",
		Method:          protocol.MethodWorkspaceDidChangeConfiguration,
		RegisterOptions: protocol.LSPAny(wire.Encode(map[string]any{"section": settingsSection})),
	}}}
	return protocol.Call(ctx, s.conn, protocol.MethodClientRegisterCapability, &params, nil)
}
