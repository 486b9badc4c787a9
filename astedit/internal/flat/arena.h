// Memory for one parse: tree-sitter allocates from here, and all of it is
// forgotten at once. Walking a tree to free each node takes as long as walking it
// to read them.
#ifndef PENDING_LSP_ARENA_H
#define PENDING_LSP_ARENA_H

#include <stddef.h>

enum { ARENA_CLASSES = 80 };

typedef struct arena_chunk arena_chunk;
typedef struct arena_block arena_block;

// Zeroed memory is an empty arena.
typedef struct {
	arena_chunk *chunks, *current; // the first, and the one in use
	char *next, *end;              // what is free of it
	arena_chunk *large;            // blocks with a chunk of their own
	arena_block *unused[ARENA_CLASSES];
} arena;

// Makes an arena the one this thread's ts_* functions use, until arena_leave.
// What they made in one arena may only be used in it.
void arena_enter(arena *);
void arena_leave(void);

// Forgets all that was allocated, and keeps a bounded part of the memory for the
// next parse.
void arena_reset(arena *);
void arena_free(arena *);

#endif
