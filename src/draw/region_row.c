/* Rows of user regions. */
#include "draw/region_row.h"

#include "base/map.h"
#include "base/memory.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

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

static bool
has_room(const struct region_row *row, const struct trace *trace, const struct range *range)
{
	return row->count == 0 ||
	       trace_range(trace, row->ranges[row->count - 1])->end_ns <= range->start_ns;
}

/* Rows that are being filled. */
struct packing {
	struct region_row *rows;
	size_t capacity;
	uint32_t count;
	struct map row_of; /* of the regions that were put there */
	const struct trace *trace;
	struct error *err;
};

/* The row for a region, a new one at the end; REGION_ROWS_MOST for none. */
static uint32_t
choose_row(const struct packing *packing, const struct range *range)
{
	uint32_t row = 0;
	if (range->parent != REF_NONE) {
		uint32_t above = map_find(&packing->row_of, range->parent);
		row = above == MAP_NONE ? 0 : above + 1;
	}
	while (row < packing->count && !has_room(&packing->rows[row], packing->trace, range))
		row++;
	return row;
}

static bool
pack(struct packing *packing, range_ref ref)
{
	uint32_t row = choose_row(packing, trace_range(packing->trace, ref));
	if (row >= REGION_ROWS_MOST)
		return true;
	if (row == packing->count) {
		if (!array_reserve(&packing->rows, &packing->capacity, packing->count + 1,
			    sizeof *packing->rows, packing->err))
			return false;
		packing->rows[packing->count++] = (struct region_row){ 0 };
	}
	return map_put(&packing->row_of, ref, row, packing->err) &&
	       add_region(&packing->rows[row], packing->trace, ref, packing->err);
}

bool
region_rows_build(struct region_row **rows, uint32_t *count, const struct trace *trace,
	const range_ref *regions, size_t region_count, struct error *err)
{
	struct packing packing = { .trace = trace, .err = err };
	bool is_fine = true;
	*rows = NULL;
	*count = 0;
	for (size_t i = 0; is_fine && i < region_count; i++)
		is_fine = pack(&packing, regions[i]);
	map_release(&packing.row_of);
	if (!is_fine) {
		region_rows_free(packing.rows, packing.count);
		return false;
	}
	*rows = packing.rows;
	*count = packing.count;
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

/* Time covered before t. */
static int64_t
covered_before(const struct region_row *row, const struct trace *trace, int64_t t_ns)
{
	size_t begun = ranges_begun_before(trace, row->ranges, row->count, t_ns);
	if (begun == 0)
		return 0;
	const struct range *last = trace_range(trace, row->ranges[begun - 1]);
	int64_t end_ns = last->end_ns < t_ns ? last->end_ns : t_ns;
	return row->before_ns[begun - 1] + end_ns - last->start_ns;
}

range_ref
region_row_at(const struct region_row *row, const struct trace *trace, int64_t t_ns)
{
	size_t begun = ranges_begun_before(trace, row->ranges, row->count, t_ns + 1);
	if (begun == 0 || trace_range(trace, row->ranges[begun - 1])->end_ns <= t_ns)
		return REF_NONE;
	return row->ranges[begun - 1];
}

range_ref
region_row_beside(
	const struct region_row *row, const struct trace *trace, int64_t t_ns, bool forward)
{
	size_t begun = ranges_begun_before(trace, row->ranges, row->count, forward ? t_ns + 1 : t_ns);
	if (forward)
		return begun < row->count ? row->ranges[begun] : REF_NONE;
	return begun > 0 ? row->ranges[begun - 1] : REF_NONE;
}

/* ---- drawing */

static struct strip_cell
region_cell(const struct region_row *row, const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[LOOK_COUNT] = { 0 };
	totals_ns[CLASS_RUNNING] =
		covered_before(row, trace, t1_ns) - covered_before(row, trace, t0_ns);
	return strip_cell(totals_ns, t1_ns - t0_ns);
}

/* The name over the cells that one region fills. */
static void
draw_name(struct canvas *canvas, struct cell_run run, const struct trace *trace, range_ref region,
	struct text *scratch)
{
	if (run.cells < FEWEST_NAME_CELLS)
		return;
	struct cell_style style = { STYLE_INK, STYLE_OTHER, CELL_BOLD };
	if (canvas->monochrome || canvas->ascii)
		style = (struct cell_style){ .fg = STYLE_OTHER };
	text_clear(scratch);
	name_string_within(
		scratch, trace, trace_range(trace, region)->name, (size_t)run.cells - 1, canvas->ascii);
	if (scratch->length > 0)
		canvas_text(canvas, run.x, run.y, run.cells, style, scratch);
}

void
region_row_draw(struct canvas *canvas, struct cell_run run, const struct region_row *row,
	const struct trace *trace, struct viewport viewport, struct text *scratch)
{
	static const struct bar_look look = { STYLE_OTHER, STYLE_DEFAULT, '=', '#' };
	range_ref filling = REF_NONE;
	struct cell_run filled = { run.x, run.y, 0 };
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; i <= run.cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		range_ref here = i < run.cells ? region_row_at(row, trace, from_ns) : REF_NONE;
		if (here != REF_NONE && trace_range(trace, here)->end_ns < until_ns)
			here = REF_NONE;
		if (here != filling) {
			filled.cells = run.x + i - filled.x;
			if (filling != REF_NONE)
				draw_name(canvas, filled, trace, filling, scratch);
			filling = here;
			filled.x = run.x + i;
		}
		if (i == run.cells)
			break;
		struct strip_cell cell = region_cell(row, trace, from_ns, until_ns);
		if (cell.shape == STRIP_BAR)
			strip_put_bar(canvas, run.x + i, run.y, &look, cell.level);
	}
}
