/*
 * What is told of a track beneath it when it is unfolded: its slices and its regions, nested, and
 * its logs.
 */
#ifndef TTRACE_DRAW_NEST_H
#define TTRACE_DRAW_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/region_row.h"
#include "draw/slice_row.h"
#include "trace/span.h"
#include "trace/trace.h"

struct nest {
	struct lane lane;           /* of the track */
	uint32_t slice_rows;        /* depths of its slices: its own ... */
	uint32_t ran_rows;          /* ... and of a processor those of who ran there */
	struct slices *ran;         /* the latter; NULL for none */
	/* By depth of these, which of them match; NULL where none does. Of the search with that number. */
	struct bits *ran_matches[SLICE_SEARCHES];
	uint32_t ran_search[SLICE_SEARCHES];
	struct region_row *regions; /* from the outermost on */
	uint32_t region_count;
	uint32_t *logs; /* instants, by time */
	size_t log_count;
	actor_ref *actors;  /* of a task: that work for it; else NULL */
	size_t actor_count;
};

void nest_release(struct nest *nest);
/* Where the slices of one of its depths stand: of slice_rows, then ran_rows. O(log n). */
struct slice_row nest_slices(const struct nest *nest, const struct trace *trace, uint32_t part);

/*
 * What matches among the slices of who ran on a processor, unless that is known; `number` is another
 * one for each search, 0 for none. O(n) for those slices. Without memory nothing does.
 */
bool nest_match(struct nest *nest, const struct trace *trace, enum slice_search which,
	const struct search *search, uint32_t number, struct error *err);

/*
 * Builds that of a processor, which costs what slice_rows_ran() does. nest_release() after
 * success.
 */
bool nest_build_of_processor(struct nest *nest, const struct trace *trace, resource_ref processor,
	const atomic_bool *is_cancelled, struct error *err);

/* Those that are open. Zero-initialised is none. */
struct nests {
	struct nest *items;
	size_t count, capacity;
	uint8_t *answers; /* by actor: what nests_has_any() said, 0 if it was not asked */
};

/* For the actors of a trace; none is open. O(actors). On failure nothing is held. */
bool nests_init(struct nests *nests, const struct trace *trace, struct error *err);
void nests_release(struct nests *nests);

/*
 * Whether an actor has slices, regions or logs, or there are slices for a processor. Of an actor the
 * first time O(its ranges and instants), then O(1).
 */
bool nests_has_any(const struct nests *nests, const struct trace *trace, struct lane lane);
/* Index of the nest of a track, SIZE_MAX where it is not open. O(open ones). */
size_t nests_find(const struct nests *nests, struct lane lane);
/* Takes the nest over, as the last one. On failure it stays the caller's. */
bool nests_add(struct nests *nests, const struct nest *nest, struct error *err);
/*
 * Opens that of an actor or a processor, which is not open. O(its ranges and instants), of a
 * processor what slice_rows_ran() costs.
 */
bool nests_open(
	struct nests *nests, const struct trace *trace, struct lane lane, struct error *err);
/* Takes the one at an index out, to be released or put back there, which cannot fail. */
struct nest nests_take(struct nests *nests, size_t index);
void nests_put_back(struct nests *nests, size_t index, const struct nest *nest);

#endif
