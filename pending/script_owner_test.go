package pending_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/pending-lsp/pending-lsp/pending"
)

// owner is a session that answers callbacks with fixed texts.
type owner struct {
	apply, reject string
	fail          string
	silent        bool
	meanwhile     func() error
	edit          *pending.Proposal
}

func (o *owner) answer(ctx context.Context, text string) (pending.ToolResult, error) {
	if o.silent {
		<-ctx.Done()
		return pending.ToolResult{}, ctx.Err()
	}
	if o.fail != "" {
		return pending.ToolResult{}, errors.New(o.fail)
	}
	return pending.ToolResult{Text: text, IsError: strings.HasPrefix(text, "error:")}, nil
}

func (o *owner) Apply(ctx context.Context, reason string, hunks []string) (*pending.CallbackResult, error) {
	if o.meanwhile != nil {
		if err := o.meanwhile(); err != nil {
			return &pending.CallbackResult{ToolResult: pending.ToolResult{Text: "meanwhile: " + err.Error()}}, nil
		}
	}
	res, err := o.answer(ctx, o.apply)
	return &pending.CallbackResult{ToolResult: res, Proposal: o.edit}, err
}

func (o *owner) HasReject() bool { return o.reject != "" }

func (o *owner) Reject(ctx context.Context, reason string) (*pending.ToolResult, error) {
	res, err := o.answer(ctx, strings.TrimSpace(o.reject))
	return &res, err
}

func (s *story) cmdOffer(a *arguments) error {
	o := &owner{}
	a.flags(func(f *flag.FlagSet) {
		f.StringVar(&o.apply, "apply", "", "")
		f.StringVar(&o.reject, "reject", "", "")
		f.StringVar(&o.fail, "fail", "", "")
		f.BoolVar(&o.silent, "silent", false, "")
		f.Func("meanwhile", "", func(name string) error {
			o.meanwhile = func() error {
				_, err := s.members[name].Resolve(context.Background(), pending.Resolution{Decision: pending.DecisionDiscard})
				return err
			}
			return nil
		})
		f.Func("edit", "", func(path string) error {
			text, err := os.ReadFile(filepath.Join(s.root, path))
			o.edit = &pending.Proposal{Files: []pending.FileProposal{{Path: path, Text: text, Hunks: []pending.Hunk{{After: "// offered\n"}}}}}
			return err
		})
	})
	m := s.member(a)
	name := a.next()
	return s.pushed(a, m, pending.New{Label: name, Callbacks: o}, name)
}
