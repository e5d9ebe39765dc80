/* The rule of a cell: a table of what it holds and what it shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "draw/strip.h"
#include "draw/strip_glyph.h"
#include "draw/viewport.h"
#include "trace/words.h"
#include "trace/lane.h"

/* ---- the rule */

struct share {
	uint8_t look;
	int64_t ns;
};

static const struct rule_row {
	const char *name;
	struct share shares[4];
	int64_t whole_ns;
	enum strip_shape shape;
	uint8_t look, second;
	int level;
	class_mask hidden; /* 1 for "ready", 2 for "blocked", 3 for both */
} rule_rows[] = {
	{ "nothing", { { CLASS_GONE, 0 } }, 100, STRIP_NONE, CLASS_GONE, CLASS_GONE, 0, 0 },
	{ "all running", { { CLASS_RUNNING, 100 } }, 100, STRIP_BAR, CLASS_RUNNING, CLASS_GONE, 7,
		1 },
	{ "all ready", { { CLASS_READY, 100 } }, 100, STRIP_BAR, CLASS_READY, CLASS_GONE, 7, 0 },
	{ "a nanosecond of a second", { { CLASS_RUNNING, 1 }, { CLASS_SYNC, 999999999 } },
		1000000000, STRIP_BAR, CLASS_RUNNING, CLASS_GONE, 1, 1 },
	{ "half", { { CLASS_RUNNING, 50 }, { CLASS_SLEEP, 50 } }, 100, STRIP_BAR, CLASS_RUNNING,
		CLASS_GONE, 4, 1 },
	{ "just full", { { CLASS_RUNNING, 13 }, { CLASS_SYNC, 1 } }, 14, STRIP_BAR, CLASS_RUNNING,
		CLASS_GONE, 7, 1 },
	{ "just not full", { { CLASS_RUNNING, 12 }, { CLASS_SYNC, 2 } }, 14, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 6, 1 },
	{ "syscall is solid", { { CLASS_SYSCALL, 3 }, { CLASS_NETWORK, 97 } }, 100, STRIP_BAR,
		CLASS_SYSCALL, CLASS_GONE, 1, 1 },
	{ "second has half the rest", { { CLASS_RUNNING, 60 }, { CLASS_READY, 20 } }, 100,
		STRIP_BAR, CLASS_RUNNING, CLASS_READY, 4, 2 },
	{ "second has less", { { CLASS_RUNNING, 60 }, { CLASS_READY, 19 } }, 100, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 4, 1 },
	{ "second is too little", { { CLASS_RUNNING, 94 }, { CLASS_READY, 6 } }, 100, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 7, 1 },
	{ "third is ready", { { CLASS_RUNNING, 40 }, { CLASS_SYSCALL, 35 }, { CLASS_READY, 20 } },
		100, STRIP_BAR, CLASS_RUNNING, CLASS_SYSCALL, 3, 3 },
	{ "equal solid classes", { { CLASS_SYSCALL, 50 }, { CLASS_READY, 50 } }, 100, STRIP_BAR,
		CLASS_READY, CLASS_SYSCALL, 4, 2 },
	{ "worker beside goroutine", { { CLASS_WORKER, 70 }, { CLASS_RUNNING, 30 } }, 100,
		STRIP_BAR, CLASS_WORKER, CLASS_RUNNING, 5, 3 },
	{ "most waits for a CPU", { { CLASS_RUNNING, 30 }, { LOOK_WAITS, 70 } }, 100, STRIP_BAR,
		LOOK_WAITS, CLASS_RUNNING, 5, 3 },
	{ "some waits for a CPU", { { CLASS_SYSCALL, 50 }, { LOOK_WAITS, 30 }, { LOOK_ASLEEP, 20 } }, 100,
		STRIP_BAR, CLASS_SYSCALL, LOOK_WAITS, 4, 3 },
	{ "asleep beneath a bar", { { CLASS_RUNNING, 30 }, { LOOK_ASLEEP, 70 } }, 100, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 2, 1 },
	{ "all asleep", { { LOOK_ASLEEP, 60 }, { CLASS_SYNC, 40 } }, 100, STRIP_LINE, LOOK_ASLEEP,
		CLASS_GONE, 0, 0 },
	{ "lines: the most", { { CLASS_SLEEP, 30 }, { CLASS_NETWORK, 31 } }, 100, STRIP_LINE,
		CLASS_NETWORK, CLASS_GONE, 0, 0 },
	{ "lines: equal", { { CLASS_SYNC, 50 }, { CLASS_CHANNEL, 50 } }, 100, STRIP_LINE,
		CLASS_CHANNEL, CLASS_GONE, 0, 0 },
	{ "unknown is a line", { { CLASS_UNKNOWN, 10 } }, 100, STRIP_LINE, CLASS_UNKNOWN,
		CLASS_GONE, 0, 0 },
	{ "a line of a nanosecond", { { CLASS_IDLE, 1 } }, INT64_MAX, STRIP_LINE, CLASS_IDLE,
		CLASS_GONE, 0, 0 },
	{ "times at their limit", { { CLASS_RUNNING, INT64_MAX / 2 } }, INT64_MAX, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 3, 1 },
	{ "a group of many", { { CLASS_RUNNING, 100 }, { CLASS_SYNC, 3900 } }, 4000, STRIP_BAR,
		CLASS_RUNNING, CLASS_GONE, 1, 1 },
};

static class_mask
hidden_of(class_mask which)
{
	class_mask mask = 0;
	if ((which & 1) != 0)
		mask |= CLASS_BIT(CLASS_READY);
	if ((which & 2) != 0)
		mask |= CLASS_MASK_BLOCKED;
	return mask;
}

static void
check_cell(const char *name, const struct strip_cell *cell, const struct rule_row *row)
{
	if (cell->shape != row->shape || cell->look != row->look ||
		cell->second != row->second || cell->level != row->level || cell->marks != 0)
		fail_msg("%s: shape %d look %d second %d level %d", name, cell->shape,
			cell->look, cell->second, cell->level);
	if (strip_hidden(cell) != hidden_of(row->hidden))
		fail_msg("%s: hides %x", name, (unsigned)strip_hidden(cell));
}

static void
a_cell_shows_its_largest_look(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rule_rows); i++) {
		const struct rule_row *row = &rule_rows[i];
		int64_t totals_ns[LOOK_COUNT] = { 0 };
		for (size_t j = 0; j < ARRAY_LENGTH(row->shares); j++)
			totals_ns[row->shares[j].look] += row->shares[j].ns;
		struct strip_cell cell = strip_cell(totals_ns, row->whole_ns);
		check_cell(row->name, &cell, row);
	}
}

static const struct edge_row {
	const char *name;
	enum time_class left, right;
	int64_t left_ns, whole_ns;
	struct rule_row shown;
} edge_rows[] = {
	{ "in the middle", CLASS_RUNNING, CLASS_READY, 50, 100,
		{ .shape = STRIP_EDGE,
			.look = CLASS_RUNNING,
			.second = CLASS_READY,
			.level = 4 } },
	{ "an eighth", CLASS_RUNNING, CLASS_SYNC, 1, 8,
		{ .shape = STRIP_EDGE,
			.look = CLASS_RUNNING,
			.second = CLASS_SYNC,
			.level = 1 } },
	{ "less than an eighth stays one", CLASS_RUNNING, CLASS_SYNC, 1, 1000,
		{ .shape = STRIP_EDGE,
			.look = CLASS_RUNNING,
			.second = CLASS_SYNC,
			.level = 1 } },
	{ "so does the right part", CLASS_SLEEP, CLASS_SYSCALL, 999, 1000,
		{ .shape = STRIP_EDGE,
			.look = CLASS_SLEEP,
			.second = CLASS_SYSCALL,
			.level = 7 } },
	{ "from nothing", CLASS_GONE, CLASS_READY, 250, 1000,
		{ .shape = STRIP_EDGE,
			.look = CLASS_GONE,
			.second = CLASS_READY,
			.level = 2 } },
	{ "two lines", CLASS_SLEEP, CLASS_SYNC, 49, 100,
		{ .shape = STRIP_LINE, .look = CLASS_SYNC } },
	{ "a line that ends", CLASS_NETWORK, CLASS_GONE, 1, 100,
		{ .shape = STRIP_LINE, .look = CLASS_NETWORK } },
};

static void
a_border_is_exact_to_the_eighth(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(edge_rows); i++) {
		const struct edge_row *row = &edge_rows[i];
		struct strip_cell cell = strip_edge(
			(uint8_t)row->left, (uint8_t)row->right, row->left_ns, row->whole_ns);
		check_cell(row->name, &cell, &row->shown);
	}
}

/* ---- glyphs */

static const char *
glyph_of(struct canvas *canvas, uint8_t look, int level)
{
	struct error err = { 0 };
	struct strip_cell cell = {
		.shape = level > 0 ? STRIP_BAR : STRIP_LINE,
		.look = look,
		.level = (uint8_t)level,
	};
	assert_true(canvas_resize(canvas, 1, 1, &err));
	strip_put(canvas, 0, 0, &cell);
	return canvas_at(canvas, 0, 0)->text;
}

/* A glyph and its look, whatever its level. */
struct seen {
	char glyph[CELL_BYTES];
	uint8_t look;
};

static size_t
collect_glyphs(struct canvas *canvas, struct seen seen[LOOK_COUNT * STRIP_LEVELS])
{
	size_t count = 0;
	for (uint8_t i = CLASS_GONE + 1; i < LOOK_COUNT; i++) {
		bool is_solid = strip_is_solid(i);
		for (int level = is_solid ? 1 : 0; level <= (is_solid ? STRIP_LEVELS : 0);
			level++) {
			seen[count].look = i;
			snprintf(seen[count].glyph, CELL_BYTES, "%s",
				glyph_of(canvas, i, level));
			assert_true(seen[count].glyph[0] != '\0');
			count++;
		}
	}
	return count;
}

static void
without_colour_no_two_looks_share_a_glyph(void **state)
{
	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		struct canvas canvas = { .monochrome = true, .ascii = ascii == 1 };
		struct seen seen[LOOK_COUNT * STRIP_LEVELS];
		size_t count = collect_glyphs(&canvas, seen);
		for (size_t i = 0; i < count; i++) {
			for (size_t j = 0; j < i; j++) {
				if (seen[i].look != seen[j].look &&
					strcmp(seen[i].glyph, seen[j].glyph) == 0)
					fail_msg("%s stands for %s and %s", seen[i].glyph,
						strip_look_name(&words_plain, seen[i].look),
						strip_look_name(&words_plain, seen[j].look));
			}
			if (ascii == 1)
				assert_true(seen[i].glyph[1] == '\0' && seen[i].glyph[0] > ' ');
		}
		canvas_release(&canvas);
	}
}

static void
an_edge_has_its_class_on_the_right_side(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct canvas canvas = { 0 };
	struct strip_cell cell = {
		.shape = STRIP_EDGE, .look = CLASS_SYNC, .second = CLASS_READY, .level = 3
	};
	assert_true(canvas_resize(&canvas, 1, 1, &err));
	strip_put(&canvas, 0, 0, &cell);
	const struct cell *put = canvas_at(&canvas, 0, 0);
	assert_string_equal(put->text, "▍");
	assert_int_equal(put->fg, STYLE_READY);
	assert_int_equal(put->attributes, CELL_REVERSE);

	cell.look = CLASS_RUNNING;
	cell.is_alternate = true;
	strip_put(&canvas, 0, 0, &cell);
	assert_int_equal(put->fg, STYLE_RUNNING_ALT);
	assert_int_equal(put->bg, STYLE_READY);
	assert_int_equal(put->attributes, 0);
	canvas_release(&canvas);
}

/* ---- viewports */

static void
zooming_keeps_the_cell_under_the_cursor(void **state)
{
	(void)state;
	uint64_t seed = 20240229, start = seed;
	for (int round = 0; round < 20000; round++) {
		int64_t end_ns = (int64_t)(random_next(&seed) % (UINT64_C(1) << (1 + round % 60)));
		int cells = 1 + (int)(random_next(&seed) % 300);
		struct viewport all = viewport_whole(viewport_extent(end_ns), cells);
		struct viewport viewport = viewport_clamp(
			(struct viewport){ (int64_t)(random_next(&seed) % (uint64_t)all.t1_ns),
				(int64_t)(random_next(&seed) % (uint64_t)all.t1_ns) },
			viewport_extent(end_ns), cells);
		assert_true(viewport.t0_ns >= 0 && viewport.t1_ns <= all.t1_ns);
		assert_true(viewport_span(viewport) >= cells);
		int64_t at_ns = viewport.t0_ns +
				(int64_t)(random_next(&seed) % (uint64_t)viewport_span(viewport));
		int cell = viewport_cell(viewport, cells, at_ns);
		int64_t from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell);
		int64_t until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell + 1);
		if (at_ns < from_ns || at_ns >= until_ns)
			fail_msg("seed %ju, round %d: a cell without its time", (uintmax_t)start,
				round);
		struct viewport zoomed =
			viewport_zoom(viewport, cells, at_ns, viewport_span(viewport) / 2, viewport_extent(end_ns));
		assert_true(zoomed.t0_ns >= 0 && zoomed.t1_ns <= all.t1_ns);
		if (viewport_cell(zoomed, cells, at_ns) != cell)
			fail_msg("seed %ju, round %d: the cursor moved", (uintmax_t)start, round);
	}
}

static void
an_interval_fits_between_its_margins(void **state)
{
	(void)state;
	struct viewport fit = viewport_fit(4000, 4800, 80, viewport_extent(10000));
	assert_int_equal(fit.t0_ns, 3900);
	assert_int_equal(fit.t1_ns, 4900);
	fit = viewport_fit(5000, 5000, 80, viewport_extent(10000));
	assert_int_equal(viewport_span(fit), 80);
	assert_true(fit.t0_ns < 5000 && 5000 < fit.t1_ns);
	fit = viewport_fit(0, 10000, 80, viewport_extent(10000));
	assert_int_equal(fit.t0_ns, 0);
	assert_int_equal(fit.t1_ns, 10000);
	fit = viewport_pan((struct viewport){ 100, 200 }, 10, INT64_MIN / 2, viewport_extent(1000));
	assert_int_equal(fit.t0_ns, 0);
	fit = viewport_pan((struct viewport){ 100, 200 }, 10, INT64_MAX / 2, viewport_extent(1000));
	assert_int_equal(fit.t1_ns, 1000);
	assert_int_equal(viewport_span(fit), 100);
	/* Several traces side by side may begin before one of them does. */
	const struct viewport extent = { -500, 1000 };
	fit = viewport_pan((struct viewport){ 100, 200 }, 10, INT64_MIN / 2, extent);
	assert_int_equal(fit.t0_ns, -500);
	fit = viewport_fit(-400, -300, 10, extent);
	assert_int_equal(fit.t0_ns, -412);
	fit = viewport_zoom((struct viewport){ -100, 100 }, 10, -90, 4000, extent);
	assert_int_equal(fit.t0_ns, -500);
	assert_int_equal(fit.t1_ns, 1000);
	fit = viewport_clamp((struct viewport){ INT64_MIN, INT64_MAX }, extent, 10);
	assert_int_equal(fit.t0_ns, -500);
	assert_int_equal(fit.t1_ns, 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cell_shows_its_largest_look),
		cmocka_unit_test(a_border_is_exact_to_the_eighth),
		cmocka_unit_test(without_colour_no_two_looks_share_a_glyph),
		cmocka_unit_test(an_edge_has_its_class_on_the_right_side),
		cmocka_unit_test(zooming_keeps_the_cell_under_the_cursor),
		cmocka_unit_test(an_interval_fits_between_its_margins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
