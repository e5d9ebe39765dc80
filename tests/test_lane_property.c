/*
 * Every question of lane.h on random traces, against a scan of plain lists of the same
 * events. A failure names the seed; TTRACE_SEED=N tries that one alone.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "randomtrace.h"
#include "trace/lane.h"

enum { SEEDS = 60, QUESTIONS = 30, CELLS = 19 };

/* What is under test now. */
struct subject {
	const struct random_trace *random;
	const struct trace *trace;
	struct lane lane;
	const struct plain_lane *plain; /* NULL for sums over several */
	uint64_t chance;
};

static void
fail_at(const struct subject *subject, const char *what, int64_t t0_ns, int64_t t1_ns)
{
	fail_msg("seed %" PRIu64 ", lane %d %u, %s, %" PRId64 " to %" PRId64, subject->random->seed,
		subject->lane.type, subject->lane.ref, what, t0_ns, t1_ns);
}

/* A moment anywhere, often at or beside the border of a span. */
static int64_t
random_time(struct subject *subject)
{
	const struct plain_lane *plain = subject->plain;
	if (plain == NULL)
		plain = &subject->random->goroutines[random_below(
			&subject->chance, subject->random->goroutine_count)];
	int64_t beside = (int64_t)random_below(&subject->chance, 3) - 1;
	if (plain->count > 0 && random_below(&subject->chance, 3) > 0) {
		const struct plain_span *span =
			&plain->spans[random_below(&subject->chance, plain->count)];
		return (random_below(&subject->chance, 2) == 0 ? span->start_ns : span->end_ns) +
		       beside;
	}
	return (int64_t)random_below(&subject->chance, (size_t)subject->random->end_ns + 100) - 50;
}

static void
random_interval(struct subject *subject, int64_t *t0_ns, int64_t *t1_ns)
{
	int64_t a = random_time(subject), b = random_time(subject);
	*t0_ns = a < b ? a : b;
	*t1_ns = a < b ? b : a;
}

/* ---- scans */

static int64_t
part_within(const struct plain_span *span, int64_t t0_ns, int64_t t1_ns)
{
	int64_t start_ns = span->start_ns > t0_ns ? span->start_ns : t0_ns;
	int64_t end_ns = span->end_ns < t1_ns ? span->end_ns : t1_ns;
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

static bool
is_in_mask(const struct plain_span *span, class_mask mask)
{
	return (mask & CLASS_BIT(span->time_class)) != 0;
}

static void
scan_totals(const struct plain_lane *plain, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	for (size_t i = 0; i < plain->count; i++)
		totals_ns[plain->spans[i].time_class] +=
			part_within(&plain->spans[i], t0_ns, t1_ns);
}

/* Global ranges are told as their union. */
static void
scan_union(const struct plain_lane *plain, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	int64_t covered_ns = t0_ns;
	for (size_t i = 0; i < plain->count; i++) {
		int64_t from_ns = covered_ns > t0_ns ? covered_ns : t0_ns;
		totals_ns[CLASS_RUNNING] += part_within(&plain->spans[i], from_ns, t1_ns);
		if (plain->spans[i].end_ns > covered_ns)
			covered_ns = plain->spans[i].end_ns;
	}
}

static void
scan_lane_totals(const struct subject *subject, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	const struct random_trace *random = subject->random;
	struct lane lane = subject->lane;
	memset(totals_ns, 0, CLASS_COUNT * sizeof(*totals_ns));
	if (lane.type == LANE_GC || lane.type == LANE_STW) {
		scan_union(subject->plain, t0_ns, t1_ns, totals_ns);
	} else if (subject->plain != NULL) {
		scan_totals(subject->plain, t0_ns, t1_ns, totals_ns);
	} else {
		for (uint32_t g = 0; g < random->goroutine_count; g++)
			if (lane.type == LANE_ALL ||
				random->names[g] == subject->trace->groups[lane.ref].name)
				scan_totals(&random->goroutines[g], t0_ns, t1_ns, totals_ns);
	}
}

/* ---- sums */

static void
check_totals(struct subject *subject)
{
	int64_t t0_ns, t1_ns, got[CLASS_COUNT], wanted[CLASS_COUNT];
	random_interval(subject, &t0_ns, &t1_ns);
	lane_totals(subject->trace, subject->lane, t0_ns, t1_ns, got);
	scan_lane_totals(subject, t0_ns, t1_ns, wanted);
	if (memcmp(got, wanted, sizeof(got)) != 0)
		fail_at(subject, "totals", t0_ns, t1_ns);
}

static void
check_cells(struct subject *subject)
{
	int64_t t0_ns, t1_ns, got[CELLS][CLASS_COUNT], wanted[CLASS_COUNT];
	random_interval(subject, &t0_ns, &t1_ns);
	lane_cells(subject->trace, subject->lane, t0_ns, t1_ns, CELLS, got);
	for (int i = 0; i < CELLS; i++) {
		int64_t from_ns = lane_edge(t0_ns, t1_ns, CELLS, i);
		int64_t to_ns = lane_edge(t0_ns, t1_ns, CELLS, i + 1);
		scan_lane_totals(subject, from_ns, to_ns, wanted);
		if (memcmp(got[i], wanted, sizeof(wanted)) != 0)
			fail_at(subject, "cell", from_ns, to_ns);
	}
}

/* ---- single spans */

static void
check_span(const struct subject *subject, const char *what, int64_t t_ns, bool has_got,
	const struct span *got, const struct plain_span *wanted)
{
	if (has_got != (wanted != NULL))
		fail_at(subject, what, t_ns, t_ns);
	if (wanted == NULL)
		return;
	bool is_state = subject->lane.type <= LANE_THREAD;
	bool is_same = got->start_ns == wanted->start_ns && got->end_ns == wanted->end_ns &&
		       got->is_open == wanted->is_open && got->time_class == wanted->time_class;
	if (is_state)
		is_same = is_same && got->actor == wanted->goroutine &&
			  got->thread == wanted->thread && got->stack == wanted->stack &&
			  got->waker_stack == wanted->waker_stack && got->waker.type == wanted->waker.type &&
			  got->waker.ref == wanted->waker.ref;
	if (is_state && wanted->time_class != CLASS_SYSCALL)
		is_same = is_same && got->processor == wanted->proc;
	if (subject->lane.type != LANE_GC && subject->lane.type != LANE_STW)
		is_same = is_same && got->ordinal == (uint32_t)(wanted - subject->plain->spans);
	if (!is_same)
		fail_at(subject, what, got->start_ns, wanted->start_ns);
}

static const struct plain_span *
scan_at(const struct plain_lane *plain, int64_t t_ns)
{
	for (size_t i = 0; i < plain->count; i++) {
		const struct plain_span *span = &plain->spans[i];
		if (span->start_ns <= t_ns &&
			(t_ns < span->end_ns || (span->is_open && t_ns == span->end_ns)))
			return span;
	}
	return NULL;
}

static void
check_at(struct subject *subject)
{
	int64_t t_ns = random_time(subject);
	struct span span;
	bool found = lane_span_at(subject->trace, subject->lane, t_ns, &span);
	check_span(subject, "span at", t_ns, found, &span, scan_at(subject->plain, t_ns));
}

static const struct plain_span *
scan_next(const struct plain_lane *plain, int64_t t_ns, class_mask mask)
{
	for (size_t i = 0; i < plain->count; i++)
		if (plain->spans[i].start_ns >= t_ns && is_in_mask(&plain->spans[i], mask))
			return &plain->spans[i];
	return NULL;
}

static const struct plain_span *
scan_previous(const struct plain_lane *plain, int64_t t_ns, class_mask mask)
{
	for (size_t i = plain->count; i-- > 0;)
		if (plain->spans[i].start_ns < t_ns && is_in_mask(&plain->spans[i], mask))
			return &plain->spans[i];
	return NULL;
}

static class_mask
random_mask(struct subject *subject)
{
	if (subject->lane.type > LANE_THREAD || random_below(&subject->chance, 3) == 0)
		return CLASS_MASK_ALL;
	uint64_t bits = random_next(&subject->chance);
	return (class_mask)(bits & (bits >> 16) & CLASS_MASK_ALL);
}

static void
check_next(struct subject *subject)
{
	int64_t t_ns = random_time(subject);
	class_mask mask = random_mask(subject);
	struct span span;
	bool found = lane_next(subject->trace, subject->lane, t_ns, mask, &span);
	check_span(subject, "next", t_ns, found, &span, scan_next(subject->plain, t_ns, mask));
	found = lane_previous(subject->trace, subject->lane, t_ns, mask, &span);
	check_span(
		subject, "previous", t_ns, found, &span, scan_previous(subject->plain, t_ns, mask));
}

/* From the first span to the last and back, one by one. */
static void
check_neighbours(struct subject *subject)
{
	const struct plain_lane *plain = subject->plain;
	struct span span, next;
	bool found = lane_next(
		subject->trace, subject->lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (size_t i = 0; i < plain->count; i++) {
		check_span(subject, "walk", plain->spans[i].start_ns, found, &span, &plain->spans[i]);
		found = lane_after(subject->trace, subject->lane, &span, &next);
		if (found)
			span = next;
	}
	assert_false(found);
	for (size_t i = plain->count; i-- > 0;) {
		check_span(subject, "walk back", plain->spans[i].start_ns, true, &span,
			&plain->spans[i]);
		found = lane_before(subject->trace, subject->lane, &span, &next);
		assert_int_equal(found, i > 0);
		if (found)
			span = next;
	}
}

static void
check_count(struct subject *subject)
{
	int64_t t0_ns, t1_ns;
	uint32_t wanted = 0;
	random_interval(subject, &t0_ns, &t1_ns);
	if (t0_ns == t1_ns)
		return;
	for (size_t i = 0; i < subject->plain->count; i++) {
		const struct plain_span *span = &subject->plain->spans[i];
		wanted += span->start_ns < t1_ns &&
			  (span->end_ns > t0_ns || (span->is_open && span->end_ns == t0_ns));
	}
	if (lane_count(subject->trace, subject->lane, t0_ns, t1_ns) != wanted)
		fail_at(subject, "count", t0_ns, t1_ns);
}

static void
check_longest(struct subject *subject)
{
	int64_t t0_ns, t1_ns, most_ns = 0;
	const struct plain_span *wanted = NULL;
	class_mask mask = random_mask(subject);
	struct span span;
	random_interval(subject, &t0_ns, &t1_ns);
	for (size_t i = 0; i < subject->plain->count; i++) {
		const struct plain_span *candidate = &subject->plain->spans[i];
		int64_t part_ns = part_within(candidate, t0_ns, t1_ns);
		if (is_in_mask(candidate, mask) && part_ns > most_ns) {
			most_ns = part_ns;
			wanted = candidate;
		}
	}
	bool found = lane_longest(subject->trace, subject->lane, t0_ns, t1_ns, mask, &span);
	/* What is open holds at the very end, but for no time. */
	if (wanted == NULL && t0_ns == subject->random->end_ns)
		return;
	check_span(subject, "longest", t0_ns, found, &span, wanted);
}

static void
check_life(struct subject *subject)
{
	const struct plain_lane *plain = subject->plain;
	int64_t start_ns, end_ns;
	lane_life(subject->trace, subject->lane, &start_ns, &end_ns);
	if (subject->lane.type != LANE_ACTOR || plain->count == 0)
		return;
	assert_int_equal(start_ns, plain->spans[0].start_ns);
	assert_int_equal(end_ns, plain->spans[plain->count - 1].end_ns);
}

/* ---- all questions on all lanes */

static void
check_lane(struct subject *subject)
{
	for (int i = 0; i < QUESTIONS; i++) {
		check_totals(subject);
		if (i % 4 == 0)
			check_cells(subject);
		if (subject->plain == NULL)
			continue;
		/* Global ranges that touch are one span of the lane: only sums are plain. */
		if (subject->lane.type == LANE_GC || subject->lane.type == LANE_STW)
			continue;
		check_at(subject);
		check_next(subject);
		check_count(subject);
		check_longest(subject);
	}
	if (subject->plain == NULL || subject->lane.type > LANE_THREAD)
		return;
	check_neighbours(subject);
	check_life(subject);
}

static void
check_lanes(struct subject *subject, enum lane_type type, const struct plain_lane *plain,
	uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		subject->lane = (struct lane){ type, i };
		subject->plain = plain != NULL ? &plain[i] : NULL;
		check_lane(subject);
	}
}

static void
check_lanes_of(uint64_t seed)
{
	static struct random_trace random;
	random_trace_make(&random, seed);
	struct subject subject = { .random = &random, .trace = random.trace, .chance = seed };
	check_lanes(&subject, LANE_ACTOR, random.goroutines, random.goroutine_count);
	check_lanes(&subject, LANE_PROCESSOR, random.procs, trace_processor_count(random.trace));
	check_lanes(&subject, LANE_THREAD, random.threads, trace_thread_count(random.trace));
	check_lanes(&subject, LANE_GROUP, NULL, random.trace->group_count);
	check_lanes(&subject, LANE_ALL, NULL, 1);
	check_lanes(&subject, LANE_GC, &random.gc, 1);
	check_lanes(&subject, LANE_STW, &random.stw, 1);
	random_trace_release(&random);
}

static void
lanes_answer_as_a_scan_does(void **state)
{
	(void)state;
	random_each_seed(SEEDS, check_lanes_of);
}

/* ---- rows of moments, counters, regions */

static void
check_wakes(struct subject *subject, enum wake_row row)
{
	const struct plain_lane *wakes = &subject->random->wakes[row];
	int64_t t0_ns, t1_ns;
	uint32_t wanted = 0;
	struct span span;
	subject->plain = wakes;
	random_interval(subject, &t0_ns, &t1_ns);
	for (size_t i = 0; i < wakes->count; i++)
		wanted += wakes->spans[i].start_ns >= t0_ns && wakes->spans[i].start_ns < t1_ns;
	if (wake_count(subject->trace, row, t0_ns, t1_ns) != wanted)
		fail_at(subject, "wakes", t0_ns, t1_ns);
	const struct plain_span *next = scan_next(wakes, t0_ns, CLASS_MASK_ALL);
	bool found = wake_find(subject->trace, row, t0_ns, true, &span);
	if (found != (next != NULL) || (found && (span.start_ns != next->start_ns ||
							 span.actor != next->goroutine ||
							 span.waker.ref != next->waker.ref)))
		fail_at(subject, "next wake", t0_ns, t0_ns);
	const struct plain_span *previous = scan_previous(wakes, t0_ns, CLASS_MASK_ALL);
	found = wake_find(subject->trace, row, t0_ns, false, &span);
	if (found != (previous != NULL) || (found && span.start_ns != previous->start_ns))
		fail_at(subject, "previous wake", t0_ns, t0_ns);
}

static void
check_counter(struct subject *subject)
{
	const struct plain_counter *counter = &subject->random->counter;
	int64_t t0_ns, t1_ns;
	uint64_t at = 0, least = UINT64_MAX, greatest = 0, got_at, got_least, got_greatest;
	bool has_at = false, has_range = false;
	random_interval(subject, &t0_ns, &t1_ns);
	for (size_t i = 0; i < counter->count; i++) {
		int64_t until_ns =
			i + 1 < counter->count ? counter->time_ns[i + 1] : INT64_MAX;
		if (counter->time_ns[i] <= t0_ns) {
			has_at = true;
			at = counter->value[i];
		}
		if (counter->time_ns[i] >= t1_ns || until_ns <= t0_ns || t0_ns == t1_ns)
			continue;
		has_range = true;
		least = counter->value[i] < least ? counter->value[i] : least;
		greatest = counter->value[i] > greatest ? counter->value[i] : greatest;
	}
	bool found = counter_at(subject->trace, COUNTER_HEAP_ALLOC, t0_ns, &got_at);
	if (found != has_at || (found && got_at != at))
		fail_at(subject, "counter", t0_ns, t0_ns);
	found = counter_range(subject->trace, COUNTER_HEAP_ALLOC, t0_ns, t1_ns, &got_least,
		&got_greatest);
	if (found != has_range || (found && (got_least != least || got_greatest != greatest)))
		fail_at(subject, "range of a counter", t0_ns, t1_ns);
}

static void
check_region(struct subject *subject, actor_ref goroutine)
{
	int64_t t_ns = random_time(subject);
	const struct plain_region *wanted = NULL;
	for (size_t i = 0; i < subject->random->region_count; i++) {
		const struct plain_region *region = &subject->random->regions[i];
		if (region->goroutine == goroutine && region->start_ns <= t_ns &&
			t_ns < region->end_ns && (wanted == NULL || region->depth > wanted->depth))
			wanted = region;
	}
	if (region_at(subject->trace, goroutine, t_ns) !=
		(wanted != NULL ? wanted->range : REF_NONE))
		fail_at(subject, "region", t_ns, t_ns);
}

static void
check_rows_of(uint64_t seed)
{
	static struct random_trace random;
	random_trace_make(&random, seed);
	struct subject subject = { .random = &random, .trace = random.trace, .chance = seed };
	for (int i = 0; i < QUESTIONS; i++) {
		for (int row = 0; row < WAKE_ROW_COUNT; row++)
			check_wakes(&subject, (enum wake_row)row);
		subject.plain = NULL;
		check_counter(&subject);
		for (uint32_t g = 0; g < random.goroutine_count; g++) {
			subject.lane = (struct lane){ LANE_ACTOR, g };
			subject.plain = &random.goroutines[g];
			check_region(&subject, g);
		}
	}
	random_trace_release(&random);
}

static void
rows_answer_as_a_scan_does(void **state)
{
	(void)state;
	random_each_seed(SEEDS, check_rows_of);
}

/* ---- the random traces are worth it */

/* Lists of groups that all goroutines are summed from. */
struct parts_seen {
	uint32_t complete, incomplete, late;
};

static void
see_parts(struct parts_seen *seen, const struct all_changes *all)
{
	for (uint32_t i = 0; i < all->part_count; i++) {
		if (all->parts[i].is_own)
			seen->incomplete++;
		else
			seen->complete++;
		for (int c = 0; c < CLASS_COUNT; c++)
			seen->late += all->parts[i].list->late[c].count > 0;
	}
}

/* Runs with a carry, and those of them with segments between them and the run before. */
struct carries_seen {
	uint32_t all, behind_gaps;
};

static void
see_carries(struct carries_seen *seen, const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->segments.count; i++) {
		const struct segment *segment = trace_segment(trace, i);
		seen->all += segment->carry_count;
		for (uint32_t k = 0; k < segment->run_count; k++) {
			const struct run *run = &segment->runs[k];
			uint32_t before = segment_run_past(segment, run).previous_segment;
			seen->behind_gaps +=
				segment_run_anchor(segment, run).carry != REF_NONE && before + 1 < i;
		}
	}
}

static void
random_traces_have_some_of_everything(void **state)
{
	(void)state;
	static struct random_trace random;
	uint32_t most_states = 0, most_segments = 0, ends = 0;
	struct parts_seen parts = { 0 };
	struct carries_seen carries = { 0 };
	bool seen[CLASS_COUNT] = { false };
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		random_trace_make(&random, seed);
		for (uint32_t g = 0; g < random.goroutine_count; g++) {
			const struct plain_lane *lane = &random.goroutines[g];
			if (lane->count > most_states)
				most_states = (uint32_t)lane->count;
			ends += trace_actor(random.trace, g)->end_ns != TIME_OPEN;
			for (size_t i = 0; i < lane->count; i++)
				seen[lane->spans[i].time_class] = true;
		}
		if (random.trace->segments.count > most_segments)
			most_segments = random.trace->segments.count;
		see_parts(&parts, &random.trace->all);
		see_carries(&carries, random.trace);
		random_trace_release(&random);
	}
	assert_true(most_states > 4 * CHECKPOINT_STATES);
	assert_true(most_segments > 8);
	assert_true(ends > SEEDS);
	assert_true(parts.complete > 0 && parts.incomplete > 0 && parts.late > 0);
	assert_true(carries.behind_gaps > SEEDS && carries.all > 2 * carries.behind_gaps);
	assert_true(seen[CLASS_RUNNING] && seen[CLASS_WORKER] && seen[CLASS_READY] &&
		    seen[CLASS_SYSCALL] && seen[CLASS_CHANNEL] && seen[CLASS_NETWORK]);
}

/* The last cell that begins at the moment or before, found one by one. */
static void
check_cell_at(int64_t t0_ns, int64_t t1_ns, int cells, int64_t t_ns)
{
	int wanted = 0;
	while (wanted + 1 < cells && lane_edge(t0_ns, t1_ns, cells, wanted + 1) <= t_ns)
		wanted++;
	if (lane_cell_at(t0_ns, t1_ns, cells, t_ns) != wanted)
		fail_msg("%d cells of [%" PRId64 ", %" PRId64 "): %" PRId64 " is in %d, not %d",
			cells, t0_ns, t1_ns, t_ns, lane_cell_at(t0_ns, t1_ns, cells, t_ns), wanted);
}

/* Of strips with more cells than nanoseconds as well, and of the longest that there may be. */
static void
cells_are_found_by_their_moments(void **state)
{
	enum { STRIPS = 3000, MOST_CELLS = 300 };
	uint64_t chance = 1;
	(void)state;
	for (int i = 0; i < STRIPS; i++) {
		int64_t t0_ns = (int64_t)(random_next(&chance) >> (2 + random_below(&chance, 60)));
		int64_t width_ns = (int64_t)(random_next(&chance) >> (2 + random_below(&chance, 62)));
		int64_t t1_ns = t0_ns + width_ns;
		int cells = 1 + (int)random_below(&chance, MOST_CELLS);
		int64_t edge_ns = lane_edge(
			t0_ns, t1_ns, cells, (int)random_below(&chance, (uint64_t)cells + 1));
		int64_t within_ns = t0_ns + (int64_t)random_below(&chance, (uint64_t)width_ns + 1);
		const int64_t moments_ns[] = { t0_ns - 1, t0_ns, t1_ns - 1, t1_ns, t1_ns + 1,
			edge_ns - 1, edge_ns, edge_ns + 1, within_ns, INT64_MIN, INT64_MAX };
		for (size_t n = 0; n < ARRAY_LENGTH(moments_ns); n++)
			check_cell_at(t0_ns, t1_ns, cells, moments_ns[n]);
	}
	check_cell_at(INT64_MIN, INT64_MAX, MOST_CELLS, 0);
	check_cell_at(INT64_MIN, INT64_MAX, MOST_CELLS, INT64_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces_have_some_of_everything),
		cmocka_unit_test(lanes_answer_as_a_scan_does),
		cmocka_unit_test(rows_answer_as_a_scan_does),
		cmocka_unit_test(cells_are_found_by_their_moments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
