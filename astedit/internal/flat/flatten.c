#include "bridge.h"

#include <stdlib.h>
#include <string.h>

// Types and functions of tree-sitter 0.22, as its documentation gives them; the
// definitions are in smacker's objects.
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	uint32_t start_byte, old_end_byte, new_end_byte;
	TSPoint start_point, old_end_point, new_end_point;
} TSInputEdit;

extern TSParser *ts_parser_new(void);
extern void ts_parser_delete(TSParser *);
extern bool ts_parser_set_language(TSParser *, const void *);
extern void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
extern void ts_parser_reset(TSParser *);
extern TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
extern void ts_tree_delete(TSTree *);
extern void ts_tree_edit(TSTree *, const TSInputEdit *);
extern TSNode ts_tree_root_node(const TSTree *);
extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern void ts_tree_cursor_delete(TSTreeCursor *);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern uint16_t ts_node_symbol(TSNode);
extern bool ts_node_is_named(TSNode);
extern bool ts_node_is_extra(TSNode);
extern bool ts_node_is_missing(TSNode);
extern bool ts_node_has_error(TSNode);
extern uint32_t ts_language_version(const void *);
extern uint32_t ts_language_symbol_count(const void *);
extern const char *ts_language_symbol_name(const void *, uint16_t);
extern int ts_language_symbol_type(const void *, uint16_t);

enum { NAMED = 1, EXTRA = 2, MISSING = 4, HAS_ERROR = 8 };

struct flat_parser {
	TSParser *ts;
	TSTree *kept;
	size_t stop;
	flat_node *nodes;
	uint32_t count, cap;
	uint32_t *open; // indices of the nodes whose children are being walked
	uint32_t open_cap;
};

flat_parser *flat_parser_new(const void *language) {
	flat_parser *p = calloc(1, sizeof *p);
	if (!p) return NULL;
	p->ts = ts_parser_new();
	if (!p->ts || !ts_parser_set_language(p->ts, language)) {
		flat_parser_delete(p);
		return NULL;
	}
	ts_parser_set_cancellation_flag(p->ts, &p->stop);
	return p;
}

void flat_parser_delete(flat_parser *p) {
	if (!p) return;
	if (p->kept) ts_tree_delete(p->kept);
	if (p->ts) ts_parser_delete(p->ts);
	free(p->nodes);
	free(p->open);
	free(p);
}

size_t *flat_parser_stop(flat_parser *p) { return &p->stop; }

static bool grow(void **array, uint32_t *cap, size_t size, uint32_t least) {
	uint32_t want = *cap ? *cap * 2 : least;
	if (want <= *cap) return false;
	void *bigger = realloc(*array, (size_t)want * size);
	if (!bigger) return false;
	*array = bigger;
	*cap = want;
	return true;
}

static bool push(flat_parser *p, TSNode n, uint16_t parent) {
	if (p->count == p->cap && !grow((void **)&p->nodes, &p->cap, sizeof *p->nodes, 4096)) return false;
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

// The walk keeps its own stack: depth costs heap, never C stack.
static int flatten(flat_parser *p, TSTree *tree) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t depth = 0;
	int rc = FLAT_NO_MEMORY;
	p->count = 0;
	if (!push(p, ts_tree_cursor_current_node(&c), HAS_ERROR)) goto done;
	for (;;) {
		if (ts_tree_cursor_goto_first_child(&c)) {
			if (depth == p->open_cap && !grow((void **)&p->open, &p->open_cap, sizeof *p->open, 256)) goto done;
			p->open[depth++] = p->count - 1;
		} else {
			while (!ts_tree_cursor_goto_next_sibling(&c)) {
				if (depth == 0 || !ts_tree_cursor_goto_parent(&c)) {
					rc = FLAT_OK;
					goto done;
				}
				uint32_t i = p->open[--depth];
				p->nodes[i].skip = p->count - i;
			}
		}
		if ((p->count & 0xFFFF) == 0 && *(volatile size_t *)&p->stop) {
			rc = FLAT_CANCELLED;
			goto done;
		}
		if (!push(p, ts_tree_cursor_current_node(&c), p->nodes[p->open[depth - 1]].flags)) goto done;
	}
done:
	ts_tree_cursor_delete(&c);
	return rc;
}

int flat_parse(flat_parser *p, const char *text, uint32_t size, bool keep, flat_node **nodes, uint32_t *count) {
	if (p->kept) {
		ts_tree_delete(p->kept);
		p->kept = NULL;
	}
	TSTree *tree = ts_parser_parse_string(p->ts, NULL, text, size);
	if (!tree) {
		ts_parser_reset(p->ts);
		return p->stop ? FLAT_CANCELLED : FLAT_REFUSED;
	}
	int rc = flatten(p, tree);
	*nodes = p->nodes;
	*count = p->count;
	if (keep && rc == FLAT_OK)
		p->kept = tree;
	else
		ts_tree_delete(tree);
	return rc;
}

int flat_reparse(flat_parser *p, const flat_edit *edits, uint32_t n, const char *text, uint32_t size, bool *has_error) {
	TSTree *old = p->kept;
	p->kept = NULL;
	for (uint32_t i = 0; old && i < n; i++) {
		const flat_edit *e = &edits[i];
		TSInputEdit in = {
			e->start, e->old_end, e->new_end,
			{e->start_row, e->start_col}, {e->old_end_row, e->old_end_col}, {e->new_end_row, e->new_end_col},
		};
		ts_tree_edit(old, &in);
	}
	TSTree *tree = ts_parser_parse_string(p->ts, old, text, size);
	if (old) ts_tree_delete(old);
	if (!tree) {
		ts_parser_reset(p->ts);
		return p->stop ? FLAT_CANCELLED : FLAT_REFUSED;
	}
	*has_error = ts_node_has_error(ts_tree_root_node(tree));
	ts_tree_delete(tree);
	return FLAT_OK;
}

uint32_t flat_language_version(const void *l) { return ts_language_version(l); }
uint32_t flat_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *flat_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
int flat_symbol_type(const void *l, uint16_t s) { return ts_language_symbol_type(l, s); }
