/* How many procs were busy, how many goroutines waited for one or were in system calls, over time. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "draw/area.h"
#include "draw/axis.h"
#include "trace/lane.h"
#include "view/analysis_kinds.h"
#include "view/chart_time.h"

enum { MOST_COLUMNS = 1024, PANELS = 3, LAYERS = 2, TEXT_COLUMN = 1, RULER_ROW = 0, FIRST_PANEL_ROW = 1 };

/* One chart. A panel without a second layer has an empty mask there. */
static const struct panel {
	const char *name;
	struct area_layer layers[LAYERS];
	const char *layer_names[LAYERS];
	class_mask masks[LAYERS];
	bool has_procs; /* there are no more than GOMAXPROCS, which is the top of its axis */
	int parts;      /* of what height there is */
} panels[PANELS] = {
	{ "procs busy",
		{ { STYLE_RUNNING, true, '=', '#' }, { STYLE_GC_WORKER, false, 'm', 'M' } },
		{ "running", "collector" },
		{ CLASS_BIT(CLASS_RUNNING), CLASS_BIT(CLASS_GC_WORKER) }, true, 4 },
	{ "wait for a proc", { { STYLE_READY, true, ',', '+' } }, { "ready" },
		{ CLASS_BIT(CLASS_READY) }, false, 3 },
	{ "in system calls", { { STYLE_SYSCALL, true, 's', 'S' } }, { "threads" },
		{ CLASS_BIT(CLASS_SYSCALL) }, false, 3 },
};

/* What a frame shows. */
struct frame {
	const struct session *session;
	struct canvas *canvas;
	int left, columns; /* of the axes, and of the charts beside them */
	int cursor;        /* the column */
	uint64_t procs;    /* the most of GOMAXPROCS; 0: not known */
	int64_t (*totals_ns)[CLASS_COUNT];
	int64_t edges_ns[MOST_COLUMNS + 1];
};

/* How many of a layer there were on the average of a column. */
static double
average(const struct frame *frame, int column, class_mask mask)
{
	int64_t length_ns = frame->edges_ns[column + 1] - frame->edges_ns[column];
	double sum_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		sum_ns += (mask >> i & 1) != 0 ? (double)frame->totals_ns[column][i] : 0;
	return length_ns > 0 ? sum_ns / (double)length_ns : 0;
}

static struct axis
axis_of(const struct frame *frame, const struct panel *panel)
{
	double most = 0;
	for (int i = 0; i < frame->columns; i++) {
		double here = average(frame, i, panel->masks[0] | panel->masks[1]);
		most = here > most ? here : most;
	}
	if (panel->has_procs && (double)frame->procs > most)
		most = (double)frame->procs;
	return axis_from_zero(AXIS_COUNT, most);
}

/* ---- drawing */

static int
put(const struct frame *frame, int x, int y, uint8_t style, const char *string)
{
	const struct cell_style look = { .fg = style };
	return x + canvas_string(frame->canvas, x, y, frame->canvas->width - x, look, string);
}

/* "procs busy  ▇ running 2.31  ▇ collector 0.5  of 4", at the cursor. */
static void
draw_words(const struct frame *frame, const struct panel *panel, int y)
{
	char text[UNITS_TEXT], glyph[2];
	int x = put(frame, TEXT_COLUMN, y, STYLE_TEXT_BRIGHT, panel->name);
	for (int i = 0; i < LAYERS && panel->masks[i] != 0; i++) {
		x = put(frame, x + 2, y, panel->layers[i].style,
			area_legend_glyph(frame->canvas, &panel->layers[i], glyph));
		x = put(frame, x + 1, y, STYLE_TEXT_DIM, panel->layer_names[i]);
		snprintf(text, sizeof text, "%.2f", average(frame, frame->cursor, panel->masks[i]));
		x = put(frame, x + 1, y, STYLE_TEXT_BRIGHT, text);
	}
	if (!panel->has_procs || frame->procs == 0)
		return;
	units_count(text, frame->procs);
	put(frame, put(frame, x + 2, y, STYLE_TEXT_DIM, "of "), y, STYLE_TEXT_BRIGHT, text);
}

static void
draw_panel(const struct frame *frame, const struct panel *panel, int y, int height)
{
	struct axis axis = axis_of(frame, panel);
	struct area area = { frame->canvas, frame->left, y + 1, frame->columns, height - 1,
		panel->layers, panel->masks[1] != 0 ? LAYERS : 1 };
	draw_words(frame, panel, y);
	axis_draw_left(frame->canvas, 0, area.y, frame->left, area.height, &axis);
	for (int i = 0; i < frame->columns; i++) {
		double first = average(frame, i, panel->masks[0]);
		double both = average(frame, i, panel->masks[0] | panel->masks[1]);
		int tops[LAYERS] = { area_level(&area, axis_place(&axis, first)),
			area_level(&area, axis_place(&axis, both)) };
		area_draw_column(&area, i, tops);
		if (panel->has_procs && frame->procs > 0)
			area_draw_line(&area, i,
				area_level(&area, axis_place(&axis, (double)frame->procs)),
				STYLE_TEXT_DIM);
	}
	chart_time_draw_cursor(frame->session, frame->canvas, area.x, area.y, area.width, area.height);
}

/* As wide as the widest axis wants it, so that the charts line up. */
static int
left_cells(const struct frame *frame, int height)
{
	int cells = 0;
	for (int i = 0; i < PANELS; i++) {
		struct axis axis = axis_of(frame, &panels[i]);
		int here = axis_width(&axis, height, frame->canvas->ascii);
		cells = here > cells ? here : cells;
	}
	return cells;
}

static void
measure(struct frame *frame, int columns)
{
	struct viewport viewport = frame->session->viewport;
	const struct trace *trace = frame->session->trace;
	uint64_t least = 0;
	frame->columns = columns;
	frame->cursor = viewport_cell(viewport, columns, frame->session->cursor_ns);
	lane_cells(trace, (struct lane){ LANE_ALL, 0 }, viewport.t0_ns, viewport.t1_ns, columns,
		frame->totals_ns);
	for (int i = 0; i <= columns; i++)
		frame->edges_ns[i] = lane_edge(viewport.t0_ns, viewport.t1_ns, columns, i);
	if (!counter_range(trace, COUNTER_GOMAXPROCS, viewport.t0_ns, viewport.t1_ns, &least,
		    &frame->procs))
		frame->procs = 0;
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
	int parts = 0, y = FIRST_PANEL_ROW;
	int end = frame->canvas->height - 1, rest = end - FIRST_PANEL_ROW - PANELS * LEAST;
	for (int i = 0; i < PANELS; i++)
		parts += panels[i].parts;
	chart_time_draw_ruler(
		frame->session, frame->canvas, frame->left, RULER_ROW, frame->columns);
	for (int i = 0; i < PANELS && y + LEAST <= end; i++) {
		int height = LEAST + (rest > 0 ? rest * panels[i].parts / parts : 0);
		if (i + 1 == PANELS)
			height = end - y;
		draw_panel(frame, &panels[i], y, height);
		y += height;
	}
}

/* What was drawn last, for the keys and the mouse. */
struct page {
	int left, columns;
};

static void
draw(struct analysis *analysis, struct session *session, struct canvas *canvas)
{
	static const int usual_left = 6;
	struct error note;
	struct page *page = analysis->state;
	struct frame frame = { .session = session, .canvas = canvas };
	int columns = columns_for(canvas, usual_left);
	error_clear(&note);
	if (columns < 1)
		return;
	frame.totals_ns = array_new((size_t)columns, sizeof *frame.totals_ns, &note);
	if (frame.totals_ns == NULL)
		return;
	measure(&frame, columns);
	frame.left = left_cells(&frame, canvas->height / PANELS);
	columns = columns_for(canvas, frame.left);
	if (columns > 0 && columns <= frame.columns) {
		measure(&frame, columns);
		draw_panels(&frame);
		*page = (struct page){ frame.left, columns };
	}
	memory_free(frame.totals_ns);
}

/* ---- the analysis: all of it is asked of the index at each frame */

static void *
build(struct analysis_work *work, struct error *err)
{
	(void)work;
	return array_new(1, 1, err);
}

static void
title(const struct analysis *analysis, struct text *out)
{
	(void)analysis;
	text_add_string(out, "Utilisation");
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	const struct page *page = analysis->state;
	(void)argument;
	if (command == COMMAND_OPEN)
		return (struct view_answer){ .reaction = VIEW_LEAVE };
	if (page->columns == 0)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
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
	.build = build,
	.release = memory_free,
	.state_size = sizeof(struct page),
	.title = title,
	.command = command,
	.mouse = mouse,
	.draw = draw,
};
