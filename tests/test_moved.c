/* What stands on a screen already, elsewhere: rows higher or lower, their ends further left or right. */
#include "base_testing.h"

#include "base/compiler.h"
#include "term/rewrite.h"
#include "term/scroll.h"
#include "term/shift.h"

enum { WIDTH = 40, HEIGHT = 12 };

static const struct cell_style plain = { STYLE_TEXT_BRIGHT, STYLE_DEFAULT, 0 };

/* Rows that differ from each other, and for each seed, in every cell. */
static void
fill(struct canvas *canvas, int seed)
{
	struct error err;
	assert_true(canvas_resize(canvas, WIDTH, HEIGHT, &err));
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		char text[] = { (char)('!' + (i * 7 + i / WIDTH * 11 + seed * 5) % 90), '\0' };
		canvas_put(canvas, i % WIDTH, i / WIDTH, plain, text);
	}
}

static void
copy_row(struct canvas *to, int y, const struct canvas *from, int of)
{
	memcpy(canvas_at(to, 0, y), from->cells + (size_t)of * WIDTH, WIDTH * sizeof(struct cell));
}

static void
mark(struct canvas *canvas, int x, int y)
{
	canvas_put(canvas, x, y, (struct cell_style){ STYLE_MARK, STYLE_CURSOR, CELL_BOLD }, "●");
}

/* ---- rewriting */

static void
what_looks_the_same_costs_nothing(void **state)
{
	(void)state;
	struct cell a[] = { { .text = "x", .fg = 1 }, { .fg = 1 }, { .bg = 2 } };
	struct cell b[] = { { .text = "x", .fg = 1 }, { .fg = 3 }, { .bg = 2, .fg = 7 } };
	assert_int_equal(rewrite_bytes(a, b, 3), 0);
	assert_true(rewrite_is_same(&a[1], &b[1]));
	b[2].attributes = CELL_UNDERLINE;
	assert_false(rewrite_is_same(&a[2], &b[2]));
	assert_true(rewrite_bytes(a, b, 3) > 0);
	assert_true(rewrite_bytes(NULL, b, 3) > rewrite_bytes(a, b, 3));
}

/* Gaps and colours are what bytes go to. */
static void
colours_and_gaps_cost(void **state)
{
	(void)state;
	static const char *const rows[] = { "xxx...", "x.x.x.", "xyx..." };
	struct cell before[6] = { 0 }, after[3][6] = { 0 };
	for (int i = 0; i < 3 * 6; i++) {
		char c = rows[i / 6][i % 6];
		if (c == '.')
			continue;
		after[i / 6][i % 6].text[0] = 'a';
		after[i / 6][i % 6].fg = c == 'x' ? STYLE_RUNNING : STYLE_READY;
	}
	int run = rewrite_bytes(before, after[0], 6);
	assert_true(rewrite_bytes(before, after[1], 6) > run);
	assert_true(rewrite_bytes(before, after[2], 6) > run);
	memcpy(before, after[0], sizeof before);
	memset(after[0], 0, sizeof after[0]);
	assert_true(rewrite_bytes(before, after[0], 6) < run);
}

/* ---- rows */

struct scrolling {
	const char *name;
	int first, end, from; /* rows [first, end) of the next picture stood at `from` before */
	int marked;           /* one of them with a mark that was not there; negative: none */
	bool is_found;
	struct scroll wanted;
};

static void
rows_that_moved_are_found(void **state)
{
	(void)state;
	static const struct scrolling rows[] = {
		{ "up by one", 2, 9, 3, -1, true, { 2, 9, 1 } },
		{ "down by two", 4, 10, 2, -1, true, { 2, 9, -2 } },
		{ "one is marked", 2, 9, 3, 5, true, { 2, 9, 1 } },
		{ "the first is marked", 2, 9, 3, 2, true, { 2, 9, 1 } },
		{ "the last is marked", 2, 9, 3, 8, true, { 2, 9, 1 } },
		{ "the last of those below", 4, 10, 2, 9, true, { 2, 9, -2 } },
		{ "all but one", 0, HEIGHT - 1, 1, -1, true, { 0, HEIGHT - 1, 1 } },
		{ "two are too few", 2, 4, 3, -1, false, { 0, 0, 0 } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct canvas before = { 0 }, after = { 0 };
		struct scroll scroll = { 0 };
		fill(&before, 0);
		fill(&after, 1);
		for (int y = rows[i].first; y < rows[i].end; y++)
			copy_row(&after, y, &before, rows[i].from + y - rows[i].first);
		if (rows[i].marked >= 0)
			mark(&after, 20, rows[i].marked);
		if (scroll_find(&before, &after, HEIGHT, &scroll) != rows[i].is_found)
			fail_msg("%s: wrong", rows[i].name);
		if (memcmp(&scroll, &rows[i].wanted, sizeof scroll) != 0)
			fail_msg("%s: %d to %d by %d", rows[i].name, scroll.top, scroll.bottom, scroll.up);
		canvas_release(&before);
		canvas_release(&after);
	}
}

static void
scrolled_rows_stand_where_they_shall(void **state)
{
	(void)state;
	static const struct scroll rows[] = { { 2, 9, 1 }, { 2, 9, -2 }, { 0, HEIGHT - 1, 5 } };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct canvas before = { 0 }, after = { 0 };
		static const struct cell blank;
		fill(&before, 0);
		fill(&after, 0);
		scroll_apply(&after, &rows[i]);
		for (int y = rows[i].top; y <= rows[i].bottom; y++) {
			int from = y + rows[i].up;
			bool comes_in = from < rows[i].top || from > rows[i].bottom;
			assert_memory_equal(canvas_at(&after, 3, y),
				comes_in ? &blank : canvas_at(&before, 3, from), sizeof blank);
		}
		canvas_release(&before);
		canvas_release(&after);
	}
}

/* ---- ends of rows */

/* The ends of all rows from a column on, further left; a negative distance is to the right. */
static void
move_ends(struct canvas *after, const struct canvas *before, int first, int left)
{
	int by = left < 0 ? -left : left;
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = first; x < WIDTH - by; x++) {
			int to = left < 0 ? x + by : x, from = left < 0 ? x : x + by;
			*canvas_at(after, to, y) = before->cells[y * WIDTH + from];
		}
	}
}

static void
ends_that_moved_are_found(void **state)
{
	(void)state;
	static const int distances[] = { 1, -1, 7, -7 };
	enum { FIRST = 10 };
	for (size_t i = 0; i < ARRAY_LENGTH(distances); i++) {
		struct canvas before = { 0 }, after = { 0 };
		struct cell moved[WIDTH];
		struct shift shift;
		int left = distances[i], by = left < 0 ? -left : left;
		fill(&before, 0);
		fill(&after, 0);
		move_ends(&after, &before, FIRST, left);
		mark(&after, WIDTH - 9, 3);
		assert_int_equal(shift_distance(&before, &after, HEIGHT), left);
		for (int y = 0; y < HEIGHT; y++) {
			const struct cell *row = before.cells + y * WIDTH, *next = after.cells + y * WIDTH;
			assert_true(shift_find(row, next, WIDTH, left, &shift));
			assert_int_equal(shift.first, FIRST);
			assert_int_equal(shift.left, left);
			shift_apply(row, WIDTH, &shift, moved);
			int different = 0;
			for (int x = 0; x < WIDTH; x++)
				different += !rewrite_is_same(&moved[x], &next[x]);
			assert_int_equal(different, by + (y == 3));
		}
		canvas_release(&before);
		canvas_release(&after);
	}
}

static void
what_stands_still_is_left_alone(void **state)
{
	(void)state;
	struct canvas before = { 0 }, after = { 0 };
	struct shift shift;
	fill(&before, 0);
	fill(&after, 0);
	assert_int_equal(shift_distance(&before, &after, HEIGHT), 0);
	assert_false(shift_find(before.cells, after.cells, WIDTH, 1, &shift));
	mark(&after, 5, 5);
	assert_int_equal(shift_distance(&before, &after, HEIGHT), 0);
	canvas_release(&before);
	canvas_release(&after);
}

static void
wide_characters_are_not_moved(void **state)
{
	(void)state;
	struct canvas before = { 0 }, after = { 0 };
	struct shift shift;
	fill(&before, 0);
	fill(&after, 0);
	move_ends(&after, &before, 10, 2);
	assert_true(shift_find(before.cells, after.cells, WIDTH, 2, &shift));
	canvas_string(&before, 20, 0, 2, plain, "日");
	assert_false(shift_find(before.cells, after.cells, WIDTH, 2, &shift));
	assert_false(shift_find(after.cells, before.cells, WIDTH, -2, &shift));
	canvas_release(&before);
	canvas_release(&after);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_looks_the_same_costs_nothing),
		cmocka_unit_test(colours_and_gaps_cost),
		cmocka_unit_test(rows_that_moved_are_found),
		cmocka_unit_test(scrolled_rows_stand_where_they_shall),
		cmocka_unit_test(ends_that_moved_are_found),
		cmocka_unit_test(what_stands_still_is_left_alone),
		cmocka_unit_test(wide_characters_are_not_moved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
