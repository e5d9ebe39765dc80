/* Who interacts with a goroutine: as a scan of the events finds it, and as Go's viewer shows it. */
#include "base_testing.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/interacts.h"
#include "base/map.h"
#include "dumptesting.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "tracetesting.h"

enum { SPECIAL_LANES = 1000000 };

/* ---- the naive answer */

/* Whether no id comes twice, so that ids alone tell goroutines apart. */
static bool
ids_are_unique(const struct naive *naive)
{
	bool are_unique = true;
	struct map seen = { 0 };
	struct error err = { 0 };
	for (size_t i = 0; i < naive->goroutine_count; i++) {
		uint64_t id = (uint64_t)naive->goroutines[i].id;
		are_unique = are_unique && map_find(&seen, id) == MAP_NONE;
		assert_true(map_put(&seen, id, 0, &err));
	}
	map_release(&seen);
	return are_unique;
}

static bool
is_text(const struct naive *naive, string_id string, const char *text)
{
	size_t length;
	const char *bytes = intern_text(&naive->strings, string, &length);
	return strlen(text) <= length && memcmp(bytes, text, strlen(text)) == 0;
}

/* `reason`: what the goroutine waits for. Whoever the event names may but have polled. */
static bool
is_by_network(const struct naive *naive, const struct go_event *event, string_id reason)
{
	return is_text(naive, reason, "network") &&
	       (event->stack == STACK_NONE ||
		       !is_text(naive, stack_leaf(&naive->stacks, event->stack)->function,
			       "internal/poll."));
}

/* `reasons`: id to why it waits, which goes on with the event. */
static bool
is_link(const struct naive *naive, const struct go_event *event, bool only_wakers,
	struct map *reasons)
{
	struct error err = { 0 };
	if (event->kind != GO_EVENT_GOROUTINE)
		return false;
	uint64_t id = (uint64_t)event->u.goroutine.id;
	uint32_t reason = map_find(reasons, id);
	if (event->u.goroutine.from != event->u.goroutine.to)
		assert_true(map_put(reasons, id,
			event->u.goroutine.to == GO_WAITING ? event->u.goroutine.reason
							    : STRING_EMPTY,
			&err));
	if (event->g == GO_ID_NONE || event->u.goroutine.to != GO_RUNNABLE)
		return false;
	if (event->u.goroutine.from == GO_NOT_EXIST)
		return !only_wakers;
	if (event->u.goroutine.from != GO_WAITING)
		return false;
	return only_wakers || (event->p != GO_PROC_TIMERS &&
				      (reason == MAP_NONE || !is_by_network(naive, event, reason)));
}

static void
bring_in(struct map *in, uint32_t step, int64_t there, int64_t other)
{
	struct error err = { 0 };
	uint32_t away = map_find(in, (uint64_t)there);
	if (away != MAP_NONE && away < step && map_find(in, (uint64_t)other) == MAP_NONE)
		assert_true(map_put(in, (uint64_t)other, step, &err));
}

/* By id, in how many steps it came in. */
static void
scan(const struct naive *naive, int64_t id, uint32_t steps, bool only_wakers, struct map *in)
{
	struct error err = { 0 };
	assert_true(map_put(in, (uint64_t)id, 0, &err));
	for (uint32_t step = 1; step <= steps; step++) {
		struct map reasons = { 0 };
		for (size_t i = 0; i < naive->event_count; i++) {
			const struct go_event *event = &naive->events[i];
			if (!is_link(naive, event, only_wakers, &reasons))
				continue;
			bring_in(in, step, event->u.goroutine.id, event->g);
			if (!only_wakers)
				bring_in(in, step, event->g, event->u.goroutine.id);
		}
		map_release(&reasons);
	}
}

static void
check_one(struct pair *pair, struct interacts_plan plan)
{
	const struct trace *trace = pair->trace;
	struct interacts interacts;
	struct error err = { 0 };
	struct map in = { 0 };
	uint32_t count = 0, sum = 0;
	scan(&pair->naive, trace_actor(trace, plan.actor)->id, plan.steps, plan.only_wakers,
		&in);
	assert_true(interacts_build(&interacts, trace, plan, NULL, &err));
	for (actor_ref g = 0; g < trace_actor_count(trace); g++) {
		uint32_t wanted = map_find(&in, (uint64_t)trace_actor(trace, g)->id);
		uint8_t away = interacts_away(&interacts, g);
		if (wanted == MAP_NONE ? away != INTERACTS_NEVER : away != wanted)
			fail_msg("%s: G%" PRId64 " is %u steps from G%" PRId64 ", wanted %u",
				pair->name, trace_actor(trace, g)->id, away,
				trace_actor(trace, plan.actor)->id, wanted);
		count += wanted != MAP_NONE;
	}
	for (uint32_t step = 0; step <= plan.steps; step++)
		sum += interacts.counts[step];
	assert_int_equal(interacts.count, count);
	assert_int_equal(sum, count);
	map_release(&in);
	interacts_release(&interacts);
}

static void
check_pair(struct pair *pair)
{
	enum { GOROUTINES = 6 };
	uint32_t count = trace_actor_count(pair->trace);
	if (!ids_are_unique(&pair->naive))
		return;
	for (unsigned i = 0; count > 0 && i < GOROUTINES * pair->rounds; i++) {
		struct interacts_plan plan = { (actor_ref)(pair->random % count),
			1 + (uint32_t)(i % 4), i % 3 == 0 };
		pair->random = pair->random * 6364136223846793005u + 1442695040888963407u;
		check_one(pair, plan);
	}
}

static void
they_are_those_of_a_scan(void **state)
{
	(void)state;
	pair_each(1, 20, check_pair);
}

/* ---- Go's viewer: two steps of wakers */

/* The goroutines that the view of one has lanes for. */
static uint32_t
check_lanes(const char *name, const struct interacts *interacts, const struct trace *trace,
	const char *json)
{
	static const char begin[] = "{\"name\":\"thread_name\",\"ph\":\"M\",\"ts\":0,\"pid\":0,\"tid\":";
	uint32_t count = 0;
	for (const char *at = json; (at = strstr(at, begin)) != NULL; at++) {
		int64_t id = strtoll(at + strlen(begin), NULL, 10);
		if (id > SPECIAL_LANES)
			continue;
		actor_ref g = trace_find_actor(trace, id);
		if (interacts_away(interacts, g) == INTERACTS_NEVER)
			fail_msg("%s: G%" PRId64 " is not in", name, id);
		count++;
	}
	return count;
}

static void
check_view(const char *name)
{
	enum { EVERY = 7 };
	struct trace *trace = testing_load(name);
	for (actor_ref g = 0; g < trace_actor_count(trace); g += EVERY) {
		const struct interacts_plan plan = { g, 2, true };
		struct dumptest view = { .form = DUMPTEST_JSON, .view = DUMP_JSON_GOROUTINE,
			.id = trace_actor(trace, g)->id };
		struct interacts interacts;
		struct error err = { 0 };
		if (trace_actor(trace, g)->state_count == 0)
			continue;
		dumptest_file(&view, testing_path(name, ".trace"));
		assert_true(interacts_build(&interacts, trace, plan, NULL, &err));
		if (view.ok)
			assert_int_equal(check_lanes(name, &interacts, trace, view.text.bytes),
				interacts.count);
		interacts_release(&interacts);
		dumptest_release(&view);
	}
	trace_free(trace);
}

static void
two_steps_of_wakers_are_those_of_the_viewer(void **state)
{
	(void)state;
	static const char *const names[] = { "httpserver-go1.22", "httpserver-go1.23",
		"httpserver-go1.26", "contention-go1.23", "contention-go1.26", "tasks-go1.23",
		"gcheavy-go1.22", "syscalls-go1.26", "httpserver-go1.19" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		check_view(names[i]);
}

/* ---- words */

static void
how_far_is_read_and_written(void **state)
{
	(void)state;
	static const struct {
		const char *text, *back; /* NULL: it is refused */
	} rows[] = { { "1", "1" }, { "2,wakers", "2,wakers" }, { "wakers", "1,wakers" },
		{ "99", "99" }, { "100", NULL }, { "0", NULL }, { "", NULL }, { "2,", NULL },
		{ ",wakers", NULL }, { "2,waker", NULL }, { "2 ", NULL }, { "x", NULL },
		{ "4294967297", NULL }, { "2wakers", NULL } };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct interacts_plan plan = { 5, 77, false };
		struct text back = { 0 };
		struct error err = { 0 };
		bool is_fine = interacts_parse(&plan, rows[i].text, &err);
		if (is_fine != (rows[i].back != NULL))
			fail_msg("\"%s\" is %s", rows[i].text, is_fine ? "taken" : "refused");
		interacts_add_words(&back, plan);
		assert_string_equal(back.bytes, is_fine ? rows[i].back : "77");
		assert_int_equal(plan.actor, 5);
		text_release(&back);
	}
}

/* ---- the job */

static void
a_job_finds_the_same_or_ends(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	const struct interacts_plan plan = { 3, 3, false };
	struct interacts wanted, found;
	struct error err = { 0 };
	assert_true(interacts_build(&wanted, trace, plan, NULL, &err));
	struct interacts_job *job = interacts_job_start(trace, plan, NULL, NULL, &err);
	assert_non_null(job);
	while (!interacts_job_is_done(job))
		sched_yield();
	assert_true(interacts_is_same(interacts_job_plan(job), plan));
	assert_true(interacts_job_end(job, &found, &err));
	assert_int_equal(found.count, wanted.count);
	assert_memory_equal(found.away, wanted.away, wanted.known);
	interacts_release(&found);
	interacts_release(&wanted);
	const atomic_bool is_cancelled = true;
	assert_false(interacts_build(&found, trace, plan, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_false(interacts_job_end(NULL, &found, &err));
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_those_of_a_scan),
		cmocka_unit_test(two_steps_of_wakers_are_those_of_the_viewer),
		cmocka_unit_test(how_far_is_read_and_written),
		cmocka_unit_test(a_job_finds_the_same_or_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
