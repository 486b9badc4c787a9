package astedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// job is a compiled request: what every file is searched for.
type job struct {
	req   *Request
	scope *scope
	lang  *language
	rules []rule
}

// fileResult is what came of one file.
type fileResult struct {
	preview    *FilePreview
	parseError *ParseError
	skipped    *Skipped
	warning    *Warning // about the file, not about a hunk
	searched   bool
	// candidate: the file has every literal of some pattern.
	candidate bool
}

// searcher searches one file after another. It belongs to one goroutine.
type searcher struct {
	*job
	parser *flat.Parser
	buffer []byte
}

func newSearcher(j *job) (*searcher, error) {
	parser, err := flat.NewParser(j.lang.grammar)
	if err != nil {
		return nil, &Error{Kind: KindUnsupportedLanguage, Message: "cannot parse " + j.lang.Name + ".", Err: err}
	}
	return &searcher{job: j, parser: parser}, nil
}

func (s *searcher) close() { s.parser.Close() }

// content is what a file holds: the text of the open document, else the disk's.
// A text that is neither open nor cached is good until the next one is read.
type content struct {
	text   []byte
	open   bool
	cached *cacheEntry
}

// file searches one file. Errors are those that end the whole request.
func (s *searcher) file(ctx context.Context, f target) (fileResult, error) {
	c, skip := s.read(f)
	if skip != nil {
		if skip.Reason == "" {
			return fileResult{}, nil
		}
		return fileResult{skipped: skip}, nil
	}
	text := c.text
	if !f.named && mayHaveShebang(f.path) && s.req.Languages.ofName(f.path) == nil && s.req.Languages.ofShebang(text) != s.lang {
		return fileResult{}, nil
	}
	r := fileResult{searched: true}
	wanted := make([]bool, len(s.rules))
	for i := range s.rules {
		wanted[i] = s.rules[i].prefilter.mayMatch(text)
		r.candidate = r.candidate || wanted[i]
	}
	// A file that cannot match is not looked at closer, unless it was named and
	// the user should hear that it is no text.
	if !r.candidate && !f.named {
		return r, nil
	}
	if reason, message := unfit(text, s.req.AllowInvalidUTF8); reason != "" {
		return fileResult{skipped: &Skipped{Path: f.path, Reason: reason, Message: message}}, nil
	}
	if !r.candidate {
		return r, nil
	}
	t, old, kept, err := s.parse(ctx, c)
	if errors.Is(err, flat.ErrStuck) {
		return fileResult{skipped: &Skipped{Path: f.path, Reason: SkipStuck, Message: err.Error()}}, nil
	}
	if err != nil {
		return r, fmt.Errorf("parse %s: %w", f.path, err)
	}
	if len(old) > 0 {
		e := firstError(f.path, text, old)
		r.parseError = &e
		if s.req.StrictParse {
			return fileResult{parseError: &e, skipped: &Skipped{Path: f.path, Reason: SkipParseError, Message: e.Message}}, nil
		}
	}
	hunks, err := s.hunks(ctx, t, f.path, wanted)
	if err != nil {
		return r, err
	}
	if s.req.AllowInvalidUTF8 {
		hunks, r.warning = dropInvalidUTF8(f.path, hunks)
	}
	if len(hunks) == 0 {
		return r, nil
	}
	if err := s.check(ctx, c, kept, f.path, hunks, old); err != nil {
		return r, err
	}
	r.preview = &FilePreview{Path: f.path, Lang: s.lang.Name, Text: text, Hunks: hunks, Overlay: c.open}
	switch {
	case c.cached != nil:
		r.preview.Base = c.cached.hashOf()
	case !c.open:
		r.preview.Text = slices.Clone(text)
		fallthrough
	default:
		r.preview.Base = textedit.HashOf(text)
	}
	return r, nil
}

// parse returns the tree of a text and its syntax errors; kept says that the
// parser has the tree too.
func (s *searcher) parse(ctx context.Context, c content) (t *flat.Tree, errs []span, kept bool, err error) {
	if c.cached != nil {
		if t, errs := c.cached.parsed(); t != nil {
			return t, errs, false, nil
		}
	}
	if t, err = s.parser.ParseKeep(ctx, c.text); err != nil {
		return nil, nil, false, err
	}
	if t.HasError() {
		errs = syntaxErrors(t)
	}
	if c.cached != nil {
		s.req.Cache.setTree(c.cached, t, errs)
	}
	return t, errs, true, nil
}

// check flags the hunks that introduce syntax errors, by what is remembered if
// the same edits were checked before.
func (s *searcher) check(ctx context.Context, c content, kept bool, path string, hunks []Hunk, old []span) error {
	if c.cached == nil {
		return flagBroken(ctx, s.parser, kept, path, c.text, hunks, old)
	}
	edits := editsHash(hunks)
	if warnings, known := c.cached.broken(edits); known {
		for i, w := range warnings {
			w.Path = path
			hunks[i].Warnings = append(hunks[i].Warnings, w)
		}
		return nil
	}
	if err := flagBroken(ctx, s.parser, kept, path, c.text, hunks, old); err != nil {
		return err
	}
	c.cached.setBroken(edits, hunks)
	return nil
}

// hunks matches the wanted rules and expands what they found.
func (s *searcher) hunks(ctx context.Context, t *flat.Tree, path string, wanted []bool) ([]Hunk, error) {
	var hits []hit
	for op := range s.rules {
		if !wanted[op] {
			continue
		}
		p := s.rules[op].pattern
		found, err := p.match(ctx, t)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			// Where the code is broken a match may be an accident.
			if t.Nodes[m.node].Flags&flat.HasError == 0 || p.broken {
				hits = append(hits, hit{Match: m, op: op})
			}
		}
	}
	if len(hits) == 0 {
		return nil, nil
	}
	top, err := arrange(hits, s.req.Ops)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Message += " In " + path + "."
		}
		return nil, err
	}
	w := rewriter{ctx: ctx, rules: s.rules, text: t.Text, crlf: usesCRLF(t.Text)}
	hunks := make([]Hunk, 0, len(top))
	for _, h := range top {
		after, err := w.expand(h)
		if err != nil {
			return nil, err
		}
		hunks = append(hunks, Hunk{
			Start: h.Start, End: h.End, Before: string(t.Text[h.Start:h.End]), After: after, Op: h.op,
			Nested: w.nested(h), Warnings: w.lostComments(t, path, h),
		})
	}
	return hunks, nil
}

// dropInvalidUTF8 leaves out the hunks that JSON would change.
func dropInvalidUTF8(path string, hunks []Hunk) ([]Hunk, *Warning) {
	all := len(hunks)
	hunks = slices.DeleteFunc(hunks, func(h Hunk) bool { return !utf8.ValidString(h.Before) || !utf8.ValidString(h.After) })
	if len(hunks) == all {
		return hunks, nil
	}
	return hunks, &Warning{
		Kind: WarnInvalidUTF8, Path: path,
		Message: fmt.Sprintf("%d of %s left out: their code is not valid UTF-8.", all-len(hunks), plural(all, "replacement")),
	}
}

// read returns a file's content. A skip without a reason is a file that is gone.
func (s *searcher) read(f target) (content, *Skipped) {
	if s.scope.open[f.path] {
		if text, ok := s.scope.source.Overlay(f.path); ok {
			return content{text: text, open: true}, nil
		}
	}
	name := filepath.Join(s.scope.root, filepath.FromSlash(f.path))
	key := cacheKey{name, s.lang}
	if s.req.Cache != nil {
		if at, err := stampFile(name); err == nil {
			if e := s.req.Cache.get(key, at); e != nil {
				return content{text: e.text, cached: e}, nil
			}
		}
	}
	text, at, err := readFile(name, s.buffer)
	switch {
	case err == nil:
		s.buffer = text[:0]
		if s.req.Cache != nil {
			if e := s.req.Cache.put(key, at, slices.Clone(text)); e != nil {
				return content{text: e.text, cached: e}, nil
			}
		}
		return content{text: text}, nil
	case errors.Is(err, fs.ErrNotExist) && !f.named:
		return content{}, &Skipped{}
	case errors.Is(err, errTooLarge):
		return content{}, &Skipped{Path: f.path, Reason: SkipTooLarge, Message: fmt.Sprintf("it has %d MB or more", maxFileSize>>20)}
	case errors.Is(err, errChanging):
		return content{}, &Skipped{Path: f.path, Reason: SkipChanged, Message: "it kept changing while it was read"}
	}
	return content{}, &Skipped{Path: f.path, Reason: SkipUnreadable, Message: err.Error()}
}
