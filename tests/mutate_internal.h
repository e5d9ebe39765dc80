/*
 * What the forms of traces share: a level of a trace (batches of a file, events of a
 * batch, ...) is a run of pieces, each of which can be moved as it is or altered within.
 */
#ifndef TTRACE_TESTS_MUTATE_INTERNAL_H
#define TTRACE_TESTS_MUTATE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/cursor.h"
#include "tracewriter.h"

struct piece {
	const uint8_t *at;
	size_t size;
};

struct mutation {
	uint64_t random;
	unsigned minor;           /* N of the version 1.N */
	const struct piece *peers; /* of the level at work; their numbers are taken over */
	size_t peer_count;
};

struct level {
	/* Moves over one piece; false where there is none any more. */
	bool (*next)(const struct mutation *mutation, struct cursor *cursor);
	/* Writes the piece with something in it changed. */
	void (*alter)(struct mutation *mutation, struct piece piece, struct wire *out);
};

/* Something that happens once in so many times. */
bool mutate_once_in(struct mutation *mutation, uint32_t times);
/* A number in [0, bound). */
uint32_t mutate_below(struct mutation *mutation, uint32_t bound);

/* What a number becomes, if it is not one of a peer. */
uint64_t mutate_number(struct mutation *mutation, uint64_t value);
/* What the bytes of a string become. */
void mutate_text(struct mutation *mutation, struct piece text, struct wire *out);

/*
 * Writes bytes[0..size) with a few of their pieces changed or moved. What follows the
 * last piece that can be told is dropped.
 */
void mutate_level(struct mutation *mutation, const struct level *level, const uint8_t *bytes,
	size_t size, struct wire *out);

/* All of a trace behind its header. */
extern const struct level mutate_v1, mutate_v2;

/* Lets a generation begin somewhere in a v2 trace, or appends all of it once more. */
void mutate_generations(struct mutation *mutation, const uint8_t *bytes, size_t size,
	struct wire *out);

#endif
