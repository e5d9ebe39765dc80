/* Charts of areas. */
#include "draw/area.h"

static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

int
area_level(const struct area *area, double share)
{
	int most = area->height * AREA_EIGHTHS;
	if (!(share > 0))
		return 0;
	if (share >= 1)
		return most;
	int level = (int)(share * most + 0.5);
	return level < 1 ? 1 : level;
}

/* What one cell holds: eighths of each layer. */
struct cell_parts {
	int eighths[AREA_MOST_LAYERS];
	int covered;
	int lowest;  /* layer, -1 for none */
	int largest; /* layer, -1 for none */
};

static struct cell_parts
parts_of(const struct area *area, const int *tops, int floor)
{
	struct cell_parts parts = { .lowest = -1, .largest = -1 };
	int from = floor;
	for (int i = 0; i < area->layer_count; i++) {
		int top = tops[i] < floor + AREA_EIGHTHS ? tops[i] : floor + AREA_EIGHTHS;
		parts.eighths[i] = top > from ? top - from : 0;
		from = top > from ? top : from;
		if (parts.eighths[i] == 0)
			continue;
		parts.covered += parts.eighths[i];
		if (parts.lowest < 0)
			parts.lowest = i;
		if (parts.largest < 0 || parts.eighths[i] > parts.eighths[parts.largest])
			parts.largest = i;
	}
	return parts;
}

/* What stands above the lowest layer of a cell: the ground, or the layer that takes most there. */
static uint8_t
ground_of(const struct area *area, const struct cell_parts *parts)
{
	int most = AREA_EIGHTHS - parts->covered;
	uint8_t style = STYLE_DEFAULT;
	for (int i = parts->lowest + 1; i < area->layer_count; i++) {
		if (parts->eighths[i] > most) {
			most = parts->eighths[i];
			style = area->layers[i].style;
		}
	}
	return style;
}

static void
put_colored(const struct area *area, int x, int y, const struct cell_parts *parts)
{
	const struct cell_style style = { .fg = area->layers[parts->lowest].style,
		.bg = ground_of(area, parts) };
	canvas_put(area->canvas, x, y, style, blocks[parts->eighths[parts->lowest] - 1]);
}

static void
put_plain(const struct area *area, int x, int y, const struct cell_parts *parts)
{
	const struct area_layer *layer = &area->layers[parts->largest];
	const struct cell_style style = { .fg = layer->style };
	char glyph[2] = { parts->covered * 2 < AREA_EIGHTHS ? layer->low : layer->high };
	bool is_block = layer->is_block && !area->canvas->ascii;
	canvas_put(area->canvas, x, y, style, is_block ? blocks[parts->covered - 1] : glyph);
}

void
area_draw_column(const struct area *area, int column, const int *tops)
{
	for (int row = 0; row < area->height; row++) {
		int x = area->x + column, y = area->y + area->height - 1 - row;
		struct cell_parts parts = parts_of(area, tops, row * AREA_EIGHTHS);
		if (parts.covered == 0)
			return;
		if (area->canvas->ascii || area->canvas->monochrome)
			put_plain(area, x, y, &parts);
		else
			put_colored(area, x, y, &parts);
	}
}

void
area_draw_line(const struct area *area, int column, int level, uint8_t style)
{
	static const char *const lines[] = { "▁", "─", "▔" };
	const struct cell_style look = { .fg = style };
	int row = (level - 1) / AREA_EIGHTHS;
	int x = area->x + column, y = area->y + area->height - 1 - row;
	const struct cell *cell = canvas_at(area->canvas, x, y);
	if (level < 1 || row >= area->height || cell == NULL || cell->text[0] != '\0')
		return;
	const char *line = lines[(level - 1) % AREA_EIGHTHS * 3 / AREA_EIGHTHS];
	canvas_put(area->canvas, x, y, look, area->canvas->ascii ? "-" : line);
}

void
area_draw_cursor(struct canvas *canvas, int x, int y, int height)
{
	for (int row = y; row < y + height; row++) {
		struct cell *cell = canvas_at(canvas, x, row);
		if (cell == NULL)
			return;
		bool is_solid = strcmp(cell->text, "█") == 0;
		if (is_solid) {
			const struct cell_style style = { cell->fg, STYLE_CURSOR_CELL, 0 };
			canvas_put(canvas, x, row, style, "▓");
		} else if (canvas->ascii && cell->text[0] != '\0') {
			cell->attributes |= CELL_REVERSE;
		}
		canvas_underlay(canvas, x, row, 1, STYLE_CURSOR);
	}
}

const char *
area_legend_glyph(const struct canvas *canvas, const struct area_layer *layer, char out[2])
{
	bool is_plain = canvas->ascii || (canvas->monochrome && !layer->is_block);
	out[0] = layer->high;
	out[1] = '\0';
	return is_plain ? out : "▇";
}
