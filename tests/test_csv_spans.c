/* The export of all spans: its sums are those of the index, and nothing is left out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "golden.h"
#include "profiletesting.h"
#include "query/search.h"
#include "report/csv_spans.h"
#include "report/input.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "tracetesting.h"

static const struct report_options plain = { .width_cells = 80 };

static void
print(const struct trace *trace, const struct report_options *options, struct text *out)
{
	struct error err = { 0 };
	text_clear(out);
	if (!report_csv_spans(trace, options, out, &err))
		fail_msg("%s", err.message);
}

/* The value of a column of a line; those before "reason" are never quoted. */
static const char *
value_of(const char *line, int column)
{
	while (column-- > 0)
		line = strchr(line, ',') + 1;
	return line;
}

static bool
is_state(const char *line, const char *state)
{
	const char *value = value_of(line, 5);
	return strncmp(value, state, strlen(state)) == 0 && value[strlen(state)] == ',';
}

struct sums {
	uint64_t lines;
	int64_t running_ns, ready_ns, all_ns;
};

/* Of the lines of a goroutine's lane that are its states. */
static struct sums
sum_up(const char *csv, const char *lane)
{
	static const char *const states[] = { "running", "ready", "blocked", "syscall", "unknown" };
	struct sums sums = { 0 };
	size_t length = strlen(lane);
	for (const char *line = strchr(csv, '\n') + 1; *line != '\0';
		line = strchr(line, '\n') + 1) {
		bool is_one = false;
		if (strncmp(line, lane, length) != 0 || line[length] != ',')
			continue;
		for (size_t i = 0; i < ARRAY_LENGTH(states); i++)
			is_one |= is_state(line, states[i]);
		if (!is_one)
			continue;
		int64_t duration_ns = strtoll(value_of(line, 3), NULL, 10);
		assert_int_equal(duration_ns, strtoll(value_of(line, 2), NULL, 10) -
						      strtoll(value_of(line, 1), NULL, 10));
		sums.lines++;
		sums.all_ns += duration_ns;
		sums.running_ns += is_state(line, "running") ? duration_ns : 0;
		sums.ready_ns += is_state(line, "ready") ? duration_ns : 0;
	}
	return sums;
}

static void
check_goroutine(const char *name, const struct trace *trace, const struct text *csv,
	actor_ref goroutine)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	int64_t totals_ns[CLASS_COUNT], all_ns = 0;
	char letter[32];
	snprintf(letter, sizeof letter, "G%" PRId64, trace_actor(trace, goroutine)->id);
	struct sums sums = sum_up(csv->bytes, letter);
	lane_totals(trace, lane, 0, trace->end_ns, totals_ns);
	for (int i = 0; i < CLASS_COUNT; i++)
		all_ns += totals_ns[i];
	if (sums.all_ns != all_ns ||
		sums.running_ns != totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER] ||
		sums.ready_ns != totals_ns[CLASS_READY])
		fail_msg("%s: %s: %" PRId64 " in all, not %" PRId64, name, letter, sums.all_ns,
			all_ns);
	if (trace_actor(trace, goroutine)->end_ns == TIME_OPEN)
		assert_int_equal(sums.lines, lane_count(trace, lane, 0, trace->end_ns + 1));
}

static uint64_t
count_lines(const struct text *csv, const char *state)
{
	uint64_t count = 0;
	for (const char *line = strchr(csv->bytes, '\n') + 1; *line != '\0';
		line = strchr(line, '\n') + 1)
		count += is_state(line, state);
	return count;
}

static uint64_t
count_ranges(const struct trace *trace, enum range_type type)
{
	uint64_t count = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++)
		count += trace_range(trace, i)->type == type;
	return count;
}

static void
check_trace(const char *name)
{
	struct trace *trace = testing_load(name);
	uint32_t step = trace_actor_count(trace) / 20 + 1;
	struct text out = { 0 };
	print(trace, &plain, &out);
	for (actor_ref i = 0; i < trace_actor_count(trace); i += step)
		check_goroutine(name, trace, &out, i);
	assert_int_equal(count_lines(&out, "region"), count_ranges(trace, RANGE_REGION));
	assert_int_equal(count_lines(&out, "assist"), count_ranges(trace, RANGE_MARK_ASSIST));
	assert_int_equal(count_lines(&out, "sweep"), count_ranges(trace, RANGE_SWEEP));
	assert_int_equal(count_lines(&out, "gc"), count_ranges(trace, RANGE_GC_MARK));
	assert_int_equal(count_lines(&out, "stw"), count_ranges(trace, RANGE_STW));
	assert_int_equal(count_lines(&out, "task"), trace->tasks.count);
	text_release(&out);
	trace_free(trace);
}

static void
sums_are_those_of_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

/* Of what has slices each is a line, with the name of its track. */
static void
slices_are_lines(void **state)
{
	static const char input[] =
		"7 1732000000.000001 read(3, \"a,b\", 64) = 3 <0.000004>\n7 1732000000.000031 close(3) = 0 <0.000005>\n";
	struct error err;
	struct text out = { 0 };
	(void)state;
	struct trace *trace = profiletesting_read("strace", input, strlen(input), &err);
	assert_non_null(trace);
	print(trace, &plain, &out);
	assert_non_null(strstr(out.bytes, "\nT7,0,4000,4000,false,syscalls,read,7,,,,,\n"
					  "T7,30000,35000,5000,false,syscalls,close,7,,,,,\n"));
	assert_int_equal(count_lines(&out, "syscalls"), 2);
	trace_free(trace);
	text_release(&out);
}

/* What overlaps the parts of an interval is what overlaps it, and what overlaps both is in both. */
static void
intervals_and_queries_leave_what_matches(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.26");
	struct report_options options = { .width_cells = 80, .has_interval = true,
		.t0_ns = trace->end_ns / 3, .t1_ns = trace->end_ns / 2 };
	struct error err = { 0 };
	struct text all = { 0 }, part = { 0 };
	(void)state;
	print(trace, &plain, &all);
	print(trace, &options, &part);
	const char *wanted = part.bytes;
	size_t titles = (size_t)(strchr(wanted, '\n') + 1 - wanted);
	wanted += titles;
	for (const char *line = all.bytes + titles; *line != '\0'; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, "\n") + 1;
		int64_t start_ns = strtoll(value_of(line, 1), NULL, 10);
		int64_t end_ns = strtoll(value_of(line, 2), NULL, 10);
		if (start_ns >= options.t1_ns ||
			(end_ns <= options.t0_ns && start_ns < options.t0_ns))
			continue;
		assert_memory_equal(line, wanted, length);
		wanted += length;
	}
	assert_int_equal(*wanted, '\0');
	options = plain;
	options.only = search_new(trace, "state=ready", &err);
	assert_non_null(options.only);
	print(trace, &options, &part);
	assert_int_equal(count_lines(&part, "ready"), search_count(options.only));
	assert_int_equal(count_lines(&part, "ready"), count_lines(&all, "ready"));
	assert_int_equal(count_lines(&part, "running") + count_lines(&part, "region"), 0);
	search_free(options.only);
	text_release(&all);
	text_release(&part);
	trace_free(trace);
}

static void
the_form_is_as_agreed(void **state)
{
	struct trace *trace = testing_load("tasks-go1.23");
	struct report_options options = { .width_cells = 80, .has_interval = true,
		.t0_ns = 10000000, .t1_ns = 10400000 };
	struct text out = { 0 };
	(void)state;
	print(trace, &options, &out);
	golden_check("spans-all.csv", &out);
	text_release(&out);
	trace_free(trace);
}

/* What the trace has no noun for is called as any trace calls it. */
static void
a_trace_may_lack_nouns(void **state)
{
	static const struct words words = { .source = "plain", .actor = { "call", "calls", '\0' } };
	static const char wanted[] = "lane,start_ns,end_ns,dur_ns,open,state,reason,call,name,"
				     "processor,thread,func,place\n";
	struct trace *trace = testing_load("tasks-go1.23");
	struct report_options options = plain;
	struct error err = { 0 };
	struct text out = { 0 };
	(void)state;
	trace->words = &words;
	options.only = search_new(trace, "state=ready", &err);
	assert_non_null(options.only);
	print(trace, &options, &out);
	assert_memory_equal(out.bytes, wanted, sizeof wanted - 1);
	search_free(options.only);
	text_clear(&out);
	assert_true(report_input(trace, 10, &plain, &out, &err));
	assert_non_null(strstr(out.bytes, "processors"));
	assert_null(strstr(out.bytes, "(null)"));
	text_release(&out);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_index),
		cmocka_unit_test(slices_are_lines),
		cmocka_unit_test(intervals_and_queries_leave_what_matches),
		cmocka_unit_test(the_form_is_as_agreed),
		cmocka_unit_test(a_trace_may_lack_nouns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
