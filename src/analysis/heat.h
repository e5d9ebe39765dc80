/* Durations over time: how many spans began in each cell of time and length. */
#ifndef TTRACE_ANALYSIS_HEAT_H
#define TTRACE_ANALYSIS_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The level of a duration: which sixteenth of an octave (a power of two nanoseconds and what is
 * below the next) it lies in. 0 is as 1 ns.
 */
enum { HEAT_LEVELS_PER_OCTAVE = 16, HEAT_LEVELS = 63 * HEAT_LEVELS_PER_OCTAVE };
uint16_t heat_level(int64_t duration_ns);

/*
 * How levels become rows, counted from 0 for the shortest: as evenly as possible, so that octaves
 * take about equal room. The first row has all that is shorter, too, the last one all that is
 * longer. Rows of the first octaves may hold no whole nanosecond.
 */
struct heat_scale {
	int first_octave, octaves; /* that are shown */
	int rows;                  /* at least 1 */
};

/*
 * One that shows durations from least_ns to most_ns (0 <= least <= most) in so many rows, or in
 * fewer that are all alike: some octaves each, or not more than HEAT_ROWS_PER_OCTAVE in an octave.
 */
enum { HEAT_ROWS_PER_OCTAVE = 8 };
struct heat_scale heat_scale_for(int64_t least_ns, int64_t most_ns, int rows);
int heat_row(const struct heat_scale *scale, int64_t duration_ns);
bool heat_scale_equals(const struct heat_scale *a, const struct heat_scale *b);
/* The shortest duration of a row; INT64_MAX behind the last one, 0 for the first. */
int64_t heat_row_start_ns(const struct heat_scale *scale, int row);

/* How an interval becomes columns: column i covers [lane_edge(i), lane_edge(i + 1)) of [t0, t1). */
struct heat_columns {
	int64_t t0_ns, t1_ns;
	int count; /* at least 1 */
};

struct heat_spans {
	const int64_t *starts_ns; /* ascending */
	const uint16_t *levels;   /* of the durations of the same spans */
	const uint32_t *ranks;    /* their places among all in order of duration: each has one of its own */
	size_t count;
};

/* Zero-initialise, or use again. */
struct heat {
	struct heat_scale scale;
	int64_t t0_ns, t1_ns;
	int columns;
	uint32_t *counts; /* column by column, each from the shortest; stay at UINT32_MAX */
	uint32_t most;    /* of the counts */
	size_t capacity;
};

/*
 * Counts the spans that begin in the interval by row and by column. Without memory it is false
 * and *heat has no columns. About a nanosecond for each span of the interval.
 */
bool heat_count(struct heat *heat, const struct heat_spans *spans, const struct heat_scale *scale,
                struct heat_columns columns, struct error *err);
/* The same of counts that are there already: a map without any, then one for each cell. */
bool heat_begin(struct heat *heat, const struct heat_scale *scale, struct heat_columns columns,
                struct error *err);
void heat_put(struct heat *heat, int64_t start_ns, int64_t duration_ns, uint32_t count);
void heat_release(struct heat *heat);

static inline uint32_t
heat_at(const struct heat *heat, int column, int row)
{
	return heat->counts[(size_t)column * (size_t)heat->scale.rows + (size_t)row];
}

/*
 * The same without an order of time, of spans as they come: counted by column and level, since the
 * scale is known only when all were met. Of those that begin elsewhere the duration counts.
 */
struct heat_tally {
	int64_t t0_ns, t1_ns;
	int columns;
	uint32_t *counts; /* column by column, HEAT_LEVELS each; stay at UINT32_MAX */
	size_t count;     /* of spans that were told */
	int64_t least_ns, most_ns; /* of all of them, where there are any */
	int column;                /* the last one that a span began in ... */
	int64_t column_t0_ns, column_t1_ns; /* ... and what it covers */
};

/* Release with heat_tally_release() after success. */
bool heat_tally_init(struct heat_tally *tally, struct heat_columns columns, struct error *err);
/* A nanosecond where spans of a column follow each other, else some dozen. */
void heat_tally_add(struct heat_tally *tally, int64_t start_ns, int64_t duration_ns);
/* Makes the map of what was told. Without memory it is false and *heat has no columns. */
bool heat_from_tally(struct heat *heat, const struct heat_tally *tally,
                     const struct heat_scale *scale, struct error *err);
void heat_tally_release(struct heat_tally *tally);

/*
 * The index of the longest span of a cell, which has the greatest rank; SIZE_MAX for an empty cell.
 * O(log spans + those of the column).
 */
size_t heat_longest(
	const struct heat *heat, const struct heat_spans *spans, int column, int row);

/* The longest that begins in [t0, t1); SIZE_MAX for none. O(those). */
size_t heat_longest_within(const struct heat_spans *spans, int64_t t0_ns, int64_t t1_ns);

/*
 * The span of a row that begins next at or after a moment, or last before it; SIZE_MAX for none.
 * O(log spans + those between).
 */
size_t heat_next(const struct heat_scale *scale, const struct heat_spans *spans, int row,
                 int64_t t_ns, bool forward);

#endif
