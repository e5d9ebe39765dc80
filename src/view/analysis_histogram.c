/*
 * The histograms of the input: a picture of each, one at a time. Those of several intervals are a map
 * over them and, in the second form, the bars of all together; others are bars.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/histogram_sum.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/bucket_map.h"
#include "draw/histogram.h"
#include "draw/line_mark.h"
#include "view/analyses.h"

enum { FORM_MAP, FORM_BARS };
/* Rows of the canvas: whose it is, what is known of all, the picture; of a map one below it. */
enum { NAME_ROW, FACTS_ROW, PICTURE_ROW = 3, TEXT_COLUMN = 2, TITLE_LINES = 1 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* ---- the numbers */

/* A series of intervals, or a histogram alone. */
struct picture {
	size_t name;           /* where its text is */
	size_t first_cell, cell_count; /* of a map */
	size_t first_interval, interval_count; /* 0: there is none */
	size_t first_bucket, bucket_count;
	uint64_t total;
	bool is_cumulative, knows_percentiles;
};

struct numbers {
	struct picture *pictures;
	struct bucket_map_cell *cells;
	struct bucket *buckets;
	struct interval_names intervals;
	struct text texts;      /* names of pictures */
	size_t picture_count, cell_count, bucket_count;
	size_t picture_capacity, cell_capacity, bucket_capacity;
};

/* How the user left it. */
struct page {
	size_t picture;
	int column, row;       /* of the map: the cursor; column -1: nowhere yet */
	size_t selected, top, lines; /* of the bars */
	struct bucket_map map;
	bool has_map;
};

static void
release(void *of)
{
	struct numbers *numbers = of;
	memory_free(numbers->pictures);
	memory_free(numbers->cells);
	memory_free(numbers->buckets);
	interval_names_release(&numbers->intervals);
	text_release(&numbers->texts);
	memory_free(numbers);
}

/* A picture of what is in the sum. */
static bool
add_picture(struct numbers *numbers, const struct picture *picture, const struct histogram_sum *sum,
	struct error *err)
{
	if (!array_reserve(&numbers->pictures, &numbers->picture_capacity, numbers->picture_count + 1,
		    sizeof *numbers->pictures, err) ||
		!array_reserve(&numbers->buckets, &numbers->bucket_capacity,
			numbers->bucket_count + sum->count, sizeof *numbers->buckets, err))
		return false;
	struct picture *added = &numbers->pictures[numbers->picture_count++];
	*added = *picture;
	added->first_bucket = numbers->bucket_count;
	added->bucket_count = sum->count;
	added->total = sum->total;
	added->knows_percentiles = !sum->overlaps && sum->total > 0;
	if (sum->count > 0)
		memcpy(numbers->buckets + numbers->bucket_count, sum->buckets,
			sum->count * sizeof *sum->buckets);
	numbers->bucket_count += sum->count;
	return true;
}

static bool
add_cells(struct numbers *numbers, const struct histogram_sum *sum, size_t interval, struct error *err)
{
	if (!array_reserve(&numbers->cells, &numbers->cell_capacity, numbers->cell_count + sum->count,
		    sizeof *numbers->cells, err))
		return false;
	for (size_t i = 0; i < sum->count; i++)
		numbers->cells[numbers->cell_count++] =
			(struct bucket_map_cell){ (uint32_t)interval, sum->buckets[i] };
	return true;
}

struct making {
	struct numbers *numbers;
	const struct trace *trace;
	struct histogram_order order;
	struct histogram_sum sum;
	bool has_differences;
};

static bool
add_series(struct making *making, uint32_t series, struct error *err)
{
	struct numbers *numbers = making->numbers;
	const struct histogram_set *set = making->trace->histograms;
	const struct histogram_order *order = &making->order;
	const size_t first = order->first[series], until = order->first[series + 1];
	bool is_over_time = histogram_order_is_over_time(order, series);
	struct picture picture = { .name = numbers->texts.length, .first_cell = numbers->cell_count,
		.is_cumulative = order->is_cumulative[series] && !making->has_differences };
	if (is_over_time) {
		picture.first_interval = order->tables[first]->interval;
		picture.interval_count = order->tables[until - 1]->interval - picture.first_interval + 1;
		text_add_histogram(&numbers->texts, making->trace, order->tables[first], INTERVAL_NONE, false);
		text_add(&numbers->texts, "", 1);
	}
	for (size_t i = first; i < until; i++) {
		const struct histogram_table *table = order->tables[i];
		if (!histogram_order_table(order, set, i, making->has_differences, &making->sum, err))
			return false;
		if (is_over_time) {
			if (!add_cells(numbers, &making->sum, table->interval - picture.first_interval, err))
				return false;
			continue;
		}
		picture.name = numbers->texts.length;
		text_add_histogram(&numbers->texts, making->trace, table, table->interval, false);
		text_add(&numbers->texts, "", 1);
		if (!add_picture(numbers, &picture, &making->sum, err))
			return false;
	}
	if (!is_over_time)
		return true;
	picture.cell_count = numbers->cell_count - picture.first_cell;
	return histogram_order_sum(order, set, series, &making->sum, err) &&
	       add_picture(numbers, &picture, &making->sum, err);
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct numbers *numbers = array_new(1, sizeof *numbers, err);
	struct making making = { .numbers = numbers, .trace = work->trace,
		.has_differences = histograms_are_differences(work->parameter) };
	if (numbers == NULL)
		return NULL;
	bool is_fine = histogram_order_build(&making.order, work->trace->histograms, err) &&
		       interval_names_build(&numbers->intervals, work->trace, false, err);
	search_watch_expect(&work->watch, making.order.series_count);
	for (uint32_t i = 0; is_fine && i < making.order.series_count; i++)
		is_fine = search_watch_check_item(&work->watch, i, err) && add_series(&making, i, err);
	if (is_fine && numbers->texts.failed)
		is_fine = error_set_memory(err, "names of histograms");
	histogram_order_release(&making.order);
	histogram_sum_release(&making.sum);
	if (is_fine)
		return numbers;
	release(numbers);
	return NULL;
}

static void
end(void *state)
{
	struct page *page = state;
	bucket_map_release(&page->map);
}

/* ---- what is shown */

static const struct picture *
picture_of(const struct analysis *analysis)
{
	const struct numbers *numbers = analysis->numbers;
	const struct page *page = analysis->state;
	return page->picture < numbers->picture_count ? &numbers->pictures[page->picture] : NULL;
}

static bool
shows_map(const struct analysis *analysis)
{
	const struct picture *picture = picture_of(analysis);
	return analysis->form == FORM_MAP && picture != NULL && picture->interval_count > 0;
}

static const char *
name_of(const struct numbers *numbers, const struct picture *picture)
{
	return numbers->texts.bytes + picture->name;
}

static void
select_picture(struct analysis *analysis, long to)
{
	const struct numbers *numbers = analysis->numbers;
	struct page *page = analysis->state;
	long last = (long)numbers->picture_count - 1;
	size_t picture = to < 0 || last < 0 ? 0 : (size_t)(to < last ? to : last);
	if (picture == page->picture)
		return;
	page->picture = picture;
	page->selected = page->top = 0;
	page->column = page->row = 0;
}

/* ---- laying out */

static void
lay_out_bars(const struct picture *picture, struct page *page, int height)
{
	page->lines = height > PICTURE_ROW + TITLE_LINES ? (size_t)(height - PICTURE_ROW - TITLE_LINES) : 0;
	if (page->selected >= picture->bucket_count)
		page->selected = picture->bucket_count > 0 ? picture->bucket_count - 1 : 0;
	if (page->selected < page->top)
		page->top = page->selected;
	if (page->lines > 0 && page->selected >= page->top + page->lines)
		page->top = page->selected - page->lines + 1;
}

static void
lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	const struct numbers *numbers = analysis->numbers;
	struct page *page = analysis->state;
	const struct picture *picture = picture_of(analysis);
	struct error ignored;
	(void)session;
	error_clear(&ignored);
	page->has_map = false;
	if (picture == NULL)
		return;
	if (!shows_map(analysis)) {
		lay_out_bars(picture, page, canvas->height);
		return;
	}
	/* A line below tells what the cursor is on. */
	struct bucket_map_room room = { canvas->width - 1, canvas->height - PICTURE_ROW - 1,
		heat_map_rows_per_line(canvas) };
	page->map.names = numbers->intervals.items + picture->first_interval;
	page->map.intervals = picture->interval_count;
	page->has_map = bucket_map_build(&page->map, numbers->cells + picture->first_cell,
		picture->cell_count, room, &ignored);
	int columns = page->has_map ? page->map.heat.columns : 1;
	page->column = page->column < columns ? page->column : columns - 1;
	page->row = page->row < page->map.row_count ? page->row : page->map.row_count - 1;
}

/* ---- drawing */

static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
static const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };

static int
put(struct canvas *canvas, int x, int y, struct cell_style style, const char *safe)
{
	return x + canvas_string(canvas, x, y, canvas->width - x, style, safe);
}

/* "   2 of 5   ] next": of several, by which key another one is shown. */
static int
put_others(const struct session *session, const struct numbers *numbers, const struct page *page,
	struct canvas *canvas, int x)
{
	const struct cell_style key = { STYLE_KEY, STYLE_DEFAULT, CELL_BOLD };
	bool is_last = page->picture + 1 == numbers->picture_count;
	struct text keys = { 0 };
	if (numbers->picture_count < 2)
		return x;
	x += canvas_printf(canvas, x, NAME_ROW, canvas->width - x, dim, "   %zu of %zu   ",
		page->picture + 1, numbers->picture_count);
	session->add_keys(session->keys, &keys, is_last ? COMMAND_PREVIOUS_SPAN : COMMAND_NEXT_SPAN, IN_CHART);
	if (keys.length > 0 && !keys.failed) {
		x = put(canvas, x, NAME_ROW, key, keys.bytes);
		x = put(canvas, x, NAME_ROW, dim, is_last ? " the one before" : " the next");
	}
	text_release(&keys);
	return x;
}

static void
draw_name(const struct session *session, const struct numbers *numbers, const struct page *page,
	struct canvas *canvas)
{
	const struct picture *picture = &numbers->pictures[page->picture];
	int x = put(canvas, TEXT_COLUMN, NAME_ROW,
		(struct cell_style){ STYLE_TEXT_BRIGHT, STYLE_DEFAULT, CELL_BOLD },
		name_of(numbers, picture));
	x = put_others(session, numbers, page, canvas, x);
	if (picture->is_cumulative)
		put(canvas, x, NAME_ROW, dim, "   cumulative: each has all before it");
}

static void
draw_facts(const struct numbers *numbers, const struct picture *picture, struct canvas *canvas)
{
	static const struct {
		const char *name;
		uint64_t part, whole;
	} percentiles[] = { { "p50", 50, 100 }, { "p90", 90, 100 }, { "p99", 99, 100 }, { "max", 1, 1 } };
	struct histogram_sum sum = { .buckets = numbers->buckets + picture->first_bucket,
		.count = picture->bucket_count, .total = picture->total };
	char count[UNITS_TEXT];
	units_count(count, picture->total);
	int x = put(canvas, TEXT_COLUMN, FACTS_ROW, dim, "count ");
	x = put(canvas, x, FACTS_ROW, bright, count);
	for (size_t i = 0; picture->knows_percentiles && i < ARRAY_LENGTH(percentiles); i++) {
		const struct bucket *bucket =
			histogram_sum_quantile(&sum, percentiles[i].part, percentiles[i].whole);
		struct text text = { 0 };
		text_add_bucket(&text, bucket);
		x = put(canvas, x, FACTS_ROW, dim, "   ");
		x = put(canvas, x, FACTS_ROW, dim, percentiles[i].name);
		x = put(canvas, put(canvas, x, FACTS_ROW, dim, " "), FACTS_ROW, bright, text_string(&text));
		text_release(&text);
	}
}

static void
draw_bars(const struct numbers *numbers, const struct page *page, struct canvas *canvas)
{
	const struct picture *picture = &numbers->pictures[page->picture];
	const struct bucket *buckets = numbers->buckets + picture->first_bucket;
	struct histogram histogram = { .total = picture->total, .most = 1, .style = STYLE_RUNNING };
	int cells = canvas->width - TEXT_COLUMN - 1;
	for (size_t i = 0; i < picture->bucket_count; i++)
		histogram.most = buckets[i].count > histogram.most ? buckets[i].count : histogram.most;
	histogram_draw_titles(canvas, TEXT_COLUMN, PICTURE_ROW, cells);
	for (size_t i = 0; i < page->lines && page->top + i < picture->bucket_count; i++) {
		const struct bucket *bucket = &buckets[page->top + i];
		char from[UNITS_TEXT], below[UNITS_TEXT];
		int y = PICTURE_ROW + TITLE_LINES + (int)i;
		bucket_bound(from, bucket->low);
		bucket_bound(below, bucket->high);
		histogram_draw_row(canvas, TEXT_COLUMN, y, cells, &histogram,
			&(struct histogram_row){ from, below, bucket->count });
		if (page->top + i == page->selected)
			line_mark_selected(canvas, y);
	}
}

/* "12 of [64, 128), until 14:03:52": of a column that has several intervals until the last of them. */
static void
draw_cell(const struct page *page, struct canvas *canvas)
{
	const struct bucket_map *map = &page->map;
	struct text text = { 0 };
	char count[UNITS_TEXT];
	size_t from, until;
	bucket_map_column(map, page->column, &from, &until);
	units_count(count, heat_at(&map->heat, page->column, page->row * map->rows_each));
	text_add_string(&text, " of ");
	text_add_bucket(&text, &map->rows[page->row]);
	text_format(&text, ", until %s", map->names[until - 1]);
	int x = put(canvas, TEXT_COLUMN, canvas->height - 1, bright, count);
	put(canvas, x, canvas->height - 1, dim, text_string(&text));
	text_release(&text);
}

static void
draw_map(const struct page *page, struct canvas *canvas)
{
	struct heat_cursor cursor = { page->column, page->row * page->map.rows_each };
	bucket_map_draw(canvas, PICTURE_ROW - 1, &page->map, cursor);
	draw_cell(page, canvas);
}

static void
draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct numbers *numbers = analysis->numbers;
	const struct page *page = analysis->state;
	const struct picture *picture = picture_of(analysis);
	if (picture == NULL)
		return;
	draw_name(session, numbers, page, canvas);
	draw_facts(numbers, picture, canvas);
	if (page->has_map)
		draw_map(page, canvas);
	else if (!shows_map(analysis))
		draw_bars(numbers, page, canvas);
}

/* ---- commands */

static int
moved(int from, long by, int count)
{
	long to = from + by;
	return to < 0 || count == 0 ? 0 : to < count ? (int)to : count - 1;
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	enum { MOST = 1000000 };
	struct page *page = analysis->state;
	long by = count < 1 ? 1 : count < MOST ? count : MOST;
	bool is_map = shows_map(analysis);
	int cells = is_map && page->map.cells > 0 ? page->map.cells : 1;
	(void)session;
	(void)argument;
	long lines = page->lines > 0 ? (long)page->lines : 1;
	long rows = 0, columns = 0;
	switch ((int)command) {
	case COMMAND_PREVIOUS_SPAN:
	case COMMAND_NEXT_SPAN:
		select_picture(analysis,
			(long)page->picture + (command == COMMAND_NEXT_SPAN ? by : -by));
		return redraw;
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		columns = command == COMMAND_LEFT ? -by : by;
		break;
	case COMMAND_TRACE_START:
	case COMMAND_TRACE_END:
		columns = command == COMMAND_TRACE_START ? -MOST : MOST;
		break;
	case COMMAND_UP:
	case COMMAND_DOWN:
		rows = command == COMMAND_UP ? -by : by;
		break;
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		rows = (command == COMMAND_PAGE_UP ? -by : by) * lines;
		break;
	case COMMAND_FIRST_ROW:
	case COMMAND_LAST_ROW:
		rows = command == COMMAND_FIRST_ROW ? -MOST : MOST;
		break;
	default:
		return nothing;
	}
	if (columns != 0 && !is_map) {
		select_picture(analysis, (long)page->picture + columns);
	} else if (is_map) {
		page->column = moved(page->column / cells * cells, columns * cells, page->map.heat.columns);
		page->row = moved(page->row, -rows, page->map.row_count);
	} else {
		size_t last = picture_of(analysis) != NULL ? picture_of(analysis)->bucket_count : 0;
		page->selected = (size_t)moved((int)page->selected, rows, (int)last);
	}
	return redraw;
}

static bool
lacks(const struct analysis *analysis, enum command command)
{
	(void)analysis;
	return command == COMMAND_ZOOM_IN || command == COMMAND_OPEN;
}

static void
place(const struct analysis *analysis, struct view_place *here)
{
	const struct page *page = analysis->state;
	*here = (struct view_place){ page->picture, page->top };
}

static void
go_to_place(struct analysis *analysis, struct session *session, const struct view_place *there)
{
	(void)session;
	select_picture(analysis, (long)there->line);
}

const struct analysis_ops histogram_analysis = {
	.is_chart = true,
	.build = build,
	.release = release,
	.state_size = sizeof(struct page),
	.end = end,
	.heading = "Histograms",
	.command = command,
	.lacks = lacks,
	.lay_out = lay_out,
	.draw = draw,
	.place = place,
	.go_to_place = go_to_place,
};
