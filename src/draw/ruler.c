/* The ruler. */
#include "draw/ruler.h"

#include "base/banned.h"
#include "base/text.h"
#include "base/units.h"

#include <string.h>

enum { TICKS_APART = 11 }; /* room for a label of ten cells */

int64_t
ruler_step(struct viewport viewport, int cells, int apart)
{
	static const int64_t factors[] = { 1, 2, 5 };
	int64_t per_cell_ns = viewport_span(viewport) / cells;
	int64_t least_ns =
		per_cell_ns > INT64_MAX / 16 / apart ? INT64_MAX / 16 : per_cell_ns * apart;
	for (int64_t power = 1; power < INT64_MAX / 100; power *= 10) {
		for (size_t i = 0; i < ARRAY_LENGTH(factors); i++) {
			if (factors[i] * power >= least_ns)
				return factors[i] * power;
		}
	}
	return INT64_MAX / 16;
}

static void
draw_tick(struct canvas *canvas, int x, int y, int room, const char *label)
{
	const struct cell_style tick = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	int width = (int)text_width(label, strlen(label));
	canvas_put(canvas, x, y, tick, canvas->ascii ? "|" : "╷");
	if (width < room)
		canvas_string(canvas, x + 1, y, room - 1, text, label);
}

void
ruler_draw(struct canvas *canvas, int x, int y, int cells, struct viewport viewport)
{
	int64_t step_ns = ruler_step(viewport, cells, TICKS_APART);
	int64_t tick_ns = (viewport.t0_ns + step_ns - 1) / step_ns * step_ns;
	while (tick_ns < viewport.t1_ns) {
		char label[UNITS_TEXT];
		int cell = viewport_cell(viewport, cells, tick_ns);
		units_moment(label, tick_ns, step_ns, viewport.t1_ns, canvas->ascii);
		draw_tick(canvas, x + cell, y, cells - cell, label);
		tick_ns += step_ns;
	}
}
