package astedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// syntaxErrors lists the ERROR and missing nodes of a tree, outermost only.
func syntaxErrors(t *flat.Tree) []span {
	var out []span
	for i := 0; i < len(t.Nodes); {
		n := &t.Nodes[i]
		switch {
		case n.Flags&flat.HasError == 0:
			i += int(n.Skip)
		case n.Kind == flat.KindError || n.Flags&flat.Missing != 0:
			out = append(out, span{n.Start, n.End})
			i += int(n.Skip)
		default:
			i++
		}
	}
	return out
}

// firstError describes the first syntax error of a file.
func firstError(path string, text []byte, errs []span) ParseError {
	at := int(errs[0].start)
	line := 1 + bytes.Count(text[:at], []byte{'\n'})
	message := "syntax error"
	if near := excerpt(text[at:errs[0].end]); near != "" {
		message += " near " + quote(near)
	}
	if len(errs) > 1 {
		message += fmt.Sprintf(" (the first of %d)", len(errs))
	}
	return ParseError{Path: path, Line: line, Column: at - bytes.LastIndexByte(text[:at], '\n'), Message: message}
}

// excerpt is the start of a text's first line.
func excerpt(text []byte) string {
	text = bytes.TrimSpace(text)
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return string(bytes.ToValidUTF8(text[:min(len(text), 40)], nil))
}

// flagBroken marks the hunks after which a file has syntax errors that it had
// not before. The parser must just have parsed text, keeping its tree, when
// kept is set; old are the errors that text has.
func flagBroken(ctx context.Context, parser *flat.Parser, kept bool, path string, text []byte, hunks []Hunk, old []span) error {
	edits := make([]textedit.Edit, len(hunks))
	for i, h := range hunks {
		edits[i] = textedit.Edit{Start: h.Start, End: h.End, New: h.After}
	}
	after, err := textedit.Apply(text, edits)
	if err != nil {
		return fmt.Errorf("apply the hunks of %s: %w", path, err)
	}
	if kept && len(old) == 0 {
		broken, err := parser.Reparse(ctx, parserEdits(text, edits), after)
		if err == nil && !broken {
			return nil
		}
		if err != nil && !errors.Is(err, flat.ErrStuck) {
			return err
		}
	}
	t, err := parser.Parse(ctx, after)
	if errors.Is(err, flat.ErrStuck) {
		flagHunk(path, text, hunks, edits, after, span{})
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range syntaxErrors(t) {
		if !known(e, old, edits) {
			flagHunk(path, text, hunks, edits, after, e)
		}
	}
	return nil
}

// known says whether an error of the new text lies where the old one had one.
func known(e span, old []span, edits []textedit.Edit) bool {
	return slices.ContainsFunc(old, func(o span) bool {
		start, end := shift(int(o.start), edits), shift(int(o.end), edits)
		return start <= int(e.end) && int(e.start) <= end
	})
}

// shift moves an offset of the old text to the new one.
func shift(offset int, edits []textedit.Edit) int {
	delta := 0
	for _, e := range edits {
		if e.Start >= offset {
			break
		}
		delta += len(e.New) - (e.End - e.Start)
	}
	return offset + delta
}

// flagHunk puts a warning on the hunk to blame for an error: one whose new text
// has the error in it, else the last before it, else the first.
func flagHunk(path string, text []byte, hunks []Hunk, edits []textedit.Edit, after []byte, e span) {
	blame, delta := 0, 0
	for i, edit := range edits {
		start := edit.Start + delta
		end := start + len(edit.New)
		if start > int(e.end) {
			break
		}
		blame = i
		if int(e.start) <= end {
			break
		}
		delta += len(edit.New) - (edit.End - edit.Start)
	}
	h := &hunks[blame]
	if slices.ContainsFunc(h.Warnings, func(w Warning) bool { return w.Kind == WarnBroken }) {
		return
	}
	message := "the rewritten code does not parse"
	if near := excerpt(after[e.start:e.end]); near != "" {
		message += ", near " + quote(near)
	}
	line := 1 + bytes.Count(text[:h.Start], []byte{'\n'})
	h.Warnings = append(h.Warnings, Warning{Kind: WarnBroken, Path: path, Line: line, Message: message})
}

// parserEdits puts edits the way the parser wants them: one after another, with
// rows and columns.
func parserEdits(text []byte, edits []textedit.Edit) []flat.Edit {
	out := make([]flat.Edit, len(edits))
	var now flat.Place // in the text with the edits so far
	at := 0            // in the old text
	for i, e := range edits {
		now = advance(now, text[at:e.Start])
		out[i] = flat.Edit{Start: now, OldEnd: advance(now, text[e.Start:e.End])}
		now = advance(now, []byte(e.New))
		out[i].NewEnd = now
		at = e.End
	}
	return out
}

func advance(p flat.Place, text []byte) flat.Place {
	p.Offset += len(text)
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		p.Row += bytes.Count(text, []byte{'\n'})
		p.Column = len(text) - i - 1
	} else {
		p.Column += len(text)
	}
	return p
}
