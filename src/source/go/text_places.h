/*
 * Which line of a text each byte made of it comes from, so that what is wrong
 * with the bytes can be told by the line. Kept for what a reader of generations
 * may still have in hand, a few bytes a line.
 */
#ifndef TTRACE_SOURCE_GO_TEXT_PLACES_H
#define TTRACE_SOURCE_GO_TEXT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A line, and the first of the bytes that were made of it. */
struct text_place {
	uint64_t wire_bytes; /* offset in what was made */
	uint64_t text_bytes; /* offset of the line in the text */
	uint64_t line;       /* 1 is the first */
};

/* A batch: its own line, and where the lines that follow are told. */
struct text_place_batch {
	struct text_place place;
	uint64_t generation;
	uint64_t first;   /* number of the batch with which that began */
	size_t at;
};

/* Zero-initialise. */
struct text_places {
	struct text_place_batch *batches;
	size_t batch_count, batch_capacity;
	uint64_t forgotten; /* batches: number of the first one that is kept */
	uint8_t *steps;     /* from each line to the next: three varints */
	size_t step_bytes, step_capacity;
	struct text_place last;
};

/* Notes that a batch begins with the line noted last; or the header, generation 0. */
bool text_places_add_batch(struct text_places *places, uint64_t generation, struct error *err);
/* Notes a line behind the one noted last; it need not have bytes of its own. */
bool text_places_add(struct text_places *places, struct text_place place, struct error *err);
/*
 * A reader has taken all before wire_bytes, so that it has in hand at most the generation
 * that goes on there and the one before it. The others may be forgotten.
 */
void text_places_forget(struct text_places *places, uint64_t wire_bytes);
/* The line that an offset belongs to; false when it is not kept any more. */
bool text_places_find(const struct text_places *places, uint64_t wire_bytes,
                      struct text_place *place);
void text_places_release(struct text_places *places);

#endif
