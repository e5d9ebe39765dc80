/* What is printed of a canvas: plain text, SGR sequences and SVG, byte by byte. */
#include "base_testing.h"

#include "draw/output.h"

static const struct cell_style plain = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };

static struct canvas
new_canvas(int width, int height)
{
	struct canvas canvas = { 0 };
	struct error err;
	error_clear(&err);
	assert_true(canvas_resize(&canvas, width, height, &err));
	return canvas;
}

static const struct palette *
dark(void)
{
	return palette_find("dark");
}

static void
plain_text_has_no_trailing_blanks(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas(8, 3);
	canvas_string(&canvas, 1, 0, 8, plain, "a  b");
	canvas_ground(&canvas, 0, 1, 8, STYLE_BAR);
	canvas_string(&canvas, 6, 2, 8, plain, "日");
	struct text text = { 0 };
	output_text(&canvas, &text);
	check_text("text", text.bytes, " a  b\n\n      日\n");
	text_release(&text);
	canvas_release(&canvas);
}

static void
sgr_changes_only_what_differs(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum color_depth depth;
		struct cell_style a, b; /* of the two cells "x" and "y" */
		const char *printed;
	} rows[] = {
		{ "plain", COLORS_256, { 0, 0, 0 }, { 0, 0, 0 }, "xy\n" },
		{ "same", COLORS_256, { STYLE_SYNC, 0, 0 }, { STYLE_SYNC, 0, 0 }, "\033[38;5;166mxy\033[m\n" },
		{ "text differs", COLORS_256, { STYLE_SYNC, STYLE_BAR, 0 }, { STYLE_READY, STYLE_BAR, 0 },
		  "\033[38;5;166;48;5;235mx\033[38;5;172my\033[m\n" },
		{ "ground goes", COLORS_256, { STYLE_SYNC, STYLE_BAR, 0 }, { STYLE_SYNC, 0, 0 },
		  "\033[38;5;166;48;5;235mx\033[49my\033[m\n" },
		{ "all goes", COLORS_256, { STYLE_SYNC, STYLE_BAR, CELL_BOLD }, { 0, 0, 0 },
		  "\033[1;38;5;166;48;5;235mx\033[my\n" },
		{ "attributes", COLORS_256, { 0, 0, CELL_BOLD }, { 0, 0, CELL_UNDERLINE },
		  "\033[1mx\033[22;4my\033[m\n" },
		{ "eight", COLORS_8, { STYLE_SYNC, STYLE_BAR, 0 }, { 0, STYLE_BAR, 0 },
		  "\033[31;44mx\033[39my\033[m\n" },
		{ "sixteen", COLORS_16, { STYLE_STW, STYLE_BAR, 0 }, { 0, 0, 0 }, "\033[93;100mx\033[my\n" },
		{ "direct", COLORS_DIRECT, { STYLE_SYNC, STYLE_READY, 0 }, { 0, 0, 0 },
		  "\033[38;2;213;94;0;48;2;230;159;0mx\033[my\n" },
		{ "none", COLORS_NONE, { STYLE_SYNC, STYLE_BAR, 0 }, { STYLE_SYNC, 0, 0 },
		  "\033[7mx\033[my\n" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct canvas canvas = new_canvas(2, 1);
		canvas_put(&canvas, 0, 0, rows[i].a, "x");
		canvas_put(&canvas, 1, 0, rows[i].b, "y");
		struct text text = { 0 };
		output_ansi(&canvas, dark(), rows[i].depth, &text);
		check_text(rows[i].name, text.bytes, rows[i].printed);
		text_release(&text);
		canvas_release(&canvas);
	}
}

static void
sgr_keeps_colored_blanks_and_cuts_others(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas(4, 2);
	canvas_put(&canvas, 0, 0, (struct cell_style){ STYLE_SYNC, 0, 0 }, "x");
	canvas_put(&canvas, 2, 0, (struct cell_style){ STYLE_READY, 0, 0 }, " ");
	canvas_ground(&canvas, 1, 1, 2, STYLE_BAR);
	struct text text = { 0 };
	output_ansi(&canvas, dark(), COLORS_256, &text);
	check_text("blanks", text.bytes, "\033[38;5;166mx\033[m\n \033[48;5;235m  \033[m\n");
	text_release(&text);
	canvas_release(&canvas);
}

/* The body of an SVG of one row of cells that hold these graphemes, without head and end. */
static void
check_svg(const char *name, const char *const glyphs[], struct cell_style style, const char *wanted)
{
	int count = 0;
	while (glyphs[count] != NULL)
		count++;
	struct canvas canvas = new_canvas(count, 1);
	for (int x = 0; x < count; x++)
		canvas_string(&canvas, x, 0, 2, style, glyphs[x]);
	struct text text = { 0 };
	output_svg(&canvas, dark(), &text);
	assert_false(text.failed);
	char *body = strstr(text.bytes, "#12151c\"/>\n");
	assert_non_null(body);
	body = strchr(body, '\n') + 1;
	char *end = strstr(body, "</svg>\n");
	assert_non_null(end);
	*end = '\0';
	check_text(name, body, wanted);
	text_release(&text);
	canvas_release(&canvas);
}

static void
svg_draws_shapes(void **state)
{
	(void)state;
	static const struct {
		const char *name, *glyph, *drawn;
	} rows[] = {
		{ "full", "█", "<path fill=\"#d55e00\" d=\"M0 0h8v16h-8z\"/>\n" },
		{ "lower eighth", "▁", "<path fill=\"#d55e00\" d=\"M0 14h8v2h-8z\"/>\n" },
		{ "seven eighths", "▇", "<path fill=\"#d55e00\" d=\"M0 2h8v14h-8z\"/>\n" },
		{ "upper half", "▀", "<path fill=\"#d55e00\" d=\"M0 0h8v8h-8z\"/>\n" },
		{ "left eighth", "▏", "<path fill=\"#d55e00\" d=\"M0 0h1v16h-1z\"/>\n" },
		{ "left seven", "▉", "<path fill=\"#d55e00\" d=\"M0 0h7v16h-7z\"/>\n" },
		{ "right half", "▐", "<path fill=\"#d55e00\" d=\"M4 0h4v16h-4z\"/>\n" },
		{ "right eighth", "▕", "<path fill=\"#d55e00\" d=\"M7 0h1v16h-1z\"/>\n" },
		{ "shade", "▒", "<path fill=\"#73390e\" d=\"M0 0h8v16h-8z\"/>\n" },
		{ "quadrant", "▚", "<path fill=\"#d55e00\" d=\"M0 0h4v8h-4zM4 8h4v8h-4z\"/>\n" },
		{ "line", "─", "<path fill=\"#d55e00\" d=\"M0 7h8v1h-8z\"/>\n" },
		{ "corner", "┌", "<path fill=\"#d55e00\" d=\"M3 7h5v1h-5zM3 7h1v9h-1z\"/>\n" },
		{ "braille", "⠉", "<path fill=\"#d55e00\" d=\"M1 1h2v2h-2zM5 1h2v2h-2z\"/>\n" },
		{ "triangle", "▸", "<path fill=\"#d55e00\" d=\"M2 5L7 8L2 11z\"/>\n" },
		{ "dashes", "╌",
		  "<path fill=\"none\" stroke=\"#d55e00\" stroke-dasharray=\"3 1\" d=\"M0 7.5h8\"/>\n" },
		{ "text", "x", "<g fill=\"#d55e00\">\n<text x=\"0\" y=\"12\" textLength=\"8\">x</text>\n</g>\n" },
		{ "escaped", "<",
		  "<g fill=\"#d55e00\">\n<text x=\"0\" y=\"12\" textLength=\"8\">&lt;</text>\n</g>\n" },
		{ "blank", " ", "" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		const char *glyphs[] = { rows[i].glyph, NULL };
		check_svg(rows[i].name, glyphs, (struct cell_style){ STYLE_SYNC, 0, 0 }, rows[i].drawn);
	}
}

static void
svg_joins_runs(void **state)
{
	(void)state;
	const char *blocks[] = { "▃", "▃", "▃", "▄", NULL };
	check_svg("blocks", blocks, (struct cell_style){ STYLE_READY, STYLE_FAINT + STYLE_READY, 0 },
	          "<path fill=\"#2b2518\" d=\"M0 0h32v16h-32z\"/>\n"
	          "<path fill=\"#e69f00\" d=\"M0 10h24v6h-24zM24 8h8v8h-8z\"/>\n");
	const char *dots[] = { "·", "·", " ", "·", NULL };
	check_svg("dots", dots, (struct cell_style){ STYLE_IDLE, 0, 0 },
	          "<path fill=\"none\" stroke=\"#4a505c\" stroke-width=\"1.6\" stroke-linecap=\"round\" "
	          "stroke-dasharray=\"0 8\" d=\"M4 7.5h12M28 7.5h4\"/>\n");
	const char *words[] = { "a", "&", " ", "b", " ", " ", "c", NULL };
	check_svg("words", words, (struct cell_style){ STYLE_DEFAULT, 0, CELL_BOLD },
	          "<g fill=\"#c8ccd4\" font-weight=\"bold\">\n"
	          "<text x=\"0\" y=\"12\" textLength=\"32\">a&amp; b</text>\n"
	          "<text x=\"48\" y=\"12\" textLength=\"8\">c</text>\n</g>\n");
	const char *wide[] = { "日", "", "x", NULL };
	check_svg("wide", wide, plain,
	          "<g fill=\"#c8ccd4\">\n<text x=\"0\" y=\"12\" textLength=\"16\">日</text>\n"
	          "<text x=\"16\" y=\"12\" textLength=\"8\">x</text>\n</g>\n");
}

static void
svg_shows_reversed_and_underlined_cells(void **state)
{
	(void)state;
	const char *glyphs[] = { "─", NULL };
	uint8_t attributes = CELL_REVERSE | CELL_UNDERLINE;
	check_svg("reversed", glyphs, (struct cell_style){ STYLE_SYNC, STYLE_READY, attributes },
	          "<path fill=\"#d55e00\" d=\"M0 0h8v16h-8z\"/>\n"
	          "<path fill=\"#e69f00\" d=\"M0 7h8v1h-8zM0 14h8v1h-8z\"/>\n");
}

/* Whatever allocation fails, the text says so, and nothing leaks or crashes. */
static void
lack_of_memory_is_told(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas(20, 2);
	canvas_string(&canvas, 0, 0, 20, (struct cell_style){ STYLE_SYNC, STYLE_BAR, 0 }, "a▃─·日");
	canvas_string(&canvas, 0, 1, 20, (struct cell_style){ STYLE_READY, 0, CELL_BOLD }, "b╌▒▸");
	bool has_succeeded = false;
	for (uint64_t n = 1; !has_succeeded && n < 1000; n++) {
		struct text texts[3] = { { 0 } };
		memory_fail_after(n);
		output_text(&canvas, &texts[0]);
		output_ansi(&canvas, dark(), COLORS_256, &texts[1]);
		output_svg(&canvas, dark(), &texts[2]);
		memory_fail_after(0);
		has_succeeded = !texts[0].failed && !texts[1].failed && !texts[2].failed;
		if (has_succeeded)
			assert_non_null(strstr(texts[2].bytes, "</svg>"));
		if (n == 1)
			assert_true(texts[0].failed && texts[1].failed && texts[2].failed);
		for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
			text_release(&texts[i]);
	}
	assert_true(has_succeeded);
	canvas_release(&canvas);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_has_no_trailing_blanks),
		cmocka_unit_test(sgr_changes_only_what_differs),
		cmocka_unit_test(sgr_keeps_colored_blanks_and_cuts_others),
		cmocka_unit_test(svg_draws_shapes),
		cmocka_unit_test(svg_joins_runs),
		cmocka_unit_test(svg_shows_reversed_and_underlined_cells),
		cmocka_unit_test(lack_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
