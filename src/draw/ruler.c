/* The ruler. */
#include "draw/ruler.h"

#include "base/banned.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "trace/lane.h"

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
hatch(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct damage_map *damage)
{
	const struct cell_style alert = { .fg = STYLE_ALERT };
	for (int i = 0; i < cells && damage->count > 0; i++) {
		enum damage_extent extent = damage_map_extent(damage,
			lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i),
			lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1));
		canvas_put(canvas, x + i, y, alert, damage_glyph(canvas, extent));
	}
}

static int
count_hatched(struct canvas *canvas, int x, int y, int cells)
{
	int count = 0;
	for (int i = 0; i < cells; i++)
		count += canvas_at(canvas, x + i, y)->text[0] != '\0';
	return count;
}

/*
 * Where damage begins or ends within the label, that counts more than the label. Within
 * damage the hatch shows between the labels.
 */
static void
draw_tick(struct canvas *canvas, int x, int y, int room, const char *label)
{
	const struct cell_style tick = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	int width = 1 + (int)text_width(label, strlen(label));
	if (width > room)
		width = 1;
	int hatched = count_hatched(canvas, x, y, width);
	bool is_whole = hatched == 0 || (hatched == width && width > 1);
	if (is_whole || count_hatched(canvas, x, y, 1) == 0)
		canvas_put(canvas, x, y, tick, canvas->ascii ? "|" : "╷");
	if (is_whole)
		canvas_string(canvas, x + 1, y, width - 1, text, label);
}

void
ruler_draw(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct damage_map *damage)
{
	hatch(canvas, x, y, cells, viewport, damage);
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
