/*
 * Slow requests: what is told of programs whose requests share two connections equals sums over
 * the states of each task that are made here; where nothing is slow nothing is told.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/findings.h"
#include "analysis/slow_requests.h"
#include "base_testing.h"
#include "draw/findings_words.h"
#include "query/watch.h"
#include "source/go/words.h"
#include "trace/builder.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "tracetesting.h"

static struct slow_list
slow_in(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct slow_list list;
	struct request_scope scope = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	struct error err = { 0 };
	if (!slow_requests_build(&list, trace, &scope, &err))
		fail_msg("%s", err.message);
	return list;
}

static const struct slow_requests *
find_kind(const struct trace *trace, const struct slow_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (trace_text_is(trace, list->items[i].name, name))
			return &list->items[i];
	fail_msg("nothing is told of %s", name);
	return NULL;
}

/* ---- user tasks, each served by one goroutine */

struct sums {
	int64_t durations_ns[1000], whole_ns, waited_ns, from_requests_ns;
	uint32_t count, waits;
};

static int
compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static bool
serves_at(const struct trace *trace, actor_ref goroutine, int64_t t_ns)
{
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		if (task->start_actor == goroutine && task->start_ns <= t_ns &&
			task->end_ns >= t_ns && task->end_ns != TIME_OPEN)
			return true;
	}
	return false;
}

static void
add_waits(struct sums *sums, const struct trace *trace, const struct task *task)
{
	struct lane lane = { LANE_ACTOR, task->start_actor };
	struct span span, next;
	bool is_there = lane_span_at(trace, lane, task->start_ns, &span);
	for (; is_there && span.start_ns < task->end_ns; span = next) {
		is_there = lane_after(trace, lane, &span, &next);
		if (span.time_class != CLASS_CHANNEL)
			continue;
		int64_t part_ns = span_within(&span, task->start_ns, task->end_ns);
		sums->waited_ns += part_ns;
		sums->waits++;
		if (is_there && next.waker.type == WAKER_ACTOR &&
			serves_at(trace, next.waker.ref, span.end_ns))
			sums->from_requests_ns += part_ns;
	}
}

static struct sums
sums_of(const struct trace *trace, const char *name)
{
	struct sums sums = { 0 };
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		if (!trace_text_is(trace, task->name, name) || task->began_before ||
			task->end_ns == TIME_OPEN)
			continue;
		assert_true(sums.count < ARRAY_LENGTH(sums.durations_ns));
		sums.durations_ns[sums.count++] = task->end_ns - task->start_ns;
		sums.whole_ns += task->end_ns - task->start_ns;
		add_waits(&sums, trace, task);
	}
	qsort(sums.durations_ns, sums.count, sizeof *sums.durations_ns, compare_numbers);
	return sums;
}

static void
requests_wait_for_what_others_give_back(void **state)
{
	(void)state;
	static const char *const names[] = { "lookup", "report", "store" };
	struct trace *trace = testing_load("troubles/slowrequests");
	struct slow_list list = slow_in(trace, 0, trace->end_ns);
	assert_int_equal(list.count, ARRAY_LENGTH(names));
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const struct slow_requests *told = find_kind(trace, &list, names[i]);
		struct sums sums = sums_of(trace, names[i]);
		assert_true(told->is_task && told->is_of_all);
		assert_int_equal(told->count, sums.count);
		assert_int_equal(told->p50_ns, sums.durations_ns[(sums.count + 1) / 2 - 1]);
		assert_int_equal(told->p90_ns, sums.durations_ns[(sums.count * 9 + 9) / 10 - 1]);
		assert_int_equal(told->slowest_end_ns - told->slowest_start_ns,
			sums.durations_ns[sums.count - 1]);
		assert_int_equal(told->whole_ns, sums.whole_ns);
		assert_int_equal(told->time_class, CLASS_CHANNEL);
		assert_int_equal(told->part_ns, sums.waited_ns);
		assert_int_equal(told->lost_ns, sums.waited_ns);
		assert_int_equal(told->waits, sums.waits);
		assert_int_equal(told->end, SLOW_END_REQUEST);
		assert_int_equal(told->end_ns, sums.from_requests_ns);
		assert_int_equal(told->places, 1);
		assert_true(trace_text_is(trace, told->region, "acquire"));
		const struct stack_frame *frame = own_code_frame(trace, told->stack, told->stack_actor);
		assert_true(trace_text_is(trace, frame->function, "main.pool.acquire"));
		/* Who has a connection for long are reports, while they ask the database. */
		assert_true(trace_text_is(trace, told->cause.request, "report"));
		assert_int_equal(told->cause.time_class, CLASS_SLEEP);
		assert_true(trace_text_is(trace, told->cause.region, "query"));
		frame = own_code_frame(trace, told->cause.stack, told->cause.actor);
		assert_true(trace_text_is(trace, frame->function, "main.query"));
		assert_true(told->cause.part_ns > told->cause.whole_ns / 10 * 8);
	}
	slow_requests_release(&list);
	trace_free(trace);
}

/* ---- the finding */

static void
it_is_the_first_finding(void **state)
{
	(void)state;
	static const struct {
		const char *trace, *line, *advice, *brief;
	} rows[] = {
		{ "troubles/slowrequests",
			"Half of 137 `lookup` took more than 103 ms, one in ten more than 115 ms. 98% of "
			"that they waited on a channel in region acquire at main.go:289, for what other "
			"requests gave back. During 90% of these waits `report` slept in region query at "
			"main.go:335.",
			"hold what they wait for shorter, or have more of it",
			"slow requests lookup main.go:289 98% of their time" },
		{ "troubles/slowhandlers",
			"Half of 157 requests of net/http took more than 19.5 ms, one in ten more than "
			"25.3 ms. 81% of that they waited on a channel at main.go:370, for what other "
			"requests gave back. During 71% of these waits other requests slept at "
			"main.go:346.",
			"hold what they wait for shorter, or have more of it",
			"slow requests main.go:370 81% of their time" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct findings findings;
		struct findings_scope scope = { .t1_ns = trace->end_ns };
		struct error err = { 0 };
		struct text out = { 0 };
		assert_true(findings_build(&findings, trace, &scope, NULL, &err));
		assert_true(findings.count > 0);
		const struct finding *first = &findings.items[0];
		assert_int_equal(first->kind, FINDING_REQUESTS);
		findings_add_line(&out, trace, first, true);
		check_text(rows[i].trace, text_string(&out), rows[i].line);
		text_clear(&out);
		findings_add_advice(&out, trace, first);
		check_text(rows[i].trace, text_string(&out), rows[i].advice);
		text_clear(&out);
		findings_add_short(&out, trace, first, true);
		check_text(rows[i].trace, text_string(&out), rows[i].brief);
		text_release(&out);
		findings_release(&findings);
		trace_free(trace);
	}
}

/* ---- net/http */

static uint32_t
count_goroutines(const struct trace *trace, const char *name)
{
	uint32_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		count += trace_text_is(trace, trace_actor(trace, i)->name, name);
	return count;
}

static void
what_net_http_serves_is_requests(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/slowhandlers");
	struct slow_list list = slow_in(trace, 0, trace->end_ns);
	assert_int_equal(list.count, 1);
	const struct slow_requests *told = &list.items[0];
	/* A request without a body starts a goroutine that waits for the client to hang up. */
	uint32_t begun = count_goroutines(trace, "net/http.(*connReader).backgroundRead");
	uint32_t connections = count_goroutines(trace, "net/http.(*conn).serve");
	assert_in_range(told->count, begun - 2 * connections, begun);
	assert_false(told->is_task);
	assert_int_equal(told->task, REF_NONE);
	assert_int_equal(told->actors, connections);
	assert_true(told->is_of_all);
	assert_int_equal(told->time_class, CLASS_CHANNEL);
	assert_int_equal(told->end, SLOW_END_REQUEST);
	const struct stack_frame *frame = own_code_frame(trace, told->stack, told->stack_actor);
	assert_true(trace_text_is(trace, frame->function, "main.pool.take"));
	/* Two connections, 8 ms each for one request of three, twelve that want one. */
	assert_in_range(told->p50_ns, 12000000, 24000000);
	assert_true(told->part_ns > told->whole_ns / 4 * 3);
	slow_requests_release(&list);
	trace_free(trace);
}

/* Of fast and slow ones the slowest tenth alone is told: half of all never wait. */
static void
the_slowest_tenth_is_held_against_the_median(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/slowserver");
	struct slow_list list = slow_in(trace, 0, trace->end_ns);
	assert_int_equal(list.count, 1);
	const struct slow_requests *told = &list.items[0];
	assert_false(told->is_of_all);
	assert_int_equal(told->time_class, CLASS_SYNC);
	assert_true(told->slowest_tenth_ns > 50 * told->p50_ns);
	assert_true(told->slow_ns[CLASS_SYNC] > 5000000);
	assert_true(told->middle_ns[CLASS_SYNC] < 100000);
	assert_int_equal(told->end, SLOW_END_REQUEST);
	slow_requests_release(&list);
	trace_free(trace);
}

/* ---- who serves a request when */

struct stage {
	struct builder *builder;
	struct trace *trace;
	int64_t now_ns;
	struct error err;
};

static void
pass(struct stage *stage)
{
	assert_true(builder_event(stage->builder, ++stage->now_ns, &stage->err));
}

enum { REGIONS = 100 };

/* So many regions of the task of that id, in it, then some time. */
static void
serve(struct stage *stage, int64_t id)
{
	const struct task_note note = { .id = id };
	struct range region = { .type = RANGE_REGION };
	pass(stage);
	assert_true(builder_task_begin(stage->builder, &note, 0, &stage->err));
	assert_true(builder_task(stage->builder, id, &region.task, &stage->err));
	for (int i = 0; i < REGIONS; i++) {
		pass(stage);
		assert_true(builder_range_begin(stage->builder, &region, &stage->err));
		pass(stage);
		assert_true(builder_range_end(stage->builder, &region));
	}
	pass(stage);
	pass(stage);
	assert_true(builder_task_end(stage->builder, &note, &stage->err));
	pass(stage);
}

static void
a_request_is_served_behind_all_its_regions(void **state)
{
	(void)state;
	struct stage stage = { .trace = go_trace_new(&stage.err) };
	struct request_kinds kinds;
	uint32_t ref;
	stage.builder = builder_new(stage.trace, &stage.err);
	assert_non_null(stage.builder);
	assert_true(builder_event(stage.builder, 0, &stage.err));
	assert_true(builder_actor(stage.builder, 1, &ref, &stage.err));
	for (int64_t id = 1; id <= REQUEST_KIND_LEAST; id++)
		serve(&stage, id);
	assert_true(builder_generation_end(stage.builder, &stage.err));
	assert_true(builder_finish(stage.builder, &stage.err));
	builder_free(stage.builder);
	const struct request_scope scope = { .t1_ns = stage.trace->end_ns };
	assert_true(request_kinds_build(&kinds, stage.trace, &scope, &stage.err));
	assert_int_equal(kinds.count, 1);
	for (int64_t t_ns = 0; t_ns <= stage.trace->end_ns; t_ns++) {
		bool is_served = serves_at(stage.trace, 0, t_ns);
		assert_int_equal(request_kinds_served_at(&kinds, 0, t_ns), is_served ? 0 : REF_NONE);
		assert_int_equal(request_kinds_served_at(&kinds, 1, t_ns), REF_NONE);
	}
	request_kinds_release(&kinds);
	trace_free(stage.trace);
}

/* ---- too much of it */

static void
enter(struct stage *stage, enum state state)
{
	const struct state_change change = { .state = (uint8_t)state,
		.reason = STRING_EMPTY,
		.waker = REF_NONE,
		.processor = state == STATE_RUNNING ? 0 : REF_NONE,
		.thread = REF_NONE };
	pass(stage);
	assert_true(builder_state(stage->builder, &change, &stage->err));
}

/* Tasks of one goroutine that all last as long as it waits, again and again. */
static struct trace *
make_tasks_at_once(int waits)
{
	struct stage stage = { .trace = go_trace_new(&stage.err) };
	uint32_t ref;
	stage.builder = builder_new(stage.trace, &stage.err);
	assert_non_null(stage.builder);
	assert_true(builder_event(stage.builder, 0, &stage.err));
	assert_true(builder_actor(stage.builder, 1, &ref, &stage.err));
	assert_true(builder_processor(stage.builder, 0, &ref, &stage.err));
	enter(&stage, STATE_RUNNING);
	for (int64_t id = 1; id <= REQUEST_KIND_LEAST; id++)
		assert_true(builder_task_begin(
			stage.builder, &(struct task_note){ .id = id }, 0, &stage.err));
	for (int i = 0; i < waits; i++) {
		enter(&stage, STATE_BLOCKED);
		stage.now_ns += 1000;
		enter(&stage, STATE_RUNNING);
	}
	for (int64_t id = 1; id <= REQUEST_KIND_LEAST; id++)
		assert_true(builder_task_end(
			stage.builder, &(struct task_note){ .id = id }, &stage.err));
	assert_true(builder_generation_end(stage.builder, &stage.err));
	assert_true(builder_finish(stage.builder, &stage.err));
	builder_free(stage.builder);
	return stage.trace;
}

static void
check_at_once(int waits, bool is_cut)
{
	struct trace *trace = make_tasks_at_once(waits);
	const struct findings_scope scope = { .t1_ns = trace->end_ns };
	struct findings findings;
	struct error err = { 0 };
	struct slow_list list = slow_in(trace, 0, trace->end_ns);
	assert_int_equal(list.is_cut, is_cut);
	assert_int_equal(list.count, !is_cut);
	assert_true(findings_build(&findings, trace, &scope, NULL, &err));
	assert_int_equal(findings.unknown_kinds >> FINDING_REQUESTS & 1, is_cut);
	findings_release(&findings);
	slow_requests_release(&list);
	trace_free(trace);
}

/* Each of them has all of the waits. What was not looked at is not said to be fine. */
static void
requests_with_the_same_waits_end_somewhere(void **state)
{
	(void)state;
	check_at_once(2000, false);
	check_at_once(40000, true);
}

/* ---- all traces */

/* Numbers that hold of whatever is told. */
static void
check_told(const struct slow_requests *told)
{
	assert_true(told->count >= REQUEST_KIND_LEAST);
	assert_true(told->p50_ns <= told->p90_ns);
	assert_true(told->p90_ns <= told->slowest_end_ns - told->slowest_start_ns);
	assert_true(told->lost_ns >= 0 && told->lost_ns <= told->part_ns);
	assert_true(told->part_ns <= told->whole_ns);
	assert_true(told->end_ns <= told->part_ns);
	assert_true(told->cause.part_ns <= told->cause.whole_ns);
	int64_t slow_ns = 0, middle_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++) {
		slow_ns += told->slow_ns[i];
		middle_ns += told->middle_ns[i];
	}
	assert_true(slow_ns >= middle_ns);
	assert_true(slow_ns <= told->slowest_end_ns - told->slowest_start_ns);
}

/*
 * Requests that hand on at once, sleep for a millisecond, or of which there are few are not slow;
 * and what is told of any part of a trace is consistent.
 */
static void
nothing_is_told_where_nothing_is_slow(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t count;
	} rows[] = {
		{ "troubles/healthy", 0 },
		{ "troubles/convoy", 0 },
		{ "httpserver-go1.19", 0 },
		{ "httpserver-go1.22", 0 },
		{ "httpserver-go1.23", 0 },
		{ "httpserver-go1.26", 0 },
		{ "allocfreehttp-go1.26", 0 }, /* handlers that sleep for some milliseconds */
		{ "tasks-go1.19", 0 },
		{ "tasks-go1.22", 0 },
		{ "tasks-go1.23", 0 },
		{ "tasks-go1.26", 0 },
		{ "long-go1.26", 0 },
		{ "troubles/slowrequests", 3 },
		{ "troubles/slowhandlers", 1 },
		{ "troubles/slowholders", 2 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].name);
		for (int part = 0; part < 6; part++) {
			int64_t t0_ns = trace->end_ns / 8 * part;
			struct slow_list list = slow_in(trace, t0_ns, trace->end_ns);
			if (part == 0 && list.count != rows[i].count)
				fail_msg("%s: %zu kinds of slow requests", rows[i].name, list.count);
			for (size_t n = 0; n < list.count; n++)
				check_told(&list.items[n]);
			slow_requests_release(&list);
		}
		trace_free(trace);
	}
}

static void
memory_runs_out(void **state)
{
	(void)state;
	static const char *const names[] = { "troubles/slowserver", "troubles/slowrequests" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct trace *trace = testing_load(names[i]);
		bool is_done = false;
		for (uint64_t nth = 1; !is_done; nth += 1 + nth / 16) {
			struct slow_list list;
			struct request_scope scope = { .t1_ns = trace->end_ns };
			struct error err = { 0 };
			memory_fail_after(nth);
			is_done = slow_requests_build(&list, trace, &scope, &err);
			memory_fail_after(0);
			if (is_done)
				slow_requests_release(&list);
			else
				assert_int_equal(err.kind, ERROR_MEMORY);
		}
		trace_free(trace);
	}
}

static void
it_can_be_cancelled(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/slowrequests");
	struct search_watch watch = { 0 };
	struct request_scope scope = { .t1_ns = trace->end_ns, .watch = &watch };
	struct slow_list list;
	struct error err = { 0 };
	atomic_store(&watch.is_cancelled, true);
	assert_false(slow_requests_build(&list, trace, &scope, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_wait_for_what_others_give_back),
		cmocka_unit_test(it_is_the_first_finding),
		cmocka_unit_test(what_net_http_serves_is_requests),
		cmocka_unit_test(the_slowest_tenth_is_held_against_the_median),
		cmocka_unit_test(a_request_is_served_behind_all_its_regions),
		cmocka_unit_test(requests_with_the_same_waits_end_somewhere),
		cmocka_unit_test(nothing_is_told_where_nothing_is_slow),
		cmocka_unit_test(memory_runs_out),
		cmocka_unit_test(it_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
