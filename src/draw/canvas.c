/*
 * The canvas: putting graphemes and text into cells. What keeps this from
 * being trivial are graphemes of two cells, which are never left half
 * overwritten, and combining marks, which share the cell of their base.
 */
#include "draw/canvas.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"

enum { FORMAT_BYTES = 512 }; /* formatted text up to this size needs no allocation */

static const struct cell blank_cell = { .fg = STYLE_DEFAULT, .bg = STYLE_DEFAULT };

bool
canvas_resize(struct canvas *canvas, int width, int height, struct error *err)
{
	assert(width >= 1 && height >= 1);
	size_t count = 0;
	if (!checked_mul_size((size_t)width, (size_t)height, &count))
		return error_set(err, ERROR_LIMIT, "a canvas of %d x %d cells is too large", width, height);
	if (!array_reserve(&canvas->cells, &canvas->capacity, count, sizeof *canvas->cells, err))
		return false;
	canvas->width = width;
	canvas->height = height;
	canvas_clear(canvas);
	return true;
}

void
canvas_clear(struct canvas *canvas)
{
	size_t count = (size_t)canvas->width * (size_t)canvas->height;
	for (size_t i = 0; i < count; i++)
		canvas->cells[i] = blank_cell;
}

void
canvas_release(struct canvas *canvas)
{
	memory_free(canvas->cells);
	canvas->cells = NULL;
	canvas->width = canvas->height = 0;
	canvas->capacity = 0;
}

struct cell *
canvas_at(struct canvas *canvas, int x, int y)
{
	if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
		return NULL;
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

static void
blank_text(struct cell *cell)
{
	memset(cell->text, 0, sizeof cell->text);
	cell->is_continued = false;
}

/* Blanks the other half if a wide grapheme covers (x, y): it is about to lose this one. */
static void
break_wide(struct canvas *canvas, int x, int y)
{
	struct cell *cell = canvas_at(canvas, x, y);
	struct cell *right = canvas_at(canvas, x + 1, y);
	if (cell->is_continued)
		blank_text(cell - 1);
	if (right != NULL && right->is_continued)
		blank_text(right);
}

static void
set_text(struct cell *cell, const char *glyph, size_t length)
{
	assert(length < CELL_BYTES);
	bool is_space = length == 1 && glyph[0] == ' ';
	if (is_space)
		length = 0;
	memset(cell->text, 0, sizeof cell->text);
	memcpy(cell->text, glyph, length);
	cell->is_continued = false;
}

/* Puts a grapheme of one or two cells, all of it inside the canvas. */
static void
place(struct canvas *canvas, struct cell_run run, struct cell_style style, const char *glyph,
      size_t length)
{
	for (int i = 0; i < run.cells; i++) {
		break_wide(canvas, run.x + i, run.y);
		struct cell *cell = canvas_at(canvas, run.x + i, run.y);
		assert(cell != NULL);
		set_text(cell, glyph, i == 0 ? length : 0);
		cell->fg = style.fg;
		cell->bg = style.bg;
		cell->attributes = style.attributes;
	}
	if (run.cells == 2)
		canvas_at(canvas, run.x + 1, run.y)->is_continued = true;
}

void
canvas_put(struct canvas *canvas, int x, int y, struct cell_style style, const char *glyph)
{
	if (canvas_at(canvas, x, y) == NULL)
		return;
	if (canvas->ascii && (unsigned char)glyph[0] > 0x7e)
		glyph = "?";
	place(canvas, (struct cell_run){ x, y, 1 }, style, glyph, strlen(glyph));
}

/* Where a text is being laid: columns x to end, those before 0 unseen. */
struct pen {
	struct canvas *canvas;
	struct cell_style style;
	int64_t x, end;
	int y;
	struct cell *last; /* the cell that a combining mark joins, NULL if there is none in sight */
};

static void
join_mark(struct pen *pen, const char *bytes, size_t length)
{
	if (pen->last == NULL)
		return;
	size_t used = strlen(pen->last->text);
	if (used == 0 || used + length >= CELL_BYTES)
		return;
	memcpy(pen->last->text + used, bytes, length);
}

static void
lay_grapheme(struct pen *pen, int width, const char *bytes, size_t length)
{
	pen->last = NULL;
	bool is_inside = pen->x >= 0;
	if (is_inside) {
		place(pen->canvas, (struct cell_run){ (int)pen->x, pen->y, width }, pen->style,
			bytes, length);
		pen->last = canvas_at(pen->canvas, (int)pen->x, pen->y);
	} else if (pen->x + width > 0) {
		/* Cut in two by the left edge: the half inside is blank. */
		place(pen->canvas, (struct cell_run){ 0, pen->y, 1 }, pen->style, "", 0);
	}
	pen->x += width;
}

/* Whether the canvas takes the character; all of safe text, unless the canvas is ASCII. */
static bool
can_hold(const struct canvas *canvas, struct text_char c)
{
	if (!c.is_valid || c.code_point < ' ')
		return false;
	if (c.code_point < 0x7f)
		return true;
	return !canvas->ascii && c.code_point >= 0xa0 && !text_is_hidden(c.code_point);
}

/* Lays one character; false when it no longer fits. */
static bool
lay_char(struct pen *pen, struct text_char c, const char *bytes)
{
	size_t length = c.length;
	if (!can_hold(pen->canvas, c)) {
		bytes = "?";
		length = 1;
		c.code_point = '?';
	}
	int width = text_width_of(c.code_point);
	if (width <= 0) {
		join_mark(pen, bytes, length);
		return true;
	}
	if (pen->x + width > pen->end)
		return false;
	lay_grapheme(pen, width, bytes, length);
	return true;
}

int
canvas_bytes(struct canvas *canvas, struct cell_run run, struct cell_style style, const char *safe,
             size_t length)
{
	if (run.y < 0 || run.y >= canvas->height || run.cells <= 0)
		return 0;
	int64_t end = (int64_t)run.x + run.cells;
	struct pen pen = {
		.canvas = canvas,
		.style = style,
		.x = run.x,
		.end = end < canvas->width ? end : canvas->width,
		.y = run.y,
	};
	for (size_t i = 0; i < length;) {
		struct text_char c = text_decode(safe + i, length - i);
		if (!lay_char(&pen, c, safe + i))
			break;
		i += c.length;
	}
	return (int)(pen.x - run.x);
}

int
canvas_text(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
            const struct text *safe)
{
	struct cell_run run = { x, y, max_cells };
	return canvas_bytes(canvas, run, style, safe->bytes, safe->length);
}

int
canvas_string(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
              const char *string)
{
	struct cell_run run = { x, y, max_cells };
	return canvas_bytes(canvas, run, style, string, strlen(string));
}

int
canvas_printf(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
              const char *format, ...)
{
	struct cell_run run = { x, y, max_cells };
	char fixed[FORMAT_BYTES];
	va_list args;
	va_start(args, format);
	int length = vsnprintf(fixed, sizeof fixed, format, args);
	va_end(args);
	if (length < 0)
		return 0;
	if ((size_t)length < sizeof fixed)
		return canvas_bytes(canvas, run, style, fixed, (size_t)length);

	/* Without memory for the whole of it, what fits in the fixed buffer has to do. */
	char *whole = memory_realloc(NULL, (size_t)length + 1);
	if (whole == NULL)
		return canvas_string(canvas, x, y, max_cells, style, fixed);
	va_start(args, format);
	length = vsnprintf(whole, (size_t)length + 1, format, args);
	va_end(args);
	int used = canvas_bytes(canvas, run, style, whole, (size_t)length);
	memory_free(whole);
	return used;
}

/* The part of [x, x + cells) inside the canvas; false when there is none. */
static bool
clip_run(const struct canvas *canvas, int x, int y, int cells, int *first, int *end)
{
	int64_t run_end = (int64_t)x + cells;
	if (y < 0 || y >= canvas->height || cells <= 0 || run_end <= 0 || x >= canvas->width)
		return false;
	*first = x < 0 ? 0 : x;
	*end = run_end < canvas->width ? (int)run_end : canvas->width;
	return true;
}

void
canvas_ground(struct canvas *canvas, int x, int y, int cells, uint8_t bg)
{
	int first = 0, end = 0;
	if (!clip_run(canvas, x, y, cells, &first, &end))
		return;
	for (int i = first; i < end; i++)
		canvas_at(canvas, i, y)->bg = bg;
}

/* The faint ground of a class gives way, so that a bar does not break the row it stands in. */
static bool
gives_way(uint8_t bg)
{
	return bg == STYLE_DEFAULT ||
	       (bg >= STYLE_FAINT + STYLE_RUNNING && bg < STYLE_FAINT + STYLE_STW);
}

void
canvas_underlay(struct canvas *canvas, int x, int y, int cells, uint8_t bg)
{
	int first = 0, end = 0;
	if (!clip_run(canvas, x, y, cells, &first, &end))
		return;
	for (int i = first; i < end; i++) {
		struct cell *cell = canvas_at(canvas, i, y);
		if (gives_way(cell->bg))
			cell->bg = bg;
	}
}
