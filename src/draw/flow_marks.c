/* Ends of flows in their cells, and what joins them. */
#include "draw/flow_marks.h"

#include <string.h>

#include "base/compiler.h"

enum {
	NEAR_ROWS = 12,   /* rows that a line may cross */
	MOST_IN_CELL = 4, /* flows of one column that are drawn: more tell no more */
	NO_LINE = -1,
};

/* The line of the screen that shows a lane, NO_LINE for none. */
static int
line_of(const struct timeline_scene *scene, const struct timeline_layout *layout, struct lane lane)
{
	for (int line = 0; line < layout->row_lines; line++) {
		size_t row = timeline_row_at(layout, scene->first_row, line);
		struct lane here;
		if (row < scene->rows->count && row_lane(scene->rows, row, &here) &&
			here.type == lane.type && here.ref == lane.ref)
			return line;
	}
	return NO_LINE;
}

/* A bar of the cell's colour becomes its ground. */
static void
put_mark(struct canvas *canvas, int x, int y, const char *glyph)
{
	struct cell *cell = canvas_at(canvas, x, y);
	if (cell == NULL)
		return;
	bool is_bar = cell->fg >= STYLE_RUNNING && cell->fg < STYLE_COUNT &&
		      cell->bg == STYLE_DEFAULT && strcmp(cell->text, "▇") == 0;
	struct cell_style style = { STYLE_TEXT_BRIGHT, cell->bg, CELL_BOLD };
	if (cell->fg == STYLE_INK)
		style.fg = STYLE_INK;
	if (is_bar)
		style = (struct cell_style){ STYLE_INK, cell->fg, CELL_BOLD };
	canvas_put(canvas, x, y, style, glyph);
}

/* Only where nothing stands, or the line of a wait. */
static void
put_line(struct canvas *canvas, int x, int y)
{
	static const char *const free_texts[] = { "", " ", "─", "┄", "┈", "╌", "·", "-", "." };
	struct cell *cell = canvas_at(canvas, x, y);
	if (cell == NULL || cell->bg != STYLE_DEFAULT)
		return;
	for (size_t i = 0; i < ARRAY_LENGTH(free_texts); i++) {
		if (strcmp(cell->text, free_texts[i]) != 0)
			continue;
		canvas_put(canvas, x, y, (struct cell_style){ .fg = STYLE_TEXT_BRIGHT },
			canvas->ascii ? "|" : "│");
		return;
	}
}

static void
draw_flow(struct canvas *canvas, int x, const struct timeline_scene *scene,
	const struct timeline_layout *layout, const struct flow *flow)
{
	int from = line_of(scene, layout, flow->from), to = line_of(scene, layout, flow->to);
	int first = from < to ? from : to, last = from < to ? to : from;
	bool is_near = first != NO_LINE && last - first <= NEAR_ROWS;
	for (int line = first + 1; is_near && line < last; line++)
		put_line(canvas, x, layout->rows_y + line);
	if (from != NO_LINE)
		put_mark(canvas, x, layout->rows_y + from, canvas->ascii ? "o" : "●");
	if (to != NO_LINE && from <= to)
		put_mark(canvas, x, layout->rows_y + to, canvas->ascii ? "v" : "▼");
	else if (to != NO_LINE)
		put_mark(canvas, x, layout->rows_y + to, canvas->ascii ? "^" : "▲");
}

void
flow_marks_draw(struct canvas *canvas, const struct timeline_scene *scene,
	const struct timeline_layout *layout)
{
	struct viewport viewport = scene->viewport;
	int last_x = -1, in_cell = 0;
	for (size_t i = 0; i < scene->flows->count; i++) {
		const struct flow *flow = &scene->flows->items[i];
		if (flow->time_ns < viewport.t0_ns || flow->time_ns >= viewport.t1_ns)
			continue;
		int x = layout->label_cells + viewport_cell(viewport, layout->cells, flow->time_ns);
		in_cell = x == last_x ? in_cell + 1 : 1;
		last_x = x;
		if (in_cell <= MOST_IN_CELL)
			draw_flow(canvas, x, scene, layout, flow);
	}
}
