/*
 * From when to when a generation was, by what more than one place of it says: so that one
 * wrong time, which a few bytes can make, does not make a trace of hours. The runtime writes
 * the stacks of a generation when all its events are written, so the batch that they stand in
 * begins behind them; and the states of goroutines that told nothing just before.
 */
#ifndef TTRACE_SOURCE_GO_EXTENT_H
#define TTRACE_SOURCE_GO_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/go/generation.h"

enum { EXTENT_KNOWN_MAX = 4 };
/* Nobody knows. */
#define EXTENT_OPEN UINT64_MAX

/* What the times of events are judged by; all in ticks. */
struct extent_signs {
	uint64_t start;     /* of the first of them */
	uint64_t ms;        /* a millisecond */
	uint64_t known[EXTENT_KNOWN_MAX]; /* that stand at the end, the best first */
	size_t known_count;
	uint64_t *times;    /* of the last events of batches, in any order; sorted here */
	size_t count;
};

/*
 * No event is later than this: than the first of those known with which another one or a time
 * agrees, else than the latest of the times with which another one agrees; and a little.
 * EXTENT_OPEN where none agree.
 */
uint64_t extent_end(struct extent_signs *signs);

/*
 * Corrects min_ticks, and sets max_ticks. As a rule the headers of batches suffice; where they
 * do not agree all events are decoded. before_ticks: when the generation before began, 0 for
 * the first; next_ticks: when the next one begins, 0 if that is not known. False for want of
 * memory.
 */
bool extent_find(struct generation *generation, unsigned minor, uint64_t before_ticks,
                 uint64_t next_ticks, uint64_t ms_ticks, struct error *err);

#endif
