/* What a packing has to do for unpack.c: one member or frame at a time. */
#ifndef TTRACE_INPUT_UNPACK_INTERNAL_H
#define TTRACE_INPUT_UNPACK_INTERNAL_H

#include "input/unpack.h"

/* Advanced by a step as far as it got. */
struct unpack_io {
	const uint8_t *in;
	size_t in_left;
	uint8_t *out;
	size_t out_left;
};

enum unpack_outcome {
	UNPACK_MORE,   /* goes on with more bytes, or more room */
	UNPACK_END,    /* of the member */
	UNPACK_BROKEN, /* err has no offset */
};

struct packing {
	const char *name;
	const char *library; /* the one that is needed */
	const char *tool;    /* a command that unpacks without us */
	bool (*begins)(const uint8_t bytes[UNPACK_MAGIC_BYTES]);
	/* The decoder before its first member; the rest is NULL where the library is missing. */
	void *(*new)(struct error *err);
	bool (*begin)(void *decoder, struct error *err); /* a member */
	enum unpack_outcome (*step)(void *decoder, struct unpack_io *io, struct error *err);
	void (*free)(void *decoder);
};

extern const struct packing packing_gzip, packing_zstd;

#endif
