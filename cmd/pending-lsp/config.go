package main

import (
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/lsp"
)

// configPath is the file of the user's wishes, beside the list of grammars.
func configPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "pending-lsp", "config.json"), err
}

func readConfig() (lsp.Config, error) {
	path, err := configPath()
	if err != nil {
		return lsp.Config{}, nil // without a home there is no file
	}
	return lsp.ReadConfig(path)
}
