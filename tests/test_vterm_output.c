/* What output_ansi() prints, read by a terminal emulator: seeded random canvases come out whole. */
#include "base_testing.h"

#include <vterm.h>

#include "base/text.h"
#include "draw/output.h"

enum { WIDTH = 24, HEIGHT = 6, ROUNDS = 60 };

static uint8_t
random_style(uint64_t *seed)
{
	uint8_t style = (uint8_t)random_below(seed, STYLE_COUNT);
	return random_below(seed, 4) == 0 ? style + STYLE_FAINT : style;
}

static void
fill(struct canvas *canvas, uint64_t *seed)
{
	static const char *const texts[] = { "x", " ", "▃", "日", "abc", "─", "" };
	canvas_clear(canvas);
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		struct cell_style style = {
			.fg = random_style(seed),
			.bg = random_below(seed, 2) == 0 ? STYLE_DEFAULT : random_style(seed),
			.attributes = (uint8_t)random_below(seed, 8),
		};
		canvas_string(canvas, (int)random_below(seed, WIDTH), (int)random_below(seed, HEIGHT), WIDTH,
		              style, texts[random_below(seed, ARRAY_LENGTH(texts))]);
	}
}

static bool
is_color(const VTermColor *color, uint32_t wanted, enum color_depth depth)
{
	if (wanted == COLOR_TERMINAL)
		return VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color);
	if (depth != COLORS_DIRECT)
		return VTERM_COLOR_IS_INDEXED(color) && color->indexed.idx == wanted;
	uint32_t rgb = (uint32_t)color->rgb.red << 16 | (uint32_t)color->rgb.green << 8 | color->rgb.blue;
	return VTERM_COLOR_IS_RGB(color) && rgb == wanted;
}

static bool
has_attributes(const VTermScreenCell *cell, uint8_t wanted)
{
	return (cell->attrs.bold != 0) == ((wanted & CELL_BOLD) != 0) &&
	       (cell->attrs.underline != 0) == ((wanted & CELL_UNDERLINE) != 0) &&
	       (cell->attrs.reverse != 0) == ((wanted & CELL_REVERSE) != 0);
}

/* The colour and the weight of a text that is not there do not show. */
static bool
is_as_drawn(const VTermScreenCell *seen, const struct cell *cell, enum color_depth depth)
{
	struct palette_look look = palette_look(palette_find("dark"), cell, depth);
	if (!is_color(&seen->bg, look.bg, depth))
		return false;
	bool is_bare = cell->text[0] == '\0' && (look.attributes & (CELL_UNDERLINE | CELL_REVERSE)) == 0;
	if (is_bare)
		return seen->chars[0] == 0 || seen->chars[0] == ' ';
	uint32_t code_point = ' ';
	if (cell->text[0] != '\0')
		code_point = text_decode(cell->text, strlen(cell->text)).code_point;
	return seen->chars[0] == code_point && is_color(&seen->fg, look.fg, depth) &&
	       has_attributes(seen, look.attributes);
}

static void
feed(VTerm *vterm, const struct text *text)
{
	for (size_t i = 0; i < text->length; i++) {
		if (text->bytes[i] == '\n')
			vterm_input_write(vterm, "\r", 1);
		vterm_input_write(vterm, text->bytes + i, 1);
	}
}

static void
check_round(struct canvas *canvas, enum color_depth depth, int round)
{
	struct text text = { 0 };
	output_ansi(canvas, palette_find("dark"), depth, &text);
	VTerm *vterm = vterm_new(HEIGHT + 1, WIDTH + 1);
	vterm_set_utf8(vterm, 1);
	VTermScreen *screen = vterm_obtain_screen(vterm);
	vterm_screen_reset(screen, 1);
	/* Some terminals show bold text of the first eight colours in the other eight. */
	vterm_state_set_bold_highbright(vterm_obtain_state(vterm), 0);
	feed(vterm, &text);
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		VTermScreenCell seen;
		VTermPos place = { .row = i / WIDTH, .col = i % WIDTH };
		vterm_screen_get_cell(screen, place, &seen);
		if (!canvas->cells[i].is_continued && !is_as_drawn(&seen, &canvas->cells[i], depth))
			fail_msg("seed 7, depth %d, round %d: cell %d of row %d", (int)depth, round, place.col,
			         place.row);
	}
	vterm_free(vterm);
	text_release(&text);
}

static void
an_emulator_sees_the_canvas(void **state)
{
	(void)state;
	uint64_t seed = 7;
	struct canvas canvas = { 0 };
	struct error err;
	error_clear(&err);
	assert_true(canvas_resize(&canvas, WIDTH, HEIGHT, &err));
	for (int round = 0; round < ROUNDS; round++) {
		fill(&canvas, &seed);
		check_round(&canvas, (enum color_depth)(round % (COLORS_DIRECT + 1)), round);
	}
	canvas_release(&canvas);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(an_emulator_sees_the_canvas) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
