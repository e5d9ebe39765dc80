/*
 * What there was of processors, actors and memory over time, in two forms: busy processors, actors that
 * wait for one and system calls; or the heap and what the collector had.
 */
#include <stdio.h>

#include "analysis/class_times.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/area.h"
#include "draw/axis.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "view/analyses.h"
#include "view/chart_time.h"

enum {
	MOST_COLUMNS = 1024,
	PANELS = 3,
	LAYERS = 2,
	TEXT_COLUMN = 1,
	RULER_ROW = 0,
	FIRST_PANEL_ROW = 1
};

enum form { FORM_UTILISATION, FORM_HEAP, FORMS };

/* A line over a chart: how many processors there may be, or how large the heap. */
enum panel_line { NO_LINE, LINE_OF_PROCESSORS, LINE_OF_GOAL };

/* One chart. A panel without a second layer has an empty mask there. */
static const struct panel {
	const char *name;
	struct area_layer layers[LAYERS];
	const char *layer_names[LAYERS];
	class_mask masks[LAYERS]; /* how many actors were in these classes; both 0: the heap */
	enum panel_line line;
	int parts;                /* of what height there is */
} panels[FORMS][PANELS] = {
	[FORM_UTILISATION] = {
		{ "{processors} busy",
			{ { STYLE_RUNNING, true, '=', '#' }, { STYLE_GC_WORKER, false, 'm', 'M' } },
			{ "running", "collector" },
			{ CLASS_BIT(CLASS_RUNNING), CLASS_BIT(CLASS_WORKER) }, LINE_OF_PROCESSORS, 4 },
		{ "wait for {an processor}", { { STYLE_READY, true, ',', '+' } }, { "ready" },
			{ CLASS_BIT(CLASS_READY) }, NO_LINE, 3 },
		{ "in system calls", { { STYLE_SYSCALL, true, 's', 'S' } }, { "{threads}" },
			{ CLASS_BIT(CLASS_SYSCALL) }, NO_LINE, 3 },
	},
	[FORM_HEAP] = {
		{ "heap", { { STYLE_GC, true, 'h', 'H' } }, { "in use" }, { 0 }, LINE_OF_GOAL, 5 },
		{ "{processors} of the collector", { { STYLE_GC_WORKER, true, 'm', 'M' } }, { "workers" },
			{ CLASS_BIT(CLASS_WORKER) }, LINE_OF_PROCESSORS, 3 },
		{ "wait for the collector", { { STYLE_OTHER, true, 'w', 'W' } }, { "{actors}" },
			{ CLASS_BIT(CLASS_RUNTIME) }, NO_LINE, 2 },
	},
};

static const char *const titles[FORMS] = {
	[FORM_UTILISATION] = "Utilisation",
	[FORM_HEAP] = "Heap and collector",
};

/* The numbers: with a filter, how long actors were in states that match it. */
struct numbers {
	bool is_limited;
	struct class_times times;
};

/* What a frame shows. */
struct frame {
	const struct numbers *numbers;
	const struct session *session;
	struct canvas *canvas;
	const struct panel *panels;
	int left, columns; /* of the axes, and of the charts beside them */
	int cursor;        /* the column */
	uint64_t processors; /* the most of GOMAXPROCS; 0: not known */
	class_mask classes;  /* that the trace can have: what is of no other is not shown */
	int64_t (*totals_ns)[CLASS_COUNT];
	int64_t edges_ns[MOST_COLUMNS + 1];
};

static bool
is_heap(const struct panel *panel)
{
	return panel->masks[0] == 0;
}

/* How many actors were in some classes on the average of a column. */
static double
average(const struct frame *frame, int column, class_mask mask)
{
	int64_t length_ns = frame->edges_ns[column + 1] - frame->edges_ns[column];
	double sum_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		sum_ns += (mask >> i & 1) != 0 ? (double)frame->totals_ns[column][i] : 0;
	return length_ns > 0 ? sum_ns / (double)length_ns : 0;
}

/* The most of a counter within a column. */
static double
greatest(const struct frame *frame, int column, enum counter_type type)
{
	uint64_t least = 0, most = 0;
	bool is_known = counter_range(frame->session->trace, type, frame->edges_ns[column],
		frame->edges_ns[column + 1], &least, &most);
	return is_known ? (double)most : 0;
}

/* Of a layer alone. */
static double
layer_value(const struct frame *frame, const struct panel *panel, int column, int layer)
{
	return is_heap(panel) ? greatest(frame, column, COUNTER_HEAP_ALLOC)
			      : average(frame, column, panel->masks[layer]);
}

static double
line_value(const struct frame *frame, const struct panel *panel, int column)
{
	switch (panel->line) {
	case NO_LINE:
		return 0;
	case LINE_OF_PROCESSORS:
		return (double)frame->processors;
	case LINE_OF_GOAL:
		return greatest(frame, column, COUNTER_HEAP_GOAL);
	}
	return 0;
}

static bool
is_there(const struct frame *frame, const struct panel *panel)
{
	return is_heap(panel) || (panel->masks[0] & frame->classes) != 0;
}

static int
layers_of(const struct frame *frame, const struct panel *panel)
{
	return (panel->masks[1] & frame->classes) != 0 ? LAYERS : 1;
}

static struct axis
axis_of(const struct frame *frame, const struct panel *panel)
{
	double most = 0;
	for (int i = 0; i < frame->columns; i++) {
		double here = 0, line = line_value(frame, panel, i);
		for (int layer = 0; layer < layers_of(frame, panel); layer++)
			here += layer_value(frame, panel, i, layer);
		most = here > most ? here : most;
		most = line > most ? line : most;
	}
	return axis_from_zero(is_heap(panel) ? AXIS_BYTES : AXIS_COUNT, most);
}

/* ---- drawing */

static int
put(const struct frame *frame, int x, int y, uint8_t style, const char *string)
{
	const struct cell_style look = { .fg = style };
	return x + canvas_string(frame->canvas, x, y, frame->canvas->width - x, look, string);
}

static int
put_words(const struct frame *frame, int x, int y, uint8_t style, const char *pattern)
{
	struct text words = { 0 };
	text_add_words(&words, frame->session->trace->words, pattern);
	x = put(frame, x, y, style, text_string(&words));
	text_release(&words);
	return x;
}

static void
write_value(char out[UNITS_TEXT], const struct panel *panel, double value)
{
	if (is_heap(panel))
		units_bytes(out, (uint64_t)value);
	else
		snprintf(out, UNITS_TEXT, "%.2f", value);
}

/* What the line is, at the cursor. */
static void
draw_line_words(const struct frame *frame, const struct panel *panel, int x, int y)
{
	double value = line_value(frame, panel, frame->cursor);
	char text[UNITS_TEXT];
	if (value <= 0)
		return;
	if (is_heap(panel))
		units_bytes(text, (uint64_t)value);
	else
		units_count(text, (uint64_t)value);
	x = put(frame, x + 2, y, STYLE_TEXT_DIM, is_heap(panel) ? "goal " : "of ");
	put(frame, x, y, STYLE_TEXT_BRIGHT, text);
}

/* "procs busy  ▇ running 2.31  ▇ collector 0.50  of 4", at the cursor. */
static void
draw_words(const struct frame *frame, const struct panel *panel, int y)
{
	char text[UNITS_TEXT], glyph[2];
	int x = put_words(frame, TEXT_COLUMN, y, STYLE_TEXT_BRIGHT, panel->name);
	for (int i = 0; i < layers_of(frame, panel); i++) {
		x = put(frame, x + 2, y, panel->layers[i].style,
			area_legend_glyph(frame->canvas, &panel->layers[i], glyph));
		x = put_words(frame, x + 1, y, STYLE_TEXT_DIM, panel->layer_names[i]);
		write_value(text, panel, layer_value(frame, panel, frame->cursor, i));
		x = put(frame, x + 1, y, STYLE_TEXT_BRIGHT, text);
	}
	draw_line_words(frame, panel, x, y);
}

static void
draw_column(const struct frame *frame, const struct panel *panel, const struct area *area,
	const struct axis *axis, int column)
{
	int tops[LAYERS];
	double sum = 0, line = line_value(frame, panel, column);
	for (int i = 0; i < area->layer_count; i++) {
		sum += layer_value(frame, panel, column, i);
		tops[i] = area_level(area, axis_place(axis, sum));
	}
	area_draw_column(area, column, tops);
	if (line > 0)
		area_draw_line(
			area, column, area_level(area, axis_place(axis, line)), STYLE_TEXT_DIM);
}

static void
draw_panel(const struct frame *frame, const struct panel *panel, int y, int height)
{
	struct axis axis = axis_of(frame, panel);
	struct area area = { frame->canvas, frame->left, y + 1, frame->columns, height - 1,
		panel->layers, layers_of(frame, panel) };
	draw_words(frame, panel, y);
	axis_draw_left(frame->canvas, 0, area.y, frame->left, area.height, &axis);
	for (int i = 0; i < frame->columns; i++)
		draw_column(frame, panel, &area, &axis, i);
	chart_time_draw_cursor(frame->session, frame->canvas, area.x, area.y, area.width, area.height);
}

/* As wide as the widest axis wants it, so that the charts line up. */
static int
left_cells(const struct frame *frame, int height, bool ascii)
{
	int cells = 0;
	for (int i = 0; i < PANELS; i++) {
		struct axis axis = axis_of(frame, &frame->panels[i]);
		int here = axis_width(&axis, height, ascii);
		cells = here > cells ? here : cells;
	}
	return cells;
}

/* A frame of so many columns; without memory its totals are NULL. Release those. */
static void
measure(struct frame *frame, const struct analysis *analysis, const struct session *session, int columns)
{
	*frame = (struct frame){ .numbers = analysis->numbers,
		.session = session,
		.panels = panels[analysis->form],
		.classes = words_classes(session->trace->words) };
	struct error note;
	error_clear(&note);
	frame->totals_ns = array_new((size_t)columns, sizeof *frame->totals_ns, &note);
	if (frame->totals_ns == NULL)
		return;
	struct viewport viewport = frame->session->viewport;
	const struct trace *trace = frame->session->trace;
	uint64_t least = 0;
	frame->columns = columns;
	frame->cursor = viewport_cell(viewport, columns, frame->session->cursor_ns);
	if (frame->numbers->is_limited)
		class_times_cells(&frame->numbers->times, viewport.t0_ns, viewport.t1_ns, columns,
			frame->totals_ns);
	else
		lane_cells(trace, (struct lane){ LANE_ALL, 0 }, viewport.t0_ns, viewport.t1_ns,
			columns, frame->totals_ns);
	for (int i = 0; i <= columns; i++)
		frame->edges_ns[i] = lane_edge(viewport.t0_ns, viewport.t1_ns, columns, i);
	if (!counter_range(trace, COUNTER_GOMAXPROCS, viewport.t0_ns, viewport.t1_ns, &least,
		    &frame->processors))
		frame->processors = 0;
}

/* Columns of the charts, for which the axes are measured first. */
static int
columns_for(const struct canvas *canvas, int left)
{
	int columns = canvas->width - left - 1;
	return columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
}

/* Each panel has its words and one row; what is left is shared by parts, the last one has the rest. */
static void
draw_panels(struct frame *frame)
{
	enum { LEAST = 2 };
	int parts = 0, left = 0, y = FIRST_PANEL_ROW;
	for (int i = 0; i < PANELS; i++) {
		bool is_shown = is_there(frame, &frame->panels[i]);
		parts += is_shown ? frame->panels[i].parts : 0;
		left += is_shown;
	}
	int end = frame->canvas->height - 1, rest = end - FIRST_PANEL_ROW - left * LEAST;
	chart_time_draw_ruler(
		frame->session, frame->canvas, frame->left, RULER_ROW, frame->columns);
	for (int i = 0; i < PANELS && y + LEAST <= end; i++) {
		if (!is_there(frame, &frame->panels[i]))
			continue;
		int height = LEAST + (rest > 0 ? rest * frame->panels[i].parts / parts : 0);
		if (--left == 0)
			height = end - y;
		draw_panel(frame, &frame->panels[i], y, height);
		y += height;
	}
}

/* What is drawn, and where the mouse finds it; without columns nothing is. */
struct page {
	int left, columns;
};

/* As wide as the axes leave it, which are measured with the usual room for them. */
static void
lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	static const int usual_left = 6;
	struct page *page = analysis->state;
	int columns = columns_for(canvas, usual_left);
	struct frame frame;
	*page = (struct page){ 0 };
	if (columns < 1)
		return;
	measure(&frame, analysis, session, columns);
	if (frame.totals_ns != NULL) {
		int left = left_cells(&frame, canvas->height / PANELS, canvas->ascii);
		int rest = columns_for(canvas, left);
		if (rest > 0 && rest <= columns)
			*page = (struct page){ left, rest };
	}
	memory_free(frame.totals_ns);
}

static void
draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct page *page = analysis->state;
	struct frame frame;
	if (page->columns == 0)
		return;
	measure(&frame, analysis, session, page->columns);
	frame.canvas = canvas;
	frame.left = page->left;
	if (frame.totals_ns != NULL)
		draw_panels(&frame);
	memory_free(frame.totals_ns);
}

/* ---- the analysis: without a filter all of it is asked of the index at each frame */

static void
release(void *made)
{
	struct numbers *numbers = made;
	class_times_release(&numbers->times);
	memory_free(numbers);
}

/* The classes that a panel shows. */
static class_mask
shown_classes(void)
{
	class_mask mask = 0;
	for (int i = 0; i < FORMS * PANELS * LAYERS; i++)
		mask |= panels[i / (PANELS * LAYERS)][i / LAYERS % PANELS].masks[i % LAYERS];
	return mask;
}

/* Of all times: the charts are of what the timeline shows, whatever is marked. */
static void *
build(struct analysis_work *work, struct error *err)
{
	const struct trace *trace = work->trace;
	struct class_times_scope scope = { shown_classes(), trace->start_ns, trace->end_ns,
		work->only, &work->watch };
	struct numbers *numbers = array_new(1, sizeof *numbers, err);
	if (numbers == NULL || work->only == NULL)
		return numbers;
	numbers->is_limited = true;
	search_watch_expect(&work->watch, trace_state_count(trace));
	if (class_times_build(&numbers->times, trace, &scope, err))
		return numbers;
	release(numbers);
	return NULL;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	text_add_string(out, titles[analysis->form]);
}

/* To the beginning of a mark phase before or after the cursor. */
static struct view_answer
go_to_cycle(struct session *session, int columns, bool is_next, long count)
{
	const struct lane lane = { LANE_GC, 0 };
	struct span span;
	int64_t t_ns = session->cursor_ns;
	bool has_moved = false;
	while (count-- > 0 &&
		(is_next ? lane_next(session->trace, lane, t_ns + 1, CLASS_MASK_ALL, &span)
			 : lane_previous(session->trace, lane, t_ns, CLASS_MASK_ALL, &span))) {
		t_ns = span.start_ns;
		has_moved = true;
	}
	if (has_moved)
		session_go_to(session, columns, t_ns);
	else
		session_status(session, false, "there is no collection %s",
			is_next ? "after this" : "before this");
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}

static struct view_answer
leave(const struct analysis *analysis, struct session *session)
{
	if (analysis->form == FORM_HEAP) {
		session->lane = (struct lane){ LANE_GC, 0 };
		session->has_lane = true;
	}
	return (struct view_answer){ .reaction = VIEW_LEAVE };
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	const struct page *page = analysis->state;
	(void)argument;
	if (command == COMMAND_OPEN)
		return leave(analysis, session);
	if (page->columns == 0)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (command == COMMAND_UP || command == COMMAND_DOWN)
		return go_to_cycle(session, page->columns, command == COMMAND_DOWN, count);
	return chart_time_command(session, page->columns, command, count);
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	const struct page *page = analysis->state;
	if (page->columns == 0)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return chart_time_mouse(session, page->left, page->columns, mouse);
}

const struct analysis_ops utilisation_analysis = {
	.is_chart = true,
	.limits = ANALYSIS_BY_QUERY,
	.build = build,
	.release = release,
	.state_size = sizeof(struct page),
	.title = title,
	.command = command,
	.mouse = mouse,
	.lay_out = lay_out,
	.draw = draw,
};
