#include "walk.h"

#include <stdlib.h>
#include <string.h>

flat_parser *flat_parser_new(const void *language, bool raw) {
	flat_parser *p = calloc(1, sizeof *p);
	if (!p) return NULL;
	p->ts = ts_parser_new();
	if (!p->ts || !ts_parser_set_language(p->ts, language)) {
		flat_parser_delete(p);
		return NULL;
	}
	p->language = language;
	p->raw = raw;
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
	int rc = p->raw ? walk_raw(p, tree) : walk_cursor(p, tree);
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
