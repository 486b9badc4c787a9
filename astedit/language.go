package astedit

// LanguageInfo describes a language that can be searched.
type LanguageInfo struct {
	Name       string
	Aliases    []string
	Extensions []string // without the dot
	FileNames  []string
}

// Languages lists all languages, sorted by name.
func Languages() []LanguageInfo { return nil }
