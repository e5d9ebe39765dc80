/* Rows of the user regions of one goroutine. */
#include "draw/region_row.h"

#include "base/banned.h"
#include "base/memory.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"

enum { FEWEST_NAME_CELLS = 4 };

/* ---- building */

static bool
add_region(struct region_row *row, const struct trace *trace, range_ref ref, struct error *err)
{
	if (!array_reserve(
		    &row->ranges, &row->range_capacity, row->count + 1, sizeof *row->ranges, err) ||
		!array_reserve(&row->before_ns, &row->before_capacity, row->count + 1,
			sizeof *row->before_ns, err))
		return false;
	row->before_ns[row->count] = 0;
	if (row->count > 0) {
		const struct range *last = trace_range(trace, row->ranges[row->count - 1]);
		row->before_ns[row->count] =
			row->before_ns[row->count - 1] + last->end_ns - last->start_ns;
	}
	row->ranges[row->count++] = ref;
	return true;
}

/* What would overlap the region before it in the row is no region of a sane nesting. */
static bool
is_after(const struct region_row *row, const struct trace *trace, const struct range *range)
{
	return row->count == 0 ||
	       trace_range(trace, row->ranges[row->count - 1])->end_ns <= range->start_ns;
}

static uint32_t
count_depths(const struct trace *trace, const struct ref_index *index, goroutine_ref goroutine)
{
	uint32_t depths = 0;
	for (uint32_t i = index->first[goroutine]; i < index->first[goroutine + 1]; i++) {
		const struct range *range = trace_range(trace, index->refs[i]);
		if (range->type == RANGE_REGION && range->depth >= depths)
			depths = range->depth + 1u;
	}
	return depths;
}

bool
region_rows_build(struct region_row **rows, uint32_t *count, const struct trace *trace,
	goroutine_ref goroutine, struct error *err)
{
	const struct ref_index *index = &trace->goroutine_ranges;
	struct region_row *built = NULL;
	size_t capacity = 0;
	*rows = NULL;
	*count = 0;
	if (goroutine >= index->key_count)
		return true;
	uint32_t depths = count_depths(trace, index, goroutine);
	if (!array_reserve(&built, &capacity, depths, sizeof *built, err))
		return false;
	for (uint32_t depth = 0; depth < depths; depth++)
		built[depth] = (struct region_row){ 0 };
	for (uint32_t i = index->first[goroutine]; i < index->first[goroutine + 1]; i++) {
		const struct range *range = trace_range(trace, index->refs[i]);
		if (range->type != RANGE_REGION || !is_after(&built[range->depth], trace, range))
			continue;
		if (!add_region(&built[range->depth], trace, index->refs[i], err)) {
			region_rows_free(built, depths);
			return false;
		}
	}
	*rows = built;
	*count = depths;
	return true;
}

void
region_rows_free(struct region_row *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		memory_free(rows[i].ranges);
		memory_free(rows[i].before_ns);
	}
	memory_free(rows);
}

/* ---- asking */

/* How many regions begin before t. */
static size_t
begun_before(const struct region_row *row, const struct trace *trace, int64_t t_ns)
{
	size_t low = 0, high = row->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (trace_range(trace, row->ranges[middle])->start_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Time covered before t. */
static int64_t
covered_before(const struct region_row *row, const struct trace *trace, int64_t t_ns)
{
	size_t begun = begun_before(row, trace, t_ns);
	if (begun == 0)
		return 0;
	const struct range *last = trace_range(trace, row->ranges[begun - 1]);
	int64_t end_ns = last->end_ns < t_ns ? last->end_ns : t_ns;
	return row->before_ns[begun - 1] + end_ns - last->start_ns;
}

range_ref
region_row_at(const struct region_row *row, const struct trace *trace, int64_t t_ns)
{
	size_t begun = begun_before(row, trace, t_ns + 1);
	if (begun == 0 || trace_range(trace, row->ranges[begun - 1])->end_ns <= t_ns)
		return REF_NONE;
	return row->ranges[begun - 1];
}

/* ---- drawing */

static struct strip_cell
region_cell(const struct region_row *row, const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT] = { 0 };
	totals_ns[CLASS_RUNNING] =
		covered_before(row, trace, t1_ns) - covered_before(row, trace, t0_ns);
	return strip_cell(totals_ns, t1_ns - t0_ns);
}

/* The name over the cells that one region fills. */
static void
draw_name(struct canvas *canvas, int x, int y, int cells, const struct trace *trace,
	range_ref region, struct text *scratch)
{
	if (cells < FEWEST_NAME_CELLS)
		return;
	struct cell_style style = { STYLE_INK, STYLE_OTHER, CELL_BOLD };
	if (canvas->monochrome || canvas->ascii)
		style = (struct cell_style){ .fg = STYLE_OTHER };
	text_clear(scratch);
	name_string_within(
		scratch, trace, trace_range(trace, region)->name, (size_t)cells - 1, canvas->ascii);
	if (scratch->length > 0)
		canvas_text(canvas, x, y, cells, style, scratch->bytes, scratch->length);
}

void
region_row_draw(struct canvas *canvas, int x, int y, int cells, const struct region_row *row,
	const struct trace *trace, struct viewport viewport, struct text *scratch)
{
	static const struct bar_look look = { STYLE_OTHER, STYLE_DEFAULT, '=', '#' };
	range_ref filling = REF_NONE;
	int filled_from = 0;
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; i <= cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1);
		range_ref here = i < cells ? region_row_at(row, trace, from_ns) : REF_NONE;
		if (here != REF_NONE && trace_range(trace, here)->end_ns < until_ns)
			here = REF_NONE;
		if (here != filling) {
			if (filling != REF_NONE)
				draw_name(canvas, x + filled_from, y, i - filled_from, trace,
					filling, scratch);
			filling = here;
			filled_from = i;
		}
		if (i == cells)
			break;
		struct strip_cell cell = region_cell(row, trace, from_ns, until_ns);
		if (cell.shape == STRIP_BAR)
			strip_put_bar(canvas, x + i, y, &look, cell.level);
	}
}
