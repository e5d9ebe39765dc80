/* Maps of counts in half blocks, or in glyphs that grow darker. */
#include "draw/heat_map.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { ROWS_PER_LINE = 2 };

static bool
is_plain(const struct canvas *canvas)
{
	return canvas->ascii || canvas->monochrome;
}

int
heat_map_step(uint32_t count, uint32_t most)
{
	if (count == 0)
		return 0;
	if (count >= most)
		return HEAT_STEPS;
	return 1 + (int)(log((double)count) / log((double)most) * (HEAT_STEPS - 1) + 0.5);
}

int
heat_map_rows_per_line(const struct canvas *canvas)
{
	return is_plain(canvas) ? 1 : ROWS_PER_LINE;
}

static uint8_t
style_of(int step)
{
	return step == 0 ? STYLE_DEFAULT : (uint8_t)(STYLE_HEAT_FIRST + step - 1);
}

static const char *
plain_glyph(const struct canvas *canvas, int step)
{
	static const char *const shades[] = { "", "·", ":", "+", "░", "▒", "▓", "█" };
	static const char *const signs[] = { "", ".", ":", "-", "+", "*", "#", "@" };
	return canvas->ascii ? signs[step] : shades[step];
}

/* Rows beyond the last are empty. */
static int
step_at(const struct heat *heat, int column, int row)
{
	return row < heat->scale.rows ? heat_map_step(heat_at(heat, column, row), heat->most) : 0;
}

static bool
is_at(struct heat_cursor cursor, int column, int row)
{
	return cursor.column == column && cursor.row == row;
}

/* The style of a row's half of a cell. */
static uint8_t
half_style(const struct heat *heat, struct heat_cursor cursor, int column, int row)
{
	return is_at(cursor, column, row) ? STYLE_MATCH : style_of(step_at(heat, column, row));
}

static void
put_halves(struct canvas *canvas, int x, int y, uint8_t lower, uint8_t upper)
{
	if (upper == STYLE_DEFAULT && lower == STYLE_DEFAULT)
		return;
	if (upper == lower)
		canvas_put(canvas, x, y, (struct cell_style){ .fg = upper }, "█");
	else if (upper == STYLE_DEFAULT)
		canvas_put(canvas, x, y, (struct cell_style){ .fg = lower }, "▄");
	else
		canvas_put(canvas, x, y, (struct cell_style){ .fg = upper, .bg = lower }, "▀");
}

static void
put_plain(struct canvas *canvas, int x, int y, int step, bool is_here)
{
	struct cell_style style = { .fg = style_of(step),
		.attributes = is_here ? CELL_REVERSE : 0 };
	if (step > 0 || is_here)
		canvas_put(canvas, x, y, style, step > 0 ? plain_glyph(canvas, step) : " ");
}

/* Row and column of the cursor, wherever the ground is free. */
static void
draw_cursor(struct canvas *canvas, int x, int y, int height, const struct heat *heat,
	struct heat_cursor cursor)
{
	if (cursor.column < 0)
		return;
	int line = y + height - 1 - cursor.row / heat_map_rows_per_line(canvas);
	canvas_underlay(canvas, x, line, heat->columns, STYLE_CURSOR_ROW);
	for (int row = 0; row < height; row++)
		canvas_underlay(canvas, x + cursor.column, y + row, 1, STYLE_CURSOR);
}

void
heat_map_draw(struct canvas *canvas, int x, int y, int height, const struct heat *heat,
	struct heat_cursor cursor)
{
	for (int line = 0; line < height; line++) {
		int row = line * heat_map_rows_per_line(canvas), at = y + height - 1 - line;
		for (int i = 0; i < heat->columns; i++) {
			if (is_plain(canvas))
				put_plain(canvas, x + i, at, step_at(heat, i, row),
					is_at(cursor, i, row));
			else
				put_halves(canvas, x + i, at, half_style(heat, cursor, i, row),
					half_style(heat, cursor, i, row + 1));
		}
	}
	draw_cursor(canvas, x, y, height, heat, cursor);
}

int
heat_map_legend(struct canvas *canvas, int x, int y, int cells, const struct heat *heat)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	char most[UNITS_TEXT];
	units_count(most, heat->most);
	int used = canvas_string(canvas, x, y, cells, dim, "1 ");
	for (int step = 1; step <= HEAT_STEPS && used < cells; step++, used++)
		canvas_put(canvas, x + used, y, (struct cell_style){ .fg = style_of(step) },
			is_plain(canvas) ? plain_glyph(canvas, step) : "█");
	used += canvas_string(canvas, x + used, y, cells - used, dim, " ");
	return used + canvas_string(canvas, x + used, y, cells - used, dim, most);
}

void
heat_map_draw_axis(struct canvas *canvas, int x, int y, int width, int height,
	const struct heat_scale *scale)
{
	const struct cell_style rule = { .fg = STYLE_RULE }, text = { .fg = STYLE_TEXT_DIM };
	int64_t last_ns = heat_row_start_ns(scale, scale->rows - 1);
	int before = -1, per_line = heat_map_rows_per_line(canvas);
	for (int row = 0; row < height; row++)
		canvas_put(canvas, x + width - 1, y + row, rule, canvas->ascii ? "|" : "│");
	for (int64_t power = 1; power <= last_ns && power < INT64_MAX / 10; power *= 10) {
		char label[UNITS_TEXT];
		int line = heat_row(scale, power) / per_line, at = y + height - 1 - line;
		bool is_below = power < heat_row_start_ns(scale, 1) && scale->rows > 1;
		if (line == before || line >= height || is_below)
			continue;
		before = line;
		units_duration(label, power, canvas->ascii);
		int cells = (int)text_width(label, strlen(label));
		canvas_string(canvas, x + width - 2 - cells, at, cells, text, label);
		canvas_put(canvas, x + width - 1, at, rule, canvas->ascii ? "+" : "┤");
	}
}
