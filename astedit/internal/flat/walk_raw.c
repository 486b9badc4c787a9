#include "walk.h"

// How tree-sitter 0.22 lays a tree out in memory. A subtree is eight bytes: a
// pointer, or, when the lowest bit is set, a small leaf itself. The children of
// a heap subtree stand right before it. TestWalksAgree and the check in
// NewLanguage hold this to what the cursor says.

typedef struct {
	bool is_inline : 1;
	bool visible : 1;
	bool named : 1;
	bool extra : 1;
	bool has_changes : 1;
	bool is_missing : 1;
	bool is_keyword : 1;
	uint8_t symbol;
	uint16_t parse_state;
	uint8_t padding_columns;
	uint8_t padding_rows : 4;
	uint8_t lookahead_bytes : 4;
	uint8_t padding_bytes;
	uint8_t size_bytes;
} small_leaf;

typedef struct {
	uint32_t bytes, row, column;
} extent;

typedef struct {
	volatile uint32_t ref_count;
	extent padding, size;
	uint32_t lookahead_bytes, error_cost, child_count;
	uint16_t symbol, parse_state;
	bool visible : 1;
	bool named : 1;
	bool extra : 1;
	bool fragile_left : 1;
	bool fragile_right : 1;
	bool has_changes : 1;
	bool has_external_tokens : 1;
	bool has_external_scanner_state_change : 1;
	bool depends_on_column : 1;
	bool is_missing : 1;
	bool is_keyword : 1;
	// Only nodes with children have the rest.
	union {
		struct {
			uint32_t visible_child_count, named_child_count, visible_descendant_count;
			int32_t dynamic_precedence;
			uint16_t repeat_depth, production_id;
		} inner;
		struct {
			union {
				char *far;
				char near[24];
			} state;
			uint32_t length;
		} scanner;
	} as;
} heap_node;

typedef union {
	small_leaf leaf;
	const heap_node *heap;
} subtree;

typedef struct {
	uint32_t version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count,
		production_id_count, field_count;
	uint16_t max_alias_sequence_length;
	const void *tables[8]; // parse tables, names, fields
	const struct {
		bool visible, named, supertype;
	} *metadata;
	const uint16_t *public_symbols;
	const uint16_t *alias_map;
	const uint16_t *alias_sequences;
} language;

enum { SYMBOL_ERROR = 0xFFFF };

static bool push(flat_parser *p, const language *lang, subtree s, uint32_t start, uint16_t alias) {
	if (p->count == p->cap && !walk_grow((void **)&p->nodes, &p->cap, sizeof *p->nodes, 4096)) return false;
	flat_node *f = &p->nodes[p->count++];
	uint16_t symbol, flags = 0;
	bool named, missing;
	f->start = start;
	f->skip = 1;
	if (s.leaf.is_inline) {
		f->end = start + s.leaf.size_bytes;
		symbol = s.leaf.symbol;
		named = s.leaf.named;
		missing = s.leaf.is_missing;
		if (s.leaf.extra) flags |= EXTRA;
	} else {
		f->end = start + s.heap->size.bytes;
		symbol = s.heap->symbol;
		named = s.heap->named;
		missing = s.heap->is_missing;
		if (s.heap->extra) flags |= EXTRA;
		if (s.heap->error_cost > 0) flags |= HAS_ERROR;
	}
	if (missing) flags |= MISSING | HAS_ERROR;
	if (alias) {
		symbol = alias;
		named = lang->metadata[alias].named;
	}
	if (named) flags |= NAMED;
	f->kind = symbol >= SYMBOL_ERROR - 1 ? symbol : lang->public_symbols[symbol];
	f->flags = flags;
	return true;
}

static bool enter(flat_parser *p, const language *lang, const heap_node *n, uint32_t offset, uint32_t node, uint32_t depth) {
	if (depth == p->open_cap && !walk_grow((void **)&p->open, &p->open_cap, sizeof *p->open, 256)) return false;
	uint16_t production = n->as.inner.production_id;
	p->open[depth] = (open_node){
		.parent = n,
		.aliases = production ? &lang->alias_sequences[production * lang->max_alias_sequence_length] : NULL,
		.offset = offset,
		.node = node,
	};
	return true;
}

int walk_raw(flat_parser *p, TSTree *tree) {
	const language *lang = p->language;
	subtree root = *(const subtree *)tree; // the first field of a tree
	uint32_t depth = 0;
	p->count = 0;
	uint32_t start = root.leaf.is_inline ? root.leaf.padding_bytes : root.heap->padding.bytes;
	if (!push(p, lang, root, start, 0)) return FLAT_NO_MEMORY;
	if (root.leaf.is_inline || root.heap->child_count == 0) return FLAT_OK;
	if (!enter(p, lang, root.heap, start, 0, depth++)) return FLAT_NO_MEMORY;
	while (depth > 0) {
		open_node *o = &p->open[depth - 1];
		const heap_node *parent = o->parent;
		if (o->child == parent->child_count) {
			if (o->node != NO_NODE) p->nodes[o->node].skip = p->count - o->node;
			depth--;
			continue;
		}
		subtree s = ((const subtree *)parent - parent->child_count)[o->child];
		bool small = s.leaf.is_inline;
		// A node's text starts after its padding, but its first child has that
		// padding again.
		uint32_t at = o->offset;
		if (o->child > 0) at += small ? s.leaf.padding_bytes : s.heap->padding.bytes;
		o->offset = at + (small ? s.leaf.size_bytes : s.heap->size.bytes);
		o->child++;
		uint16_t alias = 0;
		if (!(small ? s.leaf.extra : s.heap->extra)) {
			if (o->aliases) alias = o->aliases[o->structural];
			o->structural++;
		}
		uint32_t node = NO_NODE;
		if (alias || (small ? s.leaf.visible : s.heap->visible)) {
			node = p->count;
			if (!push(p, lang, s, at, alias)) return FLAT_NO_MEMORY;
			if (walk_stopped(p)) return FLAT_CANCELLED;
		}
		if (!small && s.heap->child_count > 0 && !enter(p, lang, s.heap, at, node, depth++)) return FLAT_NO_MEMORY;
	}
	return FLAT_OK;
}
