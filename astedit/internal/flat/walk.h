// The two ways of turning a tree into an array.
#ifndef PENDING_LSP_WALK_H
#define PENDING_LSP_WALK_H

#include "arena.h"
#include "bridge.h"
#include "treesitter.h"

enum { NAMED = 1, EXTRA = 2, MISSING = 4, HAS_ERROR = 8 };

// A node whose children are being walked; only walk_raw uses the later fields.
typedef struct {
	const void *parent;
	const uint16_t *aliases;
	uint32_t child, structural, offset;
	uint32_t node; // its index, or NO_NODE when it is hidden
} open_node;

enum { NO_NODE = 0xFFFFFFFF };

struct flat_parser {
	const void *language;
	bool raw;
	arena arena;
	TSParser *ts; // in the arena, as is the kept tree
	TSTree *kept;
	size_t stop;
	flat_node *nodes;
	uint32_t count, cap;
	open_node *open;
	uint32_t open_cap;
};

// Makes room for one more element.
bool walk_grow(void **array, uint32_t *cap, size_t size, uint32_t least);

// By the public cursor: works with every tree-sitter.
int walk_cursor(flat_parser *, TSTree *);

// By the memory of the tree itself, three times as fast: works with the
// tree-sitter that smacker has.
int walk_raw(flat_parser *, TSTree *);

// Walks keep their own stack: depth costs heap, never C stack.

static inline bool walk_stopped(flat_parser *p) {
	return (p->count & 0xFFFF) == 0 && *(volatile size_t *)&p->stop;
}

#endif
