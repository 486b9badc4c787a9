#include "walk.h"

#include <stdlib.h>
#include <string.h>

flat_parser *flat_parser_new(const void *language, bool raw) {
	flat_parser *p = calloc(1, sizeof *p);
	if (!p) return NULL;
	p->language = language;
	p->raw = raw;
	return p;
}

void flat_parser_delete(flat_parser *p) {
	if (!p) return;
	arena_free(&p->arena);
	free(p->nodes);
	free(p->open);
	free(p);
}

size_t *flat_parser_stop(flat_parser *p) { return &p->stop; }

// Forgets the parser and the tree in the arena. Neither has to be deleted: when
// ts_parser_parse_string returns and when ts_parser_reset is called, what a
// grammar's scanner has elsewhere is freed.
static void forget(flat_parser *p) {
	p->ts = NULL;
	p->kept = NULL;
	arena_reset(&p->arena);
}

static int parse(flat_parser *p, const TSTree *old, const char *text, uint32_t size, TSTree **tree) {
	*tree = ts_parser_parse_string(p->ts, old, text, size);
	if (*tree) return FLAT_OK;
	ts_parser_reset(p->ts);
	return p->stop ? FLAT_CANCELLED : FLAT_REFUSED;
}

int flat_parse(flat_parser *p, const char *text, uint32_t size, bool keep, flat_node **nodes, uint32_t *count) {
	forget(p);
	arena_enter(&p->arena);
	p->ts = ts_parser_new();
	ts_parser_set_language(p->ts, p->language);
	ts_parser_set_cancellation_flag(p->ts, &p->stop);
	TSTree *tree;
	int rc = parse(p, NULL, text, size, &tree);
	if (rc == FLAT_OK) rc = p->raw ? walk_raw(p, tree) : walk_cursor(p, tree);
	arena_leave();
	*nodes = p->nodes;
	*count = p->count;
	if (keep && rc == FLAT_OK)
		p->kept = tree;
	else
		forget(p);
	return rc;
}

int flat_reparse(flat_parser *p, const flat_edit *edits, uint32_t n, const char *text, uint32_t size, bool *has_error) {
	if (!p->kept) return FLAT_REFUSED;
	arena_enter(&p->arena);
	for (uint32_t i = 0; i < n; i++) {
		const flat_edit *e = &edits[i];
		TSInputEdit in = {
			e->start, e->old_end, e->new_end,
			{e->start_row, e->start_col}, {e->old_end_row, e->old_end_col}, {e->new_end_row, e->new_end_col},
		};
		ts_tree_edit(p->kept, &in);
	}
	TSTree *tree;
	int rc = parse(p, p->kept, text, size, &tree);
	if (rc == FLAT_OK) *has_error = ts_node_has_error(ts_tree_root_node(tree));
	arena_leave();
	forget(p);
	return rc;
}

uint32_t flat_language_version(const void *l) { return ts_language_version(l); }
uint32_t flat_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *flat_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
int flat_symbol_type(const void *l, uint16_t s) { return ts_language_symbol_type(l, s); }
