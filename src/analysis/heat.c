/* Counting durations over time. */
#include "analysis/heat.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "trace/lane.h"

enum { LAST_OCTAVE = 62 };

/* ---- rows */

static int
octave_of(int64_t duration_ns)
{
	int octave = 0;
	for (uint64_t rest = (uint64_t)duration_ns >> 1; rest > 0; rest >>= 1)
		octave++;
	return octave;
}

struct heat_scale
heat_scale_for(int64_t least_ns, int64_t most_ns, int rows)
{
	int first = octave_of(least_ns), count = octave_of(most_ns) - first + 1;
	struct heat_scale scale = { .first_octave = first, .octaves = count, .rows = rows };
	if (rows > count * HEAT_ROWS_PER_OCTAVE)
		scale.rows = count * HEAT_ROWS_PER_OCTAVE;
	if (rows < count) {
		scale.octaves_per_row = (count + rows - 1) / rows;
		scale.rows = (count + scale.octaves_per_row - 1) / scale.octaves_per_row;
	}
	return scale;
}

static int64_t
octave_start_ns(int octave)
{
	return octave > LAST_OCTAVE ? INT64_MAX : (int64_t)1 << octave;
}

/* An octave begins to the nanosecond, what is between is rounded up to the next. */
int64_t
heat_row_start_ns(const struct heat_scale *scale, int row)
{
	if (row <= 0)
		return 0;
	if (row >= scale->rows)
		return INT64_MAX;
	if (scale->octaves_per_row > 0)
		return octave_start_ns(scale->first_octave + row * scale->octaves_per_row);
	int octave = scale->first_octave + row * scale->octaves / scale->rows;
	int part = row * scale->octaves % scale->rows;
	double ratio = exp2((double)part / scale->rows);
	return (int64_t)ceil((double)octave_start_ns(octave) * ratio);
}

/* The last row that begins at or before it; rows are few. */
int
heat_row(const struct heat_scale *scale, int64_t duration_ns)
{
	int low = 0, high = scale->rows;
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		if (heat_row_start_ns(scale, middle) <= duration_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool
heat_scale_equals(const struct heat_scale *a, const struct heat_scale *b)
{
	return a->first_octave == b->first_octave && a->octaves == b->octaves &&
	       a->octaves_per_row == b->octaves_per_row && a->rows == b->rows;
}

/* ---- counting */

/* The index of the first duration that is at least so long. */
static size_t
first_at_least(const struct heat_spans *spans, int64_t duration_ns)
{
	size_t low = 0, high = spans->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (spans->durations_ns[middle] < duration_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Spans of a row: [first, until). */
static void
row_spans(const struct heat *heat, const struct heat_spans *spans, int row, size_t *first,
	size_t *until)
{
	bool is_last = row + 1 == heat->scale.rows;
	*first = first_at_least(spans, heat_row_start_ns(&heat->scale, row));
	*until = is_last ? spans->count
			 : first_at_least(spans, heat_row_start_ns(&heat->scale, row + 1));
}

/* The column of a moment within the interval: guessed, then set right by the exact edges. */
static int
column_of(const struct heat *heat, const int64_t *edges_ns, double columns_per_ns, int64_t t_ns)
{
	int column = (int)((double)(t_ns - heat->t0_ns) * columns_per_ns);
	if (column >= heat->columns)
		column = heat->columns - 1;
	while (t_ns < edges_ns[column])
		column--;
	while (t_ns >= edges_ns[column + 1])
		column++;
	return column;
}

static void
count_row(struct heat *heat, const struct heat_spans *spans, int row, const int64_t *edges_ns)
{
	uint32_t *counts = heat->counts + (size_t)row * (size_t)heat->columns;
	double columns_per_ns = (double)heat->columns / (double)(heat->t1_ns - heat->t0_ns);
	size_t first, until;
	row_spans(heat, spans, row, &first, &until);
	for (size_t i = first; i < until; i++) {
		int64_t t_ns = spans->starts_ns[i];
		if (t_ns < heat->t0_ns || t_ns >= heat->t1_ns)
			continue;
		uint32_t *count = &counts[column_of(heat, edges_ns, columns_per_ns, t_ns)];
		*count += *count < UINT32_MAX;
		heat->most = *count > heat->most ? *count : heat->most;
	}
}

static bool
reserve(struct heat *heat, struct error *err)
{
	size_t cells;
	if (!checked_mul_size((size_t)heat->columns, (size_t)heat->scale.rows, &cells))
		return error_set_memory(err, "the map");
	if (!array_reserve(&heat->counts, &heat->capacity, cells, sizeof *heat->counts, err))
		return false;
	memset(heat->counts, 0, cells * sizeof *heat->counts);
	return true;
}

bool
heat_count(struct heat *heat, const struct heat_spans *spans, const struct heat_scale *scale,
	int64_t t0_ns, int64_t t1_ns, int columns, struct error *err)
{
	int64_t *edges_ns = array_new((size_t)columns + 1, sizeof *edges_ns, err);
	heat->scale = *scale;
	heat->t0_ns = t0_ns;
	heat->t1_ns = t1_ns;
	heat->columns = columns;
	heat->most = 0;
	bool is_fine = edges_ns != NULL && reserve(heat, err);
	for (int i = 0; is_fine && i <= columns; i++)
		edges_ns[i] = lane_edge(t0_ns, t1_ns, columns, i);
	for (int row = 0; is_fine && row < scale->rows; row++)
		count_row(heat, spans, row, edges_ns);
	if (!is_fine)
		heat->columns = 0;
	memory_free(edges_ns);
	return is_fine;
}

void
heat_release(struct heat *heat)
{
	memory_free(heat->counts);
	*heat = (struct heat){ 0 };
}

size_t
heat_longest(const struct heat *heat, const struct heat_spans *spans, int column, int row)
{
	int64_t from_ns = lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column);
	int64_t until_ns = lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column + 1);
	size_t first, until;
	row_spans(heat, spans, row, &first, &until);
	while (until > first) {
		int64_t t_ns = spans->starts_ns[--until];
		if (t_ns >= from_ns && t_ns < until_ns)
			return until;
	}
	return SIZE_MAX;
}
