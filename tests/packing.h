/* Compresses for tests, with the libraries that the program unpacks with. */
#ifndef TTRACE_TESTS_PACKING_H
#define TTRACE_TESTS_PACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct packer {
	const char *name; /* as the program's messages have it */
	bool is_built;    /* whether the library is there */
	/* Appends one member or frame; nothing where the library is missing. */
	void (*pack)(struct text *out, const void *bytes, size_t size);
};

enum { PACKERS = 2 };
extern const struct packer packers[PACKERS]; /* gzip, zstd */

#endif
