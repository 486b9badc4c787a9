#ifndef PENDING_LSP_LIBRARY_H
#define PENDING_LSP_LIBRARY_H

// Returns the grammar in a shared library, which stays loaded, or NULL and what is
// wrong, to be freed.
const void *flat_library_open(const char *path, const char *symbol, char **problem);

#endif
