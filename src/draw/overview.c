/* The whole trace in a few cells. */
#include "draw/overview.h"

#include <assert.h>

#include "base/checked.h"
#include "draw/parts_words.h"
#include "draw/strip.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

static int64_t
running_of(const int64_t totals_ns[CLASS_COUNT])
{
	return saturating_add_i64(totals_ns[CLASS_RUNNING],
		saturating_add_i64(totals_ns[CLASS_WORKER], totals_ns[CLASS_SYSCALL]));
}

static uint8_t
level_of(const int64_t totals_ns[CLASS_COUNT], int64_t most_ns)
{
	int64_t running_ns[LOOK_COUNT] = { 0 };
	running_ns[CLASS_RUNNING] = running_of(totals_ns);
	return most_ns == 0 ? 0 : strip_cell(running_ns, most_ns).level;
}

/* Outside of the first and last cell that the viewport touches, where there is room. */
static void
put_brackets(struct canvas *canvas, int x, int y, int cells, int first, int last)
{
	const struct cell_style style = { .fg = STYLE_TEXT_BRIGHT, .bg = STYLE_BAR };
	if (first > 0)
		canvas_put(canvas, x + first - 1, y, style, "[");
	if (last + 1 < cells)
		canvas_put(canvas, x + last + 1, y, style, "]");
}

void
overview_fill(struct overview *overview, const struct trace *trace, uint32_t number, int cells)
{
	assert(cells > 0 && cells <= OVERVIEW_MOST_CELLS);
	if (overview->trace == trace && overview->number == number && overview->cells == cells)
		return;
	int64_t totals_ns[OVERVIEW_MOST_CELLS][CLASS_COUNT], most_ns = 0;
	struct viewport whole = viewport_whole(viewport_extent(trace->end_ns), cells);
	lane_cells(trace, (struct lane){ LANE_ALL, 0 }, whole.t0_ns, whole.t1_ns, cells, totals_ns);
	for (int i = 0; i < cells; i++) {
		if (running_of(totals_ns[i]) > most_ns)
			most_ns = running_of(totals_ns[i]);
	}
	*overview = (struct overview){ .trace = trace, .number = number, .cells = cells };
	for (int i = 0; i < cells; i++)
		overview->levels[i] = level_of(totals_ns[i], most_ns);
}

void
overview_draw(struct canvas *canvas, int x, int y, const struct overview *overview,
	struct viewport viewport)
{
	int cells = overview->cells;
	struct viewport whole = viewport_whole(viewport_extent(overview->trace->end_ns), cells);
	int first = viewport_cell(whole, cells, viewport.t0_ns);
	int last = viewport_cell(whole, cells, viewport.t1_ns - 1);
	for (int i = 0; i < cells; i++) {
		bool is_shown = first <= i && i <= last;
		struct bar_look look = {
			.style = is_shown ? STYLE_RUNNING : STYLE_TEXT_DIM,
			.ground = is_shown ? STYLE_CURSOR : STYLE_BAR,
			.low = '.',
			.high = '#',
		};
		strip_put_bar(canvas, x + i, y, &look, overview->levels[i]);
	}
	parts_hatch(canvas, (struct cell_run){ x, y, cells }, whole, &overview->trace->parts);
	if (canvas->monochrome || canvas->ascii)
		put_brackets(canvas, x, y, cells, first, last);
}
