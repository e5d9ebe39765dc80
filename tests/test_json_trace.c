/* The viewer's JSON of traces that are loaded whole: it is JSON, its rows nest, and nothing is left out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "dumptesting.h"
#include "jsonread.h"
#include "profiletesting.h"
#include "trace/builder.h"
#include "trace/lane.h"
#include "trace/slices.h"
#include "trace/words.h"

static void
dump(const struct trace *trace, struct dump_interval interval, struct text *out)
{
	struct writer writer;
	struct error err;
	const struct dump dump = { .interval = interval, .out = &writer };
	error_clear(&err);
	text_clear(out);
	assert_true(writer_init(&writer, dumptest_collect, out, &err));
	if (!dump_json_trace(&dump, trace, &err))
		fail_msg("%s", err.message);
	writer_release(&writer);
}

/* ---- what there is of it */

struct stretch {
	int64_t row, start_ns, end_ns;
	size_t order;
};

struct told {
	struct stretch *stretches;
	size_t count, capacity;
	size_t phases[128];
	size_t frames;
};

/* Microseconds with decimals, as nanoseconds. */
static int64_t
time_of(struct jsonslice event, const char *key)
{
	struct jsonslice value;
	char *end;
	if (!jsonread_find(event, key, &value))
		fail_msg("no %s: %.*s", key, (int)event.length, event.bytes);
	double micros = strtod(value.bytes, &end);
	assert_ptr_equal(end, value.bytes + value.length);
	return (int64_t)(micros * 1000 + 0.5);
}

static int64_t
number_of(struct jsonslice event, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(event, key, &value));
	return jsonslice_number(value);
}

static void
take_event(struct told *told, struct jsonslice event)
{
	struct jsonslice phase, key, value;
	struct jsonread in = jsonread_over(event);
	struct error err;
	while (jsonread_member(&in, &key, &value))
		;
	assert_false(in.failed);
	assert_true(jsonread_find(event, "ph", &phase));
	assert_int_equal(phase.length, 3);
	told->phases[phase.bytes[1] & 127]++;
	struct stretch stretch = { .row = number_of(event, "pid") << 33 | number_of(event, "tid"),
		.start_ns = time_of(event, "ts"), .order = told->count };
	if (phase.bytes[1] != 'X')
		return;
	stretch.end_ns = stretch.start_ns + time_of(event, "dur");
	assert_true(array_reserve(&told->stretches, &told->capacity, told->count + 1,
		sizeof *told->stretches, &err));
	told->stretches[told->count++] = stretch;
}

static int
compare_stretches(const void *left, const void *right)
{
	const struct stretch *a = left, *b = right;
	int64_t keys[][2] = { { a->row, b->row }, { a->start_ns, b->start_ns },
		{ (int64_t)a->order, (int64_t)b->order } };
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

/* As a viewer puts them together: in the order of time, then of the file. */
static void
check_nesting(const char *name, struct told *told)
{
	int64_t open[256], row = -1;
	size_t depth = 0;
	if (told->count > 0)
		qsort(told->stretches, told->count, sizeof *told->stretches, compare_stretches);
	for (size_t i = 0; i < told->count; i++) {
		const struct stretch *at = &told->stretches[i];
		if (at->row != row)
			depth = 0;
		row = at->row;
		while (depth > 0 && open[depth - 1] <= at->start_ns)
			depth--;
		if (depth > 0 && at->end_ns > open[depth - 1])
			fail_msg("%s: what begins at %" PRId64 " does not nest", name, at->start_ns);
		assert_true(depth < ARRAY_LENGTH(open));
		open[depth++] = at->end_ns;
	}
}

static void
read_told(const char *name, const struct text *text, struct told *told)
{
	struct jsonslice whole = { text->bytes, text->length }, value, event;
	struct jsonread in = jsonread_over(whole);
	jsonread_value(&in);
	assert_false(in.failed);
	assert_string_equal(in.at, "\n");
	assert_true(jsonread_find(whole, "traceEvents", &value));
	for (in = jsonread_over(value); jsonread_element(&in, &event);)
		take_event(told, event);
	assert_false(in.failed);
	assert_true(jsonread_find(whole, "stackFrames", &value));
	struct jsonslice key;
	for (in = jsonread_over(value); jsonread_member(&in, &key, &event);)
		told->frames++;
	check_nesting(name, told);
	assert_int_equal(told->phases['s'], told->phases['t']);
	assert_int_equal(told->phases['b'], told->phases['e']);
}

static size_t
count_spans(const struct trace *trace, enum lane_type type, uint32_t count)
{
	size_t spans = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct lane lane = { type, i };
		struct span span;
		bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
		for (; is_there; is_there = lane_after(trace, lane, &span, &span))
			spans += span.kind->state != STATE_GONE;
	}
	return spans;
}

static void
check_input(const char *folder, const char *name, const char *ending, bool has_wakes)
{
	struct text text, out = { 0 };
	struct error err;
	struct told told = { 0 };
	profiletesting_read_file(folder, name, ending, &text);
	struct trace *trace = profiletesting_read(folder, text.bytes, text.length, &err);
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	dump(trace, (struct dump_interval){ 0 }, &out);
	read_told(name, &out, &told);
	size_t slices = trace->slices != NULL ? slices_count(trace->slices) : 0;
	assert_int_equal(told.phases['X'],
		count_spans(trace, LANE_ACTOR, trace_actor_count(trace)) +
			count_spans(trace, LANE_PROCESSOR, trace_processor_count(trace)) + slices);
	assert_int_equal(told.phases['I'], trace->instants.count);
	for (uint32_t i = 0; i < trace->gauge_count; i++)
		told.phases['C'] -= counter_count(&trace->gauges[i].counter);
	assert_int_equal(told.phases['C'], 0);
	assert_int_equal(told.phases['b'], trace->tasks.count);
	assert_int_equal(told.phases['s'] > 0, has_wakes);
	assert_true(told.phases['X'] > 10);
	array_release(&told.stretches);
	trace_free(trace);
	text_release(&text);
	text_release(&out);
}

static void
nothing_is_left_out(void **state)
{
	(void)state;
	check_input("ftrace", "sched-irq", ".txt.gz", true);
	check_input("ftrace", "raw-syscalls", ".txt.gz", true);
	check_input("ftrace", "atrace-counters", ".txt.gz", true);
	check_input("ftrace", "trace-pipe-lost", ".txt.gz", true);
	check_input("perf_script", "sched", ".txt.gz", true);
	check_input("perf_script", "mixed-events", ".txt.gz", true);
	check_input("perf_script", "odd-names", ".txt.gz", false);
	check_input("function_graph", "plain", ".txt", false);
	check_input("function_graph", "latency", ".txt", false);
	check_input("function_graph", "lost", ".txt", false);
	check_input("strace", "f-r", ".txt", false);
	check_input("strace", "signals", ".txt", false);
	check_input("strace", "plain", ".txt", false);
}

/* ---- made by hand */

static const char kernel_text[] =
	"# tracer: nop\n"
	" a\"<\x1b-7 [000] d..2. 10.000001: sched_waking: comm=b pid=8 prio=120 target_cpu=001\n"
	" a\"<\x1b-7 [000] d..2. 10.000002: sys_enter: NR 0 (3, 7ff, 40, 0, 0, 0)\n"
	" <idle>-0 [001] d..2. 10.000003: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 "
	"prev_state=R ==> next_comm=b next_pid=8 next_prio=120\n"
	" b-8 [001] d..2. 10.000004: irq_handler_entry: irq=1 name=x\n"
	" b-8 [001] d..2. 10.000005: irq_handler_exit: irq=1 ret=handled\n"
	" b-8 [001] ..... 10.000005500: tracing_mark_write: S|8|load|1\n"
	" a\"<\x1b-7 [000] ..... 10.000006: sys_exit: NR 0 = -2\n"
	" a\"<\x1b-7 [000] ..... 10.000007: tracing_mark_write: C|7|queue \"1\"|-5\n"
	" a\"<\x1b-7 [000] ..... 10.000007: tracing_mark_write: C|7|queue|many\n"
	" a\"<\x1b-7 [000] ..... 10.000008: tracing_mark_write: F|8|load|1\n"
	" b-8 [001] d..2. 10.000009: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> "
	"next_comm=swapper/1 next_pid=0 next_prio=120\n";

static void
check_has(const struct text *out, const char *line)
{
	if (strstr(out->bytes, line) == NULL)
		fail_msg("there is no %s in %s", line, out->bytes);
}

static struct trace *
load_kernel_text(void)
{
	struct error err;
	struct trace *trace = profiletesting_read("ftrace", kernel_text, strlen(kernel_text), &err);
	assert_non_null(trace);
	return trace;
}

static void
all_things_have_their_rows(void **state)
{
	struct trace *trace = load_kernel_text();
	struct text out = { 0 };
	struct told told = { 0 };
	(void)state;
	dump(trace, (struct dump_interval){ 0 }, &out);
	read_told("kernel", &out, &told);
	static const char *const lines[] = {
		"{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":0,\"pid\":3,\"tid\":0,\"args\":{\"name\":\"tasks\"}}",
		"{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":0,\"pid\":4,\"tid\":0,\"args\":{\"name\":\"CPUs\"}}",
		"\"pid\":3,\"tid\":7,\"args\":{\"name\":\"a\\\"\\u003c\\u001b 7\"}}",
		"\"args\":{\"name\":\"a\\\"\\u003c\\u001b 7 syscalls\"}}",
		"\"pid\":4,\"tid\":1,\"args\":{\"name\":\"CPU 1\"}}",
		"\"args\":{\"name\":\"CPU 1 interrupts\"}}",
		/* who does what */
		"{\"name\":\"running\",\"ph\":\"X\",\"ts\":2,\"dur\":6,\"pid\":3,\"tid\":8}",
		"{\"name\":\"b 8\",\"ph\":\"X\",\"ts\":2,\"dur\":6,\"pid\":4,\"tid\":1}",
		"{\"name\":\"asleep\",\"ph\":\"X\",\"ts\":8,\"dur\":0,\"pid\":3,\"tid\":8,"
		"\"args\":{\"reason\":\"sleep\"}}",
		"{\"name\":\"irq_handler:x\",\"ph\":\"X\",\"ts\":3,\"dur\":1,\"pid\":4,",
		"{\"name\":\"wake\",\"ph\":\"s\",\"ts\":0,\"pid\":3,\"tid\":7,\"id\":1}",
		"{\"name\":\"wake\",\"ph\":\"t\",\"ts\":2,\"pid\":3,\"tid\":8,\"id\":1}",
		/* sections, counters and marks */
		"{\"name\":\"load\",\"ph\":\"b\",\"ts\":4.5,\"pid\":3,\"tid\":8,\"id\":1,\"cat\":\"section\"}",
		"{\"name\":\"load\",\"ph\":\"e\",\"ts\":7,\"pid\":3,\"tid\":8,\"id\":1,\"cat\":\"section\"}",
		"{\"name\":\"queue \\\"1\\\" 7\",\"ph\":\"C\",\"ts\":6,\"pid\":1,\"tid\":0,"
		"\"args\":{\"value\":-5}}",
		"{\"name\":\"tracing_mark_write\",\"ph\":\"I\",\"s\":\"t\",\"ts\":6,\"pid\":3,\"tid\":7,"
		"\"args\":{\"text\":\"C|7|queue|many\"}}",
	};
	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++)
		check_has(&out, lines[i]);
	array_release(&told.stretches);
	text_release(&out);
	trace_free(trace);
}

/* Frames without a pc and a line are told apart by their names. */
static void
stacks_are_what_the_input_says(void **state)
{
	static const char input[] = "a 7 [000] 1.000001: 10 cycles: \n\t0 leaf (x)\n\t0 root (x)\n\n"
				    "a 7 [000] 1.000002: 10 cycles: \n\t0 twig (x)\n\t0 root (x)\n\n";
	struct error err;
	struct text out = { 0 };
	struct trace *trace = profiletesting_read("perf_script", input, strlen(input), &err);
	(void)state;
	assert_non_null(trace);
	dump(trace, (struct dump_interval){ 0 }, &out);
	check_has(&out, "\"stackFrames\":{\"1\":{\"name\":\"root\"}\n,\"2\":{\"name\":\"leaf\",\"parent\":1}"
			"\n,\"3\":{\"name\":\"twig\",\"parent\":1}}");
	check_has(&out, "{\"name\":\"cycles\",\"ph\":\"I\",\"s\":\"t\",\"ts\":1,\"pid\":3,\"tid\":7,"
			"\"sf\":3}");
	text_release(&out);
	trace_free(trace);
}

static void
an_interval_has_what_overlaps_it(void **state)
{
	struct trace *trace = load_kernel_text();
	struct text out = { 0 };
	struct told told = { 0 };
	(void)state;
	dump(trace, (struct dump_interval){ .has_from = true, .has_to = true, .from_ns = 3000, .to_ns = 4000 },
		&out);
	read_told("interval", &out, &told);
	/* Two run, on two CPUs; one call, one interrupt. */
	assert_int_equal(told.phases['X'], 6);
	assert_int_equal(told.phases['s'] + told.phases['b'] + told.phases['C'] + told.phases['I'], 0);
	array_release(&told.stretches);
	text_release(&out);
	trace_free(trace);
}

/* Depths that cross are on rows of their own. */
static void
what_does_not_nest_has_its_own_row(void **state)
{
	struct error err;
	struct text out = { 0 };
	struct told told = { 0 };
	struct trace *trace = trace_new(&err);
	struct builder *builder = builder_new(trace, &err);
	struct slices *slices = slices_new(&err);
	string_id name;
	track_ref track;
	static const int64_t times[][2] = { { 0, 50 }, { 10, 40 }, { 30, 60 } };
	(void)state;
	trace->words = &words_plain;
	builder_begin_at(builder, 0, 0);
	assert_true(intern_add(&trace->strings, "x", 1, &name, &err));
	assert_true(builder_event(builder, 100, &err) && builder_finish(builder, &err));
	assert_true(slices_track(slices, TRACK_OF_TRACE, 0, name, &track, &err));
	for (uint32_t i = 0; i < ARRAY_LENGTH(times); i++) {
		assert_true(slices_begin(slices, track, i, times[i][0], name, &err));
		assert_true(slices_end(slices, track, i, (struct slice_end){ times[i][1], -1, 0 }, &err));
	}
	assert_true(slices_freeze(slices, 100, &err));
	trace->slices = slices;
	dump(trace, (struct dump_interval){ 0 }, &out);
	read_told("crossing", &out, &told);
	assert_int_equal(told.count, 3);
	assert_int_equal(told.stretches[0].row, told.stretches[1].row);
	assert_int_not_equal(told.stretches[1].row, told.stretches[2].row);
	check_has(&out, "{\"name\":\"x (deeper)\"}");
	array_release(&told.stretches);
	text_release(&out);
	builder_free(builder);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left_out),
		cmocka_unit_test(all_things_have_their_rows),
		cmocka_unit_test(stacks_are_what_the_input_says),
		cmocka_unit_test(an_interval_has_what_overlaps_it),
		cmocka_unit_test(what_does_not_nest_has_its_own_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
