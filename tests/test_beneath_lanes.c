/*
 * What lanes lost to the kernel: against a walk over every span, for actors, processors and groups; and that strips
 * show it, cell by cell.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/beneath/lanes.h"
#include "base_testing.h"
#include "beneathtesting.h"
#include "draw/lane_strip.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"
#include "tracetesting.h"

enum { MS = 1000000, ROUNDS = 300, MOST_CELLS = 120 };

struct lanes_pair {
	struct trace *above, *below;
	struct beneath beneath;
	struct beneath_lanes lanes;
	uint64_t random;
};

static void
open_pair(struct lanes_pair *pair, const char *name, int64_t shift_ns)
{
	struct error err;
	error_clear(&err);
	*pair = (struct lanes_pair){ .random = 20261128 };
	pair->above = beneathtesting_load(name, ".trace.gz");
	pair->below = beneathtesting_load(name, ".txt.gz");
	assert_true(beneath_init(&pair->beneath, pair->above, pair->below, &err));
	beneath_shift(&pair->beneath, shift_ns);
	assert_true(beneath_lanes_build(&pair->lanes, &pair->beneath, pair->above, NULL, &err));
}

static void
close_pair(struct lanes_pair *pair)
{
	beneath_lanes_release(&pair->lanes);
	beneath_release(&pair->beneath);
	trace_free(pair->above);
	trace_free(pair->below);
}

/* ---- span by span */

typedef int64_t lost_times[BENEATH_UPPERS][BENEATH_LOST];

static void
add_span(const struct lanes_pair *pair, const struct span *span, lost_times times_ns)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	int upper = 0;
	while (upper < BENEATH_UPPERS && beneath_upper_class((enum beneath_upper)upper) != span->time_class)
		upper++;
	if (upper == BENEATH_UPPERS)
		return;
	beneath_begin(&walk, &pair->beneath, span->thread, span->start_ns, span->end_ns);
	while (beneath_next(&walk, &piece))
		if (piece.state == BENEATH_READY || piece.state == BENEATH_ASLEEP)
			times_ns[upper][piece.state == BENEATH_READY ? BENEATH_WAITED : BENEATH_SLEPT] +=
				piece.until_ns - piece.from_ns;
}

static void
add_lane(const struct lanes_pair *pair, struct lane lane, int64_t t0_ns, int64_t t1_ns, lost_times times_ns)
{
	const struct trace *trace = pair->above;
	struct span span;
	bool is_there = lane_span_at(trace, lane, t0_ns, &span) ||
			lane_next(trace, lane, t0_ns, CLASS_MASK_ALL, &span);
	for (; is_there && span.start_ns < t1_ns; is_there = lane_after(trace, lane, &span, &span)) {
		struct span within = span;
		span_clip(&within, t0_ns, t1_ns);
		if (within.start_ns < within.end_ns)
			add_span(pair, &within, times_ns);
	}
}

static void
add_slowly(const struct lanes_pair *pair, struct lane lane, int64_t t0_ns, int64_t t1_ns, lost_times times_ns)
{
	const struct trace *trace = pair->above;
	memset(times_ns, 0, sizeof(lost_times));
	if (lane.type != LANE_GROUP) {
		add_lane(pair, lane, t0_ns, t1_ns, times_ns);
		return;
	}
	const struct group *group = &trace->groups[lane.ref];
	for (uint32_t i = 0; i < group->count; i++)
		add_lane(pair, (struct lane){ LANE_ACTOR, trace->group_members[group->first + i] }, t0_ns, t1_ns,
			times_ns);
}

static struct lane
any_lane(struct lanes_pair *pair)
{
	static const uint8_t types[] = { LANE_ACTOR, LANE_PROCESSOR, LANE_GROUP };
	enum lane_type type = (enum lane_type)types[random_below(&pair->random, ARRAY_LENGTH(types))];
	uint32_t count = type == LANE_ACTOR	  ? trace_actor_count(pair->above)
			 : type == LANE_PROCESSOR ? trace_processor_count(pair->above)
						  : pair->above->group_count;
	return (struct lane){ type, (uint32_t)random_below(&pair->random, count) };
}

static void
any_interval(struct lanes_pair *pair, int64_t *t0_ns, int64_t *t1_ns)
{
	int64_t end_ns = pair->above->end_ns;
	*t0_ns = (int64_t)random_below(&pair->random, (uint64_t)end_ns);
	*t1_ns = *t0_ns + 1 + (int64_t)random_below(&pair->random, (uint64_t)(end_ns - *t0_ns));
	if (random_below(&pair->random, 3) == 0) {
		*t0_ns = 0;
		*t1_ns = end_ns;
	}
}

static const struct { const char *name; int64_t shift_ns; } captures[] = {
	{ "contention", 0 }, { "httpserver", 0 }, { "syscalls", 0 }, { "contention", -3 * MS }, { "httpserver", 5 * MS },
};

static void
lanes_lose_what_their_spans_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(captures); i++) {
		struct lanes_pair pair;
		int had_some = 0;
		open_pair(&pair, captures[i].name, captures[i].shift_ns);
		for (int round = 0; round < ROUNDS; round++) {
			struct lane lane = any_lane(&pair);
			int64_t t0_ns, t1_ns;
			lost_times wanted_ns, got_ns = { { 0 } };
			any_interval(&pair, &t0_ns, &t1_ns);
			add_slowly(&pair, lane, t0_ns, t1_ns, wanted_ns);
			beneath_lanes_add(&pair.lanes, lane, t0_ns, t1_ns, got_ns);
			for (int k = 0; k < BENEATH_UPPERS * BENEATH_LOST; k++) {
				int64_t wanted = wanted_ns[k / BENEATH_LOST][k % BENEATH_LOST];
				int64_t got = got_ns[k / BENEATH_LOST][k % BENEATH_LOST];
				if (got != wanted)
					fail_msg("%s: lane %d %u of [%" PRId64 ", %" PRId64 "): %" PRId64
						 ", wanted %" PRId64, captures[i].name, (int)lane.type, lane.ref, t0_ns,
						t1_ns, got, wanted);
				had_some += got > 0;
			}
		}
		assert_true(had_some > ROUNDS / 20);
		close_pair(&pair);
	}
}

/* ---- strips */

/* Where all of a cell is one of them, and nothing else is there, the cell shows it. */
static void
check_cell(const struct lanes_pair *pair, const struct strip *strip, int cell, int64_t t0_ns, int64_t t1_ns)
{
	const int64_t *totals_ns = strip->totals_ns[cell];
	const struct strip_cell *shown = &strip->cells[cell];
	int64_t classes_ns = 0, looks_ns = 0;
	lost_times lost_ns;
	add_slowly(pair, strip->lane, t0_ns, t1_ns, lost_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		classes_ns += strip->classes_ns[cell][i];
	for (int i = CLASS_GONE + 1; i < LOOK_COUNT; i++)
		looks_ns += totals_ns[i];
	assert_int_equal(looks_ns, classes_ns);
	for (int lost = 0; lost < BENEATH_LOST; lost++)
		assert_int_equal(totals_ns[LOOK_WAITS + lost],
			lost_ns[BENEATH_RUNNING][lost] + lost_ns[BENEATH_WORKER][lost] + lost_ns[BENEATH_SYSCALL][lost]);
	if (totals_ns[LOOK_WAITS] == t1_ns - t0_ns && strip->lane.type != LANE_GROUP)
		assert_true(shown->shape == STRIP_BAR && shown->look == LOOK_WAITS && shown->level == STRIP_LEVELS);
	if (totals_ns[LOOK_ASLEEP] == t1_ns - t0_ns && strip->lane.type != LANE_GROUP)
		assert_true(shown->shape == STRIP_LINE && shown->look == LOOK_ASLEEP);
	if (shown->shape == STRIP_EDGE)
		assert_true((shown->look == CLASS_GONE || totals_ns[shown->look] > 0) &&
			    (shown->second == CLASS_GONE || totals_ns[shown->second] > 0));
}

static void
strips_show_what_lanes_lost(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(captures); i++) {
		struct lanes_pair pair;
		struct strip strip = { .width = 0 };
		struct error err;
		error_clear(&err);
		open_pair(&pair, captures[i].name, captures[i].shift_ns);
		for (int round = 0; round < ROUNDS; round++) {
			struct strip_source source = { .trace = pair.above, .beneath = &pair.lanes };
			int cells = 1 + (int)random_below(&pair.random, MOST_CELLS);
			any_interval(&pair, &source.viewport.t0_ns, &source.viewport.t1_ns);
			source.viewport = viewport_clamp(source.viewport, viewport_extent(pair.above->end_ns), cells);
			assert_true(strip_reserve(&strip, cells, &err));
			strip_fill(&strip, &source, any_lane(&pair));
			for (int c = 0; c < cells; c++)
				check_cell(&pair, &strip, c,
					lane_edge(source.viewport.t0_ns, source.viewport.t1_ns, cells, c),
					lane_edge(source.viewport.t0_ns, source.viewport.t1_ns, cells, c + 1));
			for (int s = 0; s < strip.stretch_count; s++) {
				const struct strip_stretch *stretch = &strip.stretches[s];
				for (int c = stretch->first; c < stretch->first + stretch->cells; c++)
					assert_int_equal(strip.cells[c].look, stretch->look);
			}
		}
		strip_release(&strip);
		close_pair(&pair);
	}
}

static void
building_is_cancelled(void **state)
{
	(void)state;
	struct lanes_pair pair;
	struct beneath_lanes lanes;
	struct error err;
	const atomic_bool is_cancelled = true;
	error_clear(&err);
	open_pair(&pair, "contention", 0);
	assert_false(beneath_lanes_build(&lanes, &pair.beneath, pair.above, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_null(lanes.beneath);
	close_pair(&pair);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_lose_what_their_spans_do),
		cmocka_unit_test(strips_show_what_lanes_lost),
		cmocka_unit_test(building_is_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
