/* Bars are lines of text that are meant to be copied; a map is drawn on a canvas of its own. */
#include "report/chart.h"

#include "analysis/heat.h"
#include "base/memory.h"
#include "draw/heat_map.h"
#include "draw/bucket_map.h"
#include "draw/latency_words.h"
#include "draw/ruler.h"
#include "draw/time_form.h"
#include "trace/lane.h"

enum { BAR_COLUMNS = 3, MAP_COLUMNS = 5 }; /* of the tables: from, to, count */

/* ---- bars */

/* At the left edge, and whole however narrow the page is: it is meant to be copied. */
static void
print_line(struct page *page, struct text *line)
{
	page_whole(page, STYLE_DEFAULT, line);
	page_line(page);
	text_clear(line);
}

static bool
print_bars(struct grid *grid, const struct result_table *table, const int64_t *cells, size_t row_count,
	struct error *err)
{
	const struct result_chart *chart = table->chart;
	size_t column_count = (size_t)table->column_count;
	struct page *page = &grid->page;
	struct bucket *buckets = array_new(row_count, sizeof *buckets, err);
	int indent = page->indent;
	struct text line = { 0 };
	if (buckets == NULL)
		return false;
	for (size_t i = 0; i < row_count; i++, cells += column_count) {
		const int64_t *cell = &cells[column_count - BAR_COLUMNS];
		buckets[i].low = cell[0] != FIGURE_NONE ? cell[0] : BUCKET_OPEN_LOW;
		buckets[i].high = cell[1] != FIGURE_NONE ? cell[1] : BUCKET_OPEN_HIGH;
		buckets[i].high += !chart->is_half_open && buckets[i].high < BUCKET_OPEN_HIGH;
		buckets[i].count = (uint64_t)cell[2];
	}
	const struct latency_words words = latency_words_of(buckets, row_count);
	page_fence_begin(page);
	page->indent = 0;
	page_at(page, 0);
	latency_words_titles(&line, &words, chart->unit);
	print_line(page, &line);
	for (size_t i = 0; i < row_count; i++) {
		latency_words_bucket(&line, &words, &buckets[i]);
		print_line(page, &line);
	}
	if (chart->caption[0] != '\0') {
		page_line(page);
		text_add_string(&line, chart->caption);
		print_line(page, &line);
	}
	page_fence_end(page);
	text_release(&line);
	memory_free(buckets);
	page->indent = indent;
	page_at(page, indent);
	return true;
}

/* ---- maps */

/* Rows of the canvas: the legend, the ruler, and the map; columns: the axis, and the map. */
enum { LEGEND_ROW, RULER_ROW, MAP_ROW, AXIS_CELLS = 9 };

static int
height_of(const struct grid *grid)
{
	enum { HEIGHT = 24 };
	return grid->options->map_lines > 0 ? grid->options->map_lines : HEIGHT;
}

void
chart_room(const struct grid *grid, int *columns, int *rows)
{
	*columns = page_width(&grid->page) - AXIS_CELLS;
	*rows = height_of(grid) * heat_map_rows_per_line(&grid->page.canvas);
}

static void
draw_map(const struct grid *grid, const struct heat *heat, struct canvas *canvas)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	const struct report_options *options = grid->options;
	struct heat_cursor nowhere = { .column = -1 };
	int height = height_of(grid);
	int x = canvas_string(canvas, AXIS_CELLS, LEGEND_ROW, canvas->width - AXIS_CELLS, dim,
		"how many began, of each length  ");
	heat_map_legend(canvas, AXIS_CELLS + x, LEGEND_ROW, canvas->width - AXIS_CELLS - x, heat);
	ruler_draw(canvas, AXIS_CELLS, RULER_ROW, heat->columns,
		(struct viewport){ heat->t0_ns, heat->t1_ns },
		time_form_of(grid->trace, options->is_wall, options->ascii));
	heat_map_draw_axis(canvas, 0, MAP_ROW, AXIS_CELLS, height, &heat->scale);
	heat_map_draw(canvas, AXIS_CELLS, MAP_ROW, height, heat, nowhere);
}

static bool
print_map(struct grid *grid, const struct result_table *table, const int64_t *cells, size_t row_count,
	struct error *err)
{
	const struct result_chart *chart = table->chart;
	const struct heat_columns columns = { chart->t0_ns, chart->t1_ns, chart->columns };
	struct heat_scale scale = heat_scale_for(chart->least_ns, chart->most_ns, chart->rows);
	struct canvas canvas = { .ascii = grid->page.canvas.ascii,
		.monochrome = grid->page.canvas.monochrome };
	struct heat heat = { 0 };
	bool is_fine = canvas_resize(&canvas, page_width(&grid->page), MAP_ROW + height_of(grid), err) &&
		       heat_begin(&heat, &scale, columns, err);
	if (is_fine) {
		for (size_t i = 0; i < row_count; i++, cells += MAP_COLUMNS)
			heat_put(&heat, cells[0], cells[2], (uint32_t)cells[4]);
		draw_map(grid, &heat, &canvas);
		page_picture(&grid->page, &canvas);
	}
	heat_release(&heat);
	canvas_release(&canvas);
	return is_fine;
}

/* Rows of the canvas: the times, the map, and the legend below. */
static bool
print_intervals(struct grid *grid, const struct result_table *table, const int64_t *cells,
	size_t row_count, struct error *err)
{
	size_t column_count = (size_t)table->column_count;
	struct canvas canvas = { .ascii = grid->page.canvas.ascii,
		.monochrome = grid->page.canvas.monochrome };
	struct bucket_map map = { .names = table->chart->intervals,
		.intervals = (size_t)table->chart->interval_count };
	struct bucket_map_cell *counts = array_new(row_count, sizeof *counts, err);
	if (counts == NULL)
		return false;
	for (size_t i = 0; i < row_count; i++, cells += column_count) {
		const int64_t *cell = &cells[column_count - BAR_COLUMNS];
		counts[i].interval = (uint32_t)cell[-1];
		counts[i].bucket.low = cell[0] != FIGURE_NONE ? cell[0] : BUCKET_OPEN_LOW;
		counts[i].bucket.high = cell[1] != FIGURE_NONE ? cell[1] : BUCKET_OPEN_HIGH;
		counts[i].bucket.count = (uint64_t)cell[2];
	}
	struct bucket_map_room room = { page_width(&grid->page), height_of(grid),
		heat_map_rows_per_line(&canvas) };
	bool is_fine = bucket_map_build(&map, counts, row_count, room, err) &&
		       canvas_resize(&canvas, room.width, bucket_map_height(&map), err);
	if (is_fine) {
		bucket_map_draw(&canvas, 0, &map, (struct heat_cursor){ .column = -1 });
		page_picture(&grid->page, &canvas);
	}
	memory_free(counts);
	bucket_map_release(&map);
	canvas_release(&canvas);
	return is_fine;
}

bool
chart_print(struct grid *grid, const struct result_table *table, const int64_t *cells,
	size_t row_count, struct error *err)
{
	struct page *page = &grid->page;
	bool is_map = table->chart->columns > 0 || table->chart->interval_count > 0;
	if (table->title[0] != '\0')
		page_section(page, table->title);
	else if (!is_map || row_count > 0)
		page_line(page);
	if (row_count > 0)
		return (table->chart->interval_count > 0 ? print_intervals
			: is_map			 ? print_map
							 : print_bars)(grid, table, cells, row_count, err);
	page_string(page, STYLE_TEXT_DIM, table->none);
	page_line(page);
	return true;
}
