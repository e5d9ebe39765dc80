/*
 * The damage map: what is missing from a trace. One row per damaged place of the input,
 * in the order of the bytes; in storage of a fixed size, so that a trace that is broken
 * all over costs no more than one that is cut off.
 */
#ifndef TTRACE_TRACE_DAMAGE_H
#define TTRACE_TRACE_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What the place looks like, and so what probably was done to the trace. */
enum damage_cause {
	DAMAGE_NEVER_STOPPED, /* ends behind a whole batch: the program exited or was killed */
	DAMAGE_DISK_FULL,     /* ends within a batch, where a block of a file ends */
	DAMAGE_CUT,           /* ends within a batch, anywhere else */
	DAMAGE_ZEROED,        /* zeros where data should be */
	DAMAGE_MISSING,       /* bytes in the middle are not there */
	DAMAGE_CHANGED,       /* bytes that mean nothing */
	DAMAGE_JOINED,        /* another trace stands behind the first one */
	DAMAGE_DISORDER,      /* well-formed events that contradict each other */
	DAMAGE_REPEATED,      /* batches stand there once more; nothing is lost by that alone */
	DAMAGE_NEWER,         /* a format newer than any known; nothing is lost by that alone */
	DAMAGE_CAUSE_COUNT
};

struct damage {
	uint64_t from_bytes, to_bytes; /* of the input; good bytes may lie between */
	uint64_t lost_bytes;           /* of those, what was not used */
	/*
	 * Something is missing in [from_ns, to_ns), and from blank_ns on everything: before
	 * it stands what could be put in order all the same. to_ns is TIME_OPEN where
	 * nothing of the trace follows. In a trace, time since its first event; in the result
	 * of the reader, the trace's clock.
	 */
	int64_t from_ns, blank_ns, to_ns;
	uint64_t first_generation, last_generation; /* 0 where unknown */
	enum damage_cause cause;
	uint64_t dropped_events;  /* read, but of no use; what was not read is not known */
	uint64_t ended_batches;   /* of which the end was not used */
	uint64_t skipped_numbers; /* of the orders of actors and processors */
	uint64_t moved_times;     /* that could not be true, put at those of their neighbours */
	uint64_t guessed_ends;    /* of generations: when the last event was is guessed */
	uint64_t unknown_states;  /* of which nobody knows how they went on */
	struct error first;       /* what was wrong there, and where; raw text */
	uint64_t places;          /* how many the row stands for; 0 is a warning, no loss */
};

enum { DAMAGE_ROWS_MAX = 32 };

/* Zero-initialised is undamaged. */
struct damage_map {
	struct damage rows[DAMAGE_ROWS_MAX];
	uint32_t count; /* of rows */
};

/* The likely cause where no more is known than what went wrong with reading. */
enum damage_cause damage_cause_of(const struct error *err);

/*
 * Takes in one more place; `places` is set here. When all rows are taken the last
 * one stands for this place too: the sum of both, from where the one begins to where the
 * other ends, with the cause of the first.
 */
void damage_map_add(struct damage_map *map, const struct damage *damage);

/*
 * From the trace's clock to times of a trace that begins at origin_ns and lasts till end_ns
 * (which is one of those already). What begins with its end begins with its last
 * instant instead, so that it touches an interval that can be shown. TIME_OPEN stays.
 */
void damage_map_rebase(struct damage_map *map, int64_t origin_ns, int64_t end_ns);

/* Sums over all rows. */
uint64_t damage_map_places(const struct damage_map *map);
uint64_t damage_map_lost_bytes(const struct damage_map *map);

/* Of a map that has rows the first that stands for a loss, else the first warning. */
const struct damage *damage_map_first(const struct damage_map *map);

/* What of [t0, t1) a place or the whole map touches. */
enum damage_extent {
	DAMAGE_NONE,
	DAMAGE_PARTIAL, /* something may be missing */
	DAMAGE_BLANK,   /* there is nothing in at least a part of it */
};

/* A place that takes no time touches the instant it is at; a warning touches nothing. */
enum damage_extent damage_extent(const struct damage *damage, int64_t t0_ns, int64_t t1_ns);
enum damage_extent damage_map_extent(
	const struct damage_map *map, int64_t t0_ns, int64_t t1_ns);

/* The place that begins nearest to t, after or before it; NULL for none. */
const struct damage *damage_map_beside(const struct damage_map *map, int64_t t_ns, bool forward);

/* The first row that touches [t0, t1), NULL for none. */
const struct damage *damage_map_find(
	const struct damage_map *map, int64_t t0_ns, int64_t t1_ns);

#endif
