/*
 * The kernel's ftrace: the inputs of testdata against what an independent reader says of them, and lines
 * made here: names that look like fields, losses, stacks, times that go back.
 */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/findings.h"
#include "base/compiler.h"
#include "draw/findings_words.h"
#include "facttesting.h"
#include "jsonread.h"
#include "kerneltesting.h"
#include "livetesting.h"
#include "profiletesting.h"
#include "query/query.h"
#include "query/search.h"
#include "resulttesting.h"
#include "trace/damage.h"
#include "trace/lane.h"
#include "trace/ready.h"
#include "trace/slices.h"
#include "trace/words.h"

static const char *const inputs[] = { "atrace-counters", "latency-format", "raw-syscalls", "sched-irq",
	"tgid-signals", "trace-cmd", "trace-pipe-lost" };

/* ---- against the oracle */

/* How often a call or interrupt ended, how long all took and the longest. */
static void
check_slices(const char *name, const struct trace *trace, const char *before, struct jsonslice all)
{
	struct jsonread in = jsonread_over(all);
	struct jsonslice key, value;
	while (jsonread_member(&in, &key, &value)) {
		int64_t calls = 0, total_ns = 0, max_ns = 0;
		char called[200];
		key = kerneltesting_inside(key);
		snprintf(called, sizeof called, "%s%.*s", before, (int)key.length, key.bytes);
		for (column_ref column = 0; column < slices_column_count(trace->slices); column++) {
			for (uint32_t i = 0; i < slices_in_column(trace->slices, column); i++) {
				struct slice slice;
				slices_get(trace->slices, column, i, &slice);
				if (strcmp(trace_text(trace, slice.name, NULL), called) != 0 ||
					(slice.flags & (SLICE_CUT | SLICE_OPEN)) != 0)
					continue;
				calls++;
				total_ns += slice.took_ns;
				max_ns = slice.took_ns > max_ns ? slice.took_ns : max_ns;
			}
		}
		kerneltesting_check(name, called, calls, kerneltesting_number(value, "calls"));
		kerneltesting_check(name, called, total_ns, kerneltesting_number(value, "total_ns"));
		kerneltesting_check(name, called, max_ns, kerneltesting_number(value, "max_ns"));
	}
}

/*
 * Who is lost on a CPU and seen on another one has left; the other reader takes the first CPU for busy
 * until somebody else comes.
 */
static void
check_cpus(const char *name, const struct trace *trace, struct jsonslice cpus, bool has_losses)
{
	struct jsonread in = jsonread_over(cpus);
	struct jsonslice key, value;
	size_t count = 0;
	for (; jsonread_member(&in, &key, &value); count++) {
		int64_t totals_ns[CLASS_COUNT];
		struct lane lane = { LANE_PROCESSOR, 0 };
		while (trace_processor(trace, lane.ref)->id != jsonslice_number(kerneltesting_inside(key)))
			assert_true(++lane.ref < trace_processor_count(trace));
		lane_totals(trace, lane, 0, trace->end_ns, totals_ns);
		if (!has_losses)
			kerneltesting_check(name, "busy_ns", totals_ns[CLASS_RUNNING], kerneltesting_number(value, "busy_ns"));
		assert_true(totals_ns[CLASS_RUNNING] <= kerneltesting_number(value, "busy_ns"));
	}
	assert_int_equal(count, trace_processor_count(trace));
}

static struct trace *
load(const char *row, const char *bytes, size_t size)
{
	struct error err;
	struct trace *trace = profiletesting_read("ftrace", bytes, size, &err);
	if (trace == NULL)
		fail_msg("%s: %s", row, err.message);
	return trace;
}

static void
inputs_are_as_another_reads_them(void **state)
{
	static const char *const keys[] = { "lines", "events", "switches", "marks", "first_ns", "last_ns",
		"lost_events", "backwards", "damaged", NULL };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text, oracle;
		struct jsonslice part;
		profiletesting_read_file("ftrace", inputs[i], ".txt.gz", &text);
		struct trace *trace = load(inputs[i], text.bytes, text.length);
		profiletesting_check_facts(trace, "ftrace", inputs[i], keys);
		profiletesting_read_file("ftrace", inputs[i], ".oracle.json", &oracle);
		struct jsonslice all = { oracle.bytes, oracle.length };
		assert_true(jsonread_find(all, "threads", &part));
		kerneltesting_check_tasks(inputs[i], trace, part);
		assert_true(jsonread_find(all, "syscalls", &part));
		check_slices(inputs[i], trace, "syscall ", part);
		assert_true(jsonread_find(all, "irqs", &part));
		check_slices(inputs[i], trace, "", part);
		assert_true(jsonread_find(all, "cpus", &part));
		check_cpus(inputs[i], trace, part, kerneltesting_number(all, "head_mismatch") > 1);
		trace_free(trace);
		text_release(&text);
		text_release(&oracle);
	}
}

/* ---- made here */

static struct trace *
load_text(const char *text)
{
	return load(text, text, strlen(text));
}

static void
check_name(const struct trace *trace, int64_t pid, const char *wanted)
{
	actor_ref ref = trace_find_actor(trace, pid);
	assert_true(ref != REF_NONE);
	assert_string_equal(trace_text(trace, trace_actor(trace, ref)->name, NULL), wanted);
}

#define HEAD(task, cpu, us) "  " task " [00" cpu "] d..2. 10.0000" us ": "
#define SWITCH(prev, state, next)                                                                  \
	"sched_switch: prev_comm=a prev_pid=" prev " prev_prio=120 prev_state=" state               \
	" ==> next_comm=b next_pid=" next " next_prio=120\n"

static void
names_may_hold_anything(void **state)
{
	struct trace *trace = load_text(
		HEAD("x-1 [0]-7", "0", "00") "sched_switch: prev_comm=x-1 [0] prev_pid=7 prev_prio=120 "
					     "prev_state=S ==> next_comm= pid=3 prio=1 next_pid=8 next_prio=120\n"
		HEAD(" pid=3 prio=1-8", "0", "05") "sched_waking: comm=x pid=7 prio= pid=9 prio=120 target_cpu=000\n"
		HEAD("<...>-8", "0", "07") "sched_switch:         a:b [1]:8 [120] R ==> c ==> d:9 [120]\n"
		"<...>-9 [000] d..2. 10.000009: sched_switch: prev_comm=0 prev_pid=0x9 (9) prev_prio=0x78 (120) "
		"prev_state=0x2 (2) next_comm=e next_pid=0x0 (0) next_prio=0x78 (120)\n");
	(void)state;
	check_name(trace, 7, "x-1 [0]");
	check_name(trace, 8, "pid=3 prio=1");
	check_name(trace, 9, "0");
	kerneltesting_check_states(trace, 7, "running 0, asleep 5, runnable 4");
	kerneltesting_check_states(trace, 8, "running 7, runnable 2");
	kerneltesting_check_states(trace, 9, "running 2, disk 0");
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
}

static void
wakers_are_known(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") SWITCH("7", "S", "8")
		HEAD("b-8", "0", "02") "sched_waking: comm=a pid=7 prio=120 target_cpu=000\n"
		HEAD("b-8", "0", "03") "sched_wakeup: comm=a pid=9 prio=120 target_cpu=000\n"
		HEAD("b-8", "0", "04") SWITCH("8", "S", "7")
		"  a-7 [000] d.h2. 10.000006: sched_waking: comm=b pid=8 prio=120 target_cpu=000\n"
		HEAD("a-7", "0", "09") SWITCH("7", "Z", "8"));
	struct span span;
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, 7) };
	(void)state;
	kerneltesting_check_states(trace, 7, "running 0, asleep 2, runnable 2, running 5");
	kerneltesting_check_states(trace, 8, "running 4, asleep 2, runnable 3, running 0");
	/* Where there is sched_waking, sched_wakeup says nothing. */
	assert_int_equal(trace_find_actor(trace, 9), REF_NONE);
	assert_true(lane_next(trace, lane, 0, CLASS_BIT(CLASS_READY), &span));
	assert_int_equal(span.waker.type, WAKER_ACTOR);
	assert_int_equal(trace_actor(trace, span.waker.ref)->id, 8);
	/* An interrupt woke it, not the task that was interrupted. */
	lane.ref = trace_find_actor(trace, 8);
	assert_true(lane_next(trace, lane, 0, CLASS_BIT(CLASS_READY), &span));
	assert_int_not_equal(span.waker.type, WAKER_ACTOR);
	assert_true(trace_actor(trace, trace_find_actor(trace, 7))->end_ns == 9000);
	trace_free(trace);
}

/* Whether the query finds anything of an actor. */
static bool
finds(const struct trace *trace, const char *text, int64_t id)
{
	struct error err = { 0 };
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, id) };
	struct query *query = query_new(text, trace->words, &err);
	struct search *search = query == NULL ? NULL : search_query(trace, query, &err);
	if (search == NULL)
		fail_msg("%s: %s", text, err.message);
	bool found = search_has_any(search, lane);
	search_free(search);
	query_free(query);
	return found;
}

/* Processes of one thread stand with those of their name. */
static void
threads_stand_by_process(void **state)
{
	struct trace *trace = load_text(
		"  main-7 (      7) [000] d..2. 10.000000: some_event: x\n"
		"  worker-8 (      7) [000] d..2. 10.000001: some_event: x\n"
		"  pool-11 (   10) [000] d..2. 10.000002: some_event: x\n"
		"  main-12 (     10) [000] d..2. 10.000003: some_event: x\n"
		"  pair-31 (   30) [000] d..2. 10.000004: some_event: x\n"
		"  pair-32 (   30) [000] d..2. 10.000004: some_event: x\n"
		"  sh-20 (     20) [000] d..2. 10.000004: some_event: x\n"
		"  sh-21 (     21) [000] d..2. 10.000005: some_event: x\n"
		"  main-22 (-------) [000] d..2. 10.000006: some_event: x\n");
	(void)state;
	kerneltesting_check_group(trace, 7, "main 7");
	kerneltesting_check_group(trace, 8, "main 7");
	kerneltesting_check_group(trace, 11, "process 10");
	kerneltesting_check_group(trace, 12, "process 10");
	kerneltesting_check_group(trace, 32, "pair 30");
	kerneltesting_check_group(trace, 20, "sh");
	kerneltesting_check_group(trace, 21, "sh");
	kerneltesting_check_group(trace, 22, "main");
	assert_int_equal(trace->group_count, 5);
	assert_true(finds(trace, "name=\"main 7\"", 8));
	assert_true(finds(trace, "name=worker", 8));
	assert_false(finds(trace, "name!=worker", 8));
	assert_false(finds(trace, "name=\"main 7\"", 12));
	assert_false(trace_actor_is_of(trace, trace_find_actor(trace, 22),
		trace->groups[trace_group_of(trace, trace_find_actor(trace, 7))].name));
	trace_free(trace);
}

/* What all tasks did is told by lists that were begun by name, when the processes were not known. */
static void
many_states_of_threads_add_up(void **state)
{
	enum { SWITCHES = 30000 };
	struct text text = { 0 };
	int64_t totals_ns[CLASS_COUNT];
	(void)state;
	for (int i = 0; i < SWITCHES; i++)
		text_format(&text, "  w-%d (      7) [000] d..2. 10.%06d: sched_switch: prev_comm=w prev_pid=%d prev_prio=120 "
				   "prev_state=R ==> next_comm=w next_pid=%d next_prio=120\n",
			7 + i % 2, i, 7 + i % 2, 8 - i % 2);
	assert_false(text.failed);
	struct trace *trace = load_text(text.bytes);
	assert_int_equal(trace->group_count, 1);
	lane_totals(trace, (struct lane){ LANE_ALL, 0 }, 2000, (SWITCHES - 2) * INT64_C(1000), totals_ns);
	assert_true(totals_ns[CLASS_RUNNING] == (SWITCHES - 4) * INT64_C(1000));
	assert_true(totals_ns[CLASS_READY] == (SWITCHES - 4) * INT64_C(1000));
	lane_totals(trace, (struct lane){ LANE_GROUP, 0 }, 2000, (SWITCHES - 2) * INT64_C(1000), totals_ns);
	assert_true(totals_ns[CLASS_RUNNING] == (SWITCHES - 4) * INT64_C(1000));
	text_release(&text);
	trace_free(trace);
}

/* ---- from a pipe */

static void
lines_are_shown_as_they_come(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text;
		profiletesting_read_file("ftrace", inputs[i], ".txt.gz", &text);
		assert_true(livetesting_check(&ftrace_source, &text, 3001) >= text.length / 6002);
		text_release(&text);
	}
}

static void
counters_have_names(void **state)
{
	static const char *const names[] = { "CPU 0 frequency", "CPU 12 idle", "a|b 7", "queue 7" };
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") "tracing_mark_write: C|7|queue|5\n"
		HEAD("a-7", "0", "01") "tracing_mark_write: C|7|queue|-9223372036854775807\n"
		HEAD("a-7", "0", "02") "print: C|7|a|b|-3\n"
		HEAD("a-7", "0", "03") "cpu_idle: state=2 cpu_id=12\n"
		HEAD("a-7", "0", "04") "cpu_idle: state=4294967295 cpu_id=12\n"
		HEAD("a-7", "0", "05") "cpu_frequency: state=3600000 cpu_id=0\n"
		HEAD("a-7", "0", "06") "tracing_mark_write: C|7|queue|many\n"
		HEAD("a-7", "0", "07") "tracing_mark_write: C|7|queue|9223372036854775807\n");
	int64_t value, least, greatest;
	(void)state;
	assert_int_equal(trace->gauge_count, ARRAY_LENGTH(names));
	for (uint32_t i = 0; i < ARRAY_LENGTH(names); i++)
		assert_string_equal(trace_text(trace, trace->gauges[i].name, NULL), names[i]);
	assert_false(gauge_at(trace, 0, 4999, &value));
	assert_true(gauge_at(trace, 0, 5000, &value));
	assert_true(value == 3600000);
	assert_true(gauge_range(trace, 1, 0, 8000, &least, &greatest));
	assert_true(least == -1 && greatest == 2);
	assert_true(gauge_range(trace, 1, 3500, 3600, &least, &greatest));
	assert_true(least == 2 && greatest == 2);
	assert_true(gauge_at(trace, 2, 7000, &value) && value == -3);
	assert_true(gauge_range(trace, 3, 0, 8000, &least, &greatest));
	assert_true(least == -INT64_MAX && greatest == INT64_MAX);
	/* What is no number is words. */
	assert_int_equal(trace->instants.count, 1);
	trace_free(trace);
}

static void
counters_are_printed(void **state)
{
	const struct report_options options = { .width_cells = 100, .ascii = true, .format = REPORT_AS_JSON };
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") "tracing_mark_write: C|7|queue|5\n"
		HEAD("a-7", "0", "02") "tracing_mark_write: C|7|queue|9\n"
		HEAD("a-7", "0", "05") "tracing_mark_write: C|7|queue|-2\n");
	struct error err = { 0 };
	struct text out = { 0 };
	(void)state;
	assert_true(testing_result_with("counters", "", trace, &options, &out, &err));
	assert_string_equal(text_string(&out),
		"{\"table\":\"counters\",\"counter\":\"queue 7\",\"values\":3,\"first\":5,\"last\":-2,"
		"\"least\":-2,\"greatest\":9,\"greatest_at_ns\":2000}\n");
	text_release(&out);
	trace_free(trace);
}

/* A machine that runs for 143 days, and a clock that counts from 1970 on. */
static void
clocks_may_count_for_long(void **state)
{
	struct trace *trace = load_text(
		"  a-7 [000] d..2. 12345678.000001: " SWITCH("7", "S", "8")
		"  b-8 [000] d..2. 12345678.000003: " SWITCH("8", "S", "7"));
	(void)state;
	kerneltesting_check_states(trace, 8, "running 2, asleep 0");
	assert_true(trace->origin_ns == INT64_C(12345678000001000));
	trace_free(trace);
	trace = load_text("  a-7 [000] d..2. 1795456574.000001: " SWITCH("7", "S", "8"));
	assert_true(trace->origin_ns == INT64_C(1795456574000001000));
	trace_free(trace);
	trace = load_text("  a-7 [000] d..2. 4611686018.427387905: x: y\n" HEAD("a-7", "0", "01") "x: y\n");
	assert_int_equal(fact(trace, "events"), 1);
	trace_free(trace);
}

static void
verbose_heads_are_read(void **state)
{
	struct trace *trace = load_text(
		"            a 1      7   0 1 00000002 00000000 [9f1623aa5] 16.088ms (+0.888ms): " SWITCH("7", "S", "8")
		"           b-8 8     8   0 9 00000002 00000001 [9f1623aa7] 16.090ms (+0.888ms): "
		"sched_waking: comm=x pid=7 prio=120 target_cpu=000\n"
		"        b [1] 2      8   0 1 00000002 00000002 [9f1623aa9] 16.092ms (+0.888ms): " SWITCH("8", "R", "7"));
	struct span span;
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, 7) };
	(void)state;
	check_name(trace, 7, "a 1");
	check_name(trace, 8, "b [1] 2");
	kerneltesting_check_states(trace, 7, "running 0, asleep 2, runnable 2, running 0");
	/* The flag 8 is a hard interrupt. */
	assert_true(lane_next(trace, lane, 0, CLASS_BIT(CLASS_READY), &span));
	assert_int_not_equal(span.waker.type, WAKER_ACTOR);
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
}

static void
events_without_a_head_are_listed(void **state)
{
	static const char bare[] = "# tracer: nop\n#\nwords that are none\n"
				   "sched_waking: comm=gcc pid=32368 prio=120 target_cpu=001\n"
				   "26701 0 2067748996676 type: 374\n";
	struct trace *trace = load_text(bare);
	const struct ready_table *table;
	char both[2000];
	(void)state;
	assert_non_null(trace->ready);
	assert_int_equal(trace->clock, TRACE_CLOCK_NONE);
	assert_int_equal(fact(trace, "events"), 2);
	table = &trace->ready->tables[0];
	assert_int_equal(table->row_count, 2);
	assert_string_equal(trace_text(trace, ready_cell(table, 0, 0)->text, NULL), "sched_waking");
	assert_string_equal(trace_text(trace, ready_cell(table, 1, 0)->text, NULL), "type: 374");
	assert_string_equal(trace_text(trace, ready_cell(table, 1, 1)->text, NULL), "26701 0 2067748996676");
	trace_free(trace);
	/* In front of events with a head they are words. */
	snprintf(both, sizeof both, "%s%s", bare, HEAD("a-7", "0", "01") "x: y\n");
	trace = load_text(both);
	assert_null(trace->ready);
	assert_int_equal(trace->clock, TRACE_CLOCK_STAMPS);
	assert_int_equal(fact(trace, "events"), 1);
	trace_free(trace);
}

/* Heads tell who runs where switches were lost. */
static void
losses_stop_who_ran(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") "sys_enter: NR 0 (3, 4)\n"
		HEAD("a-7", "0", "01") SWITCH("7", "S", "8")
		"CPU:0 [LOST 12 EVENTS]\n"
		HEAD("c-9", "0", "05") "sys_exit: NR 1 = 4\n"
		HEAD("b-8", "1", "06") "some_event: with fields\n"
		"CPU:1 [EVENTS DROPPED]\n"
		HEAD("c-9", "0", "08") "sys_enter: NR 2 (5)\n");
	(void)state;
	kerneltesting_check_states(trace, 7, "running 1, asleep 7");
	kerneltesting_check_states(trace, 8, "running 4, unknown 1, running 2");
	kerneltesting_check_states(trace, 9, "running 3");
	assert_int_equal(fact(trace, "lost_events"), 12);
	assert_int_equal(fact(trace, "damaged"), 0);
	assert_int_equal(slices_count(trace->slices), 2);
	trace_free(trace);
}

/* It runs on one CPU, then on another, where it ends; then a nobody leaves the first one. */
static void
nobody_is_not_who_has_gone(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") "some_event: 1\n"
		HEAD("a-7", "1", "01") SWITCH("7", "X", "8")
		HEAD("a-7", "0", "02") SWITCH("-1", "S", "9")
		HEAD("b-9", "0", "04") "some_event: 1\n");
	(void)state;
	kerneltesting_check_states(trace, 7, "running 1, running 0");
	kerneltesting_check_states(trace, 9, "running 2");
	trace_free(trace);
}

static void
times_may_go_back(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "05") SWITCH("7", "S", "8")
		HEAD("c-9", "1", "01") SWITCH("9", "R", "7")
		HEAD("a-7", "1", "03") SWITCH("7", "R+", "9")
		HEAD("b-8", "0", "09") SWITCH("8", "S", "0"));
	(void)state;
	assert_int_equal(fact(trace, "backwards"), 1);
	assert_int_equal(trace->end_ns, 8000);
	kerneltesting_check_states(trace, 7, "running 2, runnable 2, running 0, asleep 4");
	kerneltesting_check_states(trace, 8, "running 4, asleep 0");
	trace_free(trace);
}

/* Until all CPUs have begun, who does not run may run unseen. */
static void
what_was_overwritten_is_unknown(void **state)
{
	static const char text[] =
		HEAD("a-7", "0", "00") SWITCH("7", "S", "8")
		HEAD("b-8", "0", "02") "sched_waking: comm=a pid=7 prio=120 target_cpu=000\n"
		HEAD("c-9", "1", "05") "some_event: 1\n"
		HEAD("b-8", "0", "06") "sched_waking: comm=a pid=7 prio=120 target_cpu=000\n"
		HEAD("b-8", "0", "09") SWITCH("8", "S", "7");
	static const char head[] = "# entries-in-buffer/entries-written: 5/9   #P:2\n";
	struct trace *trace = load_text(text);
	(void)state;
	kerneltesting_check_states(trace, 7, "running 0, asleep 2, runnable 7, running 0");
	trace_free(trace);
	char whole[2000];
	snprintf(whole, sizeof whole, "%s%s", head, text);
	trace = load_text(whole);
	kerneltesting_check_states(trace, 7, "running 0, unknown 6, runnable 3, running 0");
	kerneltesting_check_states(trace, 8, "running 9, asleep 0");
	assert_int_equal(fact(trace, "overwritten"), 4);
	assert_true(trace_processor(trace, 1)->id == 1 && trace_processor(trace, 1)->first_ns == 5000);
	trace_free(trace);
}

static const char *
leaf_of(const struct trace *trace, stack_id stack)
{
	assert_true(stack != STACK_NONE);
	return trace_text(trace, stack_leaf(&trace->stacks, stack)->function, NULL);
}

/* The stack is that of the event before it on the CPU, whoever its own head names. */
static void
stacks_are_of_the_event_before(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") SWITCH("7", "D", "8")
		HEAD("b-8", "1", "01") "some_event: 1\n"
		HEAD("a-7", "0", "02") "<stack trace>\n => __schedule\n => io_schedule\n"
		HEAD("b-8", "0", "03") "kernel_stack:         <stack trace>\n=> inner\n=> outer (ffff)\n");
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, 7) };
	struct span span;
	(void)state;
	assert_true(lane_next(trace, lane, 0, CLASS_MASK_BLOCKED, &span));
	assert_string_equal(leaf_of(trace, span.stack), "inner");
	assert_int_equal(stack_depth(&trace->stacks, span.stack), 2);
	assert_int_equal(fact(trace, "events"), 4);
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
}

static void
calls_and_interrupts_nest(void **state)
{
	struct trace *trace = load_text(
		HEAD("a-7", "0", "00") "sys_openat(dfd: ffffff9c, filename: 55b2)\n"
		HEAD("a-7", "0", "01") "irq_handler_entry: irq=9 name=my irq\n"
		HEAD("a-7", "0", "02") "softirq_entry: vec=3 [action=NET_RX]\n"
		HEAD("a-7", "0", "03") "irq_handler_exit: irq=9 ret=handled\n"
		HEAD("a-7", "0", "04") "sys_openat -> 0xfffffffffffffffe\n"
		HEAD("a-7", "0", "05") "tracing_mark_write: B|7|draw|all\n"
		HEAD("a-7", "0", "06") "tracing_mark_write: S|7|load|1\n"
		HEAD("b-8", "1", "07") "print: tracing_mark_write: F|7|load|1\n"
		HEAD("a-7", "0", "08") "tracing_mark_write: E\n"
		HEAD("a-7", "0", "09") "sys_enter: NR 231 (0)\n"
		HEAD("a-7", "0", "10") SWITCH("7", "X", "0"));
	static const struct {
		const char *name;
		int64_t start_us, us;
		unsigned flags;
	} wanted[] = {
		{ "openat", 0, 4, SLICE_FAILED },
		{ "irq_handler:my irq", 1, 2, 0 },
		{ "softirq:NET_RX", 2, 1, SLICE_CUT },
		{ "draw|all", 5, 3, 0 },
		{ "syscall 231", 9, 1, SLICE_CUT },
	};
	(void)state;
	assert_int_equal(slices_count(trace->slices), ARRAY_LENGTH(wanted));
	for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
		bool is_there = false;
		for (uint32_t j = 0; j < slices_count(trace->slices); j++) {
			struct slice slice;
			slices_numbered(trace->slices, j, &slice);
			is_there = is_there || (strcmp(trace_text(trace, slice.name, NULL), wanted[i].name) == 0 &&
						       slice.start_ns == wanted[i].start_us * 1000 &&
						       slice.took_ns == wanted[i].us * 1000 &&
						       slice.flags == wanted[i].flags);
		}
		if (!is_there)
			fail_msg("%s is not there", wanted[i].name);
	}
	assert_int_equal(fact(trace, "marks"), 4);
	assert_int_equal(trace->tasks.count, 1);
	assert_true(trace_task(trace, 0)->end_ns == 7000);
	trace_free(trace);
}

/* Those too deep to keep end all the same: each E ends its own B. */
static void
marks_may_nest_deeply(void **state)
{
	struct text marks = { 0 };
	struct slice slice;
	(void)state;
	for (int i = 0; i < 80; i++)
		text_format(&marks, HEAD("a-7", "0", "%02d") "tracing_mark_write: %s\n", i, i < 40 ? "B|7|draw" : "E");
	assert_false(marks.failed);
	struct trace *trace = load("deep marks", marks.bytes, marks.length);
	uint64_t count = slices_count(trace->slices);
	assert_in_range(count, 1, 40);
	for (uint32_t i = 0; i < count; i++) {
		slices_numbered(trace->slices, i, &slice);
		assert_int_equal(slice.start_ns + slice.start_ns + slice.took_ns, 79000);
		assert_int_equal(slice.flags, 0);
	}
	trace_free(trace);
	text_release(&marks);
}

static void
what_fits_nothing_is_damage(void **state)
{
	struct trace *trace = load_text("words before\n" HEAD("a-7", "0", "00") "some_event: 1\n"
					"what is this\n" HEAD("a-7", "0", "01") "UNKNOWN TYPE 5\n"
					" => of nothing\n" HEAD("a-7", "0", "02") "other_event: \n"
					"a-7 [000] d..2. 10.0");
	(void)state;
	assert_int_equal(fact(trace, "events"), 2);
	assert_int_equal(fact(trace, "damaged"), 4);
	assert_int_equal(trace->damage.count, 4);
	trace_free(trace);
}

/* ---- findings */

/* A switch on a CPU at a time in microseconds. */
static void
say_switch(struct text *text, int cpu, int us, const char *prev, int prev_pid, const char *state,
	const char *next, int next_pid)
{
	text_format(text, "%s-%d [%03d] d..2. %d.%06d: sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 "
		"prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120\n",
		prev_pid == 0 ? "<idle>" : prev, prev_pid, cpu, us / 1000000, us % 1000000, prev, prev_pid,
		state, next, next_pid);
}

static void
say(struct text *text, int cpu, int us, const char *task, const char *event)
{
	text_format(text, "%s [%03d] d..2. %d.%06d: %s\n", task, cpu, us / 1000000, us % 1000000, event);
}

/* There is a finding of that kind whose sentence has this in it. */
static void
check_finding(struct text *text, enum finding_kind kind, const char *wanted)
{
	struct trace *trace = load("findings", text->bytes, text->length);
	const struct findings_scope scope = { .t1_ns = trace->end_ns };
	struct findings findings;
	struct error err;
	bool is_there = false;
	error_clear(&err);
	assert_true(findings_build(&findings, trace, &scope, NULL, &err));
	for (size_t i = 0; i < findings.count; i++) {
		struct text line = { 0 };
		findings_add_line(&line, trace, &findings.items[i], true);
		is_there = is_there || (findings.items[i].kind == kind &&
					       strstr(text_string(&line), wanted) != NULL);
		/* What a quota does is told once. */
		assert_false(kind == FINDING_QUOTA && findings.items[i].kind != kind);
		if (findings.items[i].kind == kind && !is_there)
			fail_msg("%s", text_string(&line));
		text_release(&line);
	}
	if (!is_there)
		fail_msg("there is no %s", finding_kind_name(kind));
	findings_release(&findings);
	trace_free(trace);
	text_release(text);
}

/* Two workers run for 40 of every 100 ms, and then stand still while both CPUs are idle. */
static void
a_quota_is_told_by_its_period(void **state)
{
	struct text text = { 0 };
	(void)state;
	for (int us = 1000; us < 1000000; us += 100000) {
		say_switch(&text, 0, us, "swapper/0", 0, "R", "worker", 7);
		say_switch(&text, 1, us + 10, "swapper/1", 0, "R", "worker", 8);
		say_switch(&text, 0, us + 40000, "worker", 7, "R", "swapper/0", 0);
		say_switch(&text, 1, us + 41000, "worker", 8, "R+", "swapper/1", 0);
	}
	check_finding(&text, FINDING_QUOTA, "of every 100 ms, 9 times");
}

/* Who shares a CPU with one other in turn stands still at a period, too, but of no quota. */
static void
turns_are_no_quota(void **state)
{
	struct text text = { 0 };
	struct findings findings;
	struct error err;
	(void)state;
	for (int us = 1000; us < 1000000; us += 20000) {
		say_switch(&text, 0, us, "other", 9, "R", "worker", 7);
		say_switch(&text, 0, us + 10000, "worker", 7, "R", "other", 9);
	}
	struct trace *trace = load("turns", text.bytes, text.length);
	const struct findings_scope scope = { .t1_ns = trace->end_ns };
	error_clear(&err);
	assert_true(findings_build(&findings, trace, &scope, NULL, &err));
	assert_true(findings.count > 0);
	for (size_t i = 0; i < findings.count; i++)
		assert_int_not_equal(findings.items[i].kind, FINDING_QUOTA);
	findings_release(&findings);
	trace_free(trace);
	text_release(&text);
}

static void
who_keeps_others_off_is_named(void **state)
{
	struct text text = { 0 };
	(void)state;
	for (int us = 1000; us < 100000; us += 20000) {
		say_switch(&text, 0, us, "swapper/0", 0, "R", "hog", 7);
		for (int i = 0; i < 3; i++) {
			char wake[100];
			snprintf(wake, sizeof wake, "sched_waking: comm=w%d pid=%d prio=120 target_cpu=000", i, 10 + i);
			say(&text, 0, us + 1000 + i, "hog-7", wake);
		}
		say_switch(&text, 0, us + 15000, "hog", 7, "R", "w0", 10);
		say_switch(&text, 0, us + 15100, "w0", 10, "S", "w1", 11);
		say_switch(&text, 0, us + 15200, "w1", 11, "S", "w2", 12);
		say_switch(&text, 0, us + 15300, "w2", 12, "S", "swapper/0", 0);
	}
	check_finding(&text, FINDING_HOG, "task 7 hog ran for 75 ms of 95.3 ms, while 3 tasks waited for its CPU. 15 waits");
}

static void
what_takes_long_is_told(void **state)
{
	struct text text = { 0 };
	(void)state;
	say(&text, 0, 1000, "a-7", "sys_enter: NR 162 ()");
	say(&text, 0, 2000, "a-7", "irq_handler_entry: irq=9 name=eth0");
	say(&text, 0, 5000, "a-7", "irq_handler_exit: irq=9 ret=handled");
	say(&text, 0, 151000, "a-7", "sys_exit: NR 162 = 0");
	struct text again = { 0 };
	text_add(&again, text.bytes, text.length);
	/* It needs somebody who waits for findings to be looked for. */
	say_switch(&text, 0, 160000, "a", 7, "S", "swapper/0", 0);
	say_switch(&again, 0, 160000, "a", 7, "S", "swapper/0", 0);
	check_finding(&text, FINDING_INTERRUPT, "irq_handler:eth0 kept a CPU for 1 ms or more. It took 3 ms, on CPU 0.");
	check_finding(&again, FINDING_CALL, "syscall 162 took 100 ms or more, and was not asleep for half of it. It took 150 ms, task 7.");
}

static void
disk_sleep_is_told_where_it_is_most(void **state)
{
	struct text text = { 0 };
	(void)state;
	for (int us = 1000; us < 100000; us += 10000) {
		say_switch(&text, 0, us, "swapper/0", 0, "R", "db", 7);
		say_switch(&text, 0, us + 1000, "db", 7, "D", "swapper/0", 0);
		say(&text, 0, us + 9000, "<idle>-0", "sched_waking: comm=db pid=7 prio=120 target_cpu=000");
	}
	check_finding(&text, FINDING_DISK, "1 task of db was in disk sleep for most of the time. 10 sleeps took 80 ms in all");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inputs_are_as_another_reads_them),
		cmocka_unit_test(names_may_hold_anything),
		cmocka_unit_test(wakers_are_known),
		cmocka_unit_test(threads_stand_by_process),
		cmocka_unit_test(many_states_of_threads_add_up),
		cmocka_unit_test(lines_are_shown_as_they_come),
		cmocka_unit_test(counters_have_names),
		cmocka_unit_test(counters_are_printed),
		cmocka_unit_test(clocks_may_count_for_long),
		cmocka_unit_test(verbose_heads_are_read),
		cmocka_unit_test(events_without_a_head_are_listed),
		cmocka_unit_test(losses_stop_who_ran),
		cmocka_unit_test(nobody_is_not_who_has_gone),
		cmocka_unit_test(times_may_go_back),
		cmocka_unit_test(what_was_overwritten_is_unknown),
		cmocka_unit_test(stacks_are_of_the_event_before),
		cmocka_unit_test(calls_and_interrupts_nest),
		cmocka_unit_test(marks_may_nest_deeply),
		cmocka_unit_test(what_fits_nothing_is_damage),
		cmocka_unit_test(a_quota_is_told_by_its_period),
		cmocka_unit_test(turns_are_no_quota),
		cmocka_unit_test(who_keeps_others_off_is_named),
		cmocka_unit_test(what_takes_long_is_told),
		cmocka_unit_test(disk_sleep_is_told_where_it_is_most),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
