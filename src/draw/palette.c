/*
 * The palettes: one row per style, one column per kind of terminal. Few-colour
 * columns name the terminal's own sixteen, which its user has chosen.
 */
#include "draw/palette.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "draw/palette_rows.h"

#define NONE PALETTE_NONE

_Static_assert(PALETTE_NONE == COLOR_TERMINAL, "rows say it in the same way");

/*
 * Dark tints do not exist among the 256 colours (the darkest greens and blues of
 * the cube are loud), so there the classes have no faint ground: the block tells
 * its share against the terminal's own. A grey for all would tell no more, and
 * costs a line of 9600 baud, or a distant one, a fifth of all bytes.
 */
static const struct palette_row dark_rows[STYLE_COUNT] = {
	[STYLE_DEFAULT] = { NONE, NONE, NONE, NONE, NONE, NONE },
	[STYLE_TEXT_BRIGHT] = { 0xffffff, 0x31333a, 231, 236, 15, 7 },
	[STYLE_TEXT_DIM] = { 0x6b7280, 0x1e2129, 243, 234, 8, 7 },
	[STYLE_BAR] = { 0x1d222d, 0x171b24, 235, 234, 8, 4 },
	[STYLE_KEY] = { 0xe69f00, 0x2b2518, 214, 234, 11, 3 },
	[STYLE_RULE] = { 0x4a505c, 0x1a1d24, 240, 234, 8, 7 },
	[STYLE_CURSOR] = { 0x2a3140, 0x1d222d, 237, 235, 8, NONE },
	[STYLE_CURSOR_ROW] = { 0x1d222d, 0x171b24, 235, 234, 8, NONE },
	[STYLE_CURSOR_CELL] = { 0x4a566e, 0x2a3140, 241, 237, 7, NONE },
	[STYLE_SELECTION] = { 0x22385c, 0x1a2436, 238, 236, 4, 4 },
	[STYLE_MATCH] = { 0xffffff, 0x31333a, 231, 236, 15, 7 },
	[STYLE_MATCHED] = { 0x5b3a8c, 0x241d38, 54, 236, 5, 5 },
	[STYLE_ALERT] = { 0xff6b5e, 0x3a1e20, 203, 52, 9, 1 },
	[STYLE_MARK] = { 0xfff3c4, 0x3e4044, 230, 238, 15, 7 },
	[STYLE_INK] = { 0x12151c, 0x12151c, 16, 16, 0, 0 },
	[STYLE_RUNNING] = { 0x2bb38a, 0x152729, 36, NONE, 10, 2 },
	[STYLE_RUNNING_ALT] = { 0x1f8f6e, 0x142527, 29, NONE, 2, 2 },
	[STYLE_READY] = { 0xe69f00, 0x2b2518, 172, NONE, 3, 3 },
	[STYLE_SYSCALL] = { 0x56b4e9, 0x1c2c3a, 74, NONE, 14, 6 },
	[STYLE_SYNC] = { 0xd55e00, 0x2b1e18, 166, NONE, 1, 1 },
	[STYLE_NETWORK] = { 0x3a78c3, 0x172232, 68, NONE, 12, 4 },
	[STYLE_SLEEP] = { 0x7a7f8a, 0x20232a, 245, NONE, 7, 7 },
	[STYLE_IDLE] = { 0x4a505c, 0x191d24, 240, NONE, 8, 7 },
	[STYLE_OTHER] = { 0xb39c82, 0x272629, 138, NONE, 7, 7 },
	[STYLE_UNKNOWN] = { 0x5d5568, 0x1c1d26, 60, NONE, 8, 7 },
	[STYLE_GC] = { 0xcc79a7, 0x2a222e, 175, NONE, 13, 5 },
	[STYLE_GC_WORKER] = { 0xa8648c, 0x261f2b, 132, NONE, 5, 5 },
	[STYLE_WAITS] = { 0xe5533c, 0x2f1d20, 203, NONE, 9, 1 },
	[STYLE_ASLEEP] = { 0x9a94c4, 0x252633, 103, NONE, 7, 7 },
	[STYLE_STW] = { 0xf0e442, 0x343320, 227, 237, 11, 3 },
	[STYLE_FRAME_FIRST] = { 0x8fa3bf, 0x2b313d, 109, NONE, 12, 4 },
	[STYLE_FRAME_2] = { 0xb58fb8, 0x332d3b, 139, NONE, 13, 5 },
	[STYLE_FRAME_3] = { 0x9fb07c, 0x2e342f, 144, NONE, 7, 7 },
	[STYLE_FRAME_4] = { 0xc4a06a, 0x36312c, 179, NONE, 11, 3 },
	[STYLE_FRAME_LAST] = { 0x7fb0ad, 0x283439, 109, NONE, 14, 6 },
	[STYLE_HEAT_FIRST] = { 0x514fa8, 0x1a1c2d, 61, NONE, 4, 4 },
	[STYLE_HEAT_2] = { 0x8751ad, 0x201c2d, 97, NONE, 12, 1 },
	[STYLE_HEAT_3] = { 0xb45a99, 0x251d2b, 132, NONE, 5, 5 },
	[STYLE_HEAT_4] = { 0xe0655f, 0x2b1f24, 167, NONE, 13, 2 },
	[STYLE_HEAT_5] = { 0xef9451, 0x2d2422, 208, NONE, 9, 6 },
	[STYLE_HEAT_6] = { 0xfac46c, 0x2e2a26, 222, NONE, 11, 3 },
	[STYLE_HEAT_LAST] = { 0xfdf4b0, 0x2e302e, 229, NONE, 15, 7 },
	[STYLE_LESS_LAST] = { 0x5a9bff, 0x1e2a40, 69, NONE, 12, 4 },
	[STYLE_LESS_2] = { 0x7ea4dd, 0x232c3b, 110, NONE, 4, 4 },
	[STYLE_LESS_FIRST] = { 0x98a9c4, 0x272d37, 146, NONE, 4, 4 },
	[STYLE_SAME] = { 0x9a9fa9, 0x282b33, 247, NONE, 7, 7 },
	[STYLE_MORE_FIRST] = { 0xc49d96, 0x2e2b30, 181, NONE, 1, 1 },
	[STYLE_MORE_2] = { 0xde8a7c, 0x33282b, 174, NONE, 1, 1 },
	[STYLE_MORE_LAST] = { 0xff6b5e, 0x382327, 203, NONE, 9, 1 },
};

static const struct palette_row light_rows[STYLE_COUNT] = {
	[STYLE_DEFAULT] = { NONE, NONE, NONE, NONE, NONE, NONE },
	[STYLE_TEXT_BRIGHT] = { 0x000000, 0xdadad8, 16, 253, 0, 0 },
	[STYLE_TEXT_DIM] = { 0x8a8f98, 0xecedec, 245, 255, 8, NONE },
	[STYLE_BAR] = { 0xeceae3, 0xf4f2ee, 254, 255, 7, 7 },
	[STYLE_KEY] = { 0xb87700, 0xf4ecd8, 130, 230, 3, 1 },
	[STYLE_RULE] = { 0xc0c3c8, 0xf3f4f2, 250, 255, 8, NONE },
	[STYLE_CURSOR] = { 0xdfe4ef, 0xebeef5, 189, 255, 7, NONE },
	[STYLE_CURSOR_ROW] = { 0xeceae3, 0xf4f2ee, 254, 255, 7, NONE },
	[STYLE_CURSOR_CELL] = { 0xb9c4de, 0xdfe4ef, 146, 189, 8, NONE },
	[STYLE_SELECTION] = { 0xc9dcf5, 0xe4edf8, 153, 195, 12, 6 },
	[STYLE_MATCH] = { 0x000000, 0xdadad8, 16, 253, 0, 0 },
	[STYLE_MATCHED] = { 0xd9c8f5, 0xf0e9fb, 183, 255, 13, 5 },
	[STYLE_ALERT] = { 0xc0262d, 0xf3dfde, 160, 224, 1, 1 },
	[STYLE_MARK] = { 0x5c3a00, 0xcfc9ba, 58, 250, 0, 0 },
	[STYLE_INK] = { 0xffffff, 0xffffff, 231, 231, 15, 7 },
	[STYLE_RUNNING] = { 0x00876a, 0xdcede6, 29, 194, 2, 2 },
	[STYLE_RUNNING_ALT] = { 0x4fae95, 0xe5f1eb, 72, 194, 10, 2 },
	[STYLE_READY] = { 0xc98500, 0xf3e9d2, 172, 230, 3, 3 },
	[STYLE_SYSCALL] = { 0x2a8fc9, 0xe0edf2, 32, 195, 6, 6 },
	[STYLE_SYNC] = { 0xc24e00, 0xf4e5d8, 166, 224, 1, 1 },
	[STYLE_NETWORK] = { 0x0060a8, 0xdae7ee, 25, 189, 4, 4 },
	[STYLE_SLEEP] = { 0x8a8f98, 0xecedec, 245, 254, 8, 0 },
	[STYLE_IDLE] = { 0xc0c3c8, 0xf3f4f2, 250, 255, 7, NONE },
	[STYLE_OTHER] = { 0x8a6f4f, 0xece8e2, 95, 254, 8, 0 },
	[STYLE_UNKNOWN] = { 0xa9a2b3, 0xf0eff0, 146, 255, 7, NONE },
	[STYLE_GC] = { 0xb0578b, 0xefe2e7, 132, 225, 5, 5 },
	[STYLE_GC_WORKER] = { 0xc887a9, 0xf4ecee, 175, 225, 13, 5 },
	[STYLE_WAITS] = { 0xc4301c, 0xf2dad4, 124, 224, 9, 1 },
	[STYLE_ASLEEP] = { 0x6f68a8, 0xe7e6ec, 61, 254, 8, 0 },
	[STYLE_STW] = { 0xb0a000, 0xe8e29a, 142, 229, 3, 3 },
	[STYLE_FRAME_FIRST] = { 0x5d7391, 0xdbe0e3, 60, NONE, 4, 4 },
	[STYLE_FRAME_2] = { 0x865f8a, 0xe4dce2, 96, NONE, 5, 5 },
	[STYLE_FRAME_3] = { 0x66783f, 0xdde1d3, 65, NONE, 8, 0 },
	[STYLE_FRAME_4] = { 0x8f6b2f, 0xe5ded0, 94, NONE, 3, 3 },
	[STYLE_FRAME_LAST] = { 0x47807c, 0xd7e2df, 66, NONE, 6, 6 },
	[STYLE_HEAT_FIRST] = { 0xc79a1c, 0xf5efde, 178, 255, 3, 3 },
	[STYLE_HEAT_2] = { 0xd47f2a, 0xf6ecdf, 172, 255, 9, 6 },
	[STYLE_HEAT_3] = { 0xce614b, 0xf6e9e3, 167, 255, 1, 2 },
	[STYLE_HEAT_4] = { 0xb83f6c, 0xf3e4e7, 132, 254, 13, 5 },
	[STYLE_HEAT_5] = { 0x8a3888, 0xede4eb, 90, 254, 5, 1 },
	[STYLE_HEAT_6] = { 0x5b2981, 0xe8e2ea, 54, 254, 4, 4 },
	[STYLE_HEAT_LAST] = { 0x2a1a5c, 0xe2e0e5, 17, 254, 0, 0 },
	[STYLE_LESS_LAST] = { 0x1a4fc4, 0xdce3f1, 26, NONE, 4, 4 },
	[STYLE_LESS_2] = { 0x4a6dad, 0xe2e7ee, 61, NONE, 4, 4 },
	[STYLE_LESS_FIRST] = { 0x6b7c98, 0xe7e9eb, 60, NONE, 4, 4 },
	[STYLE_SAME] = { 0x80858c, 0xeaeae9, 102, NONE, 8, 0 },
	[STYLE_MORE_FIRST] = { 0x96746f, 0xede8e5, 95, NONE, 1, 1 },
	[STYLE_MORE_2] = { 0xad5348, 0xf0e3df, 131, NONE, 1, 1 },
	[STYLE_MORE_LAST] = { 0xc0262d, 0xf3dddc, 124, NONE, 1, 1 },
};

/* What stands for a style where colours are few or none; the same in both palettes. */
struct stand_in {
	uint8_t fg_of_8, bg_of_8;       /* attributes with eight colours, as text and as ground */
	uint8_t fg_of_none, bg_of_none; /* and without any */
};

static const struct stand_in stand_ins[STYLE_COUNT] = {
	[STYLE_TEXT_BRIGHT] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_BAR] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_KEY] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_CURSOR] = { 0, CELL_BOLD, 0, CELL_BOLD },
	[STYLE_CURSOR_ROW] = { 0, CELL_BOLD, 0, CELL_BOLD },
	[STYLE_CURSOR_CELL] = { 0, CELL_REVERSE, 0, CELL_REVERSE },
	[STYLE_SELECTION] = { 0, 0, 0, CELL_UNDERLINE },
	[STYLE_MATCH] = { CELL_BOLD, 0, CELL_BOLD | CELL_UNDERLINE, CELL_REVERSE },
	[STYLE_ALERT] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_MARK] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_RUNNING] = { CELL_BOLD, 0, 0, CELL_REVERSE },
	[STYLE_RUNNING_ALT] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_READY] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_SYSCALL] = { CELL_BOLD, 0, 0, CELL_REVERSE },
	[STYLE_SYNC] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_NETWORK] = { CELL_BOLD, 0, 0, CELL_REVERSE },
	[STYLE_SLEEP] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_IDLE] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_OTHER] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_UNKNOWN] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_GC] = { CELL_BOLD, 0, 0, CELL_REVERSE },
	[STYLE_GC_WORKER] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_WAITS] = { CELL_BOLD, 0, 0, CELL_REVERSE },
	[STYLE_ASLEEP] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_STW] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_FRAME_FIRST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_FRAME_2] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_FRAME_3] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_FRAME_4] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_FRAME_LAST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_FIRST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_2] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_3] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_4] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_5] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_6] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_HEAT_LAST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_LESS_LAST] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
	[STYLE_LESS_2] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_LESS_FIRST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_SAME] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_MORE_FIRST] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_MORE_2] = { 0, 0, 0, CELL_REVERSE },
	[STYLE_MORE_LAST] = { CELL_BOLD, 0, CELL_BOLD, CELL_REVERSE },
};

/* The terminal's own colours where there is no terminal: background, then text. */
enum { DARK_GROUND = 0x12151c, DARK_TEXT = 0xc8ccd4, LIGHT_GROUND = 0xfbfbf8, LIGHT_TEXT = 0x2b2f36 };

static const struct palette palettes[] = {
	{ "dark", false, false, dark_rows },
	{ "light", true, false, light_rows },
	{ "high-contrast", false, false, palette_high_contrast_dark },
	{ "high-contrast", true, false, palette_high_contrast_light },
	{ "color-blind", false, false, palette_color_blind_dark },
	{ "color-blind", true, false, palette_color_blind_light },
	{ "monochrome", false, true, palette_grey_dark },
	{ "monochrome", true, true, palette_grey_light },
};

const struct palette *
palette_at(size_t index)
{
	return index < ARRAY_LENGTH(palettes) ? &palettes[index] : NULL;
}

const struct palette *
palette_choose(const char *name, bool is_light)
{
	const struct palette *found = NULL;
	for (size_t i = 0; i < ARRAY_LENGTH(palettes); i++) {
		bool is_meant = strcmp(palettes[i].name, name) == 0;
		if (is_meant && (found == NULL || palettes[i].is_light == is_light))
			found = &palettes[i];
	}
	return found;
}

const struct palette *
palette_next(const struct palette *palette)
{
	size_t at = (size_t)(palette - palettes);
	do
		at = (at + 1) % ARRAY_LENGTH(palettes);
	while (palettes[at].is_light != palette->is_light);
	return &palettes[at];
}

const struct palette *
palette_find(const char *name)
{
	return palette_choose(name, false);
}

static const struct palette_row *
row_of(const struct palette *palette, uint8_t style)
{
	uint8_t plain = style & (STYLE_FAINT - 1);
	assert(plain < STYLE_COUNT);
	return &palette->rows[plain];
}

static bool
is_faint(uint8_t style)
{
	return (style & STYLE_FAINT) != 0;
}

uint32_t
palette_rgb(const struct palette *palette, uint8_t style)
{
	const struct palette_row *row = row_of(palette, style);
	return is_faint(style) ? row->faint_rgb : row->rgb;
}

uint32_t
palette_index(const struct palette *palette, uint8_t style, enum color_depth depth)
{
	const struct palette_row *row = row_of(palette, style);
	switch (depth) {
	case COLORS_256:
		return is_faint(style) ? row->faint_256 : row->of_256;
	case COLORS_16:
		return is_faint(style) ? COLOR_TERMINAL : row->of_16;
	case COLORS_8:
		return is_faint(style) ? COLOR_TERMINAL : row->of_8;
	case COLORS_NONE:
	case COLORS_DIRECT:
		break;
	}
	return COLOR_TERMINAL;
}

uint32_t
palette_terminal_rgb(const struct palette *palette, bool is_ground)
{
	if (!palette->is_light)
		return is_ground ? DARK_GROUND : DARK_TEXT;
	return is_ground ? LIGHT_GROUND : LIGHT_TEXT;
}

static uint8_t
stand_in_attributes(const struct cell *cell, enum color_depth depth)
{
	static const struct stand_in nothing;
	const struct stand_in *fg = is_faint(cell->fg) ? &nothing : &stand_ins[cell->fg];
	const struct stand_in *bg = is_faint(cell->bg) ? &nothing : &stand_ins[cell->bg];
	switch (depth) {
	case COLORS_NONE:
		return fg->fg_of_none | bg->bg_of_none;
	case COLORS_8:
		return fg->fg_of_8 | bg->bg_of_8;
	case COLORS_16:
	case COLORS_256:
	case COLORS_DIRECT:
		break;
	}
	return 0;
}

/* Grounds that are not a class: what stands on them must never have their colour. */
static bool
is_plain_ground(uint8_t style)
{
	return style < STYLE_INK;
}

struct palette_look
palette_look(const struct palette *palette, const struct cell *cell, enum color_depth depth)
{
	struct palette_look look;
	if (palette->is_monochrome && depth < COLORS_256)
		depth = COLORS_NONE;
	if (depth == COLORS_DIRECT) {
		look.fg = palette_rgb(palette, cell->fg);
		look.bg = palette_rgb(palette, cell->bg);
	} else {
		look.fg = palette_index(palette, cell->fg, depth);
		look.bg = palette_index(palette, cell->bg, depth);
	}
	uint8_t stand_in = stand_in_attributes(cell, depth);
	look.attributes = (cell->attributes | stand_in);
	/* Reversed twice shows as a hole in what is reversed, so both can still be seen. */
	look.attributes ^= cell->attributes & stand_in & CELL_REVERSE;

	bool is_hidden = look.fg == look.bg && look.fg != COLOR_TERMINAL && cell->fg != cell->bg;
	if (is_hidden && is_plain_ground(cell->bg))
		look.fg = COLOR_TERMINAL;
	return look;
}
