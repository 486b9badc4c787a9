package flat

// #include "bridge.h"
import "C"

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"
	"unsafe"
)

const nodeSize = int(unsafe.Sizeof(Node{}))

// Node and flat_node are one memory layout.
var _ = [1]struct{}{}[unsafe.Sizeof(Node{})-C.sizeof_flat_node]

// ErrTooLarge is returned for texts of 2 GB and more, which tree-sitter cannot
// count.
var ErrTooLarge = errors.New("text is too large to parse")

// ErrStuck is returned when a grammar does not come to an end on a text: some
// have loops in their error recovery.
var ErrStuck = errors.New("the grammar does not finish on this text")

// patience is how long a parse may take, at least a hundred times what is usual.
func patience(size int) time.Duration {
	return 3*time.Second + time.Duration(size)*10*time.Microsecond
}

// Parser turns texts of one language into trees. It is not safe for concurrent
// use.
type Parser struct {
	lang *Language
	c    *C.flat_parser
	tree Tree
}

// NewParser makes a parser. Close it.
func NewParser(lang *Language) (*Parser, error) {
	return newParser(lang, lang.raw)
}

// NewCursorParser makes a parser that walks trees by tree-sitter's public cursor,
// whatever the language allows; tests compare the two. Close it.
func NewCursorParser(lang *Language) (*Parser, error) { return newParser(lang, false) }

func newParser(lang *Language, raw bool) (*Parser, error) {
	c := C.flat_parser_new(lang.ptr, C.bool(raw))
	if c == nil {
		return nil, errors.New("out of memory for a parser")
	}
	return &Parser{lang: lang, c: c}, nil
}

// Close frees the parser and the nodes of its last tree.
func (p *Parser) Close() {
	if p.c != nil {
		C.flat_parser_delete(p.c)
		p.c, p.tree = nil, Tree{}
	}
}

// Parse returns the tree of text. The tree's nodes are the parser's memory: they
// are good until the next Parse or Close; [Tree.Clone] keeps them longer. The
// parse stops early with ctx's error when ctx ends.
func (p *Parser) Parse(ctx context.Context, text []byte) (*Tree, error) {
	return p.parse(ctx, text, false)
}

// ParseKeep is [Parser.Parse], and remembers the tree for a [Parser.Reparse].
func (p *Parser) ParseKeep(ctx context.Context, text []byte) (*Tree, error) {
	return p.parse(ctx, text, true)
}

func (p *Parser) parse(ctx context.Context, text []byte, keep bool) (*Tree, error) {
	if len(text) >= math.MaxInt32 {
		return nil, ErrTooLarge
	}
	var nodes *C.flat_node
	var count C.uint32_t
	body, mark := cutMark(text)
	err := p.run(ctx, len(text), func() C.int {
		return C.flat_parse(p.c, bytesPointer(body), C.uint32_t(len(body)), C.bool(keep), &nodes, &count)
	})
	if err != nil {
		return nil, err
	}
	p.tree = Tree{Lang: p.lang, Text: text, Nodes: unsafe.Slice((*Node)(unsafe.Pointer(nodes)), int(count))}
	if mark > 0 {
		for i := range p.tree.Nodes {
			p.tree.Nodes[i].Start += uint32(mark)
			p.tree.Nodes[i].End += uint32(mark)
		}
	}
	if p.lang.trim {
		trimTokens(&p.tree)
	}
	return &p.tree, nil
}

// Edit is one change for [Parser.Reparse]: bytes [Start, OldEnd) of the text so
// far became [Start, NewEnd).
type Edit struct {
	Start, OldEnd, NewEnd Place
}

// Place is an offset with its row and column, all counted from 0 in bytes.
type Place struct{ Offset, Row, Column int }

// Reparse parses text, which is the text of the last ParseKeep after edits, made
// one after another, and says whether it has a syntax error. It reuses the parts
// of the tree that did not change and uses the remembered tree up; without one it
// fails.
func (p *Parser) Reparse(ctx context.Context, edits []Edit, text []byte) (hasError bool, err error) {
	if len(text) >= math.MaxInt32 {
		return false, ErrTooLarge
	}
	body, mark := cutMark(text)
	in := make([]C.flat_edit, len(edits)+1)
	for i, e := range edits {
		for _, at := range []*Place{&e.Start, &e.OldEnd, &e.NewEnd} {
			at.Offset -= mark
			if at.Row == 0 {
				at.Column -= mark
			}
		}
		in[i] = C.flat_edit{
			start: C.uint32_t(e.Start.Offset), old_end: C.uint32_t(e.OldEnd.Offset), new_end: C.uint32_t(e.NewEnd.Offset),
			start_row: C.uint32_t(e.Start.Row), start_col: C.uint32_t(e.Start.Column),
			old_end_row: C.uint32_t(e.OldEnd.Row), old_end_col: C.uint32_t(e.OldEnd.Column),
			new_end_row: C.uint32_t(e.NewEnd.Row), new_end_col: C.uint32_t(e.NewEnd.Column),
		}
	}
	var broken C.bool
	err = p.run(ctx, len(text), func() C.int {
		return C.flat_reparse(p.c, &in[0], C.uint32_t(len(edits)), bytesPointer(body), C.uint32_t(len(body)), &broken)
	})
	return bool(broken), err
}

// cutMark takes a byte order mark off, which some grammars would read as part of
// the first name, and returns its length.
func cutMark(text []byte) (body []byte, mark int) {
	body = bytes.TrimPrefix(text, []byte("\ufeff"))
	return body, len(text) - len(body)
}

// run calls into C for a text of size bytes, with ctx and the clock able to stop
// it.
func (p *Parser) run(ctx context.Context, size int, call func() C.int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	flag := (*uintptr)(unsafe.Pointer(C.flat_parser_stop(p.c)))
	atomic.StoreUintptr(flag, 0)
	bounded, cancel := context.WithTimeout(ctx, patience(size))
	defer cancel()
	fired := make(chan struct{})
	stop := context.AfterFunc(bounded, func() {
		atomic.StoreUintptr(flag, 1)
		close(fired)
	})
	rc := call()
	if !stop() {
		// The flag is the parser's memory: wait for the store under way.
		<-fired
	}
	switch rc {
	case C.FLAT_OK:
		return nil
	case C.FLAT_CANCELLED:
		if err := ctx.Err(); err != nil {
			return err
		}
		return ErrStuck
	case C.FLAT_NO_MEMORY:
		return errors.New("out of memory while parsing")
	default:
		return fmt.Errorf("the parser gave no tree (code %d)", int(rc))
	}
}

func bytesPointer(text []byte) *C.char {
	if len(text) == 0 {
		return (*C.char)(unsafe.Pointer(&empty))
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
}

// empty stands in for the text of an empty slice, which has no address.
var empty byte
