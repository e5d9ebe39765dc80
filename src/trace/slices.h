/*
 * Slices: stretches of time with a name that nest, such as calls, interrupts and system calls. They
 * lie on tracks; a track belongs to an actor, a resource, a job or to nothing. Each depth of a
 * track is a column: its slices stand in the order of time and do not overlap.
 *
 * A reader fills them in any order of tracks. Then they are frozen, and any thread may ask.
 * Time is nanoseconds as in trace.h; intervals are half-open. All times of 64 bits are fine: an
 * answer that would be more than INT64_MAX stays there.
 *
 * A slice takes 18 bytes. It is 4 more for each slice of a column in which one has a detail, the
 * same where one took another time than it lasted, and 24 more for a slice that lasts longer than
 * 4 s, or begins so much later than the first one of its 64. A name takes 8 bytes in each column
 * where it stands, a column about 200, a depth without slices 8, a track 24; while they are filled a
 * track takes 100.
 */
#ifndef TTRACE_TRACE_SLICES_H
#define TTRACE_TRACE_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"

typedef uint32_t track_ref;  /* below slices_track_count() */
typedef uint32_t column_ref; /* a depth of a track: below slices_column_count() */

enum track_owner { TRACK_OF_ACTOR, TRACK_OF_RESOURCE, TRACK_OF_JOB, TRACK_OF_TRACE };

enum slice_flag {
	SLICE_OPEN = 1,         /* it had not ended when the trace ended */
	SLICE_BEGAN_BEFORE = 2, /* its begin was lost, or lies before the trace */
	SLICE_CUT = 4,          /* its end was lost: it ends where it must have ended by */
	SLICE_FAILED = 8        /* the input says that it failed: a system call with an error */
};

/* A slice as it is answered: a copy. */
struct slice {
	int64_t start_ns, end_ns;
	int64_t took_ns;   /* what the input says it took; end less start where it says nothing */
	string_id name;
	uint32_t detail;   /* the source's: what else it says of the slice, 0 for nothing */
	uint8_t flags;     /* enum slice_flag */
	column_ref column;
	uint32_t index;    /* in its column */
};

struct slices;

struct slices *slices_new(struct error *err);
void slices_free(struct slices *slices); /* NULL is fine */

/*
 * ---- filling; everything fails for want of memory, and with ERROR_LIMIT at 2^32 slices, tracks or
 * columns. Of what failed only slices_free() is left.
 */

/*
 * The track of that owner with that name, made if new. The ref is for filling: freezing gives
 * tracks other numbers. O(1).
 */
bool slices_track(struct slices *slices, enum track_owner owner, uint32_t ref, string_id name,
	track_ref *track, struct error *err);
/*
 * A slice begins at a depth (0: outermost) below UINT16_MAX. It is clamped to begin no sooner than
 * the one before it in the column ended; the one before it must have ended. Names are ids of one
 * table: 4 bytes are needed for each one up to the largest. O(1), but 4 bytes for each depth above.
 */
bool slices_begin(struct slices *slices, track_ref track, uint32_t depth, int64_t start_ns,
	string_id name, struct error *err);
/*
 * The detail of the last slice of a depth, which may have ended. Without memory for it,
 * slices_freeze() fails.
 */
void slices_detail(struct slices *slices, track_ref track, uint32_t depth, uint32_t detail);
struct slice_end {
	int64_t end_ns;
	int64_t took_ns; /* -1 where the input does not say */
	uint8_t flags;   /* enum slice_flag */
};

/* The last slice of a depth ends, no sooner than it began. O(1). */
bool slices_end(struct slices *slices, track_ref track, uint32_t depth, struct slice_end end,
	struct error *err);
/*
 * No more will come. What is open ends at end_ns and is marked so. O(n), and O(t log t) for t
 * tracks.
 */
bool slices_freeze(struct slices *slices, int64_t end_ns, struct error *err);

/* ---- asking, once frozen */

uint32_t slices_track_count(const struct slices *slices);
uint32_t slices_column_count(const struct slices *slices);
uint64_t slices_count(const struct slices *slices);
size_t slices_bytes(const struct slices *slices); /* O(columns) */

struct track {
	uint8_t owner; /* enum track_owner */
	uint32_t ref;  /* of the owner */
	string_id name;
	column_ref first_column; /* depth 0; the next depths follow */
	uint32_t depth_count;
};

const struct track *slices_track_at(const struct slices *slices, track_ref track);
/* The tracks [*first, *first + *count) of an owner, in the order in which they were made. O(log n). */
void slices_tracks_of(const struct slices *slices, enum track_owner owner, uint32_t ref,
	track_ref *first, uint32_t *count);
/* The number of a slice among all, column by column, from 0, and back. O(1); O(log of the columns). */
uint32_t slices_number(const struct slices *slices, column_ref column, uint32_t index);
void slices_numbered(const struct slices *slices, uint32_t number, struct slice *slice);
track_ref slices_track_of_column(const struct slices *slices, column_ref column); /* O(log n) */

/* The questions below are about one column of n slices. B is the size of a block, 64. */

uint32_t slices_in_column(const struct slices *slices, column_ref column);
void slices_get(const struct slices *slices, column_ref column, uint32_t index, struct slice *slice);
/* The slice that holds t; false where none does: one without length holds nothing. O(log n). */
bool slices_at(
	const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice);
/* The first slice that begins at t or later, and the last one that begins before t. O(log n). */
bool slices_next(
	const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice);
bool slices_previous(
	const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice);
/*
 * Indices [*first, *end) of those that overlap [t0, t1); one without length does if it begins
 * within. None where t1 is not after t0. O(log n).
 */
void slices_range(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	uint32_t *first, uint32_t *end);
/* The time that is covered within [t0, t1), exactly. O(log n + B). */
int64_t slices_covered(
	const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns);
struct slice_cell {
	int64_t covered_ns;
	/* The slice with the longest part in it, the earliest of equals; UINT32_MAX: none overlaps it. */
	uint32_t longest;
};

/*
 * The same for each of `count` equal cells, with edges as lane_edge() has them. t0 <= t1. O(B *
 * log_B n) each: some microseconds at most.
 */
void slices_cells(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	int count, struct slice_cell *cells);
/*
 * The slice with the longest part within [t0, t1), the earliest of equals; false where none
 * overlaps it. O(B * log_B n).
 */
bool slices_longest(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	struct slice *slice);
/*
 * How many have that name, and the time that they cover within [t0, t1), all columns added: where
 * one stands on another with the same name, both count. O(1), and O(log n + B) for each column in
 * which the name stands.
 */
uint64_t slices_named(const struct slices *slices, string_id name);
int64_t slices_named_time(
	const struct slices *slices, string_id name, int64_t t0_ns, int64_t t1_ns);
/*
 * One of those with that name, numbered from 0 below slices_named(): column by column, each in the
 * order of time. O(log of the columns).
 */
void slices_get_named(
	const struct slices *slices, string_id name, uint64_t number, struct slice *slice);

#endif
