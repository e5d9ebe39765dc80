/* The histogram of durations: buckets, percentiles and the longest, each of which leads to its place. */
#include <string.h>

#include "base/compiler.h"
#include "base/units.h"
#include "draw/histogram.h"
#include "draw/line_mark.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "draw/time_form.h"
#include "trace/own_code.h"
#include "view/durations.h"

/* Rows of the canvas; then lines that scroll: titles, buckets, two lines of heading, the longest. */
enum { FACTS_ROW, PERCENTILES_ROW, FIRST_ROW = 3, TITLE_LINES = 1, HEADING_LINES = 2 };
enum { TEXT_COLUMN = 2, DURATION_CELLS = 10, MOMENT_COLUMN = 14, WHO_COLUMN = 31, FACT_GAP = 3 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static struct histogram
histogram_for(const struct durations *durations)
{
	return histogram_of(durations->counts, durations->bucket_count, durations_style(durations));
}

/* What can be selected: buckets, then the longest. */
struct items {
	size_t buckets, count;
};

static struct items
items_of(const struct durations *durations, const struct histogram *histogram)
{
	struct items items = { .buckets = (size_t)(histogram->until - histogram->first) };
	items.count = items.buckets + durations->longest_count;
	return items;
}

static size_t
line_of(struct items items, size_t item)
{
	return TITLE_LINES + item + (item < items.buckets ? 0 : HEADING_LINES);
}

/* The item of a line; items.count for none. */
static size_t
item_at(struct items items, size_t line)
{
	if (line >= TITLE_LINES && line < TITLE_LINES + items.buckets)
		return line - TITLE_LINES;
	size_t first = TITLE_LINES + items.buckets + HEADING_LINES;
	return line >= first && line - first < items.count - items.buckets
		       ? items.buckets + line - first
		       : items.count;
}

/* ---- drawing */

/* A dim word and what it says; returns where the next one goes. */
static int
put_fact(struct canvas *canvas, int x, int y, const char *word, const char *value)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM }, bright = { .fg = STYLE_TEXT_BRIGHT };
	x += canvas_string(canvas, x, y, canvas->width - x, dim, word);
	x += 1 + canvas_string(canvas, x + 1, y, canvas->width - x - 1, bright, value);
	return x + FACT_GAP;
}

static int
put_duration(struct canvas *canvas, int x, int y, const char *word, int64_t duration_ns)
{
	char text[UNITS_TEXT];
	units_duration(text, duration_ns, canvas->ascii);
	return put_fact(canvas, x, y, word, text);
}

static void
draw_facts(const struct durations_look *look, struct canvas *canvas)
{
	const struct latency *latency = &look->durations->latency;
	char text[UNITS_TEXT];
	units_count(text, latency->count);
	int x = put_fact(canvas, TEXT_COLUMN, FACTS_ROW, "spans", text);
	if (latency->count == 0)
		return;
	x = put_duration(canvas, x, FACTS_ROW, "in all", latency->total_ns);
	x = put_duration(canvas, x, FACTS_ROW, "on average",
		latency->total_ns / (int64_t)latency->count);
	if (latency->cut_count == 0)
		return;
	units_count(text, latency->cut_count);
	put_fact(canvas, x, FACTS_ROW, "not seen whole", text);
}

static void
draw_percentiles(const struct durations_look *look, struct canvas *canvas)
{
	static const struct {
		const char *name;
		uint64_t part, whole;
	} percentiles[] = { { "p50", 50, 100 }, { "p90", 90, 100 }, { "p99", 99, 100 },
		{ "p99.9", 999, 1000 }, { "longest", 1, 1 } };
	const struct latency *latency = &look->durations->latency;
	int x = TEXT_COLUMN;
	for (size_t i = 0; latency->count > 0 && i < ARRAY_LENGTH(percentiles); i++)
		x = put_duration(canvas, x, PERCENTILES_ROW, percentiles[i].name,
			latency_quantile(latency, percentiles[i].part, percentiles[i].whole));
}

/* "G42 main.worker at pool.go:88"; the place only where the name has room beside it. */
static void
add_who(struct text *out, const struct trace *trace, const struct latency_span *span, int cells,
	bool ascii)
{
	enum { NAME_CELLS = 26 };
	const struct stack_frame *frame = own_code_frame(trace, span->stack, span->actor);
	struct text place = { 0 };
	if (frame != NULL) {
		text_add_string(&place, " at ");
		text_add_place(&place, trace, frame, ascii);
	}
	int at = place.failed || frame == NULL ? 0 : (int)text_width(place.bytes, place.length);
	if (cells - at < NAME_CELLS)
		at = 0;
	if (span->task != REF_NONE)
		task_words_name(out, trace, span->task, ascii);
	else if (span->actor != REF_NONE && cells > at)
		name_actor_within(out, trace, span->actor, (size_t)(cells - at), ascii);
	if (at > 0)
		text_add(out, place.bytes, place.length);
	text_release(&place);
}

static void
draw_longest(const struct durations_look *look, struct canvas *canvas, int y,
	const struct latency_span *span)
{
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT }, dim = { .fg = STYLE_TEXT_DIM };
	const struct cell_style plain = { .fg = STYLE_DEFAULT };
	const struct trace *trace = look->session->trace;
	char text[UNITS_TEXT];
	struct text who = { 0 };
	units_duration(text, span->duration_ns, canvas->ascii);
	int cells = (int)text_width(text, strlen(text));
	canvas_string(canvas, TEXT_COLUMN + DURATION_CELLS - cells, y, cells, bright, text);
	time_form_write(text, time_form_of(trace, look->session->is_wall, canvas->ascii),
		span->start_ns, 1000, trace->end_ns);
	canvas_printf(canvas, MOMENT_COLUMN, y, WHO_COLUMN - MOMENT_COLUMN - 1, dim, "at %s", text);
	add_who(&who, trace, span, canvas->width - WHO_COLUMN, canvas->ascii);
	if (!who.failed && who.length > 0)
		canvas_text(canvas, WHO_COLUMN, y, canvas->width - WHO_COLUMN, plain, &who);
	text_release(&who);
}

static void
draw_line(const struct durations_look *look, struct canvas *canvas,
	const struct histogram *histogram, size_t line, int y)
{
	struct items items = items_of(look->durations, histogram);
	size_t item = item_at(items, line);
	int cells = canvas->width - TEXT_COLUMN - 1;
	if (line == 0)
		histogram_draw_titles(canvas, TEXT_COLUMN, y, cells);
	else if (item < items.buckets)
		histogram_draw_bucket(
			canvas, TEXT_COLUMN, y, cells, histogram, histogram->first + (int)item);
	else if (item < items.count)
		draw_longest(look, canvas, y, &look->durations->longest[item - items.buckets]);
	else if (line == TITLE_LINES + items.buckets + 1 && items.count > items.buckets)
		canvas_string(canvas, TEXT_COLUMN, y, cells,
			(struct cell_style){ .fg = STYLE_TEXT_BRIGHT, .attributes = CELL_BOLD },
			"the longest");
	if (item != look->page->selected || items.count == 0)
		return;
	line_mark_selected(canvas, y);
}

/* Scrolls so far that the selected line is seen; with the first item the titles are. */
static void
keep_in_sight(struct durations_page *page, struct items items, size_t rows)
{
	size_t line = page->selected == 0 ? 0 : line_of(items, page->selected);
	page->lines = rows;
	if (line < page->top)
		page->top = line;
	if (rows > 0 && line >= page->top + rows)
		page->top = line - rows + 1;
}

void
durations_lay_out_histogram(
	const struct durations *durations, struct durations_page *page, const struct canvas *canvas)
{
	struct histogram histogram = histogram_for(durations);
	struct items items = items_of(durations, &histogram);
	if (page->selected >= items.count)
		page->selected = items.count > 0 ? items.count - 1 : 0;
	keep_in_sight(page, items, canvas->height > FIRST_ROW ? (size_t)(canvas->height - FIRST_ROW) : 0);
}

void
durations_draw_histogram(const struct durations_look *look, struct canvas *canvas)
{
	struct histogram histogram = histogram_for(look->durations);
	draw_facts(look, canvas);
	draw_percentiles(look, canvas);
	for (size_t i = 0; i < look->page->lines && items_of(look->durations, &histogram).count > 0; i++)
		draw_line(look, canvas, &histogram, look->page->top + i, FIRST_ROW + (int)i);
}

/* ---- commands */

/* Where the items of a bucket end, among all in order of duration. */
static size_t
bucket_end(const struct durations *durations, int bucket)
{
	size_t end = 0;
	for (int i = 0; i <= bucket; i++)
		end += (size_t)durations->counts[i];
	return end;
}

static struct view_answer
open_item(const struct durations_request *request)
{
	struct histogram histogram = histogram_for(request->durations);
	struct items items = items_of(request->durations, &histogram);
	size_t item = request->page->selected;
	if (item >= items.count)
		return redraw;
	if (item >= items.buckets)
		return durations_leave_span(
			request, &request->durations->longest[item - items.buckets]);
	int bucket = histogram.first + (int)item;
	if (histogram.counts[bucket] > 0)
		return durations_leave(request, bucket_end(request->durations, bucket) - 1);
	session_status(request->session, false, "nothing took so long");
	return redraw;
}

static void
select_item(const struct durations_request *request, long to)
{
	struct histogram histogram = histogram_for(request->durations);
	long count = (long)items_of(request->durations, &histogram).count;
	request->page->selected = to < 0 || count == 0 ? 0 : (size_t)(to < count ? to : count - 1);
}

struct view_answer
durations_histogram_command(const struct durations_request *request)
{
	enum { MOST = 1000000 };
	long selected = (long)request->page->selected;
	long by = request->count < MOST ? request->count : MOST;
	long lines = request->page->lines > 0 ? (long)request->page->lines : 1;
	switch ((int)request->command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
		select_item(request, selected + (request->command == COMMAND_UP ? -by : by));
		return redraw;
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		by *= lines;
		select_item(request, selected + (request->command == COMMAND_PAGE_UP ? -by : by));
		return redraw;
	case COMMAND_FIRST_ROW:
	case COMMAND_LAST_ROW:
		select_item(request, request->command == COMMAND_FIRST_ROW ? 0 : MOST);
		return redraw;
	case COMMAND_OPEN:
		return open_item(request);
	default:
		return nothing;
	}
}

struct view_answer
durations_histogram_mouse(const struct durations_request *request, const struct screen_mouse *mouse)
{
	enum { WHEEL_ITEMS = 3 };
	struct histogram histogram = histogram_for(request->durations);
	struct items items = items_of(request->durations, &histogram);
	long selected = (long)request->page->selected;
	if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
		bool is_up = mouse->kind == MOUSE_WHEEL_UP;
		select_item(request, selected + (is_up ? -WHEEL_ITEMS : WHEEL_ITEMS));
		return redraw;
	}
	if (mouse->kind != MOUSE_PRESS || mouse->y < FIRST_ROW)
		return nothing;
	size_t item = item_at(items, request->page->top + (size_t)(mouse->y - FIRST_ROW));
	if (item < items.count)
		request->page->selected = item;
	return redraw;
}
