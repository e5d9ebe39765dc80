/* Palettes: complete, legible, and classes that can be told apart at every depth. */
#include "base_testing.h"

#include <math.h>

#include "draw/palette.h"

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
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
		assert_string_equal(palette_find(palette->name)->name, palette->name);
		assert_ptr_equal(palette_choose(palette->name, palette->is_light), palette);
		assert_ptr_not_equal(palette_next(palette), palette);
		assert_int_equal(palette_next(palette)->is_light, palette->is_light);
	}
	assert_true(palette_choose("light", false)->is_light);
	assert_false(palette_find("high-contrast")->is_light);
	assert_null(palette_find("sepia"));
	assert_null(palette_find(""));
}

/* A row that the table forgot is all zero: black on every column. */
static void
every_style_has_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
		for (uint8_t style = STYLE_TEXT_BRIGHT; style < STYLE_COUNT; style++) {
			if (palette_rgb(palette, style + STYLE_FAINT) == 0)
				fail_msg("%s has no row for style %d", palette_at(i)->name, style);
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
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
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
		check_contrast(palette, STYLE_INK, STYLE_WAITS, 3);
		check_contrast(palette, STYLE_INK, STYLE_MATCH, 12);
	}
}

static void
faint_grounds_step_back(void **state)
{
	(void)state;
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
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
	static const uint8_t solid[] = { STYLE_RUNNING, STYLE_READY, STYLE_SYSCALL, STYLE_GC, STYLE_WAITS };
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
		for (size_t d = 0; d < ARRAY_LENGTH(few_colors) && !palette->is_monochrome; d++) {
			for (size_t a = 0; a < ARRAY_LENGTH(solid); a++) {
				for (size_t b = 0; b < a; b++)
					assert_int_not_equal(palette_index(palette, solid[a], few_colors[d]),
					                     palette_index(palette, solid[b], few_colors[d]));
			}
		}
	}
}

/* More is warmer: each step stands out more than the one before, and has a colour of its own. */
static void
warmth_grows(void **state)
{
	(void)state;
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		const struct palette *palette = palette_at(i);
		uint32_t ground = palette_terminal_rgb(palette, true);
		for (uint8_t style = STYLE_HEAT_FIRST; style < STYLE_HEAT_LAST; style++) {
			double here = contrast(palette_rgb(palette, style), ground);
			double next = contrast(palette_rgb(palette, style + 1), ground);
			if (next < here * 1.05)
				fail_msg("%s: step %d has a contrast of %.2f, the next %.2f",
					palette->name, style - STYLE_HEAT_FIRST, here, next);
			for (size_t d = 0; d < ARRAY_LENGTH(few_colors) && !palette->is_monochrome; d++)
				assert_int_not_equal(palette_index(palette, style, few_colors[d]),
					palette_index(palette, style + 1, few_colors[d]));
		}
	}
}

/* ---- what eyes differ in */

/* Linear light of a colour, red first. */
static void
linear(uint32_t rgb, double out[3])
{
	for (int i = 0; i < 3; i++) {
		double value = (rgb >> (16 - 8 * i) & 0xff) / 255.0;
		out[i] = value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
	}
}

/* What those see who lack one kind of cones, after Machado, Oliveira and Fernandes (2009). */
static const double lacking[][3][3] = {
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
		{ -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
		{ -0.011820, 0.042940, 0.968881 } },
	{ { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
		{ 0.004733, 0.691367, 0.303900 } },
};

static double
lab_part(double value)
{
	return value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116;
}

/* CIE L*a*b* of linear light. */
static void
lab_of(const double light[3], double lab[3])
{
	double x = 0.4124 * light[0] + 0.3576 * light[1] + 0.1805 * light[2];
	double y = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
	double z = 0.0193 * light[0] + 0.1192 * light[1] + 0.9505 * light[2];
	lab[0] = 116 * lab_part(y) - 16;
	lab[1] = 500 * (lab_part(x / 0.9505) - lab_part(y));
	lab[2] = 200 * (lab_part(y) - lab_part(z / 1.089));
}

static void
seen(uint32_t rgb, const double eye[3][3], double lab[3])
{
	double light[3], left[3];
	linear(rgb, light);
	for (int i = 0; i < 3; i++) {
		left[i] = eye[i][0] * light[0] + eye[i][1] * light[1] + eye[i][2] * light[2];
		left[i] = fmin(1, fmax(0, left[i]));
	}
	lab_of(left, lab);
}

/* How far apart two colours are for such eyes; 2.3 can just be told, 20 at a glance. */
static double
seen_difference(uint32_t a, uint32_t b, const double eye[3][3])
{
	double lab_a[3], lab_b[3], sum = 0;
	seen(a, eye, lab_a);
	seen(b, eye, lab_b);
	for (int i = 0; i < 3; i++)
		sum += (lab_a[i] - lab_b[i]) * (lab_a[i] - lab_b[i]);
	return sqrt(sum);
}

static void
eyes_that_lack_a_colour_tell_the_solid_classes(void **state)
{
	(void)state;
	static const uint8_t solid[] = { STYLE_RUNNING, STYLE_READY, STYLE_SYSCALL, STYLE_GC, STYLE_WAITS };
	enum { AT_A_GLANCE = 20 };
	for (int is_light = 0; is_light < 2; is_light++) {
		const struct palette *palette = palette_choose("color-blind", is_light != 0);
		for (size_t eye = 0; eye < ARRAY_LENGTH(lacking); eye++) {
			for (size_t a = 0; a < ARRAY_LENGTH(solid); a++) {
				for (size_t b = 0; b < a; b++) {
					double apart = seen_difference(palette_rgb(palette, solid[a]),
						palette_rgb(palette, solid[b]), lacking[eye]);
					if (apart < AT_A_GLANCE)
						fail_msg("light %d, eye %d: %d and %d are %.1f apart",
							is_light, (int)eye, solid[a], solid[b], apart);
				}
			}
		}
	}
}

static void
high_contrast_has_it(void **state)
{
	(void)state;
	for (int is_light = 0; is_light < 2; is_light++) {
		const struct palette *palette = palette_choose("high-contrast", is_light != 0);
		check_contrast(palette, STYLE_TEXT_DIM, STYLE_DEFAULT, 7);
		check_contrast(palette, STYLE_TEXT_DIM, STYLE_BAR, 7);
		check_contrast(palette, STYLE_KEY, STYLE_BAR, 4.5);
		check_contrast(palette, STYLE_INK, STYLE_RUNNING, 4.5);
		for (uint8_t style = STYLE_RUNNING; style < STYLE_COUNT; style++)
			check_contrast(palette, style, STYLE_DEFAULT, 4.5);
	}
}

/* Greys only; with few colours none at all, and attributes in their place. */
static void
monochrome_has_no_colour(void **state)
{
	(void)state;
	for (int is_light = 0; is_light < 2; is_light++) {
		const struct palette *palette = palette_choose("monochrome", is_light != 0);
		for (uint8_t style = STYLE_TEXT_BRIGHT; style < STYLE_COUNT; style++) {
			uint32_t rgb = palette_rgb(palette, style) | 1;
			assert_int_equal((rgb & 0xff) | 1, (rgb >> 8 & 0xff) | 1);
			assert_int_equal((rgb & 0xff) | 1, (rgb >> 16 & 0xff) | 1);
			struct cell cell = { .text = "x", .fg = style, .bg = STYLE_BAR };
			struct palette_look few = palette_look(palette, &cell, COLORS_16);
			struct palette_look none = palette_look(palette, &cell, COLORS_NONE);
			assert_true(few.fg == COLOR_TERMINAL && few.bg == COLOR_TERMINAL);
			assert_int_equal(few.attributes, none.attributes);
		}
	}
}

static void
nothing_hides_in_the_colour_of_its_ground(void **state)
{
	(void)state;
	for (size_t i = 0; palette_at(i) != NULL; i++) {
		for (size_t d = 0; d < ARRAY_LENGTH(few_colors); d++) {
			for (uint8_t bg = STYLE_BAR; bg < STYLE_INK; bg++) {
				for (uint8_t fg = STYLE_DEFAULT; fg < STYLE_COUNT; fg++) {
					struct cell cell = { .text = "x", .fg = fg, .bg = bg };
					struct palette_look look =
						palette_look(palette_at(i), &cell, few_colors[d]);
					bool is_hidden = look.fg == look.bg && look.fg != COLOR_TERMINAL;
					if (is_hidden && fg != bg)
						fail_msg("%s: %d on %d at depth %d", palette_at(i)->name, fg, bg, (int)few_colors[d]);
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
		cmocka_unit_test(warmth_grows),
		cmocka_unit_test(eyes_that_lack_a_colour_tell_the_solid_classes),
		cmocka_unit_test(high_contrast_has_it),
		cmocka_unit_test(monochrome_has_no_colour),
		cmocka_unit_test(nothing_hides_in_the_colour_of_its_ground),
		cmocka_unit_test(attributes_stand_in_where_colours_are_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
