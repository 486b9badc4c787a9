package astedit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/sourcegraph/conc/pool"
)

// Scan finds every match of the request's patterns and returns what the
// rewrites would change. It reads each file once and writes nothing.
//
// Files that hold none of a pattern's words are not parsed, so their syntax
// errors go unreported. The errors are [*Error] for what the request is to
// blame for, and ctx's error.
func Scan(ctx context.Context, req Request, src Source) (*Preview, error) {
	strictness, err := validate(&req)
	if err != nil {
		return nil, err
	}
	scope, err := newScope(&req, src)
	if err != nil {
		return nil, err
	}
	var lang *language
	if req.Lang != "" {
		lang, err = req.Languages.lookup(req.Lang)
	} else {
		lang, err = inferLanguage(ctx, scope, req.Languages)
	}
	if err != nil {
		return nil, err
	}
	j := &job{req: &req, scope: scope, lang: lang}
	preview := &Preview{ScopePath: scope.name(), Lang: lang.Name}
	if err := j.compile(ctx, strictness, preview); err != nil {
		return nil, err
	}
	results, err := j.run(ctx)
	if err != nil {
		return nil, err
	}
	if err := results.report(ctx, j, preview); err != nil {
		return nil, err
	}
	return preview, nil
}

// validate rejects requests that cannot mean anything.
func validate(req *Request) (Strictness, error) {
	strictness, err := ParseStrictness(req.Strictness)
	if err != nil {
		return 0, err
	}
	invalid := func(format string, args ...any) (Strictness, error) {
		return 0, &Error{Kind: KindInvalidRequest, Message: fmt.Sprintf(format, args...)}
	}
	if len(req.Ops) == 0 {
		return invalid("there are no patterns.")
	}
	seen := map[string]int{}
	for i, op := range req.Ops {
		if strings.TrimSpace(op.Pattern) == "" {
			return invalid("pattern %d is empty.", i+1)
		}
		if first, again := seen[op.Pattern]; again {
			return invalid("patterns %d and %d are the same: %s.", first+1, i+1, quote(op.Pattern))
		}
		seen[op.Pattern] = i
	}
	if req.Limit < 0 || req.MaxFiles < 0 {
		return invalid("a limit is negative.")
	}
	return strictness, nil
}

// compile makes the request's rules and warns about odd ones.
func (j *job) compile(ctx context.Context, strictness Strictness, preview *Preview) error {
	for _, op := range j.req.Ops {
		p, err := compile(ctx, op.Pattern, j.lang, CompileOptions{Selector: j.req.Selector, Strictness: strictness})
		if err != nil {
			return err
		}
		r := rule{pattern: p, template: p.Template(op.Rewrite), prefilter: newPrefilter(p)}
		if p.broken {
			preview.Warnings = append(preview.Warnings, Warning{
				Kind:    WarnPatternError,
				Message: "pattern " + quote(op.Pattern) + " does not parse as " + j.lang.Name + ", so it probably matches less than meant.",
			})
		}
		for _, name := range r.template.unknown {
			preview.Warnings = append(preview.Warnings, Warning{
				Kind:    WarnUnknownMetavar,
				Message: fmt.Sprintf("the rewrite uses %s, which pattern %s does not bind: it becomes nothing. %s", name, quote(op.Pattern), bound(p)),
			})
		}
		j.rules = append(j.rules, r)
	}
	return nil
}

// bound says which metavariables a rewrite of the pattern may use.
func bound(p *Pattern) string {
	names := p.Metavariables()
	if len(names) == 0 {
		return "The pattern binds none."
	}
	return "The pattern binds " + strings.Join(names, ", ") + "."
}

// numbered is a file with its place in the order of paths.
type numbered struct {
	target
	seq int
}

// batch is how many files go to a searcher at a time. Most are done in a few
// microseconds, which is what handing one over takes; but where each has to be
// parsed, a batch of large ones would keep one searcher busy and leave the others
// without work.
func (j *job) batch() int {
	for i := range j.rules {
		if j.rules[i].prefilter == nil {
			return 1
		}
	}
	return 16
}

// run searches the files of the scope, several at a time. A panic in one of the
// goroutines becomes one of the caller's, who may go on without this request.
func (j *job) run(ctx context.Context) (*collector, error) {
	group := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	files := make(chan []numbered, 64)
	c := newCollector(j)
	group.Go(func(ctx context.Context) error {
		defer close(files)
		return j.feed(ctx, c, files)
	})
	for range runtime.GOMAXPROCS(0) {
		group.Go(func(ctx context.Context) error { return j.search(ctx, c, files) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return c, nil
}

// search takes files from the channel until it is closed.
func (j *job) search(ctx context.Context, c *collector, files <-chan []numbered) error {
	// C's allocator has an arena for each thread: a searcher that moved between
	// threads would leave memory behind in all of them.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, err := newSearcher(j)
	if err != nil {
		return err
	}
	defer s.close()
	for list := range files {
		for _, f := range list {
			if c.enough() {
				break
			}
			r, err := s.file(ctx, f.target)
			if err != nil {
				return err
			}
			if err := c.add(f.seq, f.path, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// feed lists the files to search, in order of paths.
func (j *job) feed(ctx context.Context, c *collector, files chan<- []numbered) error {
	seq, batch := 0, j.batch()
	var list []numbered
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		c.announce(len(list))
		select {
		case files <- list:
			list = make([]numbered, 0, batch)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := j.scope.each(ctx, func(t target) error {
		if !t.named && !j.inLanguage(t.path) {
			return nil
		}
		if c.enough() {
			return errStop
		}
		list = append(list, numbered{t, seq})
		// The first few go at once, so that a small scope is shared out too.
		if seq++; len(list) == batch || seq <= batch {
			return flush()
		}
		return nil
	})
	if errors.Is(err, errStop) {
		return nil
	}
	if err != nil {
		return err
	}
	return flush()
}

// inLanguage says whether a file found in a directory may be in the language of
// the job, by its name.
func (j *job) inLanguage(path string) bool {
	l := j.req.Languages.ofName(path)
	return l == j.lang || l == nil && len(j.lang.Shebangs) > 0 && mayHaveShebang(path)
}
