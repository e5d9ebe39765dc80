/* Cells: what is put is there, wide graphemes are never halved, nothing leaves the canvas. */
#include "base_testing.h"

#include <limits.h>

#include "base/text.h"
#include "draw/output.h"

enum { WIDTH = 10, HEIGHT = 3 };

static const struct cell_style plain = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };

static struct canvas
new_canvas(void)
{
	struct canvas canvas = { 0 };
	struct error err;
	error_clear(&err);
	assert_true(canvas_resize(&canvas, WIDTH, HEIGHT, &err));
	return canvas;
}

/* Compares a row with what output_text() prints of it. */
static void
check_row(const char *name, struct canvas *canvas, int y, const char *wanted)
{
	struct text text = { 0 };
	output_text(canvas, &text);
	char *line = text.bytes;
	for (; y > 0; y--)
		line = strchr(line, '\n') + 1;
	*strchr(line, '\n') = '\0';
	check_text(name, line, wanted);
	text_release(&text);
}

static void
text_is_clipped_at_every_side(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
		int x, max_cells;
		int used;
		const char *row;
	} rows[] = {
		{ "fits", "abc", 2, 99, 3, "  abc" },
		{ "right edge", "abcdef", 7, 99, 3, "       abc" },
		{ "limit", "abcdef", 0, 4, 4, "abcd" },
		{ "no room", "abc", 0, 0, 0, "" },
		{ "negative room", "abc", 0, -5, 0, "" },
		{ "left edge", "abcdef", -2, 99, 6, "cdef" },
		{ "left edge and limit", "abcdef", -2, 4, 4, "cd" },
		{ "all left of it", "abc", -9, 99, 3, "" },
		{ "beyond", "abc", 10, 99, 0, "" },
		{ "far beyond", "abc", INT_MAX, INT_MAX, 0, "" },
		{ "most room", "abc", 1, INT_MAX, 3, " abc" },
		{ "wide", "日本", 0, 99, 4, "日本" },
		{ "wide at the limit", "日本", 0, 3, 2, "日" },
		{ "wide at the edge", "日本", 7, 99, 2, "       日" },
		{ "wide across the left edge", "日本", -1, 99, 4, " 本" },
		{ "combining", "e\xcc\x81x", 0, 99, 2, "e\xcc\x81x" },
		{ "combining at the limit", "e\xcc\x81x", 0, 1, 1, "e\xcc\x81" },
		{ "combining and nothing before", "\xcc\x81x", 0, 99, 1, "x" },
		{ "broken UTF-8", "a\xff" "b", 0, 99, 3, "a?b" },
		{ "control", "a\033[mb", 0, 99, 5, "a?[mb" },
		{ "control of the C1 block", "a\xc2\x9bmb", 0, 99, 4, "a?mb" },
		{ "bidirectional override", "a\u202eb", 0, 99, 3, "a?b" },
		{ "empty", "", 0, 99, 0, "" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct canvas canvas = new_canvas();
		int used = canvas_string(&canvas, rows[i].x, 1, rows[i].max_cells, plain, rows[i].text);
		if (used != rows[i].used)
			fail_msg("%s: %d cells, wanted %d", rows[i].name, used, rows[i].used);
		check_row(rows[i].name, &canvas, 1, rows[i].row);
		check_row(rows[i].name, &canvas, 0, "");
		check_row(rows[i].name, &canvas, 2, "");
		canvas_release(&canvas);
	}
}

static void
half_overwritten_wide_graphemes_vanish(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int x;
		const char *glyph, *row;
	} rows[] = {
		{ "left half", 2, "x", "  x 本" },
		{ "right half", 3, "x", "   x本" },
		{ "between two, left", 4, "x", "  日x" },
		{ "blank on the right half", 3, " ", "    本" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct canvas canvas = new_canvas();
		canvas_string(&canvas, 2, 0, WIDTH, plain, "日本");
		canvas_put(&canvas, rows[i].x, 0, plain, rows[i].glyph);
		check_row(rows[i].name, &canvas, 0, rows[i].row);
		canvas_release(&canvas);
	}
}

static void
wide_on_the_halves_of_two_others(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas();
	canvas_string(&canvas, 2, 0, WIDTH, plain, "日本");
	canvas_string(&canvas, 3, 0, WIDTH, plain, "語");
	check_row("middle", &canvas, 0, "   語");
	assert_true(canvas_at(&canvas, 4, 0)->is_continued);
	assert_false(canvas_at(&canvas, 5, 0)->is_continued);
	canvas_release(&canvas);
}

/* Seeded: after any puts, a continued cell follows a wide grapheme, and only there. */
static void
halves_always_belong_together(void **state)
{
	(void)state;
	static const char *const texts[] = { "x", "日", "ab", "日本", "a語b", "e\xcc\x81", " " };
	uint64_t seed = 20240607;
	struct canvas canvas = new_canvas();
	for (int step = 0; step < 5000; step++) {
		const char *text = texts[random_below(&seed, ARRAY_LENGTH(texts))];
		int x = (int)random_below(&seed, WIDTH + 6) - 3;
		canvas_string(&canvas, x, 0, (int)random_below(&seed, 6), plain, text);
		for (int i = 0; i < WIDTH; i++) {
			const struct cell *cell = canvas_at(&canvas, i, 0);
			size_t length = strlen(cell->text);
			bool is_wide = length > 0 && text_width(cell->text, length) == 2;
			bool is_followed = i + 1 < WIDTH && canvas_at(&canvas, i + 1, 0)->is_continued;
			if (is_wide != is_followed || (cell->is_continued && (i == 0 || length > 0)))
				fail_msg("seed 20240607, step %d, cell %d", step, i);
		}
	}
	canvas_release(&canvas);
}

static void
combining_marks_never_overflow_a_cell(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas();
	struct text text = { 0 };
	text_add_string(&text, "e");
	for (int i = 0; i < 100; i++)
		text_add_string(&text, "\xcc\x81");
	text_add_string(&text, "x");
	assert_int_equal(canvas_text(&canvas, 0, 0, WIDTH, plain, &text), 2);
	assert_int_equal(strlen(canvas_at(&canvas, 0, 0)->text), 11);
	assert_string_equal(canvas_at(&canvas, 1, 0)->text, "x");
	text_release(&text);
	canvas_release(&canvas);
}

static void
nothing_is_put_outside(void **state)
{
	(void)state;
	static const struct { int x, y; } places[] = {
		{ -1, 0 }, { 0, -1 }, { WIDTH, 0 }, { 0, HEIGHT }, { INT_MAX, INT_MAX }, { INT_MIN, 0 },
	};
	struct canvas canvas = new_canvas();
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		int x = places[i].x, y = places[i].y;
		canvas_put(&canvas, x, y, plain, "x");
		canvas_ground(&canvas, x, y, 1, STYLE_BAR);
		assert_null(canvas_at(&canvas, x, y));
	}
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		assert_string_equal(canvas.cells[i].text, "");
		assert_int_equal(canvas.cells[i].bg, STYLE_DEFAULT);
	}
	canvas_release(&canvas);
}

static void
grounds_change_no_text(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas();
	struct cell_style style = { STYLE_SYNC, STYLE_RUNNING, CELL_BOLD };
	canvas_string(&canvas, 4, 0, WIDTH, style, "ab");
	canvas_underlay(&canvas, -5, 0, INT_MAX, STYLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 3, 0)->bg, STYLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 4, 0)->bg, STYLE_RUNNING);
	canvas_ground(&canvas, 5, 0, 2, STYLE_BAR);
	assert_int_equal(canvas_at(&canvas, 5, 0)->bg, STYLE_BAR);
	assert_int_equal(canvas_at(&canvas, 6, 0)->bg, STYLE_BAR);
	assert_int_equal(canvas_at(&canvas, 7, 0)->bg, STYLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 5, 0)->fg, STYLE_SYNC);
	check_row("text", &canvas, 0, "    ab");
	canvas_release(&canvas);
}

static void
ascii_canvases_hold_ascii_only(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas();
	canvas.ascii = true;
	canvas_string(&canvas, 0, 0, WIDTH, plain, "aé日b");
	canvas_put(&canvas, 6, 0, plain, "█");
	check_row("text", &canvas, 0, "a??b  ?");
	canvas_release(&canvas);
}

static void
formatted_text_may_be_long(void **state)
{
	(void)state;
	char name[2000];
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	struct canvas canvas = new_canvas();
	assert_int_equal(canvas_printf(&canvas, 0, 0, 99, plain, "%d:%s", 42, "x"), 4);
	check_row("short", &canvas, 0, "42:x");
	assert_int_equal(canvas_printf(&canvas, -1995, 1, 4000, plain, "%send", name), 2002);
	check_row("long", &canvas, 1, "nnnnend");
	memory_fail_after(1);
	assert_int_equal(canvas_printf(&canvas, 0, 2, 99, plain, "%s", name), WIDTH);
	memory_fail_after(0);
	check_row("without memory", &canvas, 2, "nnnnnnnnnn");
	canvas_release(&canvas);
}

static void
resizing_blanks_and_survives_lack_of_memory(void **state)
{
	(void)state;
	struct canvas canvas = new_canvas();
	struct error err;
	error_clear(&err);
	canvas_string(&canvas, 0, 0, WIDTH, plain, "text");
	assert_true(canvas_resize(&canvas, 4, 2, &err));
	assert_int_equal(canvas.width, 4);
	check_row("smaller", &canvas, 0, "");
	memory_fail_after(1);
	assert_false(canvas_resize(&canvas, 1000, 1000, &err));
	memory_fail_after(0);
	assert_int_equal(err.kind, ERROR_MEMORY);
	assert_int_equal(canvas.width, 4);
	canvas_release(&canvas);
	canvas_release(&canvas);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_every_side),
		cmocka_unit_test(half_overwritten_wide_graphemes_vanish),
		cmocka_unit_test(wide_on_the_halves_of_two_others),
		cmocka_unit_test(halves_always_belong_together),
		cmocka_unit_test(combining_marks_never_overflow_a_cell),
		cmocka_unit_test(nothing_is_put_outside),
		cmocka_unit_test(grounds_change_no_text),
		cmocka_unit_test(ascii_canvases_hold_ascii_only),
		cmocka_unit_test(formatted_text_may_be_long),
		cmocka_unit_test(resizing_blanks_and_survives_lack_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
