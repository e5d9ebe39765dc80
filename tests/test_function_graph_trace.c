/*
 * function_graph as a trace: its tasks, CPUs, calls and packets are where the model has them, and
 * all that looks at traces can look at it.
 */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/findings.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/names.h"
#include "graphtesting.h"
#include "looking.h"
#include "oraclefile.h"
#include "source/function_graph/load.h"
#include "trace/words.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/slices.h"

static const char *const inputs[] = { "abstime-proc", "cut", "latency", "lost", "plain",
	"retval-args", "trace-cmd" };

static void
read_input(const char *name, struct text *text)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/function_graph/%s.txt", getenv("TTRACE_TESTDATA"), name);
	*text = (struct text){ 0 };
	assert_true(oraclefile_read(path, text));
}

/* Loads it, and checks that it says what was read. */
static struct trace *
load(const char *row, const char *bytes, size_t size)
{
	struct fgraph graph;
	struct error err = { 0 };
	assert_true(graphtesting_read(&graph, bytes, size, 0, &err));
	struct trace *trace = graphtesting_load(bytes, size, &err);
	if (trace == NULL)
		fail_msg("%s: %s", row, err.message);
	const char *fault = graphtesting_trace_fault(trace, &graph);
	if (fault != NULL)
		fail_msg("%s: %s", row, fault);
	fgraph_release(&graph);
	return trace;
}

static struct trace *
load_string(const char *string)
{
	return load(string, string, strlen(string));
}

static void
inputs_can_be_looked_at(void **state)
{
	(void)state;
	enum { LOOKS = 20 };
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input;
		read_input(inputs[i], &input);
		struct trace *trace = load(inputs[i], input.bytes, input.length);
		for (uint64_t seed = 0; seed < LOOKS; seed++) {
			const char *fault = look_everywhere(trace, seed);
			if (fault != NULL)
				fail_msg("%s, seed %" PRIu64 ": %s", inputs[i], seed, fault);
		}
		trace_free(trace);
		text_release(&input);
	}
}

static const char *
text_of(const struct trace *trace, string_id id)
{
	return trace_text(trace, id, NULL);
}

static void
check_actor(const struct trace *trace, actor_ref ref, int64_t id, const char *name)
{
	const struct actor *actor = trace_actor(trace, ref);
	assert_int_equal(actor->id, id);
	assert_string_equal(text_of(trace, actor->name), name);
}

/* The states of a lane as "class start end" each. */
static void
check_spans(const struct trace *trace, struct lane lane, const char *wanted)
{
	struct text got = { 0 };
	struct span span, next;
	for (bool more = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span); more; span = next) {
		text_format(&got, "%s %" PRId64 " %" PRId64 "; ", class_name(&words_plain, span.time_class),
			span.start_ns, span.end_ns);
		more = lane_after(trace, lane, &span, &next);
	}
	assert_string_equal(text_string(&got), wanted);
	text_release(&got);
}

/* Two tasks on two CPUs, with time stamps: one goes from CPU to CPU and back. */
static void
tasks_run_where_the_lines_say(void **state)
{
	(void)state;
	struct trace *trace = load_string(
		"# tracer: function_graph\n"
		"#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
		"   10.000001 |   0)    nc-12     |   1.000 us    |  a();\n"
		"   10.000003 |   0)    nc-12     |   1.000 us    |  a();\n"
		"   10.000005 |   0)  <idle>-0    |   2.000 us    |  b();\n"
		"   10.000006 |   1)  <idle>-0    |   1.000 us    |  b();\n"
		"   10.000008 |   1)    nc-12     |   2.000 us    |  a();\n"
		"   10.000011 |   0)  <...>-7     |   1.000 us    |  a();\n"
		"   10.000012 |   1)    nc-12     |   1.000 us    |  c();\n");
	assert_int_equal(trace->origin_ns, 10000001000);
	assert_int_equal(trace->end_ns, 12000);
	assert_int_equal(trace_actor_count(trace), 4);
	check_actor(trace, 0, 12, "nc");
	check_actor(trace, 1, -2, "<idle>");
	check_actor(trace, 2, -4, "<idle>");
	check_actor(trace, 3, 7, "<...>");
	assert_int_equal(trace_processor(trace, 0)->id, 0);
	assert_int_equal(trace_processor(trace, 1)->id, 1);
	check_spans(trace, (struct lane){ LANE_ACTOR, 0 },
		"running 0 3000; unknown 3000 7000; running 7000 12000; "
		"unknown 12000 12000; ");
	check_spans(trace, (struct lane){ LANE_ACTOR, 3 }, "running 10000 11000; unknown 11000 12000; ");
	check_spans(trace, (struct lane){ LANE_PROCESSOR, 0 },
		"running 0 3000; running 4000 6000; running 10000 11000; ");
	check_spans(trace, (struct lane){ LANE_PROCESSOR, 1 }, "running 5000 6000; running 7000 12000; ");
	trace_free(trace);
}

static void
a_run_ends_where_the_task_runs_elsewhere(void **state)
{
	(void)state;
	struct trace *trace = load_string(
		"   10.000001 |   0)    nc-12     |   1.000 us    |  a();\n"
		"   10.000003 |   1)    nc-12     |   1.000 us    |  a();\n"
		"   10.000005 |   0)    nc-12     |   1.000 us    |  a();\n");
	check_spans(trace, (struct lane){ LANE_PROCESSOR, 0 }, "running 0 1000; running 4000 5000; ");
	check_spans(trace, (struct lane){ LANE_PROCESSOR, 1 }, "running 2000 3000; ");
	trace_free(trace);
}

/* Nothing says who runs there. */
static void
a_cpu_without_a_name_is_a_task(void **state)
{
	(void)state;
	struct trace *trace = load_string(" 0)   1.000 us    |  a();\n 3)   1.000 us    |  a();\n");
	check_actor(trace, 0, -3, "CPU 0");
	check_actor(trace, 1, -9, "CPU 3");
	assert_int_equal(trace_processor(trace, 1)->id, 3);
	trace_free(trace);
}

static void
check_instant(const struct trace *trace, uint32_t ref, const char *category, const char *text)
{
	const struct instant *instant = trace_instant(trace, ref);
	assert_int_equal(instant->type, INSTANT_LOG);
	assert_string_equal(text_of(trace, instant->category), category);
	assert_string_equal(text_of(trace, instant->text), text);
}

static void
packets_events_and_losses_are_in_their_places(void **state)
{
	(void)state;
	struct trace *trace = load_string(" 0)   1.000 us    |  a();\n"
					  "### Packet 1\n"
					  " 0)               |  b() {\n"
					  " 0)               |  /* sched_wakeup: comm=nc pid=12 */\n"
					  " 0)               |  /* begin of: run */\n"
					  "### inner\n"
					  " 0)   1.000 us    |    a();\n"
					  " 0)   3.000 us    |  }\n"
					  "### Packet 1, end\n"
					  "CPU:0 [LOST 17 EVENTS]\n"
					  " 0)   1.000 us    |  a();\n");
	assert_int_equal(trace->tasks.count, 2);
	const struct task *packet = trace_task(trace, 0), *inner = trace_task(trace, 1);
	assert_string_equal(text_of(trace, packet->name), "Packet 1");
	assert_int_equal(packet->start_ns, 1000);
	assert_int_equal(packet->end_ns, 4000);
	assert_int_equal(packet->parent, REF_NONE);
	assert_int_equal(packet->start_actor, 0);
	assert_int_equal(packet->end_actor, 0);
	assert_string_equal(text_of(trace, inner->name), "inner");
	assert_int_equal(inner->parent, 0);
	assert_int_equal(trace->instants.count, 6);
	check_instant(trace, 0, "mark", "Packet 1");
	assert_int_equal(trace_instant(trace, 0)->task, 0);
	check_instant(trace, 1, "mark", "inner");
	assert_int_equal(trace_instant(trace, 1)->task, 1);
	check_instant(trace, 2, "sched_wakeup", "comm=nc pid=12");
	assert_int_equal(trace_instant(trace, 2)->actor, 0);
	assert_int_equal(trace_instant(trace, 2)->processor, 0);
	check_instant(trace, 3, "", "begin of: run");
	check_instant(trace, 4, "mark", "Packet 1, end");
	check_instant(trace, 5, "lost", "17 events");
	assert_int_equal(trace_instant(trace, 5)->actor, REF_NONE);
	assert_int_equal(trace_instant(trace, 5)->processor, 0);
	trace_free(trace);
}

static void
details_are_texts(void **state)
{
	(void)state;
	static const char *const wanted[] = { "b=1, from c+0x1/0x2, returned -22", "", "interrupt" };
	struct slice slice;
	struct trace *trace = load_string(" 0)   1.000 us    |  a(b=1); /* <-c+0x1/0x2 ret=-22 */\n"
					  " 0)   1.000 us    |  a();\n"
					  " 0)   ==========> |\n"
					  " 0)   1.000 us    |  i();\n"
					  " 0)   <========== |\n");
	for (uint32_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
		slices_get(trace->slices, 0, i, &slice);
		assert_string_equal(text_of(trace, slice.detail), wanted[i]);
	}
	trace_free(trace);
}

/* The oracle's keys, and its order. */
static void
facts_are_those_of_the_oracle(void **state)
{
	(void)state;
	static const struct {
		const char *key;
		uint64_t value;
	} wanted[] = { { "records", 4 }, { "spans", 1 }, { "leaves", 1 }, { "nested", 1 },
		{ "orphan_exits", 0 }, { "cut_entries", 0 }, { "open_at_end", 1 }, { "switches", 0 },
		{ "irq_enter", 0 }, { "irq_exit", 0 }, { "events", 0 }, { "marks", 0 },
		{ "lost_records", 1 }, { "lost_events", 3 }, { "max_depth", 2 }, { "damaged", 1 } };
	struct trace *trace = load_string(" 0)               |  a() {\n"
					  " 0)   1.000 us    |    a();\n"
					  "what is this\n"
					  "CPU:0 [LOST 3 EVENTS]\n");
	assert_int_equal(trace->facts.count, ARRAY_LENGTH(wanted));
	for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
		assert_string_equal(trace->facts.items[i].key, wanted[i].key);
		if (trace->facts.items[i].value != wanted[i].value)
			fail_msg("%s is %" PRIu64, wanted[i].key, trace->facts.items[i].value);
	}
	assert_false(findings_can_be(trace)); /* it tells of calls, not of waits */
	trace_free(trace);
	/* Of lines with times the first and the last. */
	trace = load_string("    5.000100 |   0)   1.000 us    |  a();\n    5.000300 |   0)   9.000 us    |  b();\n");
	assert_string_equal(trace->facts.items[0].key, "first_ns");
	assert_true(trace->facts.items[0].value == 5000100000);
	assert_string_equal(trace->facts.items[1].key, "last_ns");
	assert_true(trace->facts.items[1].value == 5000300000);
	trace_free(trace);
}

/* No letters of Go's: the words of the source, and they lead back. */
static void
lanes_are_named_by_the_words(void **state)
{
	(void)state;
	static const struct {
		struct lane lane;
		const char *name;
	} rows[] = { { { LANE_ACTOR, 0 }, "task 12" }, { { LANE_ACTOR, 1 }, "task -4" },
		{ { LANE_PROCESSOR, 1 }, "CPU 1" }, { { LANE_TASK, 0 }, "packet 1" } };
	static const char *const strange[] = { "G12", "P1", "task", "task ", "task -", "task 13", "CPU 7",
		"packet 2", "task 12 ", "task -9223372036854775808" };
	struct trace *trace = load_string("   10.000001 |   0)    nc-12     |   1.000 us    |  a();\n"
					  "   10.000003 |   1)  <idle>-0    |   1.000 us    |  a();\n"
					  "### Packet 1\n"
					  "   10.000005 |   0)    nc-12     |   1.000 us    |  a();\n");
	struct text name = { 0 };
	struct lane lane;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		text_clear(&name);
		lane_name_add(&name, trace, rows[i].lane);
		assert_string_equal(text_string(&name), rows[i].name);
		assert_true(lane_name_find(trace, rows[i].name, &lane));
		assert_true(lane.type == rows[i].lane.type && lane.ref == rows[i].lane.ref);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(strange); i++)
		assert_false(lane_name_find(trace, strange[i], &lane));
	text_clear(&name);
	name_actor(&name, trace, 0, true);
	assert_string_equal(text_string(&name), "task 12 nc");
	text_release(&name);
	trace_free(trace);
}

static void
next_to_nothing_is_a_trace(void **state)
{
	(void)state;
	static const char far_apart[] =
		"9223372036.854775 |   0)    nc-12     | 9000000000000000 us |  a();\n"
		"    0.000001 |   0)    nc-12     | 9000000000000000 us |  a();\n";
	static const char *const texts[] = { "", "\n", "what is this\n", "### mark\n",
		"CPU:0 [LOST 3 EVENTS]\n", " 0)   ==========> |\n", " 0)               |  }\n",
		" 0)   nc-12    =>    cat-5 \n", " 0)               |  /* a: */\n", far_apart };
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct trace *trace = load_string(texts[i]);
		for (uint64_t seed = 0; seed < 8; seed++) {
			const char *fault = look_everywhere(trace, seed);
			if (fault != NULL)
				fail_msg("%s: seed %" PRIu64 ": %s", texts[i], seed, fault);
		}
		trace_free(trace);
	}
}

/* ---- when something goes wrong */

/* One input has losses and events, the other one details. */
static void
want_of_memory_is_an_error(void **state)
{
	(void)state;
	static const char *const rows[] = { "lost", "retval-args" };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text input;
		struct trace *trace = NULL;
		uint64_t place = 1;
		read_input(rows[i], &input);
		for (; trace == NULL; place++) {
			struct error err = { 0 };
			memory_fail_after(place);
			trace = graphtesting_load(input.bytes, input.length, &err);
			memory_fail_after(0);
			if (trace == NULL && err.kind != ERROR_MEMORY)
				fail_msg("allocation %" PRIu64 " failed: %s", place, err.message);
		}
		assert_true(place > 100);
		trace_free(trace);
		text_release(&input);
	}
}

static void
who_gives_up_gets_no_trace(void **state)
{
	(void)state;
	struct text text;
	struct input in;
	struct error err = { 0 };
	struct progress progress = { .is_cancelled = true };
	read_input("plain", &text);
	assert_true(input_open_memory(&in, text.bytes, text.length, &err));
	assert_null(function_graph_load(&in, &progress, NULL, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_null(in.progress);
	input_close(&in);
	text_release(&text);
}

/* ---- damage */

static void
damaged_lines_are_told(void **state)
{
	static const char few[] = " 0)   1.000 us    |  a();\n"
				  " 0)   1.000 us    |  a(;\n"
				  " 0)   2.000 us    |  a();\n"
				  "zzz\n"
				  " 0)   1.0x0 us    |  a();\n";
	struct text many = { 0 };
	(void)state;
	struct trace *trace = load("few", few, sizeof few - 1);
	const struct damage_map *map = &trace->damage;
	assert_int_equal(map->count, 3);
	assert_string_equal(map->rows[0].first.message,
		"line 2 (then 4, 5) fits nothing: \" 0)   1.000 us    |  a(;\"");
	assert_string_equal(map->rows[1].first.message, "line 4 fits nothing: \"zzz\"");
	assert_int_equal(map->rows[0].from_bytes, 26);
	assert_int_equal(map->rows[0].lost_bytes, 25);
	assert_int_equal(map->rows[0].from_ns, 1000);
	assert_int_equal(map->rows[0].cause, DAMAGE_CHANGED);
	trace_free(trace);
	for (int i = 0; i < 100; i++)
		text_add_string(&many, " 0)   1.000 us    |  a();\nzzz\n");
	text_add_string(&many, " 0)   1.0");
	trace = load("many", many.bytes, many.length);
	map = &trace->damage;
	assert_int_equal(damage_map_places(map), 101);
	assert_int_equal(damage_map_lost_bytes(map), 100 * 4 + 9);
	assert_string_equal(map->rows[0].first.message,
		"line 2 (then 4, 6, 8 and 97 more) fits nothing: \"zzz\"");
	trace_free(trace);
	text_release(&many);
}

static void
inputs_have_their_damage_and_clock(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text;
		read_input(inputs[i], &text);
		struct trace *trace = load(inputs[i], text.bytes, text.length);
		bool is_cut = strcmp(inputs[i], "cut") == 0;
		bool is_stamped = strcmp(inputs[i], "abstime-proc") == 0 ||
				  strcmp(inputs[i], "latency") == 0 ||
				  strcmp(inputs[i], "trace-cmd") == 0;
		assert_int_equal(
			trace->clock, is_stamped ? TRACE_CLOCK_STAMPS : TRACE_CLOCK_LAID_OUT);
		assert_int_equal(
			trace->has_clocks_apart, !is_stamped && trace_processor_count(trace) > 1);
		assert_int_equal(trace->damage.count, is_cut);
		if (is_cut)
			assert_int_equal(trace->damage.rows[0].cause, DAMAGE_CUT);
		trace_free(trace);
		text_release(&text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_lines_are_told),
		cmocka_unit_test(inputs_have_their_damage_and_clock),
		cmocka_unit_test(inputs_can_be_looked_at),
		cmocka_unit_test(tasks_run_where_the_lines_say),
		cmocka_unit_test(a_run_ends_where_the_task_runs_elsewhere),
		cmocka_unit_test(a_cpu_without_a_name_is_a_task),
		cmocka_unit_test(packets_events_and_losses_are_in_their_places),
		cmocka_unit_test(details_are_texts),
		cmocka_unit_test(facts_are_those_of_the_oracle),
		cmocka_unit_test(lanes_are_named_by_the_words),
		cmocka_unit_test(next_to_nothing_is_a_trace),
		cmocka_unit_test(want_of_memory_is_an_error),
		cmocka_unit_test(who_gives_up_gets_no_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
