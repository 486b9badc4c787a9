package main

import (
	"os"
	"path/filepath"

	"github.com/pending-lsp/pending-lsp/lsp"
)

// userFile is a file in the user's configuration directory, where they say what
// holds for all their editors and workspaces. Without a home there is none.
func userFile(name string) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "pending-lsp", name), nil
}

// configPath is the file of the user's wishes.
func configPath() (string, error) { return userFile("config.json") }

func readConfig() (lsp.Config, error) {
	path, err := configPath()
	if err != nil {
		return lsp.Config{}, nil // without a home there is no file
	}
	return lsp.ReadConfig(path)
}
