/* Durations over time: how many spans began in each cell of time and length. */
#ifndef TTRACE_ANALYSIS_HEAT_H
#define TTRACE_ANALYSIS_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How durations become rows, counted from 0 for the shortest: in equal ratios from a power of two
 * nanoseconds to another, or some octaves to a row. The first row has all that is shorter, too,
 * the last one all that is longer. In the first octaves there may be rows without any whole
 * nanosecond.
 */
struct heat_scale {
	int first_octave, octaves; /* that are shown */
	int octaves_per_row;       /* where they share rows, else 0 */
	int rows;                  /* at least 1 */
};

/*
 * One that shows durations from least_ns to most_ns (0 <= least <= most) in `rows` rows, or fewer
 * where these would be more than HEAT_ROWS_PER_OCTAVE of an octave.
 */
enum { HEAT_ROWS_PER_OCTAVE = 8 };
struct heat_scale heat_scale_for(int64_t least_ns, int64_t most_ns, int rows);
int heat_row(const struct heat_scale *scale, int64_t duration_ns);
bool heat_scale_equals(const struct heat_scale *a, const struct heat_scale *b);
/* The shortest duration of a row; INT64_MAX behind the last one, 0 for the first. */
int64_t heat_row_start_ns(const struct heat_scale *scale, int row);

struct heat_spans {
	const int64_t *durations_ns; /* ascending, not negative */
	const int64_t *starts_ns;    /* of the same spans */
	size_t count;
};

/* Zero-initialise, or use again. */
struct heat {
	struct heat_scale scale;
	int64_t t0_ns, t1_ns;
	int columns;
	uint32_t *counts; /* row by row from the shortest; stay at UINT32_MAX */
	uint32_t most;    /* of the counts */
	size_t capacity;
};

/*
 * Counts the spans that begin in [t0, t1) by row and by column, where column i covers
 * [lane_edge(i), lane_edge(i + 1)). Without memory it is false and *heat has no columns.
 * O(spans + cells).
 */
bool heat_count(struct heat *heat, const struct heat_spans *spans, const struct heat_scale *scale,
                int64_t t0_ns, int64_t t1_ns, int columns, struct error *err);
void heat_release(struct heat *heat);

static inline uint32_t
heat_at(const struct heat *heat, int column, int row)
{
	return heat->counts[(size_t)row * (size_t)heat->columns + (size_t)column];
}

/*
 * The index of the longest span of a cell, of equal ones that with the greatest index; SIZE_MAX
 * for an empty cell. O(spans of the row).
 */
size_t heat_longest(
	const struct heat *heat, const struct heat_spans *spans, int column, int row);

#endif
