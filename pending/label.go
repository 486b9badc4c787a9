package pending

import "fmt"

// ASTEditLabel is the label of an ast_edit action, with real plurals: "AST
// Edit: 1 replacement in 1 file".
func ASTEditLabel(replacements, files int) string {
	return fmt.Sprintf("AST Edit: %s in %s", plural(replacements, "replacement"), plural(files, "file"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
