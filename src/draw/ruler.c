/* The ruler. */
#include "draw/ruler.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "trace/lane.h"
#include "trace/notes.h"

#include <string.h>

enum { TICKS_APART = 11 }; /* room for a label of ten cells */

/* What `apart` cells take at least, small enough to reckon with. */
static int64_t
least_step(struct viewport viewport, int cells, int apart)
{
	int64_t per_cell_ns = viewport_span(viewport) / cells;
	return per_cell_ns > INT64_MAX / 16 / apart ? INT64_MAX / 16 : per_cell_ns * apart;
}

static int64_t
decimal_step(int64_t least_ns)
{
	static const int64_t factors[] = { 1, 2, 5 };
	for (int64_t power = 1; power < INT64_MAX / 100; power *= 10) {
		for (size_t i = 0; i < ARRAY_LENGTH(factors); i++) {
			if (factors[i] * power >= least_ns)
				return factors[i] * power;
		}
	}
	return INT64_MAX / 16;
}

/* Steps that divide minutes, hours and days as clocks do. */
static int64_t
clock_step(int64_t least_ns)
{
	static const int64_t seconds[] = { 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
		10800, 21600, 43200 };
	const int64_t ns_per_s = 1000000000, s_per_day = 86400;
	if (least_ns <= 5 * ns_per_s)
		return decimal_step(least_ns);
	for (size_t i = 0; i < ARRAY_LENGTH(seconds); i++) {
		if (seconds[i] * ns_per_s >= least_ns)
			return seconds[i] * ns_per_s;
	}
	return (least_ns / (s_per_day * ns_per_s) + 1) * s_per_day * ns_per_s;
}

/*
 * The least step of 1, 2 or 5 times a power of ten nanoseconds of which ticks stand at
 * least `apart` cells from each other.
 */
static int64_t
step_between(struct viewport viewport, int cells, int apart)
{
	return decimal_step(least_step(viewport, cells, apart));
}

void
ruler_hatch(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
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

/* Cells with something in them, and those of them that tell of damage. */
static int
count_taken(struct canvas *canvas, int x, int y, int cells, int *damaged)
{
	int count = 0;
	*damaged = 0;
	for (int i = 0; i < cells; i++) {
		const struct cell *cell = canvas_at(canvas, x + i, y);
		bool is_taken = cell->text[0] != '\0';
		count += is_taken;
		*damaged += is_taken && cell->fg == STYLE_ALERT;
	}
	return count;
}

/*
 * Where damage begins or ends within the label, or a note stands, that counts more than the label. Within
 * damage the hatch shows between the labels, and they stand on its colour.
 */
static void
draw_tick(struct canvas *canvas, int x, int y, int room, const char *label)
{
	struct cell_style tick = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	int width = 1 + (int)text_width(label, strlen(label));
	if (width > room)
		width = 1;
	int damaged, none, taken = count_taken(canvas, x, y, width, &damaged);
	bool is_whole = taken == 0 || (damaged == width && width > 1);
	if (damaged > 0)
		tick = text = (struct cell_style){ .fg = STYLE_INK, .bg = STYLE_ALERT };
	if (is_whole || count_taken(canvas, x, y, 1, &none) == 0)
		canvas_put(canvas, x, y, tick, canvas->ascii ? "|" : "╷");
	if (is_whole)
		canvas_string(canvas, x + 1, y, width - 1, text, label);
}

/* What stands on the ruler at t, as a number of which round ones get a tick. */
static int64_t
reading(struct time_form form, int64_t t_ns)
{
	return form.wall != NULL ? wall_clock_at(form.wall, t_ns) : t_ns;
}

/* Times of the wall clock may be too wide for ticks that near: then they stand further apart. */
static int64_t
step_for(struct viewport viewport, int cells, struct time_form form)
{
	char label[UNITS_TEXT];
	if (form.wall == NULL)
		return step_between(viewport, cells, TICKS_APART);
	int64_t step_ns = clock_step(least_step(viewport, cells, TICKS_APART));
	time_form_write(label, form, viewport.t0_ns, step_ns, viewport.t1_ns);
	return clock_step(least_step(viewport, cells, (int)strlen(label) + 2));
}

void
ruler_draw(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	struct time_form form)
{
	int64_t step_ns = step_for(viewport, cells, form);
	int64_t t_ns = viewport.t0_ns;
	for (;;) {
		int64_t now_ns = reading(form, t_ns);
		int64_t wait_ns = (step_ns - now_ns % step_ns) % step_ns;
		if (wait_ns >= viewport.t1_ns - t_ns)
			return;
		t_ns += wait_ns;
		/* Where the wall clock was set in between, this is no round time. */
		if (reading(form, t_ns) - now_ns == wait_ns) {
			char label[UNITS_TEXT];
			int cell = viewport_cell(viewport, cells, t_ns);
			time_form_write(label, form, t_ns, step_ns, viewport.t1_ns);
			draw_tick(canvas, x + cell, y, cells - cell, label);
		}
		t_ns++;
	}
}

void
ruler_note(struct canvas *canvas, int x, int y, int cells, struct viewport viewport,
	const struct notes *notes)
{
	static const char *const letters[] = { [MARK_A] = "A", [MARK_B] = "B" };
	const struct cell_style mark = { STYLE_TEXT_BRIGHT, STYLE_SELECTION, CELL_BOLD };
	const struct cell_style bookmark = { STYLE_KEY, STYLE_DEFAULT, CELL_BOLD };
	for (size_t i = 0; i < notes->count; i++) {
		int64_t t_ns = notes->bookmarks[i].t_ns;
		if (viewport.t0_ns <= t_ns && t_ns < viewport.t1_ns)
			canvas_put(canvas, x + viewport_cell(viewport, cells, t_ns), y, bookmark,
				canvas->ascii ? "*" : "\u25bc");
	}
	for (size_t i = 0; i < MARK_COUNT; i++) {
		int64_t t_ns = notes->mark_ns[i];
		if (notes->has_mark[i] && viewport.t0_ns <= t_ns && t_ns < viewport.t1_ns)
			canvas_put(canvas, x + viewport_cell(viewport, cells, t_ns), y, mark,
				letters[i]);
	}
}
