package lsp

import (
	"fmt"

	"github.com/pending-lsp/pending-lsp/astedit"
	"github.com/pending-lsp/pending-lsp/lsp/digest"
	"github.com/pending-lsp/pending-lsp/lsp/wire"
)

// astEditWords are for an agent that has the commands as tools.
var astEditWords = digest.Words{
	Rest: func(id string, _ int) string {
		return fmt.Sprintf("pending-lsp.preview of %s shows all.", id)
	},
	Next:    `call resolve with action "apply" or "discard" and a reason.`,
	Explain: "try the pattern with explainPattern on a snippet of the code that it should match.",
}

// astEditText is what a model reads: what would change, how, and what to do.
func astEditText(label string, preview *astedit.Preview, d wire.ASTEditDetails) string {
	d.Changes = changeList(preview, digest.MaxHunks)
	return digest.ASTEdit(label, &d, astEditWords)
}
