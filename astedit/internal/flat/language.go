package flat

// #include "bridge.h"
import "C"

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// The ABI versions of grammars that smacker's runtime can run. It accepts a
// newer one silently and then fails to parse, so the check is ours.
const (
	MinABI = 13
	MaxABI = 14
)

// Language is a grammar. It is immutable and lives as long as the process.
type Language struct {
	ptr   unsafe.Pointer
	abi   int
	names []string
	named []bool
	text  []bool // kinds that hold literal text
	blank []bool // kinds of tokens that are white space
	trim  bool
	raw   bool // trees may be read directly
}

// Options are what has to be known about a grammar besides its tables.
type Options struct {
	// TrimTokens is for grammars whose tokens contain the white space before
	// them: it is taken off.
	TrimTokens bool
}

// NewLanguage reads a grammar's tables. It fails when the grammar was made for
// another version of tree-sitter.
func NewLanguage(l *sitter.Language, opts Options) (*Language, error) {
	return newLanguage(grammarPointer(l), opts)
}

func newLanguage(ptr unsafe.Pointer, opts Options) (*Language, error) {
	abi := int(C.flat_language_version(ptr))
	if abi < MinABI || abi > MaxABI {
		return nil, fmt.Errorf("grammar has ABI %d, this build runs %d to %d", abi, MinABI, MaxABI)
	}
	count := int(C.flat_symbol_count(ptr))
	lang := &Language{ptr: ptr, abi: abi, names: make([]string, count), named: make([]bool, count), text: make([]bool, count), blank: make([]bool, count), trim: opts.TrimTokens}
	for i := range count {
		lang.names[i] = C.GoString(C.flat_symbol_name(ptr, C.uint16_t(i)))
		lang.named[i] = C.flat_symbol_type(ptr, C.uint16_t(i)) == 0
		lang.blank[i] = !lang.named[i] && strings.TrimSpace(lang.names[i]) == "" && lang.names[i] != ""
		lang.text[i] = lang.named[i] && slices.ContainsFunc(strings.Split(lang.names[i], "_"), func(word string) bool {
			return slices.Contains(textual, word)
		})
	}
	raw, err := lang.rawAgrees()
	if err != nil {
		return nil, err
	}
	lang.raw = raw
	return lang, nil
}

// rawSample is no code in any language, so that it gives all kinds of nodes, with
// errors, in all of them.
const rawSample = "\n a(b, \"c\") { d = 1; } // e\n/* f */ <g h=\"i\">j</g> # k\nif l: m ! é ]\n"

// rawAgrees says whether walking the memory of trees gives what the cursor gives.
// It does while tree-sitter is the one that walk_raw.c was written for.
func (l *Language) rawAgrees() (bool, error) {
	var trees [2]*Tree
	for i := range trees {
		p, err := newParser(l, i == 1)
		if err != nil {
			return false, err
		}
		defer p.Close()
		if trees[i], err = p.Parse(context.Background(), []byte(rawSample)); err != nil {
			return false, err
		}
	}
	return slices.Equal(trees[0].Nodes, trees[1].Nodes), nil
}

// textual are words in the names of kinds in which every byte counts.
var textual = []string{"string", "char", "character", "rune", "regex", "regexp", "quoted", "scalar", "heredoc", "text"}

// IsString says whether white space counts in nodes of a kind, going by its
// name: strings, character literals, regular expressions.
func (l *Language) IsString(k Kind) bool { return int(k) < len(l.text) && l.text[k] }

// IsBlank says whether a kind is a token that is only white space: some grammars
// have their line breaks in the tree.
func (l *Language) IsBlank(k Kind) bool { return int(k) < len(l.blank) && l.blank[k] }

// grammarPointer takes the C pointer out of smacker's Language, whose first and
// only field it is. TestGrammarPointer guards this.
func grammarPointer(l *sitter.Language) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(l))
}

// ABI returns the tree-sitter version the grammar was made for.
func (l *Language) ABI() int { return l.abi }

// Raw says that trees of the language are read from memory, not by the cursor.
func (l *Language) Raw() bool { return l.raw }

// KindCount returns how many kinds there are: all but [KindError] are below it.
func (l *Language) KindCount() int { return len(l.names) }

// KindName returns the name of a kind: a rule's name or a token's text.
func (l *Language) KindName(k Kind) string {
	switch {
	case k == KindError:
		return "ERROR"
	case int(k) < len(l.names):
		return l.names[k]
	}
	return ""
}

// Kinds returns the named kinds with a name: several symbols may share one.
func (l *Language) Kinds(name string) []Kind {
	if name == "ERROR" {
		return []Kind{KindError}
	}
	var kinds []Kind
	for i, n := range l.names {
		if l.named[i] && n == name {
			kinds = append(kinds, Kind(i))
		}
	}
	return kinds
}

// TokenNames returns the names of the unnamed kinds, as a rule their text.
func (l *Language) TokenNames() []string {
	var names []string
	for i, n := range l.names {
		if !l.named[i] {
			names = append(names, n)
		}
	}
	return names
}

// KindNames returns the distinct names of all named kinds, in the grammar's
// order.
func (l *Language) KindNames() []string {
	seen := map[string]bool{}
	var names []string
	for i, n := range l.names {
		if l.named[i] && !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	return names
}
