package astedit

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Languages are the languages that a request can have. They are immutable and
// safe for concurrent use; nil has those of this build.
type Languages struct {
	all                                         []*language
	byAlias, byExtension, byFileName, byShebang map[string]*language
	flaw                                        string // what is wrong with the user's list of grammars
}

// builtin are the languages of this build.
var builtin = func() *Languages {
	ls := &Languages{}
	for i := range languages {
		ls.add(&languages[i])
	}
	return ls
}()

// add puts a language in, in place of one of the same name, and before others where
// they share an alias or an extension.
func (ls *Languages) add(l *language) {
	if ls.byAlias == nil {
		ls.byAlias, ls.byExtension = map[string]*language{}, map[string]*language{}
		ls.byFileName, ls.byShebang = map[string]*language{}, map[string]*language{}
	}
	if l.once == nil {
		l.once = new(sync.Once)
	}
	replaced := func(_ string, o *language) bool { return o.Name == l.Name }
	for _, table := range []map[string]*language{ls.byAlias, ls.byExtension, ls.byFileName, ls.byShebang} {
		maps.DeleteFunc(table, replaced)
	}
	ls.all = append(slices.DeleteFunc(ls.all, func(o *language) bool { return replaced("", o) }), l)
	for _, a := range append([]string{l.Name}, l.Aliases...) {
		ls.byAlias[a] = l
	}
	for _, e := range l.Extensions {
		ls.byExtension[e] = l
	}
	for _, f := range l.FileNames {
		ls.byFileName[f] = l
	}
	for _, s := range l.Shebangs {
		ls.byShebang[s] = l
	}
}

func (ls *Languages) orBuiltin() *Languages {
	if ls == nil {
		return builtin
	}
	return ls
}

// List lists all languages, sorted by name.
func (ls *Languages) List() []LanguageInfo {
	all := ls.orBuiltin().all
	out := make([]LanguageInfo, len(all))
	for i, l := range all {
		out[i] = LanguageInfo{
			Name:       l.Name,
			Aliases:    slices.Clone(l.Aliases),
			Extensions: slices.Clone(l.Extensions),
			FileNames:  slices.Clone(l.FileNames),
		}
	}
	slices.SortFunc(out, func(a, b LanguageInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Of returns the name of the language that a file's name says it is in, or "".
func (ls *Languages) Of(name string) string {
	if l := ls.ofName(name); l != nil {
		return l.Name
	}
	return ""
}

// unsupported says why some languages people ask for are missing.
var unsupported = map[string]string{
	"json": "There is no JSON grammar in this build. JSON parses as yaml: name the file and give that language.",
}

// lookup finds a language by name or alias, in any case.
func (ls *Languages) lookup(name string) (*language, error) {
	ls = ls.orBuiltin()
	key := strings.ToLower(strings.TrimSpace(name))
	if l := ls.byAlias[key]; l != nil {
		return l, nil
	}
	var names []string
	for _, l := range ls.List() {
		names = append(names, l.Name)
	}
	hint := nearest(key, names)
	if why, known := unsupported[key]; known {
		hint = why
	} else if hint == "" {
		hint = "Known are " + strings.Join(names, ", ") + "."
	}
	if ls.flaw != "" {
		hint += " " + ls.flaw
	}
	return nil, &Error{Kind: KindUnsupportedLanguage, Message: "language " + quote(name) + " is not supported.", Hint: hint}
}

// ofName finds a language by a file's name alone.
func (ls *Languages) ofName(name string) *language {
	ls = ls.orBuiltin()
	base := path.Base(name)
	if l := ls.byFileName[base]; l != nil {
		return l
	}
	// The longest extension wins: "a.blade.php" before "a.php".
	for i := 0; i < len(base); i++ {
		if base[i] != '.' || i == len(base)-1 {
			continue
		}
		if l := ls.byExtension[base[i+1:]]; l != nil {
			return l
		}
		if l := ls.byExtension[strings.ToLower(base[i+1:])]; l != nil {
			return l
		}
	}
	return nil
}

// mayHaveShebang says whether a file's name leaves its language to its first
// line.
func mayHaveShebang(name string) bool { return !strings.Contains(path.Base(name), ".") }

// ofShebang finds a language by the first line of a script.
func (ls *Languages) ofShebang(text []byte) *language {
	ls = ls.orBuiltin()
	line, _, _ := strings.Cut(string(text[:min(len(text), 256)]), "\n")
	line, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	for _, word := range strings.Fields(line) {
		name := path.Base(word)
		if name == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if l := ls.byShebang[name]; l != nil {
			return l
		}
		// python3.12 is a python.
		return ls.byShebang[strings.TrimRight(name, "0123456789.-")]
	}
	return nil
}
