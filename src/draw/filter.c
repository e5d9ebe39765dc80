/* Cells that step back, or go. */
#include "draw/filter.h"

#include "analysis/task_match.h"
#include "query/search.h"

static bool
is_filtered(struct lane lane)
{
	return lane.type < LANE_GC;
}

/* The shape stays and loses its colours; without colours a dot stands for it. */
static void
step_back(struct canvas *canvas, int x, int y)
{
	struct cell *cell = canvas_at(canvas, x, y);
	if (cell == NULL || (cell->text[0] == '\0' && cell->bg == STYLE_DEFAULT))
		return;
	if (canvas->ascii || canvas->monochrome) {
		canvas_put(canvas, x, y, (struct cell_style){ .fg = STYLE_TEXT_DIM },
			canvas->ascii ? "." : "·");
		return;
	}
	cell->fg = STYLE_RULE;
	cell->bg = STYLE_DEFAULT;
	cell->attributes &= CELL_REVERSE;
}

void
filter_marked_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
	const bool *marks)
{
	const struct cell_style blank = { .fg = STYLE_DEFAULT };
	for (int i = 0; i < run.cells; i++) {
		if (marks[i])
			continue;
		if (filter->hides)
			canvas_put(canvas, run.x + i, run.y, blank, " ");
		else
			step_back(canvas, run.x + i, run.y);
	}
}

void
filter_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
	struct lane lane, struct viewport viewport, bool *marks)
{
	if (filter->search == NULL || !is_filtered(lane))
		return;
	search_cells(filter->search, lane, viewport.t0_ns, viewport.t1_ns, run.cells, marks);
	filter_marked_cells(filter, canvas, run, marks);
}

void
filter_task_cells(const struct filter *filter, struct canvas *canvas, struct cell_run run,
	const struct task_life *life, struct viewport viewport, bool *marks)
{
	if (filter->search == NULL)
		return;
	task_life_match_cells(
		life, filter->search, viewport.t0_ns, viewport.t1_ns, run.cells, marks);
	filter_marked_cells(filter, canvas, run, marks);
}

bool
filter_matches(const struct filter *filter, struct lane lane)
{
	return filter->search == NULL || !is_filtered(lane) ||
	       search_has_any(filter->search, lane);
}

void
filter_label(struct canvas *canvas, int x, int y, int cells)
{
	for (int i = 0; i < cells; i++) {
		struct cell *cell = canvas_at(canvas, x + i, y);
		if (cell != NULL && cell->bg == STYLE_DEFAULT) {
			cell->fg = STYLE_TEXT_DIM;
			cell->attributes = 0;
		}
	}
}
