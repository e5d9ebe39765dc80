/*
 * function_graph with events of the kernel between its calls: states, interrupts and the rest by the
 * kernel's rules, and the calls on the same tasks.
 */
#include "base_testing.h"

#include <inttypes.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "graphtesting.h"
#include "livetesting.h"
#include "source/function_graph/load.h"
#include "source/source.h"
#include "trace/lane.h"
#include "trace/slices.h"
#include "trace/words.h"

/* The same happens in each form. */
static const char graph_form[] =
	"# tracer: function_graph\n"
	"#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
	"   10.000010 |   0)    bash-100    |               |  do_work() {\n"
	"   10.000012 |   0)    bash-100    |               |    /* sched_waking: comm=worker/0:1 pid=200 prio=120 target_cpu=000 */\n"
	"   10.000019 |   0)    bash-100    |               |    schedule() {\n"
	"   10.000020 |   0)    bash-100    |               |      /* sched_switch: prev_comm=bash prev_pid=100 "
	"prev_prio=120 prev_state=D ==> next_comm=worker/0:1 next_pid=200 next_prio=120 */\n"
	" ------------------------------------------\n"
	" 0)    bash-100    =>  worker/-200  \n"
	" ------------------------------------------\n"
	"\n"
	"   10.000024 |   0)  worker/-200   |   ==========> |\n"
	"   10.000025 |   0)  worker/-200   |               |  /* irq_handler_entry: irq=27 name=virtio0-req.0 */\n"
	"   10.000026 |   0)  worker/-200   |               |  /* sched_waking: comm=bash pid=100 prio=120 target_cpu=000 */\n"
	"   10.000028 |   0)  worker/-200   |               |  /* irq_handler_exit: irq=27 ret=handled */\n"
	"   10.000029 |   0)  worker/-200   |   <========== |\n"
	"   10.000030 |   0)  worker/-200   |   1.000 us    |  b();\n"
	"   10.000031 |   1)  <idle>-0      |   1.000 us    |  i();\n"
	"   10.000032 |   0)  worker/-200   |               |  /* sys_enter: NR 1 (3, 7f, 4, 0, 0, 0) */\n"
	"   10.000034 |   0)  worker/-200   |               |  /* sys_exit: NR 1 = -11 */\n"
	"   10.000036 |   0)  worker/-200   |               |  /* B|200|draw */\n"
	"   10.000037 |   0)  worker/-200   |               |  /* E */\n"
	"   10.000038 |   0)  worker/-200   |               |  /* mm_page_alloc: page=12 order=0 */\n"
	"   10.000040 |   0)  worker/-200   |               |  /* sched_switch: prev_comm=worker/0:1 prev_pid=200 "
	"prev_prio=120 prev_state=R+ ==> next_comm=bash next_pid=100 next_prio=120 */\n"
	"   10.000041 |   0)    bash-100    | + 22.000 us   |    }\n"
	"   10.000045 |   0)    bash-100    | + 35.000 us   |  }\n"
	"   10.000046 |   0)    bash-100    |               |  do_exit() {\n"
	"   10.000050 |   0)    bash-100    |               |    /* sched_switch: prev_comm=bash prev_pid=100 "
	"prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120 */\n"
	"   10.000060 |   0)  <idle>-0      |   2.000 us    |  i();\n";

#define RECORD_100 "            bash-100   [000] d..1. "
#define RECORD_200 "      worker/0:1-200   [000] d..1. "
#define RECORD_IRQ "      worker/0:1-200   [000] d.h1. "
static const char record_form[] = RECORD_100
	"   10.000010: funcgraph_entry:                   |  do_work() {\n" RECORD_100
	"   10.000012: sched_waking:         worker/0:1:200 [120] CPU:000\n" RECORD_100
	"   10.000019: funcgraph_entry:                   |    schedule() {\n" RECORD_100
	"   10.000020: sched_switch:         bash:100 [120] D ==> worker/0:1:200 [120]\n" RECORD_IRQ
	"   10.000025: irq_handler_entry:    irq=27 name=virtio0-req.0\n" RECORD_IRQ
	"   10.000026: sched_waking:         bash:100 [120] CPU:000\n" RECORD_IRQ
	"   10.000028: irq_handler_exit:     irq=27 ret=handled\n" RECORD_200
	"   10.000030: funcgraph_entry:        1.000 us   |  b();\n"
	"          <idle>-0     [001] d..1.    10.000031: funcgraph_entry:        1.000 us   |  i();\n" RECORD_200
	"   10.000032: sys_enter:            NR 1 (3, 7f, 4, 0, 0, 0)\n" RECORD_200
	"   10.000034: sys_exit:             NR 1 = -11\n" RECORD_200
	"   10.000036: print:                tracing_mark_write: B|200|draw\n" RECORD_200
	"   10.000037: print:                tracing_mark_write: E\n" RECORD_200
	"   10.000038: mm_page_alloc:        page=12 order=0\n" RECORD_200
	"   10.000040: sched_switch:         worker/0:1:200 [120] R+ ==> bash:100 [120]\n" RECORD_100
	"   10.000041: funcgraph_exit:       + 22.000 us   |    }\n" RECORD_100
	"   10.000045: funcgraph_exit:       + 35.000 us   |  }\n" RECORD_100
	"   10.000046: funcgraph_entry:                   |  do_exit() {\n" RECORD_100
	"   10.000050: sched_switch:         bash:100 [120] X ==> swapper/0:0 [120]\n"
	"          <idle>-0     [000] d..1.    10.000060: funcgraph_entry:        2.000 us   |  i();\n";

static struct trace *
load(const char *string)
{
	struct error err = { 0 };
	struct trace *trace = graphtesting_load(string, strlen(string), &err);
	assert_non_null(trace);
	return trace;
}

static const char *
text_of(const struct trace *trace, string_id id)
{
	return trace_text(trace, id, NULL);
}

/* The states of a lane as "class start end" each. */
static void
check_states(const struct trace *trace, int64_t pid, const char *wanted)
{
	struct text got = { 0 };
	struct span span, next;
	struct lane lane = { LANE_ACTOR, trace_find_actor(trace, pid) };
	assert_true(lane.ref != REF_NONE);
	for (bool more = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span); more; span = next) {
		text_format(&got, "%s %" PRId64 " %" PRId64 "; ", class_name(trace->words, span.time_class),
			span.start_ns, span.end_ns);
		more = lane_after(trace, lane, &span, &next);
	}
	assert_string_equal(text_string(&got), wanted);
	text_release(&got);
}

/* The slices of an owner's tracks, as "track/depth name start end took flags detail" each. */
static void
check_slices(const struct trace *trace, enum track_owner owner, uint32_t ref, const char *wanted)
{
	struct text got = { 0 };
	track_ref first;
	uint32_t count;
	slices_tracks_of(trace->slices, owner, ref, &first, &count);
	for (track_ref i = first; i < first + count; i++) {
		const struct track *track = slices_track_at(trace->slices, i);
		for (uint32_t depth = 0; depth < track->depth_count; depth++)
			for (uint32_t k = 0; k < slices_in_column(trace->slices, track->first_column + depth); k++) {
				struct slice slice;
				slices_get(trace->slices, track->first_column + depth, k, &slice);
				text_format(&got, "%s/%u %s %" PRId64 " %" PRId64 " %" PRId64 " %d%s%s; ",
					text_of(trace, track->name), depth, text_of(trace, slice.name),
					slice.start_ns, slice.end_ns, slice.took_ns, slice.flags,
					slice.detail != 0 ? " " : "", text_of(trace, slice.detail));
			}
	}
	assert_string_equal(text_string(&got), wanted);
	text_release(&got);
}

static void
check_form(const char *string)
{
	struct trace *trace = load(string);
	assert_int_equal(trace->origin_ns, 10000010000);
	assert_int_equal(trace->end_ns, 52000);
	assert_int_equal(trace_actor_count(trace), 2);
	assert_string_equal(text_of(trace, trace_actor(trace, 1)->name), "worker/0:1");
	check_states(trace, 100,
		"running 0 10000; disk 10000 16000; runnable 16000 30000; running 30000 40000; ");
	check_states(trace, 200, "runnable 2000 10000; running 10000 30000; runnable 30000 52000; ");
	/* A call of who is gone ended then. */
	check_slices(trace, TRACK_OF_ACTOR, 0,
		"calls/0 do_work 0 35000 35000 0; calls/0 do_exit 36000 40000 4000 4; "
		"calls/1 schedule 9000 31000 22000 0; ");
	check_slices(trace, TRACK_OF_ACTOR, 1,
		"calls/0 b 20000 21000 1000 0; "
		"syscalls/0 syscall 1 22000 24000 2000 8 (3, 7f, 4, 0, 0, 0) = -11; "
		"marks/0 draw 26000 27000 1000 0; ");
	check_slices(trace, TRACK_OF_RESOURCE, 0,
		"interrupts/0 irq_handler:virtio0-req.0 15000 18000 3000 0; idle calls/0 i 50000 52000 2000 0; ");
	check_slices(trace, TRACK_OF_RESOURCE, 1, "idle calls/0 i 21000 22000 1000 0; ");
	/* The task woke one, the interrupt that came in it the other. */
	struct span span;
	assert_true(lane_span_at(trace, (struct lane){ LANE_ACTOR, 1 }, 3000, &span));
	assert_int_equal(span.waker.type, WAKER_ACTOR);
	assert_int_equal(span.waker.ref, 0);
	assert_true(lane_span_at(trace, (struct lane){ LANE_ACTOR, 0 }, 17000, &span));
	assert_int_not_equal(span.waker.type, WAKER_ACTOR);
	assert_int_equal(trace->instants.count, 1);
	assert_string_equal(text_of(trace, trace_instant(trace, 0)->category), "mm_page_alloc");
	assert_int_equal(trace_instant(trace, 0)->actor, 1);
	trace_free(trace);
}

static void
events_tell_who_runs(void **state)
{
	(void)state;
	check_form(graph_form);
	check_form(record_form);
}

/* Laid-out times have no sleep in them, and other CPUs other clocks: events stay what they are. */
static void
without_time_stamps_events_are_instants(void **state)
{
	(void)state;
	struct trace *trace = load(
		" 0)               |  schedule() {\n"
		" 0)               |    /* sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> "
		"next_comm=b next_pid=2 next_prio=120 */\n"
		" 0)   1.000 us    |    b();\n"
		" 0)   3.000 us    |  }\n");
	assert_false(trace->words->is_scheduled);
	assert_int_equal(trace->instants.count, 1);
	assert_int_equal(trace_actor_count(trace), 1);
	trace_free(trace);
}

/* Nor where nothing says on which CPU they were. */
static void
without_cpus_events_are_instants(void **state)
{
	(void)state;
	struct trace *trace = load(
		"#     TIME        TASK/PID         DURATION                  FUNCTION CALLS\n"
		"   10.000001 |     nc-12     |   1.000 us    |  a();\n"
		"   10.000001 |      x-13     |   1.000 us    |  a();\n"
		"   10.000003 |     nc-12     |               |  /* sched_waking: comm=y pid=14 prio=120 target_cpu=000 */\n");
	assert_false(trace->words->is_scheduled);
	assert_int_equal(trace->instants.count, 1);
	trace_free(trace);
}

/* As of ftrace. */
static void
threads_stand_by_their_process(void **state)
{
	(void)state;
	struct trace *trace = load(
		"   pool-12  (     10) [000] d..1. 10.000001: funcgraph_entry:        1.000 us   |  a();\n"
		"   main-10  (     10) [000] d..1. 10.000002: sched_waking:         pool:12 [120] CPU:000\n");
	assert_int_equal(trace_group_of(trace, 0), trace_group_of(trace, 1));
	trace_free(trace);
}

/* Events of which no more is known than that they happened say nothing of who runs. */
static void
other_events_change_nothing(void **state)
{
	(void)state;
	struct trace *trace = load("   10.000001 |   0)    nc-12     |   1.000 us    |  a();\n"
				   "   10.000003 |   0)    nc-12     |               |  /* kfree: call_site=f ptr=1 */\n");
	assert_false(trace->words->is_scheduled);
	assert_int_equal(trace->instants.count, 1);
	trace_free(trace);
}

/* Marks and the stretches between them are there too. */
static void
marks_stand_between_events(void **state)
{
	(void)state;
	struct trace *trace = load(
		"# CPU  DURATION                  FUNCTION CALLS\n"
		"   10.000001 |  0)  nc-12     |   1.000 us    |  a();\n"
		"### Packet 1\n"
		"   10.000002 |  0)  nc-12     |               |  /* sched_waking: comm=x pid=13 prio=120 target_cpu=000 */\n"
		"### inner\n"
		"   10.000004 |  0)  nc-12     |   1.000 us    |  a();\n"
		"### Packet 1, end\n"
		"CPU:0 [LOST 17 EVENTS]\n"
		"   10.000007 |  0)  nc-12     |   1.000 us    |  a();\n");
	assert_true(trace->words->is_scheduled);
	assert_int_equal(trace->tasks.count, 2);
	const struct task *packet = trace_task(trace, 0), *inner = trace_task(trace, 1);
	assert_string_equal(text_of(trace, packet->name), "Packet 1");
	assert_int_equal(packet->start_ns, 0);
	assert_int_equal(packet->end_ns, 3000);
	assert_string_equal(text_of(trace, inner->name), "inner");
	assert_int_equal(inner->start_ns, 1000);
	assert_int_equal(inner->end_ns, 3000);
	assert_int_equal(inner->parent, 0);
	assert_int_equal(trace->instants.count, 4);
	assert_string_equal(text_of(trace, trace_instant(trace, 3)->category), "lost");
	check_states(trace, 13, "runnable 1000 7000; ");
	trace_free(trace);
}

/* Nothing names who runs: the CPU has the calls, and events tell of others. */
static void
calls_of_nobody_are_the_cpus(void **state)
{
	(void)state;
	struct trace *trace = load(
		"   10.000001 |  0)   1.000 us    |  a();\n"
		"   10.000003 |  0)               |  /* sched_waking: comm=x pid=13 prio=120 target_cpu=000 */\n");
	assert_int_equal(trace_actor_count(trace), 1);
	check_slices(trace, TRACK_OF_RESOURCE, 0, "calls/0 a 0 1000 1000 0; ");
	trace_free(trace);
}

/* A stack belongs to the event above it on its CPU; functions are events. */
static void
stacks_and_functions_are_of_others(void **state)
{
	(void)state;
	struct trace *trace = load(
		"# CPU  DURATION                  FUNCTION CALLS\n"
		"   10.000001 |  0)  nc-12     |               |  a() {\n"
		"   10.000002 |  0)  nc-12     |               |    /* sched_switch: prev_comm=nc prev_pid=12 prev_prio=120 "
		"prev_state=S ==> next_comm=x next_pid=13 next_prio=120 */\n"
		"              nc-12      [000] d..2.    10.000002: <stack trace>\n"
		" => schedule\n"
		" => do_nanosleep\n"
		"   10.000003 |  0)  x-13      |               |  /* kmalloc: bytes=1 */\n"
		"               x-13      [000] d..2.    10.000004: kmalloc <-vfs_read\n");
	struct span span;
	assert_int_equal(damage_map_places(&trace->damage), 0);
	assert_true(lane_span_at(trace, (struct lane){ LANE_ACTOR, trace_find_actor(trace, 12) }, 1500, &span));
	assert_true(span.stack != STACK_NONE);
	assert_int_equal(trace->instants.count, 2);
	assert_string_equal(text_of(trace, trace_instant(trace, 1)->category), "function");
	trace_free(trace);
	/* Without a time in the columns, theirs means nothing. */
	trace = load(" 0)   1.000 us    |  a();\n"
		     "               x-13      [000] d..2.    10.000004: kmalloc <-vfs_read\n"
		     " 0)   1.000 us    |  a();\n");
	assert_int_equal(trace->clock, TRACE_CLOCK_LAID_OUT);
	assert_int_equal(damage_map_places(&trace->damage), 0);
	trace_free(trace);
}

static void
check_kind(const struct text *text, const char *kind)
{
	struct error err = { 0 };
	struct source_match match;
	struct input in;
	assert_true(input_open_memory(&in, text->bytes, text->length, &err));
	assert_true(source_recognise(&match, NULL, &in, &err));
	assert_string_equal(match.source->name, kind);
	input_close(&in);
}

/* The first of trace-cmd's records may be events alone. */
static void
calls_may_come_late(void **state)
{
	(void)state;
	enum { EVENTS = 300 };
	struct text text = { 0 };
	for (int i = 0; i < EVENTS; i++)
		text_format(&text, RECORD_100 "   10.%06d: sched_waking:         x:200 [120] CPU:000\n", i);
	check_kind(&text, "ftrace");
	text_add_string(&text, RECORD_100 "   10.000400: funcgraph_entry:        1.000 us   |  b();\n");
	check_kind(&text, "function_graph");
	text_release(&text);
}

/* Tracers of latency can draw graphs; their name alone is of ftrace. */
static void
other_tracers_draw_graphs(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add_string(&text, "# tracer: irqsoff\n"
			       "#\n"
			       "#  => started at: a\n"
			       "#   REL TIME      CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS\n"
			       "        0 us |   1)   bash-1234    |  d..1 |   0.000 us    |  a();\n"
			       "        2 us |   1)   bash-1234    |  d..1 |               |  foo() {\n"
			       "       16 us |   1)   bash-1234    |  d..1 | + 14.000 us   |  }\n"
			       "    bash-1234    1d..1   18us : hardirqs_on <-b\n");
	check_kind(&text, "function_graph");
	struct trace *trace = load(text_string(&text));
	assert_int_equal(trace->end_ns, 18000);
	assert_int_equal(trace->instants.count, 1);
	trace_free(trace);
	text_clear(&text);
	text_add_string(&text, "# tracer: irqsoff\n#\n"
			       "    bash-1234    1d..1   18us : hardirqs_on <-b\n");
	check_kind(&text, "ftrace");
	text_release(&text);
}

/* ---- from a pipe */

/* The last picture lacks the last line at most, and is as good as the whole. */
static void
check_live(const char *string)
{
	struct livetesting_shown shown = { 0 };
	const struct trace_watch watch = { livetesting_keep, &shown, 0 };
	struct text text = { 0 };
	text_add_string(&text, string);
	struct trace *trace = livetesting_load(&function_graph_source, &text, 100, &watch);
	assert_true(shown.count > 5);
	assert_ptr_equal(shown.trace->words, trace->words);
	assert_int_equal(trace_actor_count(shown.trace), trace_actor_count(trace));
	assert_true(slices_count(shown.trace->slices) + 1 >= slices_count(trace->slices));
	assert_int_equal(shown.trace->origin_ns, trace->origin_ns);
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		assert_string_equal(text_of(shown.trace, trace_actor(shown.trace, i)->name),
			text_of(trace, trace_actor(trace, i)->name));
	trace_free(shown.trace);
	trace_free(trace);
	text_release(&text);
}

static void
all_so_far_is_shown(void **state)
{
	struct text text = { 0 };
	(void)state;
	check_live(graph_form);
	check_live(record_form);
	text_add_string(&text, "### Packet 1\n");
	for (int i = 0; i < 20; i++)
		text_add_string(&text, " 0)               |  b(x=1) {\n 0)   1.000 us    |    a(); /* ret=0x0 */\n"
				       " 0)   2.000 us    |  } /* b ret=1 */\nwhat?\n");
	check_live(text_string(&text));
	text_release(&text);
}

/* ---- when something goes wrong */

static void
want_of_memory_is_an_error(void **state)
{
	(void)state;
	static const char *const rows[] = { graph_form, record_form };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = NULL;
		uint64_t place = 1;
		for (; trace == NULL; place++) {
			struct error err = { 0 };
			memory_fail_after(place);
			trace = graphtesting_load(rows[i], strlen(rows[i]), &err);
			memory_fail_after(0);
			if (trace == NULL && err.kind != ERROR_MEMORY)
				fail_msg("allocation %" PRIu64 " failed: %s", place, err.message);
		}
		assert_true(place > 100);
		trace_free(trace);
	}
}

/* Cut anywhere it is a trace that says as much. */
static void
what_is_cut_is_a_trace(void **state)
{
	(void)state;
	struct fgraph graph;
	struct error err = { 0 };
	for (size_t size = 0; size < strlen(graph_form); size++) {
		struct trace *trace = graphtesting_load(graph_form, size, &err);
		assert_non_null(trace);
		assert_true(graphtesting_read(&graph, graph_form, size, 0, &err));
		const char *fault = graphtesting_trace_fault(trace, &graph);
		if (fault != NULL)
			fail_msg("at %zu: %s", size, fault);
		fgraph_release(&graph);
		trace_free(trace);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_tell_who_runs),
		cmocka_unit_test(without_time_stamps_events_are_instants),
		cmocka_unit_test(without_cpus_events_are_instants),
		cmocka_unit_test(threads_stand_by_their_process),
		cmocka_unit_test(other_events_change_nothing),
		cmocka_unit_test(marks_stand_between_events),
		cmocka_unit_test(calls_of_nobody_are_the_cpus),
		cmocka_unit_test(stacks_and_functions_are_of_others),
		cmocka_unit_test(calls_may_come_late),
		cmocka_unit_test(other_tracers_draw_graphs),
		cmocka_unit_test(all_so_far_is_shown),
		cmocka_unit_test(want_of_memory_is_an_error),
		cmocka_unit_test(what_is_cut_is_a_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
