/* Palettes: complete, legible, and classes that can be told apart at every depth. */
#include "base_testing.h"

#include <math.h>

#include "draw/palette.h"

static const char *const names[] = { "dark", "light" };
static const enum color_depth few_colors[] = { COLORS_8, COLORS_16, COLORS_256 };

/* Relative luminance and contrast as the Web Content Accessibility Guidelines define them. */
static double
luminance(uint32_t rgb)
{
	static const double weights[] = { 0.0722, 0.7152, 0.2126 };
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double value = (rgb >> 8 * i & 0xff) / 255.0;
		sum += weights[i] * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double
contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a), y = luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static void
check_contrast(const struct palette *palette, uint8_t fg, uint8_t bg, double least)
{
	uint32_t a = palette_rgb(palette, fg), b = palette_rgb(palette, bg);
	if (a == COLOR_TERMINAL)
		a = palette_terminal_rgb(palette, false);
	if (b == COLOR_TERMINAL)
		b = palette_terminal_rgb(palette, true);
	if (contrast(a, b) < least)
		fail_msg("%s: style %d on %d has a contrast of %.2f only", palette->name, fg, bg,
		         contrast(a, b));
}

static void
palettes_are_found_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		assert_string_equal(palette_find(names[i])->name, names[i]);
	assert_null(palette_find("sepia"));
	assert_null(palette_find(""));
}

/* A row that the table forgot is all zero: black on every column. */
static void
every_style_has_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const struct palette *palette = palette_find(names[i]);
		for (uint8_t style = STYLE_TEXT_BRIGHT; style < STYLE_COUNT; style++) {
			if (palette_rgb(palette, style + STYLE_FAINT) == 0)
				fail_msg("%s has no row for style %d", names[i], style);
			assert_true(palette_index(palette, style, COLORS_256) >= 16);
			assert_true(palette_index(palette, style, COLORS_256) < 256);
			uint32_t of_16 = palette_index(palette, style, COLORS_16);
			uint32_t of_8 = palette_index(palette, style, COLORS_8);
			assert_true(of_16 < 16 || of_16 == COLOR_TERMINAL);
			assert_true(of_8 < 8 || of_8 == COLOR_TERMINAL);
		}
		assert_true(palette_rgb(palette, STYLE_DEFAULT) == COLOR_TERMINAL);
	}
}

static void
text_is_legible(void **state)
{
	(void)state;
	static const uint8_t grounds[] = { STYLE_DEFAULT, STYLE_BAR, STYLE_CURSOR_ROW, STYLE_CURSOR };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const struct palette *palette = palette_find(names[i]);
		for (size_t g = 0; g < ARRAY_LENGTH(grounds); g++) {
			check_contrast(palette, STYLE_DEFAULT, grounds[g], 7);
			check_contrast(palette, STYLE_TEXT_BRIGHT, grounds[g], 12);
			check_contrast(palette, STYLE_TEXT_DIM, grounds[g], 2.5);
			check_contrast(palette, STYLE_KEY, grounds[g], 2.5);
			check_contrast(palette, STYLE_ALERT, grounds[g], 4.5);
		}
		for (uint8_t style = STYLE_RUNNING; style < STYLE_COUNT; style++) {
			if (style != STYLE_IDLE && style != STYLE_UNKNOWN)
				check_contrast(palette, style, STYLE_DEFAULT, 2.4);
		}
		check_contrast(palette, STYLE_INK, STYLE_RUNNING, 4);
		check_contrast(palette, STYLE_INK, STYLE_SYSCALL, 3);
		check_contrast(palette, STYLE_INK, STYLE_MATCH, 12);
	}
}

static void
faint_grounds_step_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const struct palette *palette = palette_find(names[i]);
		for (uint8_t style = STYLE_RUNNING; style < STYLE_COUNT; style++) {
			uint32_t ground = palette_terminal_rgb(palette, true);
			double solid = contrast(palette_rgb(palette, style), ground);
			double faint = contrast(palette_rgb(palette, style + STYLE_FAINT), ground);
			assert_true(faint > 1.0 && faint < 1.6 && faint < solid);
		}
	}
}

/* Solid classes may stand side by side in one lane; the other classes have glyphs of their own. */
static void
solid_classes_differ(void **state)
{
	(void)state;
	static const uint8_t solid[] = { STYLE_RUNNING, STYLE_READY, STYLE_SYSCALL, STYLE_GC };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const struct palette *palette = palette_find(names[i]);
		for (size_t d = 0; d < ARRAY_LENGTH(few_colors); d++) {
			for (size_t a = 0; a < ARRAY_LENGTH(solid); a++) {
				for (size_t b = 0; b < a; b++)
					assert_int_not_equal(palette_index(palette, solid[a], few_colors[d]),
					                     palette_index(palette, solid[b], few_colors[d]));
			}
		}
	}
}

static void
nothing_hides_in_the_colour_of_its_ground(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		for (size_t d = 0; d < ARRAY_LENGTH(few_colors); d++) {
			for (uint8_t bg = STYLE_BAR; bg < STYLE_INK; bg++) {
				for (uint8_t fg = STYLE_DEFAULT; fg < STYLE_COUNT; fg++) {
					struct cell cell = { .text = "x", .fg = fg, .bg = bg };
					struct palette_look look =
						palette_look(palette_find(names[i]), &cell, few_colors[d]);
					bool is_hidden = look.fg == look.bg && look.fg != COLOR_TERMINAL;
					if (is_hidden && fg != bg)
						fail_msg("%s: %d on %d at depth %d", names[i], fg, bg, (int)few_colors[d]);
				}
			}
		}
	}
}

static void
attributes_stand_in_where_colours_are_missing(void **state)
{
	(void)state;
	static const struct {
		uint8_t fg, bg, attributes;
		enum color_depth depth;
		uint8_t wanted;
	} rows[] = {
		{ STYLE_DEFAULT, STYLE_BAR, 0, COLORS_NONE, CELL_REVERSE },
		{ STYLE_DEFAULT, STYLE_CURSOR_CELL, 0, COLORS_NONE, CELL_REVERSE },
		{ STYLE_DEFAULT, STYLE_CURSOR_CELL, 0, COLORS_8, CELL_REVERSE },
		{ STYLE_DEFAULT, STYLE_CURSOR_CELL, 0, COLORS_256, 0 },
		{ STYLE_DEFAULT, STYLE_CURSOR_CELL, CELL_REVERSE, COLORS_NONE, 0 },
		{ STYLE_TEXT_BRIGHT, STYLE_CURSOR_ROW, 0, COLORS_NONE, CELL_BOLD },
		{ STYLE_INK, STYLE_RUNNING, 0, COLORS_NONE, CELL_REVERSE },
		{ STYLE_RUNNING, STYLE_FAINT + STYLE_RUNNING, 0, COLORS_NONE, 0 },
		{ STYLE_DEFAULT, STYLE_DEFAULT, CELL_UNDERLINE, COLORS_DIRECT, CELL_UNDERLINE },
	};
	const struct palette *palette = palette_find("dark");
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct cell cell = { .fg = rows[i].fg, .bg = rows[i].bg, .attributes = rows[i].attributes };
		struct palette_look look = palette_look(palette, &cell, rows[i].depth);
		if (look.attributes != rows[i].wanted)
			fail_msg("row %zu: attributes %d", i, look.attributes);
		bool is_colored = rows[i].depth != COLORS_NONE && rows[i].bg != STYLE_DEFAULT;
		if (!is_colored)
			assert_true(look.bg == COLOR_TERMINAL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(palettes_are_found_by_name),
		cmocka_unit_test(every_style_has_a_row),
		cmocka_unit_test(text_is_legible),
		cmocka_unit_test(faint_grounds_step_back),
		cmocka_unit_test(solid_classes_differ),
		cmocka_unit_test(nothing_hides_in_the_colour_of_its_ground),
		cmocka_unit_test(attributes_stand_in_where_colours_are_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
