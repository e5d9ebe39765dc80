/* What there is to tell of one slice: what it lies in, what is beneath it, and what else has its name. */
#ifndef TTRACE_ANALYSIS_SLICE_LIFE_H
#define TTRACE_ANALYSIS_SLICE_LIFE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/spread.h"
#include "trace/slices.h"

enum { SLICE_LIFE_LONGEST = 20 };

/* Those of one name directly beneath it; times are what they took, and stay at INT64_MAX. */
struct slice_kin {
	string_id name;
	uint64_t count;
	int64_t total_ns;
	struct slice longest; /* the earliest of equals */
};

struct slice_life {
	struct slice slice;
	const struct track *track; /* of the slices */
	uint32_t depth;            /* 0: the outermost */
	bool has_self;             /* as slice_self() has it */
	int64_t self_ns;
	struct slice *above;       /* what it lies in, the innermost first */
	size_t above_count;
	struct slice_kin *kins;    /* beneath it: greatest total first, then by name */
	size_t kin_count;
	uint64_t beneath_count;    /* all directly beneath it ... */
	int64_t beneath_ns;        /* ... and what they took */
	struct slice longest[SLICE_LIFE_LONGEST]; /* of those, the earliest of equals first */
	size_t longest_count;
	struct spread named;       /* what all slices of its name took that ended, */
	int64_t named_shortest_ns;
	uint64_t named_count;      /* which are so many; */
	uint64_t named_partial;    /* others are cut or open */
	uint64_t named_longer;     /* and so many of them took longer than this one */
	struct slice named_longest;
	bool has_before, has_after; /* on its depth of its track */
	struct slice before, after;
};

/*
 * O(d log n) for a depth of d, and linear in those directly beneath it and those of its name; 8
 * bytes for each of the latter. ERROR_CANCELLED soon after *is_cancelled became true. Without
 * is_cancelled (NULL) it is not begun where that would take longer than a key press may wait:
 * ERROR_LIMIT. Release after success.
 */
bool slice_life_build(struct slice_life *life, const struct slices *slices,
	const struct slice *slice, const atomic_bool *is_cancelled, struct error *err);
void slice_life_release(struct slice_life *life);

#endif
