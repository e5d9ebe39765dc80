#include "kerneltesting.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "resulttesting.h"
#include "trace/lane.h"
#include "trace/words.h"

int64_t
kerneltesting_number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	if (!jsonread_find(object, key, &value))
		fail_msg("there is no %s", key);
	return jsonslice_number(value);
}

struct jsonslice
kerneltesting_inside(struct jsonslice key)
{
	return (struct jsonslice){ key.bytes + 1, key.length - 2 };
}

void
kerneltesting_check(const char *row, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("%s: %s is %" PRId64 ", not %" PRId64, row, what, got, wanted);
}

/* The row of the report for a pid, its numbers added up where a pid came again. */
static int64_t
sum_of(const struct text *report, int64_t pid, const char *key)
{
	int64_t sum = 0;
	for (const char *line = text_string(report), *end; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		struct jsonslice object = { line, (size_t)(end - line) };
		if (kerneltesting_number(object, "pid") == pid)
			sum += kerneltesting_number(object, key);
	}
	return sum;
}

void
kerneltesting_check_tasks(const char *name, const struct trace *trace, struct jsonslice threads)
{
	static const char *const keys[][2] = { { "run_ns", "run_ns" }, { "runnable_ns", "wait_ns" },
		{ "sleep_ns", "sleep_ns" }, { "disk_ns", "disk_ns" }, { "switches_out", "switches" },
		{ "migrations", "migrations" } };
	const struct report_options options = { .format = REPORT_AS_JSON };
	struct text report = { 0 };
	struct error err;
	struct jsonslice key, value;
	error_clear(&err);
	if (!testing_result("sched", trace, &options, &report, &err))
		fail_msg("%s: %s", name, err.message);
	struct jsonread in = jsonread_over(threads);
	size_t count = 0;
	for (; jsonread_member(&in, &key, &value); count++) {
		int64_t pid = jsonslice_number(kerneltesting_inside(key));
		for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
			kerneltesting_check(name, keys[i][0], sum_of(&report, pid, keys[i][1]),
				kerneltesting_number(value, keys[i][0]));
		actor_ref ref = trace_find_actor(trace, pid);
		struct jsonslice comm;
		assert_true(ref != REF_NONE);
		assert_true(jsonread_find(value, "comm", &comm));
		assert_true(jsonslice_is(comm, trace_text(trace, trace_actor(trace, ref)->name, NULL)));
	}
	assert_true(count > 10);
	text_release(&report);
}

void
kerneltesting_check_states(const struct trace *trace, int64_t pid, const char *wanted)
{
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, pid) };
	struct text got = { 0 };
	struct span span;
	assert_true(lane.ref != REF_NONE);
	bool is_there = lane_next(trace, lane, 0, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &span))
		text_format(&got, "%s%s %" PRId64, got.length > 0 ? ", " : "",
			class_name(trace->words, span.time_class), (span.end_ns - span.start_ns) / 1000);
	if (strcmp(text_string(&got), wanted) != 0)
		fail_msg("task %" PRId64 ": %s", pid, text_string(&got));
	text_release(&got);
}

void
kerneltesting_check_group(const struct trace *trace, int64_t pid, const char *wanted)
{
	actor_ref ref = trace_find_actor(trace, pid);
	string_id name = trace->groups[trace_group_of(trace, ref)].name;
	assert_string_equal(trace_text(trace, name, NULL), wanted);
	assert_true(trace_actor_is_of(trace, ref, name));
	assert_true(trace_actor_is_of(trace, ref, trace_actor(trace, ref)->name));
}
