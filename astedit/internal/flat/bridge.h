// What this package needs of tree-sitter's C interface, and what it adds.
#ifndef PENDING_LSP_FLAT_H
#define PENDING_LSP_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t start, end, skip;
	uint16_t kind, flags;
} flat_node;

typedef struct flat_parser flat_parser;

// The edit of a text that a following flat_reparse is told about. Rows and
// columns count from 0, columns in bytes.
typedef struct {
	uint32_t start, old_end, new_end;
	uint32_t start_row, start_col, old_end_row, old_end_col, new_end_row, new_end_col;
} flat_edit;

enum { FLAT_OK = 0, FLAT_CANCELLED = 1, FLAT_NO_MEMORY = 2, FLAT_REFUSED = 3 };

// Makes a parser for a language of an ABI that fits; NULL when out of memory. raw
// lets it read the memory of trees directly.
flat_parser *flat_parser_new(const void *language, bool raw);
void flat_parser_delete(flat_parser *);

// Where a non-zero value stops a running parse.
size_t *flat_parser_stop(flat_parser *);

// Parses text and leaves the nodes in *nodes until the next call. The tree is
// kept for flat_reparse when keep is set.
int flat_parse(flat_parser *, const char *text, uint32_t size, bool keep, flat_node **nodes, uint32_t *count);

// Parses text, which is the kept tree's text after edits, and says whether it
// has a syntax error. The kept tree is used up.
int flat_reparse(flat_parser *, const flat_edit *edits, uint32_t n, const char *text, uint32_t size, bool *has_error);

uint32_t flat_language_version(const void *language);
uint32_t flat_symbol_count(const void *language);
const char *flat_symbol_name(const void *language, uint16_t symbol);
// 0 named, 1 unnamed, 2 hidden.
int flat_symbol_type(const void *language, uint16_t symbol);

#endif
