package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pending-lsp/pending-lsp/lsp/wire"
	"github.com/pending-lsp/pending-lsp/pending"
)

// Config is what the user wants of every workspace, whichever editor is attached.
type Config struct {
	// Approval is the least that agents need; an editor may ask for more.
	Approval *wire.Approval `json:"approval,omitempty"`
}

// ReadConfig reads the user's file. One that does not exist wants nothing; one
// that cannot be understood is an error, since it may want a lot.
func ReadConfig(path string) (Config, error) {
	var c Config
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := check(approvalChoices(c.Approval)); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// options are those of a registry.
func (c Config) options() pending.Options {
	var o pending.Options
	if p := approvalPolicy(c.Approval); p != nil {
		o.Approval = *p
	}
	return o
}
