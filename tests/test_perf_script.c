/*
 * The text of perf script: the inputs of testdata against what an independent reader told of them, lines
 * of all forms, times, and damage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/samples.h"
#include "base/compiler.h"
#include "base_testing.h"
#include "facttesting.h"
#include "jsonread.h"
#include "kerneltesting.h"
#include "livetesting.h"
#include "looking.h"
#include "oraclefile.h"
#include "profiletesting.h"
#include "report/pprof.h"
#include "report/profile.h"
#include "resulttesting.h"
#include "source/perf_script/line.h"
#include "source/source.h"
#include "trace/sample_set.h"
#include "trace/snapshot.h"
#include "trace/words.h"

static struct trace *
load(const char *lines)
{
	return profiletesting_load(lines, lines, strlen(lines), "perf_script");
}

/* ---- against oracles */

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(object, key, &value));
	return jsonslice_number(value);
}

static const struct instant *
instant_of(const struct trace *trace, size_t sample)
{
	return trace_instant(trace, trace->samples->instants[sample]);
}

/* Samples of each event, and their periods where these are printed. */
static void
check_events(const struct trace *trace, struct jsonslice events)
{
	const struct sample_set *set = trace->samples;
	struct jsonread in = jsonread_over(events);
	struct jsonslice key, event;
	unsigned type = 0;
	while (jsonread_member(&in, &key, &event)) {
		int64_t count = 0, sum = 0, period = number(event, "period");
		struct scan printed = scan_over(key.bytes + 1, key.length - 2);
		struct scan base = script_event_base(printed);
		size_t length;
		const char *name = trace_text(trace, set->types[type].name, &length);
		assert_int_equal(length, scan_left(&base));
		assert_memory_equal(name, base.at, length);
		for (size_t i = 0; i < set->count; i++) {
			count += sample_set_is_of(set, i, type);
			sum += sample_set_weight(set, i, type);
		}
		assert_int_equal(count, number(event, "samples"));
		assert_int_equal(sum, period > 0 ? period : count);
		type++;
	}
	assert_int_equal(type, set->type_count);
}

static void
check_cpus(const struct trace *trace, struct jsonslice cpus)
{
	struct jsonread in = jsonread_over(cpus);
	struct jsonslice key, value;
	uint32_t known = 0;
	for (; jsonread_member(&in, &key, &value); known++) {
		int64_t cpu = jsonslice_number((struct jsonslice){ key.bytes + 1, key.length - 2 }), count = 0;
		for (size_t i = 0; i < trace->samples->count; i++) {
			resource_ref ref = instant_of(trace, i)->processor;
			count += ref != REF_NONE && trace_processor(trace, ref)->id == cpu;
		}
		assert_int_equal(count, jsonslice_number(value));
	}
	assert_int_equal(known, trace_processor_count(trace));
}

static void
check_thread(const struct trace *trace, int64_t tid, struct jsonslice thread)
{
	struct jsonslice comm;
	int64_t count = 0, first_ns = 0, last_ns = 0;
	uint32_t actor = 0;
	while (actor < trace_actor_count(trace) && trace_actor(trace, actor)->id != tid)
		actor++;
	assert_true(actor < trace_actor_count(trace));
	for (size_t i = 0; i < trace->samples->count; i++) {
		const struct instant *instant = instant_of(trace, i);
		if (instant->actor != actor)
			continue;
		last_ns = instant->time_ns + trace->origin_ns;
		first_ns = count++ == 0 ? last_ns : first_ns;
	}
	assert_int_equal(count, number(thread, "samples"));
	assert_int_equal(first_ns, number(thread, "first_ns"));
	assert_int_equal(last_ns, number(thread, "last_ns"));
	assert_int_equal(trace_actor(trace, actor)->first_ns + trace->origin_ns, first_ns);
	assert_true(jsonread_find(thread, "comm", &comm));
	size_t length;
	const char *name = trace_text(trace, trace_actor(trace, actor)->name, &length);
	if (memchr(comm.bytes, '\\', comm.length) != NULL)
		return;
	assert_int_equal(length, comm.length - 2);
	assert_memory_equal(name, comm.bytes + 1, length);
}

static void
check_oracle(const struct trace *trace, const char *name)
{
	struct text oracle;
	struct jsonslice part, key, thread;
	profiletesting_read_file("perf_script", name, ".oracle.json", &oracle);
	struct jsonslice all = { oracle.bytes, oracle.length };
	assert_true(jsonread_find(all, "events", &part));
	check_events(trace, part);
	/* What states tell is no moment besides: these are looked at below. */
	if (trace->words->is_scheduled) {
		text_release(&oracle);
		return;
	}
	assert_true(jsonread_find(all, "cpus", &part));
	check_cpus(trace, part);
	assert_true(jsonread_find(all, "threads", &part));
	struct jsonread in = jsonread_over(part);
	uint32_t threads = 0;
	for (; jsonread_member(&in, &key, &thread); threads++)
		check_thread(trace, jsonslice_number((struct jsonslice){ key.bytes + 1, key.length - 2 }), thread);
	assert_int_equal(threads, trace_actor_count(trace));
	text_release(&oracle);
}

static void
all_inputs_are_as_the_oracle_has_them(void **state)
{
	static const struct {
		const char *name;
		bool has_stacks;
	} rows[] = {
		{ "dwarf-inlined", true }, { "header-misc", true }, { "mixed-events", true },
		{ "no-callgraph", true }, { "odd-names", true }, { "sched", false }, { "srcline", true },
	};
	static const char *const keys[] = { "lines", "samples", "with_stack", "frames", "first_ns", "last_ns",
		"backwards", "damaged", NULL };
	(void)state;
	if (!oraclefile_has_gzip())
		skip();
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char file[100];
		snprintf(file, sizeof file, "%s.txt.gz", rows[i].name);
		struct trace *trace = profiletesting_load_file("perf_script", file);
		profiletesting_check_facts(trace, "perf_script", rows[i].name, keys);
		check_oracle(trace, rows[i].name);
		snprintf(file, sizeof file, "%s.folded", rows[i].name);
		if (rows[i].has_stacks && strcmp(rows[i].name, "odd-names") != 0)
			profiletesting_check_folded(trace, "", "perf_script", file);
		trace_free(trace);
	}
}

/* The oracle has U+FFFD where a byte is none of UTF-8, as names of tasks that were cut have. */
static void
odd_names_are_folded(void **state)
{
	struct text made = { 0 }, valid = { 0 }, wanted;
	(void)state;
	if (!oraclefile_has_gzip())
		skip();
	struct trace *trace = profiletesting_load_file("perf_script", "odd-names.txt.gz");
	profiletesting_add_folded(trace, "", &made);
	profiletesting_read_file("perf_script", "odd-names", ".folded", &wanted);
	const char *at = made.bytes, *end = made.bytes + made.length;
	for (; at < end; at++) {
		bool is_cut = (unsigned char)*at >= 0xc0 && (unsigned char)at[1] < 0x80;
		text_add(&valid, is_cut ? "\xef\xbf\xbd" : at, is_cut ? 3 : 1);
	}
	assert_string_equal(text_string(&valid), text_string(&wanted));
	text_release(&made);
	text_release(&valid);
	text_release(&wanted);
	trace_free(trace);
}

/* ---- lines */

static void
heads_are_read_from_the_time_backwards(void **state)
{
	static const struct {
		const char *line, *read; /* comm|tid|cpu|time|period|event|rest; - where there is none */
	} rows[] = {
		{ "wl 25659   486.120873:     200040 cpu-clock: ", "wl|25659|-|486120873000|200040|cpu-clock|" },
		{ "io worker 1 25561   484.607607:     200040 cpu-clock:u: ",
			"io worker 1|25561|-|484607607000|200040|cpu-clock:u|" },
		{ "my app 12 345   700/701   [005] 123456.000780: 9876543210 cycles:P: ",
			"my app 12 345|701|5|123456000780000|9876543210|cycles:P|" },
		{ "my app       700/701      [005] 1.000000001: 1 cycles:P: ", "my app|701|5|1000000001|1|cycles:P|" },
		{ "             :-1    -1   856.082329: cpu-clock:  ff a (b)", ":-1|-1|-|856082329000|-|cpu-clock|ff a (b)" },
		{ "wl 30437 U       854.901950:     100010 cpu-clock:u: ", "wl|30437|-|854901950000|100010|cpu-clock:u|" },
		{ "wl 30437 UH [003] 854.901950: cpu/event=0x3c,umask=0x0/u: ",
			"wl|30437|3|854901950000|-|cpu/event=0x3c,umask=0x0/u|" },
		{ "wl 30437 [003] K 854.901950: r1a2: ", "wl|30437|3|854901950000|-|r1a2|" },
		{ " a 12 [000]   490.887595: sched:sched_switch: prev_comm=1.234567: x ==> y",
			"a|12|0|490887595000|-|sched:sched_switch|prev_comm=1.234567: x ==> y" },
		{ "1.234567: b 12 [000] 2.345678: x: ", "1.234567: b|12|0|2345678000|-|x|" },
		{ "wl 12 9999999.000000: 7 a: ", "wl|12|-|9999999000000000|7|a|" },
		{ "java 19983 cycles: ", "java|19983|-|-|-|cycles|" },
		{ "java 19983     250000 cycles:u: ", "java|19983|-|-|250000|cycles:u|" },
		{ "io worker 1 25561 cycles:", "io worker 1|25561|-|-|-|cycles|" },
		{ "java 19983 [003] cycles: ", "java|19983|3|-|-|cycles|" },
		{ "java 19983 [003]       7 cycles: ", "java|19983|3|-|7|cycles|" },
		{ "wl 12/13 1.000000: PERF_RECORD_FORK(2:2):(1:1)", "wl|13|-|1000000000|-|PERF_RECORD_FORK|(2:2):(1:1)" },
		{ "wl 12 [001] 1.000000: PERF_RECORD_COMM exec: a:1/2", "wl|12|1|1000000000|-|PERF_RECORD_COMM|exec: a:1/2" },
		{ "486.120873: cycles: ", "|-|-|486120873000|-|cycles|" },
		{ "    25659   486.120873: cycles: ", "|25659|-|486120873000|-|cycles|" },
		{ "sh-123 [000] 1.234567: sched_switch: x", "sh-123|-|0|1234567000|-|sched_switch|x" },
		{ "wl 12 1.000000: ", "wl|12|-|1000000000|-||" },
		{ "wl 12 1.000000:       ff a (b)", "wl|12|-|1000000000|-||ff a (b)" },
		{ "nothing of the kind", NULL },
		{ "time: 12", NULL },
		{ "a 99999999999 1.000: x", NULL },
		{ "", NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct script_head head;
		struct text out = { 0 };
		bool is_read = script_head_read(scan_over(rows[i].line, strlen(rows[i].line)), &head);
		assert_int_equal(is_read, rows[i].read != NULL);
		if (!is_read)
			continue;
		text_format(&out, "%.*s|", (int)scan_left(&head.comm), head.comm.at);
		text_format(&out, head.has_tid ? "%" PRId64 "|" : "-|", head.tid);
		text_format(&out, head.cpu != SCRIPT_NONE ? "%" PRIu32 "|" : "-|", head.cpu);
		text_format(&out, head.has_time ? "%" PRId64 "|" : "-|", head.time_ns);
		text_format(&out, head.has_period ? "%" PRId64 "|" : "-|", head.period);
		text_format(&out, "%.*s|%.*s", (int)scan_left(&head.event), head.event.at,
			(int)scan_left(&head.rest), head.rest.at);
		check_text(rows[i].line, text_string(&out), rows[i].read);
		text_release(&out);
	}
}

static void
frames_are_read_from_their_end(void **state)
{
	static const struct {
		const char *text, *read; /* symbol|file */
	} rows[] = {
		{ "native_write+0x1a ([kernel.kallsyms])", "native_write|[kernel.kallsyms]" },
		{ "a (/usr/lib/libc.so.6 (deleted))", "a|/usr/lib/libc.so.6 (deleted)" },
		{ "operator()+0x1e4 (/opt/my dir/lib (x).so)", "operator()|/opt/my dir/lib (x).so" },
		{ "Foo::bar(int (*)(int))+0x1 (/a)", "Foo::bar(int (*)(int))|/a" },
		{ "operator+0xfg (/a)", "operator+0xfg|/a" },
		{ "operator+ (/a)", "operator+|/a" },
		{ "a+0x12 (inlined)", "a|inlined" },
		{ "a+0x12 (/memfd:jit) (deleted))", "a+0x12 (/memfd:jit)|deleted)" },
		{ " ([unknown])", "|[unknown]" },
		{ "a+0x12", "a|" },
		{ "f(int)", "f(int)|" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct script_frame frame;
		struct text out = { 0 };
		script_frame_read(scan_over(rows[i].text, strlen(rows[i].text)), &frame);
		text_format(&out, "%.*s|%.*s", (int)scan_left(&frame.symbol), frame.symbol.at,
			(int)scan_left(&frame.file), frame.file.at);
		check_text(rows[i].text, text_string(&out), rows[i].read);
		text_release(&out);
	}
}

#define HEAD "wl 7 1.000000: 5 cycles: \n"

static void
lines_make_stacks(void **state)
{
	static const struct {
		const char *lines, *folded;
		int64_t samples, with_stack, frames, damaged;
	} rows[] = {
		{ HEAD "\tff a+0x1 (/x)\n\tff b+0x1 (/x)\n\n", "wl;b;a 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff a (/x)\n" HEAD "\tff a (/x)\n", "wl;a 10\n", 2, 2, 2, 0 },
		{ HEAD "\n\tff a (/x)\n\n\tff lost (/x)\n", "wl;a 5\n", 1, 1, 1, 1 },
		{ "\tff lost (/x)\n" HEAD "\tff a (/x)\n", "wl;a 5\n", 1, 1, 1, 1 },
		{ HEAD HEAD "\tff a (/x)\n", "wl;a 5\n", 2, 1, 1, 0 },
		{ HEAD "        ff a (/x)\n              ff b (/x)\n", "wl;b;a 5\n", 1, 1, 2, 0 },
		{ "java 19983 cycles:\nff a ([k])\nff  ([k])\n", "java;[[k]];a 1\n", 1, 1, 2, 0 },
		{ HEAD "\tff [unknown] (/a/b.so)\n\tff [unknown] ([unknown])\n", "wl;[unknown];[b.so] 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff a->b->c+0x1 (/x)\n", "wl;a;b_[i];c_[i] 5\n", 1, 1, 1, 0 },
		{ HEAD "\tff a->b(int)+0x1 (/x)\n", "wl;a;b_[i] 5\n", 1, 1, 1, 0 },
		{ HEAD "\tff p<q>::operator->() const+0x1 (/x)\n", "wl;p<q>::operator;_[i] 5\n", 1, 1, 1, 0 },
		{ HEAD "\tff f(int)+0x1 (/x)\n\tff n.(*T).M (/x)\n", "wl;n.(*T).M;f 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff a<b(c)>::d(e) (/x)\n\tff (wl) (/x)\n", "wl;a<b(c)>::d 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff x;y (/x)\n\tff z::(anonymous namespace)::f(int) (/x)\n",
			"wl;z::(anonymous namespace)::f;x:y 5\n", 1, 1, 2, 0 },
		{ "java x 7 1.000000: 5 c: \n\tff Lcom/a;::b (/x)\n\tff Lc (/x)\n", "java_x;Lc;com/a:::b 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff a (/x)\n  x.c:12\n\tff b (/x)\n  [x][ff]\n", "wl;b;a 5\n", 1, 1, 2, 0 },
		{ HEAD "\ta (/x)\n\tb (/x)\n", "wl;b;a 5\n", 1, 1, 2, 0 },
		{ HEAD " a (/x)\n b (/x)\n", "wl;b;a 5\n", 1, 1, 2, 0 },
		{ HEAD "\tff a (inlined)\n", "wl;a 5\n", 1, 1, 1, 0 },
		{ "wl 7 1.000000: cycles:u: ff a (/x)\nwl 7 1.000001: cycles:k: ff a (/x)\n", "wl;a 2\n", 2, 2, 2, 0 },
		{ "wl 7 1.000000: cycles: ff a (/x)\nwl 7 1.000001: faults: ff a (/x)\n", "wl;a 1\n", 2, 2, 2, 0 },
		{ "a 7 1.000000: 3 c: ff f (/x)\nb 7 1.000001: 4 c: ff f (/x)\n", "a;f 3\nb;f 4\n", 2, 2, 2, 0 },
		{ "wl 7 \n\tff a (/x)\n\nwl 7 \n\tff a (/x)\n", "wl;a 2\n", 2, 2, 2, 0 },
		{ "# a comment\nprose\n" HEAD "\tff a (/x)\n", "wl;a 5\n", 1, 1, 1, 1 },
		{ "\x1b[31mwl 7 1.000000:\x1b[m 5 cycles: \r\n\tff a (/x)\r\n\r\n", "wl;a 5\n", 1, 1, 1, 0 },
		{ HEAD "\tff a (/x)", "wl;a 5\n", 1, 1, 1, 0 },
		{ HEAD "\tff a (/", "wl;a  5\n", 1, 1, 1, 1 },
		{ "wl 7 1.000000: PERF_RECORD_COMM: wl:1/2\n" HEAD "\tff a (/x)\n", "wl;a 5\n", 1, 1, 1, 0 },
		{ HEAD "\n\n", "", 1, 0, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text made = { 0 };
		struct trace *trace = load(rows[i].lines);
		profiletesting_add_folded(trace, "", &made);
		check_text(rows[i].lines, text_string(&made), rows[i].folded);
		assert_int_equal(fact(trace, "samples"), rows[i].samples);
		assert_int_equal(fact(trace, "with_stack"), rows[i].with_stack);
		assert_int_equal(fact(trace, "frames"), rows[i].frames);
		assert_int_equal(fact(trace, "damaged"), rows[i].damaged);
		text_release(&made);
		trace_free(trace);
	}
}

/* ---- times */

/* "0 wl;5 a" of each instant. */
static void
check_instants(const char *lines, const char *wanted)
{
	struct text out = { 0 };
	struct trace *trace = load(lines);
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		text_format(&out, "%s%" PRId64 " %s %s%s%s", i > 0 ? ", " : "", instant->time_ns / 1000,
			trace_text(trace, trace_actor(trace, instant->actor)->name, NULL),
			trace_text(trace, instant->category, NULL), instant->text != STRING_EMPTY ? " " : "",
			trace_text(trace, instant->text, NULL));
	}
	check_text(lines, text_string(&out), wanted);
	text_release(&out);
	trace_free(trace);
}

static void
moments_are_in_order(void **state)
{
	(void)state;
	check_instants("a 1 5.000000: c: \na 1 5.000002: c: \nb 2 5.000001: c: \n", "0 a c, 1 b c, 2 a c");
	check_instants("a 1 5.000000: s:x: k=1\na 1 5.000000: c: \n", "0 a s:x k=1, 0 a c");
	/* A task is called as it was in the end. */
	check_instants("sh 1 5.000000: c: \nls 1 5.000001: c: \n", "0 ls c, 1 ls c");
	check_instants("a 0 0.000000: PERF_RECORD_MMAP x\na 1 5.000000: c: \n", "0 a PERF_RECORD_MMAP x, 0 a c");
	/* --deltatime */
	check_instants("a 1 0.000000: c: \na 1 0.000005: c: \na 1 0.000003: c: \na 1 0.000007: c: \n"
		       "a 1 0.000001: c: \n", "0 a c, 5 a c, 8 a c, 15 a c, 16 a c");
	/* What has none is a sample all the same. */
	check_instants("a 1 5.000000: c: \na 1 c: \n", "0 a c");
	check_instants("a 1 c: \na 1 c: \n", "");
}

static void
facts_are_told(void **state)
{
	static const char lines[] = "a 1 5.000000: c: \na 1 4.000000: c: \na 1 c: \n"
				    "a 1 5.000001: PERF_RECORD_LOST lost 12\n"
				    "a 1 5.000002: PERF_RECORD_LOST_SAMPLES id:1: lost:3\n"
				    "PERF_RECORD_FORK(2:2):(1:1)\n";
	(void)state;
	struct trace *trace = load(lines);
	assert_int_equal(fact(trace, "lost_events"), 15);
	assert_int_equal(fact(trace, "records"), 3);
	assert_int_equal(fact(trace, "samples"), 3);
	assert_int_equal(fact(trace, "no_time"), 1);
	assert_int_equal(fact(trace, "backwards"), 1);
	assert_int_equal(fact(trace, "first_ns"), INT64_C(4000000000));
	assert_int_equal(fact(trace, "last_ns"), INT64_C(5000000000));
	assert_int_equal(trace->samples->count, 3);
	trace_free(trace);
	trace = load("a 1 c: \n\tff f (/x)\n");
	assert_int_equal(trace->clock, TRACE_CLOCK_NONE);
	assert_int_equal(trace_actor_count(trace), 0);
	trace_free(trace);
}

/* ---- what is asked of them */

static void
check_within(const struct trace *trace, struct profile_request request, const char *wanted)
{
	const struct report_options options = { .width_cells = 80 };
	struct text made = { 0 };
	struct error err;
	error_clear(&err);
	request.kind = PROFILE_SAMPLES;
	assert_true(report_folded(trace, &request, &options, &made, &err));
	check_text("within", text_string(&made), wanted);
	text_release(&made);
}

static void
samples_are_of_a_time_and_of_somebody(void **state)
{
	(void)state;
	struct trace *trace = load("a 1 5.000000: 3 c: ff f (/x)\nb 2 5.000001: 4 c: ff f (/x)\n"
				   "a 1 5.000002: 5 c: ff g (/x)\nb 2 c: ff h (/x)\n"
				   "a 1 5.000003: s:x: \n\tff f (/x)\n");
	struct profile_request request = { .scope = profile_whole(trace) };
	check_within(trace, request, "a;f 3\na;g 5\nb;f 4\nb;h 1\n");
	request.of = "s:x";
	check_within(trace, request, "a;f 1\n");
	request.of = NULL;
	request.focus = "g";
	check_within(trace, request, "a;g 5\n");
	request.focus = NULL;
	request.label = "comm:b";
	check_within(trace, request, "b;f 4\nb;h 1\n");
	request.label = NULL;
	request.scope.t0_ns = 1000;
	request.scope.t1_ns = 2000;
	check_within(trace, request, "b;f 4\n");
	request.scope.t1_ns = 2001;
	check_within(trace, request, "a;g 5\nb;f 4\n");
	request.scope.actor = trace_find_actor(trace, 1);
	check_within(trace, request, "a;g 5\n");
	request.is_inverted = true;
	request.scope.t0_ns = 0;
	check_within(trace, request, "a;f 3\na;g 5\n");
	trace_free(trace);
}

/* States are asked for where the source has them, which this one has not. */
static void
profiles_of_states_are_refused(void **state)
{
	const struct report_options options = { .width_cells = 80 };
	struct text made = { 0 };
	struct error err;
	(void)state;
	struct trace *trace = load("a 1 5.000000: 3 c: ff f (/x)\n");
	struct profile_request request = { .scope = profile_whole(trace), .of = "sync" };
	error_clear(&err);
	assert_false(report_folded(trace, &request, &options, &made, &err));
	assert_string_equal(err.message, "the samples are of no type sync: there is c");
	text_release(&made);
	trace_free(trace);
}

static void
samples_lie_on_lanes(void **state)
{
	struct samples samples;
	struct error err;
	(void)state;
	error_clear(&err);
	struct trace *trace = load("a 1 [000] 5.000000: 3 c: ff f (/x)\nb 2 [001] 5.000001: 4 c: \n"
				   "b 3 [001] 5.000002: 5 c: \nb 3 [001] 5.000003: s:x: k=1\n");
	assert_true(samples_build(&samples, trace, &err));
	group_ref group = trace_group_of(trace, trace_find_actor(trace, 2));
	assert_int_equal(samples_count(&samples, (struct lane){ LANE_ALL, 0 }, 0, INT64_MAX), 3);
	assert_int_equal(samples_count(&samples, (struct lane){ LANE_PROCESSOR, 1 }, 0, INT64_MAX), 2);
	assert_int_equal(samples_count(&samples, (struct lane){ LANE_GROUP, group }, 0, INT64_MAX), 2);
	assert_int_equal(samples_count(&samples, (struct lane){ LANE_GROUP, group }, 0, 2000), 1);
	samples_release(&samples);
	trace_free(trace);
}

/* ---- processes */

static void
threads_stand_by_process(void **state)
{
	static const char lines[] = "main 7/7 [000] 5.000000: 3 c: ff f (/x)\n\nio worker 1 7/8 [001] 5.000001: 4 c: ff f (/x)\n\n"
				    "sh 9/9 [001] 5.000002: 5 c: ff f (/x)\n\nsh 10 [001] 5.000003: 5 c: ff f (/x)\n\n";
	(void)state;
	for (int with_switches = 0; with_switches < 2; with_switches++) {
		struct text text = { 0 };
		text_add_string(&text, lines);
		if (with_switches)
			text_add_string(&text, "sh 9/9 [001] 5.000004: sched:sched_switch: prev_comm=sh prev_pid=9 "
					       "prev_prio=120 prev_state=S ==> next_comm=a next_pid=11 next_prio=120\n");
		struct trace *trace = load(text.bytes);
		kerneltesting_check_group(trace, 7, "main 7");
		kerneltesting_check_group(trace, 8, "main 7");
		kerneltesting_check_group(trace, 9, "sh");
		kerneltesting_check_group(trace, 10, "sh");
		trace_free(trace);
		text_release(&text);
	}
}

/* ---- the scheduler */

/* Also where events with fields come first. */
static void
samples_are_what_is_usual(void **state)
{
	struct trace *trace = load("a 1 [000] 5.000000: sched:sched_waking: comm=b pid=2 prio=120 target_cpu=000\n\tff f (/x)\n\n"
				   "a 1 [000] 5.000001: cpu-clock: \n\tff f (/x)\n\na 1 [000] 5.000002: cycles: \n\tff f (/x)\n\n");
	const struct sample_set *set = trace->samples;
	(void)state;
	assert_int_equal(set->type_count, 3);
	assert_true(trace_text_is(trace, set->types[set->usual_type].name, "cpu-clock"));
	trace_free(trace);
}

/* The states of tasks are those of ftrace's events; samples without a CPU lie beside them. */
static void
events_of_the_scheduler_make_states(void **state)
{
	static const char *const names[] = { "sched", "mixed-events" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct text text, oracle;
		struct error err;
		struct jsonslice threads;
		profiletesting_read_file("perf_script", names[i], ".txt.gz", &text);
		struct trace *trace = profiletesting_read("perf_script", text.bytes, text.length, &err);
		assert_non_null(trace);
		profiletesting_read_file("perf_script", names[i], ".tasks.json", &oracle);
		struct jsonslice all = { oracle.bytes, oracle.length };
		assert_true(jsonread_find(all, "threads", &threads));
		kerneltesting_check_tasks(names[i], trace, threads);
		assert_int_equal(fact(trace, "switches"), kerneltesting_number(all, "switches"));
		trace_free(trace);
		text_release(&text);
		text_release(&oracle);
	}
}

/* Where no sched_switch does, records of the recording tell who comes to a CPU and who leaves. */
static void
records_of_switches_make_states(void **state)
{
#define AT(task, cpu, us) task " [00" cpu "] 5.0000" us ": "
#define COMES "PERF_RECORD_SWITCH_CPU_WIDE IN  prev pid/tid: 3/4\n"
#define LEAVES "PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid: 3/4\n"
#define PREEMPTED "PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid: 3/4\n"
	static const char lines[] =
		AT("a 1", "0", "00") COMES
		AT("a 1", "0", "02") "9 c: ff f (/x)\n"
		AT("a 1", "0", "03") PREEMPTED
		AT("b 2", "0", "04") COMES
		AT("a 1", "1", "06") COMES
		AT("b 2", "0", "07") LEAVES
		AT("swapper 0", "0", "07") COMES
		AT("a 1", "1", "10") "PERF_RECORD_EXIT(1:1):(1:1)\n"
		AT("a 1", "1", "11") LEAVES
		AT("c 3", "1", "12") COMES
		AT(":-1 -1", "1", "14") LEAVES
		AT("b 2", "1", "15") COMES
		/* That it left was lost. */
		AT("d 4", "1", "16") COMES
		AT("d 4", "1", "19") "PERF_RECORD_SWITCH_CPU_WIDE\n";
	struct trace *trace = load(lines);
	(void)state;
	kerneltesting_check_states(trace, 1, "running 3, runnable 3, running 5");
	kerneltesting_check_states(trace, 2, "running 3, asleep 8, running 1, unknown 3");
	kerneltesting_check_states(trace, 3, "running 2");
	kerneltesting_check_states(trace, 4, "running 3");
	assert_int_equal(fact(trace, "switches"), 4);
	assert_int_equal(fact(trace, "records"), 13);
	/* The sample, the exit, and the record that says nothing. */
	assert_int_equal(trace->instants.count, 3);
	trace_free(trace);
	/* Who has gone on another CPU does not leave once more. */
	trace = load(AT("a 1", "0", "00") COMES
		     AT("a 1", "1", "01") COMES
		     AT("a 1", "1", "02") "PERF_RECORD_EXIT(1:1):(1:1)\n"
		     AT("a 1", "1", "03") LEAVES
		     AT(":-1 -1", "0", "04") LEAVES);
	kerneltesting_check_states(trace, 1, "running 1, running 2");
	trace_free(trace);
	/* With sched_switch that tells, and the records are moments. */
	trace = load(AT("a 1", "0", "00") COMES
		     AT("a 1", "0", "03") "sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=D ==> "
					  "next_comm=b next_pid=2 next_prio=120\n"
		     AT("a 1", "0", "05") LEAVES);
	kerneltesting_check_states(trace, 1, "running 3, disk 2, running 0");
	assert_int_equal(trace->instants.count, 2);
	trace_free(trace);
}

/* perf record of a program alone tells of no CPU: then a sample, too, says that it ran. */
static void
switches_may_be_without_a_cpu(void **state)
{
	struct trace *trace = load("a 1 0.000000: PERF_RECORD_COMM: a:1/1\n"
				   "a 1 5.000001: 9 c: ff f (/x)\n"
				   "a 1 5.000003: PERF_RECORD_SWITCH OUT preempt\n"
				   "b 2 5.000004: PERF_RECORD_SWITCH IN\n"
				   "b 2 5.000006: 9 c: ff f (/x)\n"
				   "a 1 5.000008: PERF_RECORD_SWITCH IN\n"
				   "b 2 5.000009: PERF_RECORD_EXIT(2:2):(1:1)\n"
				   "a 1 5.000010: PERF_RECORD_SWITCH OUT        \n");
	(void)state;
	kerneltesting_check_states(trace, 1, "unknown 0, running 2, runnable 5, running 2, asleep 0");
	kerneltesting_check_states(trace, 2, "running 5");
	assert_int_equal(trace->processors.count, 0);
	trace_free(trace);
	/* It ends, or runs on: nobody knows. */
	trace = load("a 1 5.000001: PERF_RECORD_SWITCH IN\n"
		     "b 2 5.000003: PERF_RECORD_SWITCH IN\n"
		     "b 2 5.000004: 9 c: ff f (/x)\n"
		     "a 1 5.000009: PERF_RECORD_SWITCH OUT\n");
	kerneltesting_check_states(trace, 2, "running 1, unknown 5");
	assert_int_equal(fact(trace, "switches"), 1);
	trace_free(trace);
	/* There may be no sample at all. */
	trace = load("a 1 0.000000: PERF_RECORD_COMM: a:1/1\n"
		     "a 1 5.000001: PERF_RECORD_SWITCH IN\n"
		     "a 1 5.000004: PERF_RECORD_SWITCH OUT\n");
	assert_int_equal(trace->end_ns, 3000);
	kerneltesting_check_states(trace, 1, "unknown 0, running 3, asleep 0");
	trace_free(trace);
}

/* ---- while more comes */

struct shown {
	struct trace *traces[4096];
	size_t count;
};

static void
show(void *context, struct trace *snapshot)
{
	struct shown *shown = context;
	assert_true(shown->count < ARRAY_LENGTH(shown->traces));
	shown->traces[shown->count++] = snapshot;
}

static struct trace *
load_pieces(const struct text *text, const struct trace_watch *watch)
{
	return livetesting_load(&perf_script_source, text, 3001, watch);
}

/* All that was sampled, and what tasks did where the input says so. */
static void
add_all(const struct trace *trace, struct text *out)
{
	const struct report_options options = { .width_cells = 200 };
	const struct sample_set *set = trace->samples;
	struct error err;
	text_format(out, "%" PRIu64 " events, %" PRId64 " ns, %" PRIu32 " moments, %" PRIu32 " threads\n",
		trace->event_count, trace->end_ns, trace->instants.count, trace_actor_count(trace));
	for (unsigned i = 0; i < set->type_count; i++)
		profiletesting_add_folded(trace, trace_text(trace, set->types[i].name, NULL), out);
	if (trace->words->is_scheduled)
		assert_true(testing_result("sched", trace, &options, out, &err));
}

/* What is shown is the beginning of the whole, by the same ids. */
static void
check_beginning(const struct trace *shown, const struct trace *whole)
{
	const struct sample_set *set = shown->samples, *all = whole->samples;
	assert_true(set->count <= all->count && shown->event_count <= whole->event_count);
	assert_true(shown->end_ns <= whole->end_ns);
	for (size_t i = 0; i < set->count; i++) {
		assert_int_equal(set->stacks[i], all->stacks[i]);
		assert_int_equal(set->weights[i], all->weights[i]);
		assert_int_equal(set->type_of[i], all->type_of[i]);
	}
	const char *fault = profiletesting_fault(shown);
	if (fault == NULL)
		fault = look_everywhere(shown, set->count);
	if (fault != NULL)
		fail_msg("%zu samples: %s", set->count, fault);
}

static void
check_shown(const char *name, size_t least_shown)
{
	struct shown shown = { .count = 0 };
	const struct trace_watch watch = { show, &shown, 0 };
	struct text text, once = { 0 }, pieces = { 0 };
	profiletesting_read_file("perf_script", name, ".txt.gz", &text);
	struct trace *whole = load_pieces(&text, NULL), *trace = load_pieces(&text, &watch);
	add_all(whole, &once);
	add_all(trace, &pieces);
	assert_string_equal(text_string(&once), text_string(&pieces));
	if (shown.count < least_shown)
		fail_msg("%s: %zu pictures", name, shown.count);
	for (size_t i = 0; i < shown.count; i++) {
		if (i % 16 == 0 || i + 1 == shown.count)
			check_beginning(shown.traces[i], trace);
		/* The last one has all but the sample that frames might follow. */
		if (i + 1 == shown.count)
			assert_true(shown.traces[i]->event_count + 1 >= trace->event_count);
		trace_free(shown.traces[i]);
	}
	trace_free(trace);
	trace_free(whole);
	text_release(&text);
	text_release(&once);
	text_release(&pieces);
}

static void
all_so_far_is_shown(void **state)
{
	(void)state;
	check_shown("no-callgraph", 5);
	check_shown("dwarf-inlined", 5);
	check_shown("mixed-events", 5);
	check_shown("sched", 5);
}

/* The next lines of a pipe may be long in coming. */
static void
a_few_lines_are_enough_to_be_sure(void **state)
{
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, "# captured\n");
	for (int i = 0; i < 25; i++)
		text_format(&text, "a %d 5.%06d: c: \n", i, i);
	assert_int_equal(perf_script_source.recognise((const uint8_t *)text.bytes, text.length), SOURCE_SURE);
	text_release(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_inputs_are_as_the_oracle_has_them),
		cmocka_unit_test(odd_names_are_folded),
		cmocka_unit_test(heads_are_read_from_the_time_backwards),
		cmocka_unit_test(frames_are_read_from_their_end),
		cmocka_unit_test(lines_make_stacks),
		cmocka_unit_test(moments_are_in_order),
		cmocka_unit_test(facts_are_told),
		cmocka_unit_test(samples_are_of_a_time_and_of_somebody),
		cmocka_unit_test(profiles_of_states_are_refused),
		cmocka_unit_test(samples_lie_on_lanes),
		cmocka_unit_test(threads_stand_by_process),
		cmocka_unit_test(samples_are_what_is_usual),
		cmocka_unit_test(events_of_the_scheduler_make_states),
		cmocka_unit_test(records_of_switches_make_states),
		cmocka_unit_test(switches_may_be_without_a_cpu),
		cmocka_unit_test(all_so_far_is_shown),
		cmocka_unit_test(a_few_lines_are_enough_to_be_sure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
