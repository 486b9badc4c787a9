package astedit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// errStop ends a walk early because the limit is reached.
var errStop = errors.New("enough found")

// collector gathers the results of files searched in any order.
type collector struct {
	limit    int
	failFast bool
	progress func(done, total int)

	mu       sync.Mutex
	found    []numberedResult
	searched int
	// candidate is the first file, in order of paths, that has a pattern's words.
	candidate     numbered
	candidates    int
	done, total   int
	finished      map[int]int // results after the first gap: hunks by seq
	next          int         // all files before it are done
	hunksInPrefix int
	// seen are the searched files, kept only when a limit may cut the list.
	seen []int
}

type numberedResult struct {
	seq int
	fileResult
}

func newCollector(j *job) *collector {
	return &collector{
		limit: j.req.Limit, failFast: j.req.FailOnParseError, progress: j.req.Progress, finished: map[int]int{},
	}
}

// announce counts files that will be searched.
func (c *collector) announce(files int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += files
}

// enough says that the files that come first have more hunks than the limit, so
// that no other file matters.
func (c *collector) enough() bool {
	if c.limit == 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hunksInPrefix > c.limit
}

// add takes the result of a file.
func (c *collector) add(seq int, path string, r fileResult) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.parseError != nil && c.failFast {
		e := r.parseError
		return &Error{
			Kind: KindParseError, Place: e,
			Message: fmt.Sprintf("%s:%d:%d: %s.", e.Path, e.Line, e.Column, e.Message),
		}
	}
	c.done++
	if r.searched {
		c.searched++
	}
	if r.candidate {
		if c.candidates == 0 || seq < c.candidate.seq {
			c.candidate = numbered{target{path: path}, seq}
		}
		c.candidates++
	}
	hunks := 0
	if r.preview != nil {
		hunks = len(r.preview.Hunks)
	}
	if r.preview != nil || r.parseError != nil || r.skipped != nil || r.warning != nil {
		c.found = append(c.found, numberedResult{seq, r})
	}
	if c.limit > 0 {
		if r.searched {
			c.seen = append(c.seen, seq)
		}
		c.finished[seq] = hunks
		for n, ok := c.finished[c.next]; ok; n, ok = c.finished[c.next] {
			delete(c.finished, c.next)
			c.hunksInPrefix += n
			c.next++
		}
	}
	// The lock is held: calls never overlap.
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return nil
}

// report puts what was found into a preview, in order of paths.
func (c *collector) report(ctx context.Context, j *job, p *Preview) error {
	slices.SortFunc(c.found, func(a, b numberedResult) int { return a.seq - b.seq })
	p.FilesSearched = c.searched
	for _, r := range c.found {
		if p.LimitReached {
			break
		}
		if r.parseError != nil {
			p.ParseErrors = append(p.ParseErrors, *r.parseError)
		}
		if r.skipped != nil {
			p.Skipped = append(p.Skipped, *r.skipped)
		}
		if r.warning != nil {
			p.Warnings = append(p.Warnings, *r.warning)
		}
		if r.preview == nil {
			continue
		}
		if left := c.limit - p.TotalReplacements; c.limit > 0 && len(r.preview.Hunks) > left {
			// What was found in later files depends on who was faster.
			p.LimitReached = true
			p.FilesSearched = c.searchedTo(r.seq)
			r.preview.Hunks = r.preview.Hunks[:left]
		}
		if len(r.preview.Hunks) == 0 {
			continue
		}
		p.TotalReplacements += len(r.preview.Hunks)
		p.Files = append(p.Files, *r.preview)
	}
	p.FilesTouched = len(p.Files)
	if max := j.req.MaxFiles; max > 0 && p.FilesTouched > max {
		return &Error{
			Kind:    KindLimit,
			Message: fmt.Sprintf("%d files would change, more than the %d allowed.", p.FilesTouched, max),
			Hint:    "Narrow the paths or raise the limit.",
		}
	}
	if p.TotalReplacements == 0 {
		// Such a pattern may match, as it does in ast-grep; when it does not, it
		// is the reason.
		for _, r := range j.rules {
			if r.pattern.broken {
				hint := "Complete it to code that stands on its own, or put it into such code and name its kind with a selector."
				if form := suggestForm(ctx, r.pattern.source, j.lang, CompileOptions{Strictness: r.pattern.strictness, Selector: j.req.Selector}); form != "" {
					hint = "This parses: " + form
				}
				return invalidPattern(r.pattern.source, "does not parse as "+j.lang.Name+", and matches nothing.", hint)
			}
		}
	}
	c.warnNoMatch(j, p)
	return checkBroken(j, p)
}

// searchedTo counts the searched files up to one.
func (c *collector) searchedTo(seq int) int {
	n := 0
	for _, s := range c.seen {
		if s <= seq {
			n++
		}
	}
	return n
}

// warnNoMatch says so when a pattern's words occur but its shape does not.
func (c *collector) warnNoMatch(j *job, p *Preview) {
	filtered := slices.ContainsFunc(j.rules, func(r rule) bool { return r.prefilter != nil })
	if p.TotalReplacements > 0 || c.candidates == 0 || !filtered {
		return
	}
	p.Warnings = append(p.Warnings, Warning{
		Kind: WarnNoMatch, Path: c.candidate.path,
		Message: fmt.Sprintf("nothing matches, though the pattern's words occur in %s; the pattern may be read as something else than meant, explain it to see.",
			plural(c.candidates, "file")),
	})
}

// checkBroken makes new syntax errors an error, unless they are allowed.
func checkBroken(j *job, p *Preview) error {
	if j.req.AllowBroken {
		return nil
	}
	count := 0
	var first *Warning
	var hunk *Hunk
	for i := range p.Files {
		for k := range p.Files[i].Hunks {
			h := &p.Files[i].Hunks[k]
			for w := range h.Warnings {
				if h.Warnings[w].Kind == WarnBroken {
					if count++; first == nil {
						first, hunk = &h.Warnings[w], h
					}
				}
			}
		}
	}
	if first == nil {
		return nil
	}
	column := 1
	for i := range p.Files {
		if p.Files[i].Path == first.Path {
			text := p.Files[i].Text
			for column = 1; hunk.Start-column >= 0 && text[hunk.Start-column] != '\n'; column++ {
			}
		}
	}
	return &Error{
		Kind: KindBrokenRewrite,
		Message: fmt.Sprintf("%s:%d:%d: %s (%s of %d).", first.Path, first.Line, column, first.Message,
			plural(count, "replacement"), p.TotalReplacements),
		Hint:  "Mend the rewrite, or set allowBroken.",
		Place: &ParseError{Path: first.Path, Line: first.Line, Column: column, Message: first.Message},
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
