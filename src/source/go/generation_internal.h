/* What the strict reading of a generation (generation.c) and the lenient one (salvage.c) share. */
#ifndef TTRACE_SOURCE_GO_GENERATION_INTERNAL_H
#define TTRACE_SOURCE_GO_GENERATION_INTERNAL_H

#include "source/go/generation.h"

/* A batch as it comes from the input, before it is known where it belongs. */
struct incoming {
	struct batch batch;
	uint64_t generation;
	uint64_t offset_bytes; /* of the batch's first byte */
	bool is_end_mark;
	bool is_end_of_input;
};

/* ---- generation.c */

/*
 * One batch; its payload, if it is not left in the input, goes behind the bytes of the
 * generation, and is not counted among them yet. source->header has the bytes before the
 * payload, also after a failure.
 */
bool generation_read_batch(struct generation *generation, struct generation_source *source,
                           struct incoming *incoming, struct error *err);
/* Takes in a batch whose payload stands right behind the bytes, or was left in the input. */
bool generation_add_batch(struct generation *generation, const struct incoming *incoming,
                          unsigned minor, struct error *err);
/* The batch that the generation before read one too many becomes the first of this one. */
bool generation_take_spilled(struct generation *generation, struct generation_source *source,
                             struct error *err);
/* The batch was read one too many. */
void generation_spill(struct generation_source *source, const struct incoming *incoming);
/* Whether what failed while reading lies in the bytes, so that a prefix of them is usable. */
bool generation_is_input_failure(const struct error *err);

/* ---- repeats.c */

/*
 * Takes in a batch that was read last, and that becomes the generation's next one if it is put
 * there. *is_repeated: it was read before.
 */
bool generation_is_repeated(const struct generation *generation,
                            struct generation_source *source, const struct incoming *incoming,
                            bool *is_repeated, struct error *err);

/* ---- salvage.c */

/* generation_read() that takes from a broken input what can be taken. Never GENERATION_CUT. */
enum generation_outcome generation_salvage(struct generation *generation,
                                           struct generation_source *source,
                                           struct error *err);

#endif
