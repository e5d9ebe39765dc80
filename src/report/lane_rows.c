/* Cells are filled by the functions that the picture is drawn with. */
#include "report/lane_rows.h"

#include <string.h>

#include "analysis/task_match.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "draw/lane_strip.h"
#include "draw/row.h"
#include "draw/slice_row.h"
#include "draw/strip_glyph.h"
#include "draw/task_strip.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/words.h"

static const struct grid_column columns[] = {
	{ { .title = NULL }, "lane" },
	{ { .title = NULL }, "depth" },
	{ { .title = NULL }, "cell" },
	{ { .title = NULL }, "from_ns" },
	{ { .title = NULL }, "to_ns" },
	{ { .title = NULL }, "what" },
	{ { .title = NULL }, "share" },
};

struct putting {
	const struct timeline_scene *scene;
	struct strip_source source;
	struct strip strip;
	struct slice_cell *slices; /* as many as cells */
	int cells;
	struct grid *grid;
	struct text name;          /* of the lane */
};

/* The values of a cell but for what is in it. */
static void
begin_cell(struct putting *putting, const struct row *row, int cell)
{
	struct grid *grid = putting->grid;
	struct viewport viewport = putting->scene->viewport;
	bool has_depth = row->type == ROW_SLICES || row->type == ROW_PROCESSOR_SLICES;
	grid_text(grid, putting->name.bytes, putting->name.length);
	if (has_depth)
		grid_count(grid, row->part);
	else
		grid_none(grid);
	grid_count(grid, (uint64_t)cell);
	grid_moment(grid, lane_edge(viewport.t0_ns, viewport.t1_ns, putting->cells, cell));
	grid_moment(grid, lane_edge(viewport.t0_ns, viewport.t1_ns, putting->cells, cell + 1));
}

static int64_t
cell_ns(const struct putting *putting, int cell)
{
	struct viewport viewport = putting->scene->viewport;
	return lane_edge(viewport.t0_ns, viewport.t1_ns, putting->cells, cell + 1) -
	       lane_edge(viewport.t0_ns, viewport.t1_ns, putting->cells, cell);
}

/* The whole of a cell is its time, or that of the members that lived in it, where that is more. */
static void
put_strip(struct putting *putting, const struct row *row, const bool *matches)
{
	for (int i = 0; i < putting->cells; i++) {
		const int64_t *totals_ns = putting->strip.totals_ns[i];
		int64_t whole_ns = cell_ns(putting, i), sum_ns = 0;
		int most = CLASS_GONE;
		for (int c = CLASS_GONE + 1; c < LOOK_COUNT; c++) {
			sum_ns += totals_ns[c];
			if (totals_ns[c] > 0 && (most == CLASS_GONE || totals_ns[c] > totals_ns[most]))
				most = c;
		}
		if (most == CLASS_GONE || (matches != NULL && !matches[i]))
			continue;
		const char *name = row->type == ROW_GC	  ? "mark phase"
				   : row->type == ROW_STW ? "stop-the-world"
							  : strip_look_name(putting->scene->trace->words,
								    (uint8_t)most);
		begin_cell(putting, row, i);
		grid_text(putting->grid, name, strlen(name));
		grid_share(putting->grid,
			(double)totals_ns[most] / (double)(sum_ns > whole_ns ? sum_ns : whole_ns));
	}
}

static void
put_lane(struct putting *putting, const struct row *row, struct lane lane)
{
	struct search *only = putting->scene->filter.search;
	struct viewport viewport = putting->scene->viewport;
	if (!lane_is_known(putting->scene->trace, lane))
		return;
	strip_fill(&putting->strip, &putting->source, lane);
	bool is_filtered = only != NULL && lane.type != LANE_GC && lane.type != LANE_STW;
	if (is_filtered)
		search_cells(only, lane, viewport.t0_ns, viewport.t1_ns, putting->cells,
			putting->strip.matches);
	put_strip(putting, row, is_filtered ? putting->strip.matches : NULL);
}

static void
put_task(struct putting *putting, const struct row *row)
{
	const struct timeline_scene *scene = putting->scene;
	const struct task_lane *lane = task_rows_lane(scene->rows->tasks, row->ref);
	struct search *only = scene->filter.search;
	if (lane == NULL)
		return;
	task_strip_fill(&putting->strip, &putting->source, lane);
	if (only != NULL)
		task_life_match_cells(&lane->life, only, scene->viewport.t0_ns,
			scene->viewport.t1_ns, putting->cells, putting->strip.matches);
	put_strip(putting, row, only != NULL ? putting->strip.matches : NULL);
}

/* What covers the cell, by the name of the longest. */
static void
put_slices(struct putting *putting, const struct row *row, struct slice_row slices)
{
	struct viewport viewport = putting->scene->viewport;
	slices_cells(slices.slices, slices.column, viewport.t0_ns, viewport.t1_ns, putting->cells,
		putting->slices);
	for (int i = 0; i < putting->cells; i++) {
		const struct slice_cell *cell = &putting->slices[i];
		if (cell->longest == UINT32_MAX)
			continue;
		struct slice longest;
		slices_get(slices.slices, slices.column, cell->longest, &longest);
		begin_cell(putting, row, i);
		grid_string(putting->grid, longest.name);
		grid_share(putting->grid, (double)cell->covered_ns / (double)cell_ns(putting, i));
	}
}

static void
put_row(struct putting *putting, size_t index)
{
	const struct timeline_scene *scene = putting->scene;
	const struct row *row = &scene->rows->items[index];
	struct lane lane;
	text_clear(&putting->name);
	if (row->type == ROW_SLICES)
		lane = (struct lane){ LANE_ACTOR, row->ref };
	else if (row->type == ROW_PROCESSOR_SLICES)
		lane = (struct lane){ LANE_PROCESSOR, row->ref };
	else if (!row_lane(scene->rows, index, &lane))
		return;
	lane_name_add(&putting->name, scene->trace, lane);
	if (row->type == ROW_SLICES || row->type == ROW_PROCESSOR_SLICES)
		put_slices(putting, row, rows_slices(scene->rows, index));
	else if (row->type == ROW_TASK)
		put_task(putting, row);
	else if (row->type == ROW_PROCESSOR || row->type == ROW_THREAD || row->type == ROW_GROUP ||
		 row->type == ROW_ACTOR || row->type == ROW_GC || row->type == ROW_STW)
		put_lane(putting, row, lane);
}

bool
lane_rows_put(const struct timeline_scene *scene, size_t shown, int cells, struct grid *grid,
	struct error *err)
{
	struct putting putting = {
		.scene = scene,
		.source = { .trace = scene->trace, .assists = &scene->rows->assists,
			.beneath = scene->rows->beneath, .viewport = scene->viewport },
		.cells = cells,
		.grid = grid,
	};
	putting.slices = array_new((size_t)cells, sizeof *putting.slices, err);
	bool is_fine = putting.slices != NULL && strip_reserve(&putting.strip, cells, err);
	if (is_fine) {
		grid_table(grid, "lanes", "", columns, (int)ARRAY_LENGTH(columns));
		for (size_t i = 0; i < shown && !grid->page.has_failed; i++)
			put_row(&putting, i);
		grid_table_end(grid, "");
		is_fine = !putting.name.failed || error_set_memory(err, "the lanes");
	}
	strip_release(&putting.strip);
	memory_free(putting.slices);
	text_release(&putting.name);
	return is_fine;
}
