/* Pictures without sense. */
#include "scramble.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

enum { RUNS = 200, FEW_RUNS = 5, LONGEST_RUN = 12 };

static uint32_t
next_below(uint64_t *random, uint32_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint32_t)(*random >> 11) % below;
}

static uint8_t
next_style(uint64_t *random)
{
	uint32_t style = next_below(random, 2 * STYLE_COUNT);
	if (style < STYLE_COUNT)
		return (uint8_t)style;
	return next_below(random, 2) == 0 ? STYLE_DEFAULT
					  : (uint8_t)(style - STYLE_COUNT + STYLE_FAINT);
}

static void
put_run(struct canvas *canvas, uint64_t *random, bool has_wide)
{
	static const char *const glyphs[] = { "", "", "▇", "▌", "─", "a", "ß", "日" };
	const char *glyph = glyphs[next_below(random, ARRAY_LENGTH(glyphs) - (has_wide ? 0 : 1))];
	struct cell_style style = { .fg = next_style(random), .bg = next_style(random) };
	int rows = canvas->height - SCRAMBLE_TOP - 1;
	int x = (int)next_below(random, (uint32_t)canvas->width);
	int y = SCRAMBLE_TOP + (int)next_below(random, (uint32_t)rows);
	int length = 1 + (int)next_below(random, LONGEST_RUN);
	if (next_below(random, 4) == 0)
		style.attributes = (uint8_t)next_below(random, 8);
	for (int end = x + length; x < end && x < canvas->width;) {
		int used = glyph[0] == '\0' ? 0 : canvas_string(canvas, x, y, 2, style, glyph);
		if (used == 0)
			canvas_put(canvas, x, y, style, "");
		x += used > 0 ? used : 1;
	}
}

/* Moves rows up or down; those that come in keep what they have. */
static void
move_rows(struct canvas *canvas, uint64_t *random)
{
	int rows = canvas->height - SCRAMBLE_TOP - 1, by = 1 + (int)next_below(random, 4);
	size_t width = (size_t)canvas->width;
	struct cell *top = canvas->cells + SCRAMBLE_TOP * width, *low = top + (size_t)by * width;
	bool is_up = next_below(random, 2) == 0;
	memmove(is_up ? top : low, is_up ? low : top,
		(size_t)(rows - by) * width * sizeof *top);
}

static bool
is_narrow(const struct cell *row, int width)
{
	for (int x = 0; x < width; x++) {
		if (row[x].is_continued)
			return false;
	}
	return true;
}

/* Moves the ends of some rows left or right; cells that come in keep what they have. */
static void
move_ends(struct canvas *canvas, uint64_t *random)
{
	int by = 1 + (int)next_below(random, 30), first = (int)next_below(random, 20);
	size_t width = (size_t)canvas->width, kept = width - (size_t)(first + by);
	bool is_left = next_below(random, 2) == 0;
	for (int y = SCRAMBLE_TOP; y < canvas->height - 1; y += 1 + (int)next_below(random, 2)) {
		struct cell *row = canvas->cells + (size_t)y * width, *left = row + first;
		if (is_narrow(row, canvas->width))
			memmove(is_left ? left : left + by, is_left ? left + by : left,
				kept * sizeof *left);
	}
}

void
scramble(struct canvas *canvas, uint64_t seed)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15 + 1;
	bool has_wide = seed / 8 % 2 == 1;
	int kind = (int)(seed % 3), runs = kind == 1 ? RUNS : FEW_RUNS;
	if (kind == 0)
		move_rows(canvas, &random);
	if (kind == 2)
		move_ends(canvas, &random);
	for (int i = 0; i < runs; i++)
		put_run(canvas, &random, has_wide);
}
