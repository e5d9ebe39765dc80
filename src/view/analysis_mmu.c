/* The minimum mutator utilisation: its curve, and the worst windows of the width under the cursor. */
#include <string.h>

#include "analysis/go/mmu.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/bar.h"
#include "draw/line_mark.h"
#include "draw/mmu_chart.h"
#include "draw/names.h"
#include "draw/time_form.h"
#include "trace/words.h"
#include "view/analyses.h"

enum { POINTS = 72, WINDOWS = 10, TEXT_COLUMN = 2, LEAST_CHART_ROWS = 6 };
/* Rows of the canvas: what counts, the values at the cursor, the chart; behind it the windows. */
enum { PARTS_ROW, VALUES_ROW, CHART_ROW, LIST_ROWS_AROUND = 2 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

struct page {
	bool has_point;
	int point;        /* of the chart, the one with the cursor */
	size_t window;    /* of the windows, the selected one */
	struct mutator_window windows[WINDOWS];
	size_t window_count;
	const struct mmu *windows_of; /* these numbers' ... */
	int64_t windows_ns;               /* ... of this width */
	int chart_height, list_y;         /* as drawn last */
	int width;
	bool ascii;
};

/* ---- the numbers */

static void
release(void *numbers)
{
	mmu_release(numbers);
	memory_free(numbers);
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct mmu *mmu = array_new(1, sizeof *mmu, err);
	if (mmu == NULL)
		return NULL;
	if (!mmu_build(mmu, work, POINTS, err)) {
		release(mmu);
		return NULL;
	}
	/* There is no curve of one width. */
	if (mmu->points[0].width_ns >= mmu->points[POINTS - 1].width_ns)
		mmu->count = 0;
	return mmu;
}

/* ---- what is selected */

/* At first the width that was asked for, or whose curve Go's page is looked at for: about 10 ms, or the middle. */
static int
usual_point(const struct mmu *numbers)
{
	const int64_t usual_ns = numbers->window_ns > 0 ? numbers->window_ns : 10000000;
	int point = numbers->count / 2;
	for (int i = 0; i < numbers->count; i++) {
		if (numbers->points[i].width_ns >= usual_ns)
			return i;
	}
	return point;
}

static void
select_point(struct page *page, const struct mmu *numbers, long point)
{
	long last = numbers->count - 1;
	if (last < 0)
		return;
	page->has_point = true;
	page->point = (int)(point < 0 ? 0 : point > last ? last : point);
}

/* The worst windows of the selected width. */
static void
find_windows(struct page *page, const struct mmu *numbers)
{
	if (!page->has_point || page->point >= numbers->count)
		select_point(page, numbers, usual_point(numbers));
	int64_t width_ns = numbers->points[page->point].width_ns;
	if (page->windows_of == numbers && page->windows_ns == width_ns)
		return;
	page->window_count = mutator_worst(&numbers->mutator, width_ns, page->windows, WINDOWS);
	page->windows_of = numbers;
	page->windows_ns = width_ns;
	page->window = 0;
}

/* Other numbers may stand where those before did. */
static void
made(struct analysis *analysis)
{
	struct page *page = analysis->state;
	page->windows_of = NULL;
}

/* ---- drawing */

static const struct toggle {
	enum command command;
	unsigned part;
	const char *told; /* a pattern of text_add_words() */
} toggles[] = {
	{ COMMAND_COUNT_STOPS, MUTATOR_STW, "stops" },
	{ COMMAND_COUNT_BACKGROUND, MUTATOR_BACKGROUND, "background" },
	{ COMMAND_COUNT_ASSISTS, MUTATOR_ASSIST, "assists" },
	{ COMMAND_COUNT_SWEEPING, MUTATOR_SWEEP, "sweeping" },
	{ COMMAND_EACH_PROCESSOR, MUTATOR_PER_PROCESSOR, "each {processor}" },
};

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
static const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };

static int
put(struct canvas *canvas, int x, int y, struct cell_style style, const char *string)
{
	return x + canvas_string(canvas, x, y, canvas->width - x, style, string);
}

static int
put_words(const struct session *session, struct canvas *canvas, int x, int y, struct cell_style style,
	const char *pattern)
{
	struct text words = { 0 };
	text_add_words(&words, session->trace->words, pattern);
	x = put(canvas, x, y, style, text_string(&words));
	text_release(&words);
	return x;
}

/* What is counted, and the keys that change it: "● s stops  ○ w sweeping". */
static void
draw_parts(const struct session *session, const struct mmu *numbers, struct canvas *canvas)
{
	const struct cell_style key = { STYLE_KEY, STYLE_DEFAULT, CELL_BOLD };
	int x = TEXT_COLUMN;
	for (size_t i = 0; i < ARRAY_LENGTH(toggles); i++) {
		bool is_on = (numbers->parts & toggles[i].part) != 0;
		const char *sign = canvas->ascii ? (is_on ? "* " : "- ") : is_on ? "● " : "○ ";
		struct text keys = { 0 };
		x = put(canvas, x, PARTS_ROW, is_on ? bright : dim, sign);
		session->add_keys(session->keys, &keys, toggles[i].command, IN_CHART);
		if (keys.length > 0 && !keys.failed)
			x = 1 + put(canvas, x, PARTS_ROW, key, keys.bytes);
		text_release(&keys);
		x = 2 + put_words(session, canvas, x, PARTS_ROW, is_on ? bright : dim,
				toggles[i].told);
	}
}

static int
put_share(struct canvas *canvas, int x, int y, struct cell_style style, double share)
{
	enum { WHOLE = 1000 };
	return x + canvas_printf(canvas, x, y, canvas->width - x, style, "%.1f%%",
			   (double)(int)(share * WHOLE + 0.5) / (WHOLE / 100));
}

/* "of any 12.8 ms at least 48.1%   all but 0.1%: 53.9%   1%: 66.4%   5%: 75.3%" */
static void
draw_values(const struct mutator_point *point, struct canvas *canvas)
{
	char width[UNITS_TEXT];
	units_duration(width, point->width_ns, canvas->ascii);
	int x = put(canvas, TEXT_COLUMN, VALUES_ROW, dim, "of any ");
	x = put(canvas, x, VALUES_ROW, bright, width);
	x = put(canvas, x, VALUES_ROW, dim, " at least ");
	x = put_share(canvas, x, VALUES_ROW,
		(struct cell_style){ STYLE_RUNNING, STYLE_DEFAULT, CELL_BOLD }, point->least);
	for (int i = 0; i < MUTATOR_POINT_PARTS; i++) {
		x += canvas_printf(canvas, x, VALUES_ROW, canvas->width - x, dim, "   %s%g%%: ",
			i == 0 ? "all but " : "", mutator_point_parts[i] * 100);
		x = put_share(canvas, x, VALUES_ROW, plain, point->shares[i]);
	}
}

static void
draw_window(const struct session *session, const struct page *page, struct canvas *canvas,
	size_t index, int y)
{
	enum { SHARE_COLUMN = TEXT_COLUMN + 1, BAR_COLUMN = 11, BAR_CELLS = 16, MOMENT_COLUMN = 29,
		PROCESSOR_COLUMN = 50 };
	const struct mutator_window *window = &page->windows[index];
	const struct trace *trace = session->trace;
	char moment[UNITS_TEXT];
	int64_t step_ns = page->windows_ns / 100;
	struct text bar = { 0 };
	put_share(canvas, SHARE_COLUMN, y, bright, window->share);
	bar_add(&bar, window->share, BAR_CELLS, canvas->ascii);
	if (bar.length > 0 && !bar.failed)
		put(canvas, BAR_COLUMN, y, (struct cell_style){ .fg = STYLE_RUNNING }, bar.bytes);
	text_release(&bar);
	time_form_write(moment, time_form_of(trace, session->is_wall, canvas->ascii),
		window->start_ns, step_ns > 0 ? step_ns : 1, trace->end_ns);
	put(canvas, put(canvas, MOMENT_COLUMN, y, dim, "from "), y, plain, moment);
	if (window->processor != REF_NONE) {
		struct text name = { 0 };
		name_processor(&name, trace, window->processor);
		canvas_text(canvas, PROCESSOR_COLUMN, y, canvas->width - PROCESSOR_COLUMN, plain, &name);
		text_release(&name);
	}
	if (index == page->window)
		line_mark_selected(canvas, y);
}

/* The list takes what the chart leaves, up to half; it scrolls so far that the selected is seen. */
static void
draw_windows(const struct session *session, const struct page *page, struct canvas *canvas)
{
	size_t rows = canvas->height > page->list_y ? (size_t)(canvas->height - page->list_y) : 0;
	size_t top = page->window >= rows ? page->window - rows + 1 : 0;
	put(canvas, TEXT_COLUMN, page->list_y - 1,
		(struct cell_style){ STYLE_TEXT_BRIGHT, STYLE_DEFAULT, CELL_BOLD },
		"the worst windows of that width");
	for (size_t i = 0; i < rows && top + i < page->window_count; i++)
		draw_window(session, page, canvas, top + i, page->list_y + (int)i);
}

static void
lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	struct page *page = analysis->state;
	const struct mmu *numbers = analysis->numbers;
	(void)session;
	if (numbers->count == 0)
		return;
	find_windows(page, numbers);
	int rest = canvas->height - CHART_ROW;
	int list = (int)page->window_count + LIST_ROWS_AROUND;
	if (list > rest / 3 + 1)
		list = rest / 3 + 1;
	if (rest - list < LEAST_CHART_ROWS)
		list = 0;
	page->width = canvas->width - 1;
	page->ascii = canvas->ascii;
	page->chart_height = rest - list;
	page->list_y = CHART_ROW + page->chart_height + LIST_ROWS_AROUND;
}

static struct mmu_chart
chart_of(const struct page *page, const struct mmu *numbers)
{
	return (struct mmu_chart){ numbers->points, numbers->count, page->point };
}

static void
draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct page *page = analysis->state;
	const struct mmu *numbers = analysis->numbers;
	draw_parts(session, numbers, canvas);
	if (numbers->count == 0) {
		put_words(session, canvas, TEXT_COLUMN, CHART_ROW, dim,
			"The trace does not tell how many {processors} there were.");
		return;
	}
	struct mmu_chart chart = chart_of(page, numbers);
	draw_values(&numbers->points[page->point], canvas);
	mmu_chart_draw(canvas, 0, CHART_ROW, page->width, page->chart_height, &chart);
	if (page->list_y < canvas->height)
		draw_windows(session, page, canvas);
}

/* ---- commands */

/* Of what was asked last, which may be being worked out yet. */
static struct view_answer
toggle(struct analysis *analysis, struct session *session, unsigned part)
{
	struct error note;
	struct text parameter = { 0 };
	unsigned parts = 0;
	int64_t window_ns = 0;
	error_clear(&note);
	mmu_parse(analysis_parameter(analysis), &parts, &window_ns, &note);
	mmu_add_parameter(&parameter, parts ^ part, window_ns);
	if (parameter.failed ||
		!analyses_change(session, analysis, text_string(&parameter), &note))
		session_status(session, true, "out of memory");
	text_release(&parameter);
	return redraw;
}

static void
select_window(struct page *page, long window)
{
	long last = page->window_count > 0 ? (long)page->window_count - 1 : 0;
	page->window = (size_t)(window < 0 ? 0 : window > last ? last : window);
}

static struct view_answer
open_window(const struct page *page, struct session *session)
{
	if (page->window >= page->window_count)
		return redraw;
	const struct mutator_window *window = &page->windows[page->window];
	struct lane lane = { LANE_GC, 0 };
	if (window->processor != REF_NONE)
		lane = (struct lane){ LANE_PROCESSOR, window->processor };
	return analysis_leave(
		session, lane, window->start_ns, window->start_ns + page->windows_ns);
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	enum { MOST = 1000 };
	struct page *page = analysis->state;
	const struct mmu *numbers = analysis->numbers;
	long by = count < 1 ? 1 : count < MOST ? count : MOST;
	(void)argument;
	for (size_t i = 0; i < ARRAY_LENGTH(toggles); i++) {
		if (toggles[i].command == command)
			return toggle(analysis, session, toggles[i].part);
	}
	switch ((int)command) {
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		select_point(page, numbers, page->point + (command == COMMAND_LEFT ? -by : by));
		return redraw;
	case COMMAND_TRACE_START:
	case COMMAND_TRACE_END:
		select_point(page, numbers, command == COMMAND_TRACE_START ? 0 : numbers->count);
		return redraw;
	case COMMAND_UP:
	case COMMAND_DOWN:
		select_window(page, (long)page->window + (command == COMMAND_UP ? -by : by));
		return redraw;
	case COMMAND_FIRST_ROW:
	case COMMAND_LAST_ROW:
		select_window(page, command == COMMAND_FIRST_ROW ? 0 : WINDOWS);
		return redraw;
	case COMMAND_OPEN:
		return open_window(page, session);
	default:
		return nothing;
	}
}

static bool
lacks(const struct analysis *analysis, enum command command)
{
	(void)analysis;
	return command == COMMAND_ZOOM_IN;
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	struct page *page = analysis->state;
	const struct mmu *numbers = analysis->numbers;
	bool is_up = mouse->kind == MOUSE_WHEEL_UP;
	(void)session;
	if (is_up || mouse->kind == MOUSE_WHEEL_DOWN)
		select_window(page, (long)page->window + (is_up ? -1 : 1));
	if (mouse->kind != MOUSE_PRESS && mouse->kind != MOUSE_DRAG)
		return redraw;
	if (mouse->y >= page->list_y)
		select_window(page, mouse->y - page->list_y);
	struct mmu_chart chart = chart_of(page, numbers);
	bool is_on_chart = numbers->count > 0 && mouse->y >= CHART_ROW &&
			   mouse->y < CHART_ROW + page->chart_height;
	int point = is_on_chart ? mmu_chart_point_at(0, page->width, page->chart_height, &chart,
					  page->ascii, mouse->x)
				: -1;
	if (point >= 0)
		select_point(page, numbers, point);
	return redraw;
}

/* width=NUMBER: which point of the curve, from 1 on. */
static void
name_settings(const struct analysis *analysis, const struct setting_sink *sink)
{
	const struct page *page = analysis->state;
	const struct mmu *numbers = analysis->numbers;
	if (page->has_point && numbers->count > 0 && page->point != usual_point(numbers))
		setting_tell_number(sink, "width", page->point + 1);
}

static bool
set(struct analysis *analysis, struct session *session, const char *setting)
{
	const struct mmu *numbers = analysis->numbers;
	int64_t number;
	(void)session;
	if (!setting_number(setting, "width", 1, numbers->count, &number))
		return false;
	select_point(analysis->state, numbers, (long)number - 1);
	return true;
}

/* Of the windows. */
static void
place(const struct analysis *analysis, struct view_place *here)
{
	const struct page *page = analysis->state;
	*here = (struct view_place){ .line = page->window };
}

static void
go_to_place(struct analysis *analysis, struct session *session, const struct view_place *there)
{
	const struct mmu *numbers = analysis->numbers;
	(void)session;
	if (numbers->count == 0)
		return;
	find_windows(analysis->state, numbers);
	select_window(analysis->state, there->line < WINDOWS ? (long)there->line : 0);
}

const struct analysis_ops mmu_analysis = {
	.is_chart = true,
	.build = build,
	.release = release,
	.state_size = sizeof(struct page),
	.made = made,
	.command = command,
	.lacks = lacks,
	.mouse = mouse,
	.lay_out = lay_out,
	.draw = draw,
	.name_settings = name_settings,
	.set = set,
	.place = place,
	.go_to_place = go_to_place,
};
