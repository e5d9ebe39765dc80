/* Counted for the cells that there is room for. */
#include "report/heat.h"

#include "analysis/heat.h"
#include "analysis/latency_gather.h"
#include "base/compiler.h"
#include "draw/heat_map.h"
#include "draw/latency_words.h"
#include "draw/ruler.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/lane.h"

enum {
	HEIGHT = 24,
	COLUMNS = 100, /* and rows at most, for programs */
	ROWS = 64,
	AXIS_CELLS = 9,
	/* Rows of the canvas: the legend, the ruler, and the map. */
	LEGEND_ROW = 0,
	RULER_ROW = 1,
	MAP_ROW = 2
};

struct report {
	struct grid grid;
	const struct latency_request *request;
	const struct latency_scope *scope;
	struct heat_tally tally;
	struct heat heat;
	struct error *err;
};

static bool
tell(void *context, const struct latency_found *found, struct error *err)
{
	(void)err;
	heat_tally_add(context, found->start_ns, found->end_ns - found->start_ns);
	return true;
}

static bool
gather(struct report *report)
{
	const struct latency_scope *scope = report->scope;
	bool is_text = grid_is_text(&report->grid);
	int columns = is_text ? page_width(&report->grid.page) - AXIS_CELLS : COLUMNS;
	struct latency_gather gather = {
		.trace = report->grid.trace,
		.kind = report->request->kind,
		.scope = scope,
		.tell = tell,
		.context = &report->tally,
	};
	struct heat_columns of = { scope->t0_ns, scope->t1_ns, columns };
	return heat_tally_init(&report->tally, of, report->err) &&
	       latency_gather(&gather, report->err);
}

/* Of what was gathered, which is not nothing. */
static bool
make_map(struct report *report, int rows)
{
	const struct heat_tally *tally = &report->tally;
	struct heat_scale scale = heat_scale_for(tally->least_ns, tally->most_ns, rows);
	return heat_from_tally(&report->heat, tally, &scale, report->err);
}

/* ---- for people */

static void
draw(const struct report *report, struct canvas *canvas, int height)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	const struct report_options *options = report->grid.options;
	struct heat_cursor nowhere = { .column = -1 };
	int x = canvas_string(canvas, AXIS_CELLS, LEGEND_ROW, canvas->width - AXIS_CELLS, dim,
		"how many began, of each length  ");
	heat_map_legend(canvas, AXIS_CELLS + x, LEGEND_ROW, canvas->width - AXIS_CELLS - x,
		&report->heat);
	ruler_draw(canvas, AXIS_CELLS, RULER_ROW, report->heat.columns,
		(struct viewport){ report->scope->t0_ns, report->scope->t1_ns },
		time_form_of(report->grid.trace, options->is_wall, options->ascii));
	heat_map_draw_axis(canvas, 0, MAP_ROW, AXIS_CELLS, height, &report->heat.scale);
	heat_map_draw(canvas, AXIS_CELLS, MAP_ROW, height, &report->heat, nowhere);
}

static bool
print_map(struct report *report, int height)
{
	struct page *page = &report->grid.page;
	struct canvas canvas = {
		.ascii = page->canvas.ascii, .monochrome = page->canvas.monochrome
	};
	page_line(page);
	bool is_fine =
		canvas_resize(&canvas, page_width(page), MAP_ROW + height, report->err) &&
		make_map(report, height * heat_map_rows_per_line(&canvas));
	if (is_fine) {
		draw(report, &canvas, height);
		page_picture(page, &canvas);
	}
	canvas_release(&canvas);
	return is_fine;
}

static bool
print_text(struct report *report, int height)
{
	struct text heading = { 0 }, kind = { 0 };
	latency_kind_add(&kind, report->request->kind);
	text_add_string(&heading, "Durations over time of ");
	text_add_safe(&heading, kind.bytes, kind.length, report->grid.options->ascii);
	latency_kind_add_whose(
		&heading, report->grid.trace->words, report->request->kind, report->scope);
	bool is_whole = !kind.failed && !heading.failed;
	grid_heading(&report->grid, is_whole ? heading.bytes : "");
	text_release(&heading);
	text_release(&kind);
	grid_usual_facts(&report->grid);
	if (!is_whole)
		return error_set_memory(report->err, "the report");
	if (report->tally.count > 0)
		return print_map(report, height > 0 ? height : HEIGHT);
	page_string(&report->grid.page, STYLE_TEXT_DIM, "There is none.");
	page_line(&report->grid.page);
	return true;
}

/* ---- for programs */

static void
put_cell(struct report *report, int column, int row)
{
	const struct heat *heat = &report->heat;
	struct grid *grid = &report->grid;
	bool is_last = row + 1 == heat->scale.rows;
	int64_t longest_ns = report->tally.most_ns;
	int64_t below_ns = is_last ? longest_ns + (longest_ns < INT64_MAX)
				   : heat_row_start_ns(&heat->scale, row + 1);
	grid_moment(grid, lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column));
	grid_moment(grid, lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column + 1));
	grid_duration(grid, heat_row_start_ns(&heat->scale, row));
	grid_duration(grid, below_ns);
	grid_count(grid, heat_at(heat, column, row));
}

static bool
put_cells(struct report *report)
{
	static const struct grid_column columns[] = {
		{ .key = "start_ns" }, { .key = "end_ns" }, { .key = "from_ns" },
		{ .key = "below_ns" }, { .key = "count" },
	};
	bool is_fine = report->tally.count == 0 || make_map(report, ROWS);
	grid_table(&report->grid, "heat", "", columns, (int)ARRAY_LENGTH(columns));
	for (int i = 0; i < report->heat.columns * report->heat.scale.rows; i++) {
		int column = i / report->heat.scale.rows, row = i % report->heat.scale.rows;
		if (heat_at(&report->heat, column, row) > 0)
			put_cell(report, column, row);
	}
	grid_table_end(&report->grid, "");
	return is_fine;
}

/* ---- the whole */

static bool
print(struct report *report, int height, const struct report_options *options, struct text *out)
{
	const struct trace *trace = report->grid.trace;
	if (!grid_begin(&report->grid, trace, options, out, report->err))
		return false;
	bool is_fine = gather(report) && (grid_is_text(&report->grid) ? print_text(report, height)
								       : put_cells(report));
	return grid_end(&report->grid) && is_fine;
}

bool
report_heat(const struct trace *trace, const struct latency_request *request, int height_cells,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct latency_scope scope = { .actor = request->actor, .only = options->only,
		.with_runtime = options->with_runtime };
	struct report report = { .request = request, .scope = &scope, .err = err };
	report.grid.trace = trace;
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	bool is_fine = print(&report, height_cells, options, out);
	heat_tally_release(&report.tally);
	heat_release(&report.heat);
	return is_fine;
}
