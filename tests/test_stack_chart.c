/*
 * What is known of stacks, against a scan: at any moment from the spans around it, one by one,
 * and of any cell from all its moments.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/stack_chart.h"
#include "base_testing.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "trace/lane.h"

enum { SIMULATED = 12, LANES = 6, QUESTIONS = 12, MOST_SPANS = 400, MOST_CELLS = 40 };

static unsigned kinds_seen[STACK_CELL_BETWEEN + 1];

/* ---- what a scan says of a moment */

struct scan {
	struct pair *pair;
	const struct trace *trace;
	struct samples samples;
	struct lane lane;
	struct span spans[MOST_SPANS];
	size_t count;
	int64_t sample_ns[MOST_SPANS];
	stack_id sampled[MOST_SPANS];
	size_t sample_count;
};

/* False where there are too many of something for a scan. */
static bool
scan_lane(struct scan *scan)
{
	struct span span, next;
	scan->count = scan->sample_count = 0;
	bool is_there = lane_next(scan->trace, scan->lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; span = next) {
		if (scan->count == MOST_SPANS)
			return false;
		scan->spans[scan->count++] = span;
		is_there = lane_after(scan->trace, scan->lane, &span, &next);
	}
	for (uint32_t i = 0; i < scan->trace->instants.count; i++) {
		const struct instant *instant = trace_instant(scan->trace, i);
		if (instant->type != INSTANT_SAMPLE || instant->actor != scan->lane.ref)
			continue;
		if (scan->sample_count == MOST_SPANS)
			return false;
		scan->sample_ns[scan->sample_count] = instant->time_ns;
		scan->sampled[scan->sample_count++] = instant->stack;
	}
	return true;
}

static bool
is_running(const struct span *span)
{
	return span->kind->state == STATE_RUNNING;
}

/* The stack of a span that does not run, by what entered it. */
static stack_id
standing(const struct scan *scan, size_t at)
{
	for (;; at--) {
		const struct span *span = &scan->spans[at];
		enum state_entry entry = span->kind->entry;
		if (span->kind->state == STATE_BLOCKED || span->kind->state == STATE_SYSCALL)
			return span->stack;
		if (span->kind->state != STATE_READY)
			return STACK_NONE;
		if (entry == ENTRY_STOPPED)
			return span->stack;
		if ((!entry_is_wake(entry) && entry != ENTRY_RETURNED) || at == 0 ||
			is_running(&scan->spans[at - 1]))
			return STACK_NONE;
	}
}

struct knowledge {
	enum stack_knowledge what;
	stack_id stack;
	uint32_t frames;
};

static uint32_t
functions_of(const struct trace *trace, stack_id stack, string_id functions[1024])
{
	uint32_t depth = stack_depth(&trace->stacks, stack);
	assert_true(depth <= 1024);
	for (uint32_t i = depth; i > 0; i--) {
		functions[i - 1] = stack_leaf(&trace->stacks, stack)->function;
		stack = stack_caller(&trace->stacks, stack);
	}
	size_t length = 0;
	const char *root = depth > 0 ? trace_text(trace, functions[0], &length) : "";
	if (length != strlen("runtime.goexit") || memcmp(root, "runtime.goexit", length) != 0)
		return depth;
	memmove(functions, functions + 1, (depth - 1) * sizeof *functions);
	return depth - 1;
}

static uint32_t
frames_of(const struct trace *trace, stack_id stack)
{
	static string_id functions[1024];
	return functions_of(trace, stack, functions);
}

static struct knowledge
between(const struct trace *trace, stack_id left, stack_id right)
{
	static string_id of_left[1024], of_right[1024];
	struct knowledge nothing = { STACK_IS_UNKNOWN, STACK_NONE, 0 };
	if (left == STACK_NONE || right == STACK_NONE)
		return nothing;
	uint32_t a = functions_of(trace, left, of_left), b = functions_of(trace, right, of_right);
	uint32_t shared = 0;
	while (shared < a && shared < b && of_left[shared] == of_right[shared])
		shared++;
	return shared > 0 ? (struct knowledge){ STACK_IS_BETWEEN, left, shared } : nothing;
}

/* The last span that begins at t or before. */
static size_t
span_at(const struct scan *scan, int64_t t_ns)
{
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < scan->count && scan->spans[i].start_ns <= t_ns; i++)
		found = i;
	return found;
}

static struct knowledge
running_at(const struct scan *scan, size_t at, int64_t t_ns)
{
	size_t first = at, last = at;
	while (first > 0 && is_running(&scan->spans[first - 1]))
		first--;
	while (last + 1 < scan->count && is_running(&scan->spans[last + 1]))
		last++;
	stack_id left = first > 0 ? standing(scan, first - 1) : STACK_NONE, right = STACK_NONE;
	const struct span *after = last + 1 < scan->count ? &scan->spans[last + 1] : NULL;
	bool is_stop = after != NULL && (after->kind->state != STATE_READY ||
						after->kind->entry == ENTRY_STOPPED);
	if (is_stop)
		right = standing(scan, last + 1);
	else if (after != NULL && (entry_is_wake(after->kind->entry) ||
					  after->kind->entry == ENTRY_RETURNED))
		right = left; /* of a trace that makes no sense: it has not moved */
	int64_t end_ns = after != NULL ? after->start_ns : scan->trace->end_ns;
	for (size_t i = 0; i < scan->sample_count; i++) {
		if (scan->sample_ns[i] < scan->spans[first].start_ns ||
			scan->sample_ns[i] >= end_ns || scan->sampled[i] == STACK_NONE)
			continue;
		if (scan->sample_ns[i] <= t_ns)
			left = scan->sampled[i];
		else
			return between(scan->trace, left, scan->sampled[i]);
	}
	return between(scan->trace, left, right);
}

static struct knowledge
known_at(const struct scan *scan, int64_t t_ns)
{
	struct knowledge nothing = { STACK_IS_UNKNOWN, STACK_NONE, 0 };
	size_t at = span_at(scan, t_ns);
	if (at == SIZE_MAX || t_ns >= scan->spans[at].end_ns)
		return nothing;
	if (is_running(&scan->spans[at]))
		return running_at(scan, at, t_ns);
	stack_id stack = standing(scan, at);
	if (stack == STACK_NONE)
		return nothing;
	return (struct knowledge){ STACK_IS_KNOWN, stack,
		frames_of(scan->trace, stack) };
}

static void
check_moment(const struct scan *scan, const struct stack_chart *chart, int64_t t_ns)
{
	struct knowledge wanted = known_at(scan, t_ns);
	struct stack_piece got;
	if (!stack_chart_at(chart, t_ns, &got))
		got = (struct stack_piece){ .knowledge = STACK_IS_UNKNOWN };
	if (got.knowledge != wanted.what || got.stack != wanted.stack || got.frames != wanted.frames)
		fail_msg("%s: %s at %" PRId64 ": knowledge %d of stack %" PRIu32 ", %" PRIu32
			 " frames; wanted %d of %" PRIu32 ", %" PRIu32,
			scan->pair->name, pair_lane_name(scan->pair, scan->lane), t_ns,
			got.knowledge, got.stack, got.frames, wanted.what, wanted.stack,
			wanted.frames);
}

/* ---- what it says of a cell */

/* The next moment at which something may change. */
static int64_t
next_change(const struct scan *scan, int64_t t_ns)
{
	int64_t next_ns = INT64_MAX;
	for (size_t i = 0; i < scan->count; i++) {
		if (scan->spans[i].start_ns > t_ns && scan->spans[i].start_ns < next_ns)
			next_ns = scan->spans[i].start_ns;
		if (scan->spans[i].end_ns > t_ns && scan->spans[i].end_ns < next_ns)
			next_ns = scan->spans[i].end_ns;
	}
	return next_ns;
}

/* How long each stack that is known stands without a break; the longest, and all of it. */
struct standing_time {
	int64_t known_ns, longest_ns, run_ns;
	stack_id longest, stack;
};

static struct standing_time
time_standing(const struct scan *scan, int64_t t0_ns, int64_t t1_ns)
{
	struct standing_time time = { .longest = STACK_NONE, .stack = STACK_NONE };
	for (int64_t t_ns = t0_ns; t_ns < t1_ns;) {
		int64_t next_ns = next_change(scan, t_ns);
		struct knowledge here = known_at(scan, t_ns);
		next_ns = next_ns < t1_ns ? next_ns : t1_ns;
		stack_id stack = here.what == STACK_IS_KNOWN ? here.stack : STACK_NONE;
		if (stack != time.stack)
			time.run_ns = 0;
		time.stack = stack;
		if (stack != STACK_NONE) {
			time.known_ns += next_ns - t_ns;
			time.run_ns += next_ns - t_ns;
		}
		if (stack != STACK_NONE && time.run_ns > time.longest_ns) {
			time.longest_ns = time.run_ns;
			time.longest = stack;
		}
		t_ns = next_ns;
	}
	return time;
}

static stack_id
first_sample(const struct scan *scan, int64_t t0_ns, int64_t t1_ns)
{
	for (size_t i = 0; i < scan->sample_count; i++) {
		if (scan->sample_ns[i] >= t0_ns)
			return scan->sample_ns[i] < t1_ns ? scan->sampled[i] : STACK_NONE;
	}
	return STACK_NONE;
}

static struct stack_cell
wanted_cell(const struct scan *scan, int64_t t0_ns, int64_t t1_ns)
{
	struct standing_time time = time_standing(scan, t0_ns, t1_ns);
	stack_id sample = first_sample(scan, t0_ns, t1_ns);
	struct knowledge first = known_at(scan, t0_ns);
	if (2 * time.known_ns >= t1_ns - t0_ns)
		return (struct stack_cell){ time.longest, frames_of(scan->trace, time.longest),
			STACK_CELL_KNOWN };
	if (sample != STACK_NONE)
		return (struct stack_cell){ sample, frames_of(scan->trace, sample), STACK_CELL_KNOWN };
	if (time.known_ns > 0)
		return (struct stack_cell){ time.longest, frames_of(scan->trace, time.longest),
			STACK_CELL_PART };
	if (first.what == STACK_IS_BETWEEN)
		return (struct stack_cell){ first.stack, first.frames, STACK_CELL_BETWEEN };
	return (struct stack_cell){ STACK_NONE, 0, STACK_CELL_NONE };
}

static void
check_cells(struct scan *scan, const struct stack_chart *chart)
{
	int cells = 1 + (int)random_below(&scan->pair->random, MOST_CELLS);
	struct viewport viewport = pair_viewport(scan->pair, cells);
	for (int i = 0; i < cells; i++) {
		int64_t t0_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i);
		int64_t t1_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1);
		struct stack_cell wanted = wanted_cell(scan, t0_ns, t1_ns);
		struct stack_cell got = stack_chart_cell(chart, &scan->samples, t0_ns, t1_ns);
		kinds_seen[got.kind]++;
		if (got.kind != wanted.kind || got.stack != wanted.stack ||
			got.frames != wanted.frames)
			fail_msg("%s: %s, [%" PRId64 ", %" PRId64 "): cell %d of stack %" PRIu32
				 ", %" PRIu32 " frames; wanted %d of %" PRIu32 ", %" PRIu32,
				scan->pair->name, pair_lane_name(scan->pair, scan->lane), t0_ns,
				t1_ns, got.kind, got.stack, got.frames, wanted.kind, wanted.stack,
				wanted.frames);
	}
}

/* ---- the tests */

static void
check_depth(const struct scan *scan, const struct stack_chart *chart)
{
	uint32_t deepest = 0;
	for (size_t i = 0; i < scan->sample_count; i++) {
		uint32_t depth = frames_of(scan->trace, scan->sampled[i]);
		deepest = depth > deepest ? depth : deepest;
	}
	for (size_t i = 0; i < scan->count; i++) {
		stack_id stack = is_running(&scan->spans[i]) ? STACK_NONE : standing(scan, i);
		uint32_t depth = frames_of(scan->trace, stack);
		deepest = depth > deepest ? depth : deepest;
	}
	assert_int_equal(chart->depth, deepest);
}

static void
check_cancelled(const struct scan *scan)
{
	const atomic_bool is_cancelled = true;
	struct stack_chart chart;
	struct error err = { 0 };
	assert_false(stack_chart_build(&chart, scan->trace, &scan->samples, scan->lane.ref,
		&is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_null(chart.starts);
}

static void
check_pair(struct pair *pair)
{
	static struct scan scan;
	struct error err = { 0 };
	scan = (struct scan){ .pair = pair, .trace = pair->trace };
	assert_true(samples_build(&scan.samples, pair->trace, &err));
	for (int i = 0; i < LANES; i++) {
		struct stack_chart chart;
		if (!pair_lane(pair, LANE_ACTOR, &scan.lane) || !scan_lane(&scan))
			continue;
		assert_true(stack_chart_build(
			&chart, pair->trace, &scan.samples, scan.lane.ref, NULL, &err));
		if (scan.count > 0)
			check_cancelled(&scan);
		check_depth(&scan, &chart);
		for (int question = 0; question < QUESTIONS; question++) {
			check_moment(&scan, &chart, pair_moment(pair));
			check_cells(&scan, &chart);
		}
		stack_chart_release(&chart);
	}
	samples_release(&scan.samples);
}

static void
stacks_are_known_as_a_scan_knows_them(void **state)
{
	(void)state;
	memset(kinds_seen, 0, sizeof kinds_seen);
	pair_each(1, SIMULATED, check_pair);
	for (size_t kind = 0; kind < ARRAY_LENGTH(kinds_seen); kind++)
		if (kinds_seen[kind] == 0)
			fail_msg("no cell of kind %zu was looked at", kind);
}

static void
stacks_of_a_growing_trace_are_known(void **state)
{
	(void)state;
	pair_each_snapshot(7, 4, check_pair);
}

static void
no_goroutine_has_no_chart(void **state)
{
	(void)state;
	struct stack_chart chart = { .actor = REF_NONE };
	struct stack_piece piece;
	assert_false(stack_chart_at(&chart, 0, &piece));
	stack_chart_release(&chart);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_known_as_a_scan_knows_them),
		cmocka_unit_test(stacks_of_a_growing_trace_are_known),
		cmocka_unit_test(no_goroutine_has_no_chart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
