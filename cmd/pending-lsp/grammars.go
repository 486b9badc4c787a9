package main

import (
	"log/slog"

	"github.com/pending-lsp/pending-lsp/lsp"
)

// grammarList is where the user lists grammars of their own. It is not a setting
// of editors or workspaces: what it names is run.
func grammarList() string {
	path, _ := userFile("grammars.json") // without a home no such file
	return path
}

// engine knows the user's grammars; what is wrong with their list is logged, and
// said to who asks for one of them.
func engine(logger *slog.Logger) lsp.Engine {
	e, err := lsp.NewEngine(grammarList())
	if err != nil {
		logger.Error("languages are missing", "err", err)
	}
	return e
}
