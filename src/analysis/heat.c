/* Counting durations over time. */
#include "analysis/heat.h"

#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "trace/lane.h"

enum { LEVEL_BITS = 4, LAST_OCTAVE = 62 };

/* ---- levels and rows */

static int
octave_of(int64_t duration_ns)
{
	return (int)compiler_highest_bit_u64((uint64_t)(duration_ns > 0 ? duration_ns : 1));
}

uint16_t
heat_level(int64_t duration_ns)
{
	int octave = octave_of(duration_ns);
	uint64_t above = (uint64_t)(duration_ns > 0 ? duration_ns : 1) - (UINT64_C(1) << octave);
	uint64_t part = octave >= LEVEL_BITS ? above >> (octave - LEVEL_BITS)
					     : above << (LEVEL_BITS - octave);
	return (uint16_t)(octave * HEAT_LEVELS_PER_OCTAVE + (int)part);
}

/* The shortest duration that has at least this level, in whole nanoseconds. */
static int64_t
level_start_ns(int level)
{
	int octave = level / HEAT_LEVELS_PER_OCTAVE, part = level % HEAT_LEVELS_PER_OCTAVE;
	if (octave > LAST_OCTAVE)
		return INT64_MAX;
	int64_t start_ns = (int64_t)1 << octave;
	if (octave >= LEVEL_BITS)
		return start_ns + (start_ns >> LEVEL_BITS) * part;
	return start_ns + (start_ns * part + HEAT_LEVELS_PER_OCTAVE - 1) / HEAT_LEVELS_PER_OCTAVE;
}

struct heat_scale
heat_scale_for(int64_t least_ns, int64_t most_ns, int rows)
{
	int first = octave_of(least_ns), count = octave_of(most_ns) - first + 1;
	struct heat_scale scale = { .first_octave = first, .octaves = count, .rows = rows };
	if (rows > count * HEAT_ROWS_PER_OCTAVE)
		scale.rows = count * HEAT_ROWS_PER_OCTAVE;
	if (rows < count) {
		int per_row = (count + rows - 1) / rows;
		scale.rows = (count + per_row - 1) / per_row;
		scale.octaves = scale.rows * per_row;
	}
	return scale;
}

bool
heat_scale_equals(const struct heat_scale *a, const struct heat_scale *b)
{
	return a->first_octave == b->first_octave && a->octaves == b->octaves &&
	       a->rows == b->rows;
}

/* The first level of a row. */
static int
row_level(const struct heat_scale *scale, int row)
{
	return scale->first_octave * HEAT_LEVELS_PER_OCTAVE +
	       row * scale->octaves * HEAT_LEVELS_PER_OCTAVE / scale->rows;
}

int64_t
heat_row_start_ns(const struct heat_scale *scale, int row)
{
	if (row <= 0)
		return 0;
	return row >= scale->rows ? INT64_MAX : level_start_ns(row_level(scale, row));
}

/* The last row that begins at or below a level; rows are few. */
static int
row_of(const struct heat_scale *scale, int level)
{
	int low = 0, high = scale->rows;
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		if (row_level(scale, middle) <= level)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int
heat_row(const struct heat_scale *scale, int64_t duration_ns)
{
	return row_of(scale, heat_level(duration_ns));
}

/* ---- counting */

/* The index of the first span that begins at or after a moment. */
static size_t
first_from(const struct heat_spans *spans, int64_t t_ns)
{
	return sorted_until_i64(spans->starts_ns, spans->count, t_ns - 1);
}

static int64_t
edge_of(const struct heat *heat, int column)
{
	return lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column);
}

static void
count_columns(struct heat *heat, const struct heat_spans *spans, const uint16_t *rows)
{
	size_t i = first_from(spans, heat->t0_ns);
	for (int column = 0; column < heat->columns; column++) {
		uint32_t *counts = heat->counts + (size_t)column * (size_t)heat->scale.rows;
		int64_t end_ns = edge_of(heat, column + 1);
		for (; i < spans->count && spans->starts_ns[i] < end_ns; i++) {
			uint32_t *count = &counts[rows[spans->levels[i]]];
			*count += *count < UINT32_MAX;
		}
		for (int row = 0; row < heat->scale.rows; row++)
			heat->most = counts[row] > heat->most ? counts[row] : heat->most;
	}
}

bool
heat_begin(struct heat *heat, const struct heat_scale *scale, struct heat_columns columns,
	struct error *err)
{
	size_t cells;
	heat->scale = *scale;
	heat->t0_ns = columns.t0_ns;
	heat->t1_ns = columns.t1_ns;
	heat->columns = 0;
	heat->most = 0;
	if (!checked_mul_size((size_t)columns.count, (size_t)scale->rows, &cells))
		return error_set_memory(err, "the map");
	if (!array_reserve(&heat->counts, &heat->capacity, cells, sizeof *heat->counts, err))
		return false;
	memset(heat->counts, 0, cells * sizeof *heat->counts);
	heat->columns = columns.count;
	return true;
}

void
heat_put(struct heat *heat, int64_t start_ns, int64_t duration_ns, uint32_t count)
{
	int column = lane_cell_at(heat->t0_ns, heat->t1_ns, heat->columns, start_ns);
	int row = heat_row(&heat->scale, duration_ns);
	heat->counts[(size_t)column * (size_t)heat->scale.rows + (size_t)row] = count;
	heat->most = count > heat->most ? count : heat->most;
}

static void
find_rows(const struct heat_scale *scale, uint16_t rows[HEAT_LEVELS])
{
	for (int level = 0; level < HEAT_LEVELS; level++)
		rows[level] = (uint16_t)row_of(scale, level);
}

bool
heat_count(struct heat *heat, const struct heat_spans *spans, const struct heat_scale *scale,
	struct heat_columns columns, struct error *err)
{
	uint16_t rows[HEAT_LEVELS]; /* by level */
	if (!heat_begin(heat, scale, columns, err))
		return false;
	find_rows(scale, rows);
	count_columns(heat, spans, rows);
	return true;
}

/* ---- counting without an order */

bool
heat_tally_init(struct heat_tally *tally, struct heat_columns columns, struct error *err)
{
	*tally = (struct heat_tally){
		.t0_ns = columns.t0_ns,
		.t1_ns = columns.t1_ns,
		.columns = columns.count,
		.counts = array_new((size_t)columns.count, HEAT_LEVELS * sizeof *tally->counts, err),
		.least_ns = INT64_MAX,
		.column_t0_ns = columns.t0_ns,
		.column_t1_ns = columns.t0_ns,
	};
	return tally->counts != NULL;
}

static void
find_column(struct heat_tally *tally, int64_t t_ns)
{
	int columns = tally->columns;
	int column = lane_cell_at(tally->t0_ns, tally->t1_ns, columns, t_ns);
	tally->column = column;
	tally->column_t0_ns = lane_edge(tally->t0_ns, tally->t1_ns, columns, column);
	tally->column_t1_ns = lane_edge(tally->t0_ns, tally->t1_ns, columns, column + 1);
}

void
heat_tally_add(struct heat_tally *tally, int64_t start_ns, int64_t duration_ns)
{
	tally->count++;
	tally->least_ns = duration_ns < tally->least_ns ? duration_ns : tally->least_ns;
	tally->most_ns = duration_ns > tally->most_ns ? duration_ns : tally->most_ns;
	if (start_ns < tally->t0_ns || start_ns >= tally->t1_ns)
		return;
	if (start_ns < tally->column_t0_ns || start_ns >= tally->column_t1_ns)
		find_column(tally, start_ns);
	uint32_t *count = &tally->counts[(size_t)tally->column * HEAT_LEVELS +
					 heat_level(duration_ns)];
	*count += *count < UINT32_MAX;
}

bool
heat_from_tally(struct heat *heat, const struct heat_tally *tally, const struct heat_scale *scale,
	struct error *err)
{
	uint16_t rows[HEAT_LEVELS]; /* by level */
	struct heat_columns columns = { tally->t0_ns, tally->t1_ns, tally->columns };
	if (!heat_begin(heat, scale, columns, err))
		return false;
	find_rows(scale, rows);
	for (int column = 0; column < heat->columns; column++) {
		const uint32_t *levels = tally->counts + (size_t)column * HEAT_LEVELS;
		uint32_t *counts = heat->counts + (size_t)column * (size_t)scale->rows;
		for (int level = 0; level < HEAT_LEVELS; level++) {
			uint32_t *count = &counts[rows[level]], room = UINT32_MAX - *count;
			*count += levels[level] < room ? levels[level] : room;
			heat->most = *count > heat->most ? *count : heat->most;
		}
	}
	return true;
}

void
heat_tally_release(struct heat_tally *tally)
{
	memory_free(tally->counts);
	*tally = (struct heat_tally){ 0 };
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
	size_t longest = SIZE_MAX, until = first_from(spans, edge_of(heat, column + 1));
	for (size_t i = first_from(spans, edge_of(heat, column)); i < until; i++) {
		if (row_of(&heat->scale, spans->levels[i]) != row)
			continue;
		if (longest == SIZE_MAX || spans->ranks[i] > spans->ranks[longest])
			longest = i;
	}
	return longest;
}

size_t
heat_longest_within(const struct heat_spans *spans, int64_t t0_ns, int64_t t1_ns)
{
	size_t longest = SIZE_MAX, until = first_from(spans, t1_ns);
	for (size_t i = first_from(spans, t0_ns); i < until; i++)
		if (longest == SIZE_MAX || spans->ranks[i] > spans->ranks[longest])
			longest = i;
	return longest;
}

size_t
heat_next(const struct heat_scale *scale, const struct heat_spans *spans, int row, int64_t t_ns,
	bool forward)
{
	size_t i = first_from(spans, t_ns);
	for (; forward ? i < spans->count : i > 0; i += forward ? 1 : SIZE_MAX) {
		size_t at = forward ? i : i - 1;
		if (row_of(scale, spans->levels[at]) == row)
			return at;
	}
	return SIZE_MAX;
}
