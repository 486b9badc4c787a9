#include "walk.h"

#include <stdlib.h>

bool walk_grow(void **array, uint32_t *cap, size_t size, uint32_t least) {
	uint32_t want = *cap ? *cap * 2 : least;
	if (want <= *cap) return false;
	void *bigger = realloc(*array, (size_t)want * size);
	if (!bigger) return false;
	*array = bigger;
	*cap = want;
	return true;
}

static bool push(flat_parser *p, TSNode n, uint16_t parent) {
	if (p->count == p->cap && !walk_grow((void **)&p->nodes, &p->cap, sizeof *p->nodes, 4096)) return false;
	flat_node *f = &p->nodes[p->count++];
	f->start = ts_node_start_byte(n);
	f->end = ts_node_end_byte(n);
	f->skip = 1;
	f->kind = ts_node_symbol(n);
	uint16_t flags = 0;
	if (ts_node_is_named(n)) flags |= NAMED;
	if (ts_node_is_extra(n)) flags |= EXTRA;
	// Only a node without text can be missing, and only one inside a node with
	// an error can have one.
	if (f->start == f->end && ts_node_is_missing(n)) flags |= MISSING | HAS_ERROR;
	if ((parent & HAS_ERROR) && ts_node_has_error(n)) flags |= HAS_ERROR;
	f->flags = flags;
	return true;
}

int walk_cursor(flat_parser *p, TSTree *tree) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t depth = 0;
	int rc = FLAT_NO_MEMORY;
	p->count = 0;
	if (!push(p, ts_tree_cursor_current_node(&c), HAS_ERROR)) goto done;
	for (;;) {
		if (ts_tree_cursor_goto_first_child(&c)) {
			if (depth == p->open_cap && !walk_grow((void **)&p->open, &p->open_cap, sizeof *p->open, 256)) goto done;
			p->open[depth++].node = p->count - 1;
		} else {
			while (!ts_tree_cursor_goto_next_sibling(&c)) {
				if (depth == 0 || !ts_tree_cursor_goto_parent(&c)) {
					rc = FLAT_OK;
					goto done;
				}
				uint32_t i = p->open[--depth].node;
				p->nodes[i].skip = p->count - i;
			}
		}
		if (walk_stopped(p)) {
			rc = FLAT_CANCELLED;
			goto done;
		}
		if (!push(p, ts_tree_cursor_current_node(&c), p->nodes[p->open[depth - 1].node].flags)) goto done;
	}
done:
	ts_tree_cursor_delete(&c);
	return rc;
}
