/* Tasks as lanes: against a scan of all regions, goroutines and states, on all traces. */
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/task_job.h"
#include "analysis/task_life.h"
#include "analysis/task_match.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "golden.h"
#include "pair.h"
#include "query/search.h"
#include "report/task.h"
#include "trace/words.h"
#include "trace/lane_name.h"
#include "trace/runtime.h"
#include "trace/task_times.h"
#include "tracetesting.h"

enum { SIMULATED = 12, TASKS = 12, MOMENTS = 400, INTERVALS = 8 };

/* ---- works, by asking of each whatever may be */

struct works {
	struct task_work *items;
	size_t count, capacity;
	const struct search *only; /* states that count; NULL: all do */
};

static void
add(struct works *works, const struct trace *trace, actor_ref goroutine, int64_t start_ns,
	int64_t end_ns)
{
	struct error err = { 0 };
	if (goroutine == REF_NONE)
		return;
	const struct actor *who = trace_actor(trace, goroutine);
	start_ns = start_ns < who->first_ns ? who->first_ns : start_ns;
	end_ns = end_ns > who->end_ns ? who->end_ns : end_ns;
	if (start_ns >= end_ns)
		return;
	assert_true(array_reserve(
		&works->items, &works->capacity, works->count + 1, sizeof *works->items, &err));
	works->items[works->count++] = (struct task_work){ goroutine, start_ns, end_ns };
}

static bool
descends(const struct trace *trace, task_ref task, task_ref from)
{
	for (uint32_t steps = 0; task != REF_NONE && steps <= trace->tasks.count; steps++) {
		if (task == from)
			return true;
		task = trace_task(trace, task)->parent;
	}
	return false;
}

static void
add_told(struct works *works, const struct trace *trace, task_ref asked)
{
	for (task_ref ref = 0; ref < trace->tasks.count; ref++) {
		const struct task *task = trace_task(trace, ref);
		bool has_begin = !task->began_before, has_end = task->end_ns != TIME_OPEN;
		actor_ref who = has_begin ? task->start_actor : task->end_actor;
		if (!descends(trace, ref, asked))
			continue;
		if (!has_begin || !has_end || task->start_actor == task->end_actor)
			add(works, trace, who, task->start_ns, task->end_ns);
	}
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		if (range->type == RANGE_REGION && range->task != REF_NONE &&
			descends(trace, range->task, asked))
			add(works, trace, range->scope, range->start_ns, range->end_ns);
	}
}

/* Until when a goroutine works without a break from t on; t if it does not. */
static int64_t
works_until(const struct works *works, actor_ref goroutine, int64_t t_ns)
{
	int64_t until_ns = t_ns;
	for (bool grew = true; grew;) {
		grew = false;
		for (size_t i = 0; i < works->count; i++) {
			const struct task_work *work = &works->items[i];
			bool touches = work->start_ns <= until_ns && work->end_ns > until_ns;
			if (work->actor != goroutine || !touches)
				continue;
			until_ns = work->end_ns;
			grew = true;
		}
	}
	return until_ns;
}

static void
add_helpers(struct works *works, const struct trace *trace)
{
	uint32_t count = trace_actor_count(trace);
	bool *is_helper = calloc(count + 1, sizeof *is_helper);
	assert_non_null(is_helper);
	for (bool grew = true; grew;) {
		grew = false;
		for (actor_ref ref = 0; ref < count; ref++) {
			const struct actor *helper = trace_actor(trace, ref);
			if (is_helper[ref] || helper->creator == REF_NONE ||
				trace_is_runtime_name(trace, helper->name))
				continue;
			int64_t until_ns = works_until(works, helper->creator, helper->first_ns);
			if (until_ns == helper->first_ns || until_ns < helper->end_ns)
				continue;
			add(works, trace, ref, helper->first_ns, helper->end_ns);
			is_helper[ref] = grew = true;
		}
	}
	free(is_helper);
}

/* ---- states */

static bool
is_assisting(const struct trace *trace, actor_ref goroutine, int64_t t_ns)
{
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		if (range->type == RANGE_MARK_ASSIST && range->scope == goroutine &&
			range->start_ns <= t_ns && t_ns < range->end_ns)
			return true;
	}
	return false;
}

static bool
is_own(const struct trace *trace, const struct works *works, const struct task_life *life,
	const struct span *wait)
{
	struct span ready;
	if (wait->kind->state != STATE_BLOCKED ||
		!lane_after(trace, (struct lane){ LANE_ACTOR, wait->actor }, wait, &ready))
		return false;
	for (size_t i = 0; i < works->count; i++) {
		struct task_work work = works->items[i];
		if (work.start_ns < life->start_ns)
			work.start_ns = life->start_ns;
		if (work.end_ns > life->end_ns)
			work.end_ns = life->end_ns;
		if (ready.waker.type == WAKER_ACTOR && work.actor == ready.waker.ref && work.start_ns < work.end_ns &&
			work.start_ns < wait->end_ns && work.end_ns > wait->start_ns)
			return true;
	}
	return false;
}

/* The classes from harmless to worst. */
static const enum time_class order[] = { CLASS_UNKNOWN, CLASS_RUNNING, CLASS_WORKER,
	CLASS_SYSCALL, CLASS_READY, CLASS_IDLE, CLASS_SLEEP, CLASS_NETWORK, CLASS_RUNTIME,
	CLASS_OTHER, CLASS_SELECT, CLASS_CHANNEL, CLASS_SYNC, CLASS_FOREVER };

static int
badness(enum time_class time_class)
{
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (order[i] == time_class)
			return (int)i;
	return -1;
}

/* What the lane has to show at a time: all classes that are equally bad are one. */
static enum time_class
worst_at(const struct trace *trace, const struct works *works, const struct task_life *life,
	int64_t t_ns, bool *is_own_wait)
{
	enum time_class worst = CLASS_GONE, own = CLASS_GONE;
	for (size_t i = 0; i < works->count; i++) {
		const struct task_work *work = &works->items[i];
		struct span span;
		if (t_ns < work->start_ns || t_ns >= work->end_ns ||
			!lane_span_at(trace, (struct lane){ LANE_ACTOR, work->actor }, t_ns,
				&span) ||
			(works->only != NULL &&
				!search_matches(works->only, span.segment, span.state)))
			continue;
		enum time_class here = span.time_class;
		if (here == CLASS_RUNNING && is_assisting(trace, work->actor, t_ns))
			here = CLASS_WORKER;
		enum time_class *which = is_own(trace, works, life, &span) ? &own : &worst;
		if (*which == CLASS_GONE || badness(here) > badness(*which))
			*which = here;
	}
	*is_own_wait = worst == CLASS_GONE && own != CLASS_GONE;
	return *is_own_wait ? own : worst == CLASS_GONE ? CLASS_IDLE : worst;
}

/* ---- checks */

static void
check_moment(const struct pair *pair, const struct works *works, const struct task_life *life,
	int64_t t_ns)
{
	size_t at = task_life_at(life, t_ns);
	bool is_own_wait = false;
	assert_int_not_equal(at, SIZE_MAX);
	const struct task_piece *piece = &life->pieces[at];
	assert_true(piece->start_ns <= t_ns && t_ns < task_piece_end_ns(life, at));
	enum time_class wanted = worst_at(pair->trace, works, life, t_ns, &is_own_wait);
	/* Which of several waits on its own is seen does not matter. */
	if (piece->is_own_wait != is_own_wait || (!is_own_wait && piece->time_class != wanted))
		fail_msg("%s: task %u at %" PRId64 " is %s%s, not %s%s", pair->name, life->task,
			t_ns, class_name(&words_plain, (enum time_class)piece->time_class),
			piece->is_own_wait ? " on its own" : "", class_name(&words_plain, wanted),
			is_own_wait ? " on its own" : "");
}

static void
check_totals(struct pair *pair, const struct task_life *life, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT], wanted_ns[CLASS_COUNT] = { 0 }, all_ns = 0;
	task_life_totals(life, t0_ns, t1_ns, totals_ns);
	for (size_t i = 0; i < life->piece_count; i++) {
		int64_t start_ns = life->pieces[i].start_ns, end_ns = task_piece_end_ns(life, i);
		assert_true(start_ns < end_ns);
		start_ns = start_ns < t0_ns ? t0_ns : start_ns;
		end_ns = end_ns > t1_ns ? t1_ns : end_ns;
		if (start_ns < end_ns)
			wanted_ns[life->pieces[i].time_class] += end_ns - start_ns;
	}
	for (int i = 0; i < CLASS_COUNT; i++) {
		all_ns += totals_ns[i];
		if (totals_ns[i] != wanted_ns[i])
			fail_msg("%s: task %u has %" PRId64 " ns %s, not %" PRId64, pair->name,
				life->task, totals_ns[i], class_name(&words_plain, (enum time_class)i),
				wanted_ns[i]);
	}
	if (t0_ns <= life->start_ns && t1_ns >= life->end_ns)
		assert_int_equal(all_ns, life->end_ns - life->start_ns);
}

static int64_t
random_below(struct pair *pair, int64_t limit)
{
	pair->random = pair->random * 6364136223846793005u + 1442695040888963407u;
	return limit <= 0 ? 0 : (int64_t)((pair->random >> 16) % (uint64_t)limit);
}

static void
check_life(struct pair *pair, const struct task_life *life, const struct search *only)
{
	const struct trace *trace = pair->trace;
	struct works works = { .only = only };
	add_told(&works, trace, life->task);
	add_helpers(&works, trace);
	if (life->piece_count > 0)
		assert_int_equal(life->pieces[0].start_ns, life->start_ns);
	size_t every = life->piece_count / MOMENTS + 1;
	for (size_t i = (size_t)random_below(pair, (int64_t)every); i < life->piece_count;
		i += every) {
		check_moment(pair, &works, life, life->pieces[i].start_ns);
		check_moment(pair, &works, life, task_piece_end_ns(life, i) - 1);
	}
	int64_t length_ns = life->end_ns - life->start_ns;
	for (int i = 0; i < MOMENTS && length_ns > 0; i++)
		check_moment(pair, &works, life, life->start_ns + random_below(pair, length_ns));
	check_totals(pair, life, INT64_MIN, INT64_MAX);
	for (int i = 0; i < INTERVALS; i++)
		check_totals(pair, life, life->start_ns + random_below(pair, length_ns),
			life->start_ns + random_below(pair, length_ns));
	assert_int_equal(task_life_at(life, life->start_ns - 1), SIZE_MAX);
	assert_int_equal(task_life_at(life, life->end_ns), SIZE_MAX);
	free(works.items);
}

static void
check_tasks(struct pair *pair, const struct task_index *index, const struct search *only)
{
	uint32_t count = pair->trace->tasks.count;
	struct error err = { 0 };
	for (int i = 0; i < TASKS && count > 0; i++) {
		struct task_watch watch = { .only = only, .states_left = UINT64_MAX };
		struct task_life life;
		task_ref task = count <= TASKS ? (task_ref)i : (task_ref)random_below(pair, count);
		if (task >= count)
			break;
		assert_true(task_life_build_watched(&life, pair->trace, index, task, &watch, &err));
		check_life(pair, &life, only);
		task_life_release(&life);
	}
}

static void
check_pair(struct pair *pair)
{
	static const char *const queries[] = { "state=blocked", "state=running | state=ready" };
	struct task_index index;
	struct error err = { 0 };
	assert_true(task_index_build(&index, pair->trace, NULL, &err));
	check_tasks(pair, &index, NULL);
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct search *only = search_new(pair->trace, queries[i], &err);
		assert_non_null(only);
		check_tasks(pair, &index, only);
		search_free(only);
	}
	task_index_release(&index);
}

static void
test_equals_scan(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_pair);
}

/* ---- matches: by asking each span of who works */

/* Whether a span of the work's goroutine matches that has time in common with both. */
static bool
work_matches(const struct trace *trace, const struct search *search, const struct task_work *work,
	int64_t t0_ns, int64_t t1_ns)
{
	struct lane lane = { LANE_ACTOR, work->actor };
	struct span span;
	t0_ns = t0_ns > work->start_ns ? t0_ns : work->start_ns;
	t1_ns = t1_ns < work->end_ns ? t1_ns : work->end_ns;
	bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; t0_ns < t1_ns && is_there && span.start_ns < t1_ns;
		is_there = lane_after(trace, lane, &span, &span))
		if (span_within(&span, t0_ns, t1_ns) > 0 &&
			search_matches(search, span.segment, span.state))
			return true;
	return false;
}

static bool
scan_matches(const struct trace *trace, const struct search *search, const struct works *works,
	int64_t t0_ns, int64_t t1_ns)
{
	for (size_t i = 0; i < works->count; i++)
		if (work_matches(trace, search, &works->items[i], t0_ns, t1_ns))
			return true;
	return false;
}

static void
check_matches(struct pair *pair, const struct task_index *index, task_ref task, struct search *search)
{
	enum { CELLS = 37 };
	struct works works = { 0 };
	struct task_life life;
	struct error err = { 0 };
	bool marks[CELLS];
	assert_true(task_life_find_works(&life, pair->trace, index, task, &err));
	add_told(&works, pair->trace, task);
	add_helpers(&works, pair->trace);
	assert_int_equal(task_life_matches(&life, search),
		scan_matches(pair->trace, search, &works, life.start_ns, life.end_ns));
	struct viewport viewport = pair_viewport(pair, CELLS);
	task_life_match_cells(&life, search, viewport.t0_ns, viewport.t1_ns, CELLS, marks);
	for (int i = 0; i < CELLS; i++) {
		int64_t from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, CELLS, i);
		int64_t until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, CELLS, i + 1);
		from_ns = from_ns > life.start_ns ? from_ns : life.start_ns;
		until_ns = until_ns < life.end_ns ? until_ns : life.end_ns;
		if (marks[i] != scan_matches(pair->trace, search, &works, from_ns, until_ns))
			fail_msg("%s: cell %d of task %u is %d", pair->name, i, task, marks[i]);
	}
	free(works.items);
	task_life_release(&life);
}

static void
check_searches(struct pair *pair)
{
	static const char *const queries[] = { "state=ready", "=dur>100us", "region~inner",
		"state=blocked", "=g=1", "state=running dur>20us" };
	struct task_index index;
	struct error err = { 0 }, note = { 0 };
	uint32_t count = pair->trace->tasks.count;
	if (count == 0)
		return;
	assert_true(task_index_build(&index, pair->trace, NULL, &err));
	for (size_t q = 0; q < ARRAY_LENGTH(queries); q++) {
		struct search *search = search_new(pair->trace, queries[q], &note);
		assert_non_null(search);
		for (int i = 0; i < TASKS; i++)
			check_matches(pair, &index, (task_ref)random_below(pair, count), search);
		search_free(search);
	}
	task_index_release(&index);
}

static void
test_matches_equal_scan(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_searches);
}

/* Creations stand in the order of time, as the binary search in them takes for granted. */
static void
check_created(struct pair *pair)
{
	for (actor_ref ref = 0; ref < trace_actor_count(pair->trace); ref++) {
		const struct actor *created = trace_actor(pair->trace, ref);
		if (created->creator == REF_NONE)
			continue;
		assert_true(created->creator < ref);
		for (actor_ref next = ref + 1; next < trace_actor_count(pair->trace);
			next++) {
			if (trace_actor(pair->trace, next)->creator != created->creator)
				continue;
			assert_true(
				trace_actor(pair->trace, next)->first_ns >= created->first_ns);
			break;
		}
	}
}

static void
test_creations_ascend(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_created);
}

static void
test_roots_by_length(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct error err = { 0 };
	size_t count = 0, roots = 0;
	task_ref *order_found = task_index_roots(trace, &count, &err);
	assert_non_null(order_found);
	for (task_ref task = 0; task < trace->tasks.count; task++)
		roots += trace_task(trace, task)->parent == REF_NONE;
	assert_int_equal(count, roots);
	for (size_t i = 1; i < count; i++) {
		task_ref before = order_found[i - 1], here = order_found[i];
		assert_true(task_end_ns(trace, before) - task_start_ns(trace, before) >=
			    task_end_ns(trace, here) - task_start_ns(trace, here));
	}
	memory_free(order_found);
	trace_free(trace);
}

static void
test_memory_runs_out(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	bool is_done = false;
	for (uint64_t nth = 1; !is_done; nth++) {
		struct task_index index;
		struct task_life life;
		struct error err = { 0 };
		memory_fail_after(nth);
		if (task_index_build(&index, trace, NULL, &err)) {
			is_done = task_life_build(&life, trace, &index, 0, &err);
			if (is_done)
				task_life_release(&life);
			task_index_release(&index);
		}
		memory_fail_after(0);
		assert_true(is_done || err.kind == ERROR_MEMORY);
	}
	trace_free(trace);
}

/* ---- on another thread */

static void
count_wake(void *context)
{
	atomic_fetch_add((atomic_uint *)context, 1);
}

static void
check_same(const struct task_life *a, const struct task_life *b)
{
	assert_int_equal(a->task, b->task);
	assert_int_equal(a->piece_count, b->piece_count);
	assert_int_equal(a->work_count, b->work_count);
	for (size_t i = 0; i < a->piece_count; i++) {
		assert_int_equal(a->pieces[i].start_ns, b->pieces[i].start_ns);
		assert_int_equal(a->pieces[i].actor, b->pieces[i].actor);
		assert_int_equal(a->pieces[i].time_class, b->pieces[i].time_class);
	}
}

static void
test_job_does_the_same(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct task_index index;
	struct error err = { 0 };
	atomic_uint wakes = 0;
	size_t count = 0, taken = 0;
	assert_true(task_index_build(&index, trace, NULL, &err));
	task_ref *roots = task_index_roots(trace, &count, &err);
	const struct task_wish wish = { roots, count, count_wake, &wakes };
	struct task_job *job = task_job_start(trace, &index, &wish, &err);
	assert_non_null(job);
	assert_true(task_job_has(job, roots[count - 1]));
	assert_false(task_job_has(job, trace->tasks.count));
	while (taken < count) {
		struct task_life life, wanted;
		if (!task_job_take(job, &life)) {
			sched_yield();
			continue;
		}
		assert_int_equal(life.task, roots[taken++]);
		assert_true(task_life_build(&wanted, trace, &index, life.task, &err));
		check_same(&life, &wanted);
		task_life_release(&wanted);
		task_life_release(&life);
	}
	while (!task_job_is_done(job))
		sched_yield();
	assert_null(task_job_failure(job));
	task_job_end(job);
	assert_int_equal(atomic_load(&wakes), count);

	/* Stopped, and with lives that nobody took. */
	const struct task_wish quiet = { .tasks = roots, .count = count };
	job = task_job_start(trace, &index, &quiet, &err);
	assert_non_null(job);
	task_job_stop(job);
	while (!task_job_is_done(job))
		sched_yield();
	assert_null(task_job_failure(job));
	task_job_end(job);
	memory_free(roots);
	task_index_release(&index);
	trace_free(trace);
}

static void
test_states_are_bounded(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct task_index index;
	struct error err = { 0 };
	struct task_life life;
	assert_true(task_index_build(&index, trace, NULL, &err));
	task_ref task = lane_find_task(trace, 33);
	struct task_watch watch = { .states_left = UINT64_MAX };
	assert_true(task_life_build_watched(&life, trace, &index, task, &watch, &err));
	uint64_t states = UINT64_MAX - watch.states_left;
	task_life_release(&life);
	watch.states_left = states;
	assert_true(task_life_build_watched(&life, trace, &index, task, &watch, &err));
	assert_int_equal(watch.states_left, 0);
	task_life_release(&life);
	watch.states_left = states - 1;
	assert_false(task_life_build_watched(&life, trace, &index, task, &watch, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	task_index_release(&index);
	trace_free(trace);
}

/* Even before a state is looked at. */
static void
test_a_stop_is_noticed(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct task_index index;
	struct error err = { 0 };
	struct task_life life;
	atomic_bool is_stopped = true;
	struct task_watch watch = { .states_left = 0, .is_stopped = &is_stopped };
	assert_true(task_index_build(&index, trace, NULL, &err));
	assert_false(task_life_build_watched(
		&life, trace, &index, lane_find_task(trace, 33), &watch, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	task_index_release(&index);
	trace_free(trace);
}

/* ---- in print */

static void
test_prints(void **state)
{
	(void)state;
	static const struct {
		const char *golden, *trace;
		int64_t task;
		struct report_options options;
	} prints[] = {
		{ "task-tree.txt", "tasks-go1.23", 33,
			{ .file_name = "tasks-go1.23.trace", .width_cells = 100 } },
		{ "task-http-ascii.txt", "httpserver-go1.22", 40,
			{ .file_name = "httpserver-go1.22.trace",
				.width_cells = 80,
				.ascii = true } },
		{ "task-interval.txt", "tasks-go1.23", 33,
			{ .file_name = "tasks-go1.23.trace",
				.width_cells = 80,
				.has_interval = true,
				.t0_ns = 1500000,
				.t1_ns = 2700000 } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(prints); i++) {
		struct trace *trace = testing_load(prints[i].trace);
		struct text out = { 0 };
		struct error err = { 0 };
		task_ref task = lane_find_task(trace, prints[i].task);
		assert_int_not_equal(task, REF_NONE);
		assert_true(report_task(trace, task, &prints[i].options, &out, &err));
		golden_check(prints[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

static void
print_task(const struct trace *trace, int64_t task, const char *query, struct text *out)
{
	struct report_options options = { .width_cells = 100, .format = REPORT_AS_CSV };
	struct error err = { 0 };
	if (query != NULL)
		assert_non_null(options.only = search_new(trace, query, &err));
	assert_true(report_task(trace, lane_find_task(trace, task), &options, out, &err));
	search_free(options.only);
}

/* The same with what matches all, less with what does not. */
static void
test_query_limits_print(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.22");
	struct text all = { 0 }, same = { 0 }, blocked = { 0 }, running = { 0 };
	print_task(trace, 7, NULL, &all);
	print_task(trace, 7, "dur>=0ns", &same);
	assert_string_equal(same.bytes, all.bytes);
	print_task(trace, 7, "state=blocked", &blocked);
	assert_string_equal(blocked.bytes,
		"state,total_ns,share\n"
		"sleep,1122304,0.855539835\n"
		"\"no match\",189504,0.144460165\n"
		"\n"
		"g,function,total_ns,running_ns,ready_ns,syscall_ns,blocked_ns\n"
		"7,net/http.(*conn).serve,1122304,0,0,0,1122304\n"
		"\n"
		"time_ns,after_ns,g,event,text,task\n");
	/* Who tells something runs. */
	print_task(trace, 7, "state=running", &running);
	assert_string_equal(strstr(running.bytes, "time_ns"), strstr(all.bytes, "time_ns"));
	text_release(&all);
	text_release(&same);
	text_release(&blocked);
	text_release(&running);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_scan),
		cmocka_unit_test(test_matches_equal_scan),
		cmocka_unit_test(test_creations_ascend),
		cmocka_unit_test(test_roots_by_length),
		cmocka_unit_test(test_memory_runs_out),
		cmocka_unit_test(test_job_does_the_same),
		cmocka_unit_test(test_states_are_bounded),
		cmocka_unit_test(test_a_stop_is_noticed),
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_query_limits_print),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
