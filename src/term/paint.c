/*
 * Copies a canvas to curses. Cells that did not change since the last time are
 * not even looked at by curses, which finds the fewest bytes for the others.
 * The terminal's own palette is never changed.
 */
#include "term/paint.h"

#include <curses.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "term/terminfo.h"

static enum color_depth
depth_of_terminal(void)
{
	if (!has_colors() || start_color() == ERR)
		return COLORS_NONE;
	if (terminfo_has_direct_color())
		return COLORS_DIRECT;
	if (COLORS >= 256)
		return COLORS_256;
	if (COLORS >= 16)
		return COLORS_16;
	return COLORS >= 8 ? COLORS_8 : COLORS_NONE;
}

void
paint_init(struct paint *paint, bool without_color)
{
	paint->depth = without_color ? COLORS_NONE : depth_of_terminal();
	paint->has_default_colors =
		paint->depth != COLORS_NONE && assume_default_colors(-1, -1) == OK;
	if (paint->has_default_colors && paint->depth >= COLORS_256 &&
	    init_extended_pair(1, -1, -1) == OK)
		paint->plain_pair = 1;
}

void
paint_release(struct paint *paint)
{
	canvas_release(&paint->shown);
}

void
paint_invalidate(struct paint *paint)
{
	paint->is_valid = false;
}

/* Curses' number of a colour; stand_in where the terminal has no default colours. */
static int
color_number(const struct paint *paint, uint32_t color, int stand_in)
{
	if (color != COLOR_TERMINAL)
		return (int)color;
	return paint->has_default_colors ? -1 : stand_in;
}

/* The pair of a look, 0 when there is none left: readable, if not as pretty. */
static int
pair_of(const struct paint *paint, const struct palette_look *look)
{
	if (paint->depth == COLORS_NONE)
		return 0;
	if (look->fg == COLOR_TERMINAL && look->bg == COLOR_TERMINAL)
		return paint->plain_pair;
	int pair = alloc_pair(color_number(paint, look->fg, COLOR_WHITE),
	                      color_number(paint, look->bg, COLOR_BLACK));
	return pair < 0 ? 0 : pair;
}

static attr_t
attributes_of(const struct palette_look *look)
{
	attr_t attributes = A_NORMAL;
	if ((look->attributes & CELL_BOLD) != 0)
		attributes |= A_BOLD;
	if ((look->attributes & CELL_UNDERLINE) != 0)
		attributes |= A_UNDERLINE;
	if ((look->attributes & CELL_REVERSE) != 0)
		attributes |= A_REVERSE;
	return attributes;
}

/* The characters of a cell's grapheme as curses takes them; returns the cells of its base. */
static int
decode_grapheme(const struct cell *cell, wchar_t wide[CCHARW_MAX + 1])
{
	size_t length = strlen(cell->text);
	int count = 0, width = 1;
	for (size_t i = 0; i < length && count < CCHARW_MAX;) {
		struct text_char c = text_decode(cell->text + i, length - i);
		if (count == 0)
			width = text_width_of(c.code_point);
		wide[count++] = (wchar_t)c.code_point;
		i += c.length;
	}
	if (count == 0)
		wide[count++] = L' ';
	wide[count] = L'\0';
	return width;
}

/*
 * Where the C library counts other cells for a character than we do, curses would
 * shift the rest of the row: such a character is not shown.
 */
static void
distrust(wchar_t wide[CCHARW_MAX + 1], int width)
{
	bool is_agreed = width > 0 && wcwidth(wide[0]) == width;
	for (int i = 1; is_agreed && wide[i] != L'\0'; i++)
		is_agreed = wcwidth(wide[i]) == 0;
	if (is_agreed)
		return;
	wide[0] = L'?';
	wide[1] = L'\0';
}

static void
paint_cell(const struct paint *paint, const struct cell *cell, int x, int y)
{
	wchar_t wide[CCHARW_MAX + 1];
	int width = decode_grapheme(cell, wide);
	distrust(wide, width);
	struct palette_look look = palette_look(paint->palette, cell, paint->depth);
	int pair = pair_of(paint, &look);
	cchar_t out;
	if (setcchar(&out, wide, attributes_of(&look), 0, &pair) == ERR)
		return;
	/* ERR from the last cell of the screen only says that the cursor cannot go on. */
	mvadd_wch(y, x, &out);
	if (width == 2 && wide[0] == L'?') {
		wide[0] = L' ';
		setcchar(&out, wide, attributes_of(&look), 0, &pair);
		mvadd_wch(y, x + 1, &out);
	}
}

static void
paint_row(struct paint *paint, const struct canvas *canvas, int y)
{
	size_t start = (size_t)y * (size_t)canvas->width;
	const struct cell *row = canvas->cells + start;
	struct cell *old = paint->shown.cells + start;
	int width = canvas->width < COLS ? canvas->width : COLS;
	for (int x = 0; x < width; x++) {
		bool is_same = paint->is_valid && memcmp(&row[x], &old[x], sizeof row[x]) == 0;
		if (!is_same && !row[x].is_continued)
			paint_cell(paint, &row[x], x, y);
	}
	memcpy(old, row, (size_t)canvas->width * sizeof *row);
}

bool
paint_canvas(struct paint *paint, const struct canvas *canvas, const struct palette *palette,
             struct error *err)
{
	bool is_resized =
		paint->shown.width != canvas->width || paint->shown.height != canvas->height;
	if (is_resized || paint->palette != palette)
		paint->is_valid = false;
	if (is_resized && !canvas_resize(&paint->shown, canvas->width, canvas->height, err))
		return false;
	if (!paint->is_valid)
		erase();
	paint->palette = palette;
	int height = canvas->height < LINES ? canvas->height : LINES;
	for (int y = 0; y < height; y++)
		paint_row(paint, canvas, y);
	paint->is_valid = true;
	wnoutrefresh(stdscr);
	doupdate();
	return true;
}
