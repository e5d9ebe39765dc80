/* What each character of the lanes looks like, in pixels of a cell. */
#include "draw/svg_shapes.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

enum { W = SVG_CELL_WIDTH, H = SVG_CELL_HEIGHT, EIGHTH_X = W / 8, EIGHTH_Y = H / 8 };

static void
add_rect(struct svg_shape *shape, int x, int y, int width, int height)
{
	if (width <= 0 || height <= 0 || shape->count == SVG_MAX_RECTS)
		return;
	shape->kind = SVG_RECTS;
	shape->rects[shape->count++] = (struct svg_rect){ x, y, width, height };
}

/* ---- U+2580 to U+259F: block elements */

/* U+2596 to U+259F, as bits: upper left 1, upper right 2, lower left 4, lower right 8. */
static const uint8_t quadrants[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };

static void
draw_quadrants(struct svg_shape *shape, uint8_t bits)
{
	for (int i = 0; i < 4; i++) {
		if ((bits >> i & 1) != 0)
			add_rect(shape, i % 2 * W / 2, i / 2 * H / 2, W / 2, H / 2);
	}
}

static void
draw_block(struct svg_shape *shape, uint32_t code_point)
{
	int n = (int)(code_point - 0x2580);
	if (n == 0) {
		add_rect(shape, 0, 0, W, H / 2);
	} else if (n <= 0x08) {
		add_rect(shape, 0, H - n * EIGHTH_Y, W, n * EIGHTH_Y);
	} else if (n <= 0x0f) {
		add_rect(shape, 0, 0, (0x10 - n) * EIGHTH_X, H);
	} else if (n == 0x10) {
		add_rect(shape, W / 2, 0, W / 2, H);
	} else if (n <= 0x13) {
		shape->kind = SVG_SHADE;
		shape->shade_percent = (n - 0x10) * 25;
	} else if (n == 0x14) {
		add_rect(shape, 0, 0, W, EIGHTH_Y);
	} else if (n == 0x15) {
		add_rect(shape, W - EIGHTH_X, 0, EIGHTH_X, H);
	} else {
		draw_quadrants(shape, quadrants[n - 0x16]);
	}
}

/* ---- U+2500 to U+257F: lines from the middle of the cell to its sides */

struct arms {
	uint16_t code_point;
	uint8_t up, right, down, left; /* thickness in pixels */
};

static const struct arms arm_table[] = {
	{ 0x2500, 0, 1, 0, 1 }, { 0x2501, 0, 2, 0, 2 }, { 0x2502, 1, 0, 1, 0 },
	{ 0x2503, 2, 0, 2, 0 }, { 0x250c, 0, 1, 1, 0 }, { 0x2510, 0, 0, 1, 1 },
	{ 0x2514, 1, 1, 0, 0 }, { 0x2518, 1, 0, 0, 1 }, { 0x251c, 1, 1, 1, 0 },
	{ 0x2524, 1, 0, 1, 1 }, { 0x252c, 0, 1, 1, 1 }, { 0x2534, 1, 1, 0, 1 },
	{ 0x253c, 1, 1, 1, 1 }, { 0x256d, 0, 1, 1, 0 }, { 0x256e, 0, 0, 1, 1 },
	{ 0x256f, 1, 0, 0, 1 }, { 0x2570, 1, 1, 0, 0 }, { 0x2574, 0, 0, 0, 1 },
	{ 0x2575, 1, 0, 0, 0 }, { 0x2576, 0, 1, 0, 0 }, { 0x2577, 0, 0, 1, 0 },
	{ 0x2578, 0, 0, 0, 2 }, { 0x2579, 2, 0, 0, 0 }, { 0x257a, 0, 2, 0, 0 },
	{ 0x257b, 0, 0, 2, 0 },
};

/* The row and column of pixels where a line of that thickness starts. */
enum { MIDDLE_X = W / 2 - 1, MIDDLE_Y = H / 2 - 1 };

static void
draw_arms(struct svg_shape *shape, const struct arms *arms)
{
	if (arms->left > 0 && arms->left == arms->right) {
		add_rect(shape, 0, MIDDLE_Y, W, arms->left);
	} else {
		add_rect(shape, 0, MIDDLE_Y, arms->left > 0 ? MIDDLE_X + 1 : 0, arms->left);
		add_rect(shape, MIDDLE_X, MIDDLE_Y, W - MIDDLE_X, arms->right);
	}
	add_rect(shape, MIDDLE_X, 0, arms->up, MIDDLE_Y + 1);
	add_rect(shape, MIDDLE_X, MIDDLE_Y, arms->down, H - MIDDLE_Y);
}

/* Dashed vertical lines, by how many dashes a cell has. */
static void
draw_vertical_dashes(struct svg_shape *shape, int dashes)
{
	int period = H / dashes;
	for (int i = 0; i < dashes; i++)
		add_rect(shape, MIDDLE_X, i * period + 1, 1, period * 5 / 8);
}

/* ---- signs */

struct sign {
	uint16_t code_point;
	uint8_t count;
	struct { int8_t x, y; } points[SVG_POINTS];
};

static const struct sign signs[] = {
	{ 0x25b2, 3, { { 4, 4 }, { 8, 12 }, { 0, 12 } } },        /* triangles: up */
	{ 0x25b4, 3, { { 4, 5 }, { 7, 11 }, { 1, 11 } } },
	{ 0x25b6, 3, { { 0, 4 }, { 8, 8 }, { 0, 12 } } },         /* right */
	{ 0x25b8, 3, { { 2, 5 }, { 7, 8 }, { 2, 11 } } },
	{ 0x25bc, 3, { { 0, 4 }, { 8, 4 }, { 4, 12 } } },         /* down */
	{ 0x25be, 3, { { 1, 6 }, { 7, 6 }, { 4, 11 } } },
	{ 0x25c0, 3, { { 8, 4 }, { 8, 12 }, { 0, 8 } } },         /* left */
	{ 0x25c2, 3, { { 6, 5 }, { 6, 11 }, { 1, 8 } } },
	{ 0x25c6, 4, { { 4, 4 }, { 8, 8 }, { 4, 12 }, { 0, 8 } } }, /* diamonds */
	{ 0x2b25, 4, { { 4, 4 }, { 8, 8 }, { 4, 12 }, { 0, 8 } } },
};

static void
draw_sign(struct svg_shape *shape, const struct sign *sign)
{
	shape->kind = SVG_POLYGON;
	shape->count = sign->count;
	for (int i = 0; i < sign->count; i++) {
		shape->points[i].x = sign->points[i].x;
		shape->points[i].y = sign->points[i].y;
	}
}

struct dashes {
	uint16_t code_point;
	bool is_vertical;
	uint8_t dashes; /* in a cell */
	enum svg_dash dash;
};

static const struct dashes dash_table[] = {
	{ 0x00b7, false, 1, SVG_DOT },    { 0x2504, false, 3, SVG_DASH_3 },
	{ 0x2506, true, 3, SVG_DASH_3 },  { 0x2508, false, 4, SVG_DASH_4 },
	{ 0x250a, true, 4, SVG_DASH_4 },  { 0x254c, false, 2, SVG_DASH_2 },
	{ 0x254e, true, 2, SVG_DASH_2 },
};

static void
draw_dashes(struct svg_shape *shape, const struct dashes *row)
{
	if (row->is_vertical) {
		draw_vertical_dashes(shape, row->dashes);
		return;
	}
	shape->kind = SVG_LINE;
	shape->dash = row->dash;
}

/* ---- U+2800 to U+28FF: braille, bits as the standard numbers the dots */

static void
draw_braille(struct svg_shape *shape, uint32_t bits)
{
	static const struct { uint8_t column, row; } dots[] = {
		{ 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 0, 3 }, { 1, 3 },
	};
	shape->kind = SVG_RECTS;
	for (size_t i = 0; i < ARRAY_LENGTH(dots); i++) {
		if ((bits >> i & 1) != 0)
			add_rect(shape, 1 + dots[i].column * W / 2, 1 + dots[i].row * H / 4, 2, 2);
	}
}

struct svg_shape
svg_shape_of(uint32_t code_point)
{
	struct svg_shape shape = { .kind = SVG_TEXT };
	if (code_point >= 0x2580 && code_point <= 0x259f)
		draw_block(&shape, code_point);
	if (code_point >= 0x2800 && code_point <= 0x28ff)
		draw_braille(&shape, code_point - 0x2800);
	for (size_t i = 0; i < ARRAY_LENGTH(arm_table); i++) {
		if (arm_table[i].code_point == code_point)
			draw_arms(&shape, &arm_table[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(dash_table); i++) {
		if (dash_table[i].code_point == code_point)
			draw_dashes(&shape, &dash_table[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(signs); i++) {
		if (signs[i].code_point == code_point)
			draw_sign(&shape, &signs[i]);
	}
	return shape;
}
