/* The damage map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/damage_words.h"
#include "trace/damage.h"
#include "trace/time.h"

static struct damage
place(uint64_t from_bytes, int64_t from_ns, int64_t blank_ns, int64_t to_ns)
{
	return (struct damage){
		.from_bytes = from_bytes,
		.to_bytes = from_bytes + 10,
		.lost_bytes = 7,
		.from_ns = from_ns,
		.blank_ns = blank_ns,
		.to_ns = to_ns,
		.first_generation = from_bytes,
		.last_generation = from_bytes,
		.cause = DAMAGE_MISSING,
		.dropped_events = 2,
		.ended_batches = 3,
		.skipped_numbers = 4,
		.moved_times = 6,
		.guessed_ends = 1,
		.unknown_states = 5,
	};
}

static void
what_does_not_fit_is_summed_up(void **state)
{
	enum { PLACES = 100 };
	struct damage_map map = { 0 };
	(void)state;
	for (int i = 0; i < PLACES; i++) {
		struct damage damage = place((uint64_t)i * 100, i * 10, i * 10 + 2, i * 10 + 5);
		error_set(&damage.first, ERROR_FORMAT, "place %d", i);
		damage_map_add(&map, &damage);
	}
	assert_int_equal(map.count, DAMAGE_ROWS_MAX);
	assert_int_equal(damage_map_places(&map), PLACES);
	assert_int_equal(damage_map_lost_bytes(&map), PLACES * 7);

	enum { LAST = DAMAGE_ROWS_MAX - 1, SUMMED = PLACES - LAST };
	const struct damage *last = &map.rows[LAST];
	assert_int_equal(map.rows[LAST - 1].places, 1);
	assert_int_equal(last->places, SUMMED);
	assert_int_equal(last->from_bytes, LAST * 100);
	assert_int_equal(last->to_bytes, (PLACES - 1) * 100 + 10);
	assert_int_equal(last->from_ns, LAST * 10);
	assert_int_equal(last->to_ns, (PLACES - 1) * 10 + 5);
	assert_int_equal(last->last_generation, (PLACES - 1) * 100);
	assert_int_equal(last->dropped_events, SUMMED * 2);
	assert_int_equal(last->ended_batches, SUMMED * 3);
	assert_int_equal(last->skipped_numbers, SUMMED * 4);
	assert_int_equal(last->moved_times, SUMMED * 6);
	assert_int_equal(last->guessed_ends, SUMMED);
	assert_int_equal(last->unknown_states, SUMMED * 5);
	assert_string_equal(last->first.message, "place 31");
	/* Between the places summed up there are events. */
	assert_int_equal(damage_extent(last, LAST * 10 + 6, LAST * 10 + 8), DAMAGE_PARTIAL);
}

static void
an_interval_knows_what_it_touches(void **state)
{
	static const struct {
		const char *name;
		int64_t t0_ns, t1_ns;
		enum damage_extent extent;
		int row; /* -1 for none */
	} rows[] = {
		{ "before all", 0, 100, DAMAGE_NONE, -1 },
		{ "into the first", 0, 101, DAMAGE_PARTIAL, 0 },
		{ "its nothing", 150, 160, DAMAGE_BLANK, 0 },
		{ "its last instant", 199, 205, DAMAGE_BLANK, 0 },
		{ "between", 200, 300, DAMAGE_NONE, -1 },
		{ "an instant", 300, 301, DAMAGE_BLANK, 1 },
		{ "behind the instant", 301, 310, DAMAGE_NONE, -1 },
		{ "the end", 400, 401, DAMAGE_BLANK, 2 },
		{ "behind the end", 5000, 6000, DAMAGE_BLANK, 2 },
		{ "all", 0, 1000, DAMAGE_BLANK, 0 },
	};
	struct damage_map map = { 0 };
	const struct damage places[] = {
		place(1, 100, 120, 200),
		place(2, 300, 300, 300),
		place(3, 400, 400, TIME_OPEN),
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
		damage_map_add(&map, &places[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		const struct damage *found =
			damage_map_find(&map, rows[i].t0_ns, rows[i].t1_ns);
		int row = found == NULL ? -1 : (int)(found - map.rows);
		enum damage_extent extent =
			damage_map_extent(&map, rows[i].t0_ns, rows[i].t1_ns);
		if (row != rows[i].row || extent != rows[i].extent)
			fail_msg("%s: row %d, extent %d", rows[i].name, row, (int)extent);
	}
}

static void
the_nearest_place_is_found(void **state)
{
	struct damage_map map = { 0 };
	const struct damage places[] = {
		place(1, 300, 300, 400),
		place(2, 100, 120, 200),
		place(3, 500, 500, TIME_OPEN),
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
		damage_map_add(&map, &places[i]);
	assert_ptr_equal(damage_map_beside(&map, 0, true), &map.rows[1]);
	assert_ptr_equal(damage_map_beside(&map, 100, true), &map.rows[0]);
	assert_ptr_equal(damage_map_beside(&map, 499, true), &map.rows[2]);
	assert_null(damage_map_beside(&map, 500, true));
	assert_ptr_equal(damage_map_beside(&map, 1000, false), &map.rows[2]);
	assert_ptr_equal(damage_map_beside(&map, 500, false), &map.rows[0]);
	assert_null(damage_map_beside(&map, 100, false));
}

static void
a_warning_is_no_loss(void **state)
{
	struct damage_map map = { 0 };
	struct damage damage = place(0, 0, 0, 100);
	(void)state;
	damage.cause = DAMAGE_NEWER;
	damage_map_add(&map, &damage);
	assert_int_equal(map.count, 1);
	assert_int_equal(damage_map_places(&map), 0);
	assert_int_equal(damage_map_extent(&map, 0, 100), DAMAGE_NONE);
	assert_null(damage_map_find(&map, 0, 100));
	assert_null(damage_map_beside(&map, -1, true));
}

static void
times_move_to_those_of_the_trace(void **state)
{
	struct damage_map map = { 0 };
	const struct damage tail = place(1, 1500, 1600, TIME_OPEN), head = place(2, 0, 0, 1010);
	(void)state;
	damage_map_add(&map, &tail);
	damage_map_add(&map, &head);
	damage_map_rebase(&map, 1000, 580);
	assert_int_equal(map.rows[0].from_ns, 500);
	/* The last instant, since the trace ends there. */
	assert_int_equal(map.rows[0].blank_ns, 579);
	assert_true(map.rows[0].to_ns == TIME_OPEN);
	assert_int_equal(map.rows[1].from_ns, 0);
	assert_int_equal(map.rows[1].to_ns, 10);
}

/* What was odd first counts where nothing was lost. */
static void
a_loss_is_told_before_a_warning(void **state)
{
	struct damage_map map = { 0 };
	struct damage newer = { .cause = DAMAGE_NEWER };
	struct damage cut = place(49331, 1500, 1600, TIME_OPEN);
	struct text out = { 0 };
	(void)state;
	error_clear(&newer.first);
	error_set(&newer.first, ERROR_FORMAT, "the format is newer");
	error_clear(&cut.first);
	error_set(&cut.first, ERROR_TRUNCATED, "the input ends");
	damage_map_add(&map, &newer);
	damage_describe(&out, &map, true);
	assert_string_equal(out.bytes, "the format is newer");
	text_clear(&out);
	damage_map_add(&map, &cut);
	damage_describe(&out, &map, true);
	assert_string_equal(out.bytes, "7 B lost from byte 49331 on: the input ends");
	text_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_fit_is_summed_up),
		cmocka_unit_test(an_interval_knows_what_it_touches),
		cmocka_unit_test(the_nearest_place_is_found),
		cmocka_unit_test(a_warning_is_no_loss),
		cmocka_unit_test(a_loss_is_told_before_a_warning),
		cmocka_unit_test(times_move_to_those_of_the_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
