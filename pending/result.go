package pending

import (
	"fmt"
	"strings"
	"syscall"
)

// listedFiles is how many files a result's text names.
const listedFiles = 20

// describe fills in what an apply did.
func (res *Result) describe(files []*planned, r Resolution) {
	n := 0
	for _, p := range files {
		f := FileResult{Path: p.path, Hunks: p.replacements(), Via: "disk", Saved: p.saved}
		if p.editor != nil {
			f.Via = "editor"
		} else if st, ok := p.disk.info.Sys().(*syscall.Stat_t); ok {
			f.Links = int(st.Nlink)
		}
		n += f.Hunks
		res.Files = append(res.Files, f)
	}
	var b strings.Builder
	if len(r.Hunks) > 0 {
		fmt.Fprintf(&b, "Applied %s of %s.", plural(n, "replacement"), res.Label)
	} else {
		fmt.Fprintf(&b, "Applied: %s.", res.Label)
	}
	if r.Reason != "" {
		b.WriteString(" Reason: " + r.Reason)
	}
	if res.Source != nil && res.Source.Text != "" {
		b.WriteString("\n" + res.Source.Text)
	}
	for i, f := range res.Files {
		if i == listedFiles {
			fmt.Fprintf(&b, "\nand %s more", plural(len(res.Files)-i, "file"))
			break
		}
		where := "written to disk"
		switch {
		case f.Via == "editor" && f.Saved:
			where = "in the editor, saved"
		case f.Via == "editor":
			where = "in the editor, not saved yet"
		}
		fmt.Fprintf(&b, "\n%s: %s, %s", Visible(f.Path), plural(f.Hunks, "replacement"), where)
		if f.Links > 1 {
			fmt.Fprintf(&b, "; its other %s on disk keep the old text", plural(f.Links-1, "hard link"))
		}
	}
	if res.NewMatches > 0 {
		fmt.Fprintf(&b, "\nNot applied: %s that the preview did not show. Run %s again to see what is left.", pluralEs(res.NewMatches, "match"), res.SourceToolName)
	}
	res.Text = b.String()
}

// hunks counts the hunks written.
func (res *Result) hunks() int {
	n := 0
	for _, f := range res.Files {
		n += f.Hunks
	}
	return n
}

func pluralEs(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ses", n, noun)
}
