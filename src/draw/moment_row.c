/* Rows of things that are short and rare. */
#include "draw/moment_row.h"

#include "draw/span_name.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

enum { MOST_DIGIT = 9 };

static void
put_count(struct canvas *canvas, int x, int y, uint8_t style, uint32_t count)
{
	const struct cell_style look = { .fg = style };
	char digit[2] = "+";
	if (count <= MOST_DIGIT)
		digit[0] = (char)('0' + count);
	if (count == 1)
		canvas_put(canvas, x, y, look, canvas->ascii ? "|" : "│");
	else
		canvas_put(canvas, x, y, look, digit);
}

uint8_t
moment_row_style(enum wake_row row)
{
	static const uint8_t styles[WAKE_ROW_COUNT] = {
		[WAKE_NETWORK] = STYLE_NETWORK,
		[WAKE_TIMER] = STYLE_SLEEP,
		[WAKE_SYSCALL] = STYLE_SYSCALL,
	};
	return styles[row];
}

void
moment_row_put_wakes(struct canvas *canvas, int x, int y, enum wake_row row, uint32_t count)
{
	put_count(canvas, x, y, moment_row_style(row), count);
}

void
moment_row_draw_wakes(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport, enum wake_row row)
{
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; i < run.cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		uint32_t count = wake_count(trace, row, from_ns, until_ns);
		if (count > 0)
			moment_row_put_wakes(canvas, run.x + i, run.y, row, count);
	}
}

static uint32_t
samples_in_cell(const struct samples *samples, struct viewport viewport, int cells, int cell)
{
	return samples_count(samples, (struct lane){ LANE_ALL, 0 },
		lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell),
		lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell + 1));
}

void
moment_row_draw_samples(struct canvas *canvas, struct cell_run run,
	const struct samples *samples, struct viewport viewport)
{
	static const struct bar_look look = { STYLE_RUNNING, STYLE_DEFAULT, '=', '#' };
	uint32_t most = 0;
	for (int i = 0; i < run.cells; i++) {
		uint32_t count = samples_in_cell(samples, viewport, run.cells, i);
		most = count > most ? count : most;
	}
	for (int i = 0; i < run.cells; i++) {
		uint32_t count = samples_in_cell(samples, viewport, run.cells, i);
		if (count > 0 && most <= MOST_DIGIT)
			put_count(canvas, run.x + i, run.y, STYLE_RUNNING, count);
		else if (count > 0)
			strip_put_bar(canvas, run.x + i, run.y, &look,
				(int)(((uint64_t)count * STRIP_LEVELS + most - 1) / most));
	}
}

/* Bars of running in the colour of the lane. */
static void
recolor(struct canvas *canvas, int x, int y, int cells, uint8_t style)
{
	for (int i = 0; i < cells; i++) {
		struct cell *cell = canvas_at(canvas, x + i, y);
		if (cell == NULL)
			return;
		if (cell->fg == STYLE_RUNNING)
			cell->fg = style;
		if (cell->bg == STYLE_RUNNING)
			cell->bg = style;
		if (cell->bg == STYLE_RUNNING + STYLE_FAINT)
			cell->bg = (uint8_t)(style + STYLE_FAINT);
	}
}

void
moment_row_draw_ranges(struct canvas *canvas, int x, int y, const struct strip *strip,
	const struct strip_source *source, struct text *scratch)
{
	struct lane lane = strip->lane;
	uint8_t style = lane.type == LANE_STW ? STYLE_STW : STYLE_GC;
	strip_draw(canvas, x, y, strip, source->trace, scratch);
	recolor(canvas, x, y, strip->width, style);
	int64_t until_ns = source->viewport.t0_ns;
	for (int i = 0; i < strip->width; i++) {
		const struct strip_cell *cell = &strip->cells[i];
		int64_t from_ns = until_ns;
		until_ns = lane_edge(
			source->viewport.t0_ns, source->viewport.t1_ns, strip->width, i + 1);
		if (cell->shape != STRIP_BAR || cell->level > STRIP_LEVELS / 2 || cell->marks != 0)
			continue;
		put_count(canvas, x + i, y, style,
			lane_count(source->trace, lane, from_ns, until_ns));
	}
}
