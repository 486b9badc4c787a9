#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <string.h>

#ifndef RTLD_DEEPBIND // only glibc has it
#define RTLD_DEEPBIND 0
#endif

const void *flat_library_open(const char *path, const char *symbol, char **problem) {
	// A grammar that this program has too, of another age, must not meet that one's
	// scanner.
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	void *function = library ? dlsym(library, symbol) : NULL;
	if (!function) {
		const char *why = dlerror();
		*problem = strdup(why ? why : "no such symbol");
		if (library) dlclose(library);
		return NULL;
	}
	const void *grammar = ((const void *(*)(void))function)();
	if (!grammar) *problem = strdup("its function returns no grammar");
	return grammar;
}
