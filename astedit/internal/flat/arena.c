#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A chunk is memory that blocks are cut from, one after another.
struct arena_chunk {
	arena_chunk *next, *previous; // previous only in the list of large ones
	size_t size;
	size_t class; // stands right before the first block, as before every other
};

// A block that was freed. Its class stands before it.
struct arena_block {
	arena_block *next;
};

enum {
	UNIT = 16,        // sizes are multiples of it, their class included
	SMALL = 64,       // classes that are one size each, UNIT apart
	LARGE = 1 << 16,  // from here on a block has a chunk of its own
	CHUNK = 1 << 20,  // bytes of the first chunk
	KEPT = 8 << 20,  // bytes kept between parses
	CLASS_LARGE = ARENA_CLASSES,
	CLASS_HEAP, // outside of any arena
};

static _Thread_local arena *entered;

static void *exhausted(size_t size) {
	// tree-sitter does not expect to be without memory.
	fprintf(stderr, "out of memory: tree-sitter needs %zu bytes\n", size);
	abort();
}

static size_t *class_of(void *block) { return (size_t *)block - 1; }

// The bytes a class of blocks has room for.
static size_t room(size_t class) {
	return (class < SMALL ? (class + 1) * UNIT : (size_t)UNIT * SMALL * 2 << (class - SMALL)) - sizeof(size_t);
}

static size_t fitting_class(size_t size) {
	size_t whole = size + sizeof(size_t);
	if (whole <= UNIT * SMALL) return (whole + UNIT - 1) / UNIT - 1;
	size_t class = SMALL;
	while (room(class) < size) class++;
	return class;
}

static void *heap_alloc(size_t size) {
	size_t *head = malloc(UNIT + size);
	if (!head) return exhausted(size);
	void *block = (char *)head + UNIT;
	*class_of(block) = CLASS_HEAP;
	return block;
}

static void *large_alloc(arena *a, size_t size) {
	arena_chunk *c = malloc(sizeof *c + size);
	if (!c) return exhausted(size);
	*c = (arena_chunk){.next = a->large, .size = size, .class = CLASS_LARGE};
	if (a->large) a->large->previous = c;
	a->large = c;
	return c + 1;
}

static void large_free(arena *a, arena_chunk *c) {
	if (c->previous)
		c->previous->next = c->next;
	else
		a->large = c->next;
	if (c->next) c->next->previous = c->previous;
	free(c);
}

// Goes on to the next chunk, a new one when there is none. The rest of the last
// one, smaller than a block, is left.
static void next_chunk(arena *a) {
	arena_chunk *c = a->current ? a->current->next : a->chunks;
	if (!c) {
		size_t size = a->current ? a->current->size * 2 : CHUNK;
		if (size > 8 * CHUNK) size = 8 * CHUNK;
		c = malloc(size);
		if (!c) exhausted(size);
		*c = (arena_chunk){.size = size};
		if (a->current)
			a->current->next = c;
		else
			a->chunks = c;
	}
	a->current = c;
	a->next = (char *)(c + 1);
	a->end = (char *)c + c->size;
}

static void *arena_malloc(size_t size) {
	arena *a = entered;
	if (!a) return heap_alloc(size);
	if (size >= LARGE) return large_alloc(a, size);
	size_t class = fitting_class(size);
	arena_block *block = a->unused[class];
	if (block) {
		a->unused[class] = block->next;
		return block;
	}
	size_t whole = room(class) + sizeof(size_t);
	while ((size_t)(a->end - a->next) < whole) next_chunk(a);
	void *fresh = a->next;
	a->next += whole;
	*class_of(fresh) = class;
	return fresh;
}

static void *arena_calloc(size_t count, size_t size) {
	if (size && count > SIZE_MAX / 2 / size) return exhausted(SIZE_MAX);
	return memset(arena_malloc(count * size), 0, count * size);
}

static void arena_release(void *block) {
	if (!block) return;
	size_t class = *class_of(block);
	switch (class) {
	case CLASS_HEAP:
		free((char *)block - UNIT);
		break;
	case CLASS_LARGE:
		large_free(entered, (arena_chunk *)block - 1);
		break;
	default:
		((arena_block *)block)->next = entered->unused[class];
		entered->unused[class] = block;
	}
}

static void *arena_realloc(void *block, size_t size) {
	if (!block) return arena_malloc(size);
	size_t class = *class_of(block), had;
	switch (class) {
	case CLASS_HEAP: {
		char *moved = realloc((char *)block - UNIT, UNIT + size);
		return moved ? moved + UNIT : exhausted(size);
	}
	case CLASS_LARGE:
		had = ((arena_chunk *)block - 1)->size;
		break;
	default:
		had = room(class);
	}
	if (size <= had) return block;
	void *bigger = arena_malloc(size);
	memcpy(bigger, block, had);
	arena_release(block);
	return bigger;
}

extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// Before main, so that nothing was allocated otherwise.
__attribute__((constructor)) static void install(void) {
	ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_release);
}

void arena_enter(arena *a) { entered = a; }
void arena_leave(void) { entered = NULL; }

void arena_reset(arena *a) {
	while (a->large) large_free(a, a->large);
	memset(a->unused, 0, sizeof a->unused);
	a->current = NULL;
	a->next = a->end = NULL;
	size_t kept = 0;
	for (arena_chunk **c = &a->chunks; *c;) {
		arena_chunk *chunk = *c;
		kept += chunk->size;
		if (kept <= KEPT) {
			c = &chunk->next;
			continue;
		}
		*c = chunk->next;
		free(chunk);
	}
}

void arena_free(arena *a) {
	arena_reset(a);
	for (arena_chunk *c = a->chunks; c;) {
		arena_chunk *next = c->next;
		free(c);
		c = next;
	}
	*a = (arena){0};
}
