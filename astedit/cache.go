package astedit

import (
	"bufio"
	"container/list"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pending-lsp/pending-lsp/astedit/internal/flat"
	"github.com/pending-lsp/pending-lsp/astedit/textedit"
)

// DefaultCacheSize is the size in bytes that suits a daemon.
const DefaultCacheSize = 512 << 20

// Cache keeps the texts and trees of files between requests, so that a file that
// has not changed is neither read nor parsed again. It holds at most as many
// bytes as it was made for, and lets the files go first that were not asked for
// the longest time. A file counts as unchanged while its size and time of change
// are what they were; every request looks.
//
// A Cache is safe for concurrent use, by requests for any roots and languages.
type Cache struct {
	mu      sync.Mutex
	max     int64
	used    int64
	added   int64 // bytes added since memory pressure was looked at
	entries map[cacheKey]*list.Element
	order   *list.List // of *cacheEntry, the last used first
}

type cacheKey struct {
	path string // absolute
	lang *language
}

// cacheEntry is one file. Its text and tree never change.
type cacheEntry struct {
	key   cacheKey
	stamp stamp
	text  []byte

	once sync.Once
	hash textedit.Hash

	mu      sync.Mutex
	tree    *flat.Tree
	errors  []span
	checked map[textedit.Hash]map[int]Warning // by [editsHash], what flagBroken found
	size    int64                             // what the cache has counted for it; the cache's lock guards it
}

// NewCache makes a cache of at most max bytes.
func NewCache(max int64) *Cache {
	return &Cache{max: max, entries: map[cacheKey]*list.Element{}, order: list.New()}
}

// Bytes is what the cache holds now.
func (c *Cache) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

// Drop empties the cache, for when memory is short or nobody will ask soon.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shrink(0)
}

// settled is how long a file must have been left alone before its time of change
// is believed: two changes may share one.
const settled = 2 * time.Second

// get returns the entry of an unchanged file, or nil.
func (c *Cache) get(key cacheKey, at stamp) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return nil
	}
	entry := e.Value.(*cacheEntry)
	if !entry.stamp.equal(at) {
		c.remove(e)
		return nil
	}
	c.order.MoveToFront(e)
	return entry
}

// put adds a file that was just read, unless it was changed too recently. The
// entry keeps text.
func (c *Cache) put(key cacheKey, at stamp, text []byte) *cacheEntry {
	if time.Since(at.modified) < settled || int64(len(text)) > c.max/4 {
		return nil
	}
	entry := &cacheEntry{key: key, stamp: at, text: text}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.entries[key]; ok {
		c.remove(old)
	}
	c.entries[key] = c.order.PushFront(entry)
	c.grow(entry, int64(len(text))+256)
	return entry
}

// setTree keeps a copy of the tree of an entry's text.
func (c *Cache) setTree(entry *cacheEntry, t *flat.Tree, errs []span) {
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.tree != nil {
		return
	}
	entry.tree, entry.errors = t.Clone(entry.text), errs
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[entry.key]; ok && e.Value == entry {
		c.grow(entry, int64(entry.tree.Bytes()))
	}
}

// parsed returns the tree of an entry, nil when nobody has parsed it.
func (e *cacheEntry) parsed() (*flat.Tree, []span) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.tree, e.errors
}

// maxChecked is how many sets of edits of one file are remembered: requests come
// twice, as a preview and to apply it.
const maxChecked = 4

// broken returns what is known of the syntax errors that hunks introduce: a
// warning by the index of its hunk.
func (e *cacheEntry) broken(edits textedit.Hash) (warnings map[int]Warning, known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	warnings, known = e.checked[edits]
	return warnings, known
}

// setBroken remembers what flagBroken found.
func (e *cacheEntry) setBroken(edits textedit.Hash, hunks []Hunk) {
	found := map[int]Warning{}
	for i, h := range hunks {
		for _, w := range h.Warnings {
			if w.Kind == WarnBroken {
				found[i] = w
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.checked) >= maxChecked || e.checked == nil {
		e.checked = map[textedit.Hash]map[int]Warning{}
	}
	e.checked[edits] = found
}

// editsHash identifies a set of hunks of one text.
func editsHash(hunks []Hunk) textedit.Hash {
	var b []byte
	for _, h := range hunks {
		b = binary.AppendUvarint(b, uint64(h.Start))
		b = binary.AppendUvarint(b, uint64(h.End))
		b = binary.AppendUvarint(b, uint64(len(h.After)))
		b = append(b, h.After...)
	}
	return textedit.HashOf(b)
}

// hashOf returns the hash of an entry's text.
func (e *cacheEntry) hashOf() textedit.Hash {
	e.once.Do(func() { e.hash = textedit.HashOf(e.text) })
	return e.hash
}

// grow counts size bytes more for an entry and makes room for them.
func (c *Cache) grow(entry *cacheEntry, size int64) {
	entry.size += size
	c.used += size
	if c.added += size; c.added > 64<<20 {
		c.added = 0
		if memoryIsShort() {
			c.shrink(c.used / 2)
		}
	}
	c.shrink(c.max)
}

// shrink lets the oldest entries go until at most max bytes are held.
func (c *Cache) shrink(max int64) {
	for c.used > max && c.order.Len() > 0 {
		c.remove(c.order.Back())
	}
}

func (c *Cache) remove(e *list.Element) {
	entry := c.order.Remove(e).(*cacheEntry)
	delete(c.entries, entry.key)
	c.used -= entry.size
}

// memoryIsShort says whether less than a tenth of the machine's memory is free.
// Where Linux's /proc is not, it is never short.
func memoryIsShort() bool {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return false
	}
	defer f.Close()
	var total, free int64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		value, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		if err != nil {
			continue
		}
		switch name {
		case "MemTotal":
			total = value
		case "MemAvailable":
			free = value
		}
	}
	return total > 0 && free > 0 && free < total/10
}
