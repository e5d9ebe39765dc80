/*
 * Strace: the inputs of testdata against what an independent reader told of them, all that may stand in
 * front of a call and in it, threads and times, and damage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_testing.h"
#include "dumptesting.h"
#include "facttesting.h"
#include "jsonread.h"
#include "livetesting.h"
#include "profiletesting.h"
#include "resulttesting.h"
#include "source/source.h"
#include "source/strace/line.h"
#include "trace/lane.h"
#include "trace/slices.h"

static const char *const files[] = { "f-r", "f-tt-T-y", "plain", "signals", "stderr-pid", "with-summary" };

static struct trace *
load_or_not(const char *bytes, size_t size, struct error *err)
{
	struct input in;
	const struct source_wish wish = { .progress = NULL };
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = strace_source.load(&in, &wish, err);
	input_close(&in);
	return trace;
}

static struct trace *
load(const char *bytes, size_t size)
{
	struct error err;
	error_clear(&err);
	struct trace *trace = load_or_not(bytes, size, &err);
	assert_non_null(trace);
	return trace;
}

static struct trace *
load_text(const char *text)
{
	return load(text, strlen(text));
}

static struct trace *
load_file(const char *name)
{
	struct text text;
	profiletesting_read_file("strace", name, ".txt", &text);
	struct trace *trace = load(text.bytes, text.length);
	text_release(&text);
	return trace;
}

static void
add_name(struct text *out, const struct trace *trace, string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	text_add(out, bytes, length);
}

/* ---- against oracles */

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(object, key, &value));
	return jsonslice_number(value);
}

/* The line of JSON of the report that begins so. */
static struct jsonslice
find_row(const struct text *report, const char *begin)
{
	const char *row = strstr(report->bytes, begin);
	if (row == NULL)
		fail_msg("no row %s", begin);
	return (struct jsonslice){ row, strcspn(row, "\n") };
}

static void
check_calls(const struct trace *trace, const char *name, struct jsonslice oracle)
{
	static const char *const keys[] = { "calls", "errors", "total_ns", "max_ns", "timed" };
	const struct report_options options = { .format = REPORT_AS_JSON };
	struct text report = { 0 };
	struct error err;
	struct jsonslice syscalls, key, wanted;
	error_clear(&err);
	assert_true(testing_result("syscalls", trace, &options, &report, &err));
	assert_true(jsonread_find(oracle, "syscalls", &syscalls));
	struct jsonread in = jsonread_over(syscalls);
	size_t count = 0;
	while (jsonread_member(&in, &key, &wanted)) {
		char begin[200];
		snprintf(begin, sizeof begin, "{\"table\":\"syscalls\",\"syscall\":%.*s,", (int)key.length,
			key.bytes);
		struct jsonslice row = find_row(&report, begin);
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			if (number(row, keys[i]) != number(wanted, keys[i]))
				fail_msg("%s: %s of %.*s is %" PRId64, name, keys[i], (int)key.length,
					key.bytes, number(row, keys[i]));
		}
		count++;
	}
	assert_false(in.failed);
	for (const char *at = report.bytes; (at = strstr(at, "\"table\":\"syscalls\"")) != NULL; at++)
		count--;
	assert_int_equal(count, 0);
	text_release(&report);
}

/* What was told of the end of an actor. */
static void
add_end(struct text *out, const struct trace *trace, actor_ref actor)
{
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		if (instant->actor == actor && trace_text_is(trace, instant->category, "exit"))
			add_name(out, trace, instant->text);
	}
}

static void
check_threads(const struct trace *trace, const char *name, struct jsonslice oracle)
{
	struct jsonslice threads, key, wanted, end;
	assert_true(jsonread_find(oracle, "threads", &threads));
	struct jsonread in = jsonread_over(threads);
	uint32_t count = 0;
	while (jsonread_member(&in, &key, &wanted)) {
		actor_ref actor = trace_find_actor(trace, strtoll(key.bytes + 1, NULL, 10));
		track_ref track;
		uint32_t tracks;
		int64_t total_ns = 0, calls = 0;
		struct text told = { 0 };
		assert_int_not_equal(actor, REF_NONE);
		slices_tracks_of(trace->slices, TRACK_OF_ACTOR, actor, &track, &tracks);
		assert_true(tracks <= 1);
		for (uint32_t i = 0; tracks == 1; i++) {
			column_ref column = slices_track_at(trace->slices, track)->first_column;
			struct slice slice;
			if (i == slices_in_column(trace->slices, column))
				break;
			slices_get(trace->slices, column, i, &slice);
			total_ns += (slice.flags & (SLICE_CUT | SLICE_OPEN)) == 0 ? slice.took_ns : 0;
			calls++;
		}
		assert_int_equal(calls, number(wanted, "calls"));
		assert_int_equal(total_ns, number(wanted, "total_ns"));
		add_end(&told, trace, actor);
		assert_true(jsonread_find(wanted, "end", &end));
		if (!jsonslice_is(end, text_string(&told)))
			fail_msg("%s: %.*s %s", name, (int)key.length, key.bytes, text_string(&told));
		assert_int_not_equal(trace_actor(trace, actor)->end_ns, TIME_OPEN);
		text_release(&told);
		count++;
	}
	assert_false(in.failed);
	assert_int_equal(trace_actor_count(trace), count);
}

static void
all_is_as_the_oracle_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct text oracle;
		struct trace *trace = load_file(files[i]);
		profiletesting_check_facts(trace, "strace", files[i], NULL);
		profiletesting_read_file("strace", files[i], ".oracle.json", &oracle);
		struct jsonslice json = { oracle.bytes, oracle.length };
		check_calls(trace, files[i], json);
		check_threads(trace, files[i], json);
		assert_int_equal(trace->damage.count, 0);
		text_release(&oracle);
		trace_free(trace);
	}
}

/* ---- lines */

static void
add_part(struct text *out, const char *name, struct scan part)
{
	if (scan_is_end(&part))
		return;
	text_format(out, " %s=", name);
	text_add(out, part.at, scan_left(&part));
}

static void
write_line(struct text *out, const char *text)
{
	static const char *const kinds[] = { "unknown", "blank", "call", "begin", "left", "resumed",
		"resumed-begin", "signal", "stopped", "exited", "killed", "superseded", "attached",
		"detached", "note", "frame", "summary" };
	static const char *const clocks[] = { "", "since", "day", "unix" };
	struct strace_line line;
	strace_line_read(scan_over(text, strlen(text)), &line);
	text_clear(out);
	text_add_string(out, kinds[line.kind]);
	if (line.pid >= 0)
		text_format(out, " pid=%" PRId64, line.pid);
	add_part(out, "comm", line.comm);
	if (line.clock != STRACE_NO_CLOCK)
		text_format(out, " %s=%" PRId64 "%s", clocks[line.clock], line.time_ns,
			line.is_coarse ? "~" : "");
	if (line.kind != STRACE_UNKNOWN) {
		add_part(out, "name", line.name);
		add_part(out, "text", line.text);
	}
	add_part(out, "result", line.result);
	if (line.took_ns >= 0)
		text_format(out, " took=%" PRId64, line.took_ns);
	if (line.is_error || line.has_no_result)
		text_add_string(out, line.is_error ? " error" : " none");
	if (line.other_pid >= 0)
		text_format(out, " other=%" PRId64, line.other_pid);
}

static void
lines_are_read_from_both_ends(void **state)
{
	static const struct {
		const char *line, *told;
	} rows[] = {
		{ "close(3)   = 0", "call name=close text=(3) result=0" },
		{ "12 close(3) = 0 <0.000197>", "call pid=12 name=close text=(3) result=0 took=197000" },
		{ "[pid    12] close(3) = 0", "call pid=12 name=close text=(3) result=0" },
		{ "12<a b> close(3) = 0", "call pid=12 comm=a b name=close text=(3) result=0" },
		{ "[pid 12<x>] close(3) = 0", "call pid=12 comm=x name=close text=(3) result=0" },
		{ "12    17:56:14.5 close(3) = 0",
			"call pid=12 day=64574500000000 name=close text=(3) result=0" },
		{ "17:56:14 close(3) = 0", "call day=64574000000000~ name=close text=(3) result=0" },
		{ "17:56:14 (+     0.000364) close(3) = 0",
			"call day=64574000000000~ name=close text=(3) result=0" },
		{ "     0.000364 close(3) = 0", "call since=364000 name=close text=(3) result=0" },
		{ "12      0.000364 close(3) = 0", "call pid=12 since=364000 name=close text=(3) result=0" },
		{ "1795456574.506276123 close(3) = 0",
			"call unix=1795456574506276123 name=close text=(3) result=0" },
		{ "12 1795456574 close(3) = 0",
			"call pid=12 unix=1795456574000000000~ name=close text=(3) result=0" },
		{ "[ 257] [00007f2abe4d1ad7] close(3) = 0", "call name=close text=(3) result=0" },
		{ "1 17:56:14 [   3] close(3) = 0",
			"call pid=1 day=64574000000000~ name=close text=(3) result=0" },
		{ "99:99:99 close(3) = 0", "unknown" },
		{ "read(3, \") = 5 <0.1>\", 4) = 4", "call name=read text=(3, \") = 5 <0.1>\", 4) result=4" },
		{ "write(1, \"\\\") = 5\", 4) = 4 <0.1>",
			"call name=write text=(1, \"\\\") = 5\", 4) result=4 took=100000000" },
		{ "write(1, \"<unfinished ...>\"..., 4) = 4",
			"call name=write text=(1, \"<unfinished ...>\"..., 4) result=4" },
		{ "open(\"a\", 0) = 3</tmp/a b> <0.000001>",
			"call name=open text=(\"a\", 0) result=3</tmp/a b> took=1000" },
		{ "close(3</tmp/x) = 2>) = 0", "call name=close text=(3</tmp/x) = 2>) result=0" },
		{ "poll([{fd=3}], 1, 5) = 1 ([{fd=3, revents=POLLIN}]) <0.5>",
			"call name=poll text=([{fd=3}], 1, 5) result=1 ([{fd=3, revents=POLLIN}]) "
			"took=500000000" },
		{ "open(\"a\") = -1 ENOENT (No such file or directory) <unavailable>",
			"call name=open text=(\"a\") result=-1 ENOENT (No such file or directory) error" },
		{ "exit_group(0) = ?", "call name=exit_group text=(0) result=? none" },
		{ "pause() = ? ERESTARTNOHAND (To be restarted if no handler)",
			"call name=pause text=() result=? ERESTARTNOHAND (To be restarted if no handler) none" },
		{ "brk(NULL) = 0x55f275f5f000", "call name=brk text=(NULL) result=0x55f275f5f000" },
		{ "read(3,  <unfinished ...>", "begin name=read text=(3, " },
		{ "read(3,  <detached ...>", "left name=read text=(3, " },
		{ "pause( <unfinished ...>) = ?", "call name=pause text=( <unfinished ...>) result=? none" },
		{ "<... read resumed>\"x\", 64) = 1 <0.002661>",
			"resumed name=read text=\"x\", 64) result=1 took=2661000" },
		{ "<... nanosleep resumed> <unfinished ...>) = ?",
			"resumed name=nanosleep text= <unfinished ...>) result=? none" },
		{ "<... read resumed> <unfinished ...>", "resumed-begin name=read" },
		{ "restart_syscall(<... resuming interrupted poll ...>) = 0",
			"call name=restart_syscall text=(<... resuming interrupted poll ...>) result=0" },
		{ "--- SIGCHLD {si_signo=SIGCHLD, si_pid=1} ---",
			"signal name=SIGCHLD text=SIGCHLD {si_signo=SIGCHLD, si_pid=1}" },
		{ "--- stopped by SIGSTOP ---", "stopped text=stopped by SIGSTOP" },
		{ "12 +++ exited with 0 +++", "exited pid=12 text=exited with 0" },
		{ "+++ killed by SIGSEGV (core dumped) +++", "killed text=killed by SIGSEGV (core dumped)" },
		{ "1 +++ superseded by execve in pid 2 +++",
			"superseded pid=1 text=superseded by execve in pid 2 other=2" },
		{ "strace: Process 12 attached", "attached other=12" },
		{ "strace: Process 12 attached with 3 threads", "attached other=12" },
		{ "strace: Process 12 detached", "detached other=12" },
		{ "strace: [ Process PID=12 runs in x32 mode. ]", "note" },
		{ "12 [ Process PID=12 runs in 32 bit mode. ]", "note pid=12" },
		{ " > /lib/libc.so.6(read+0x10) [0x1234]", "frame" },
		{ "% time     seconds  usecs/call     calls    errors syscall", "summary" },
		{ "  ", "blank" },
		{ "my ($x) = @_;", "unknown" },
		{ "f(x) = y", "unknown" },
		{ "close(3) = 0x", "unknown" },
		{ "close(3)= 0", "unknown" },
		{ "close(3", "unknown" },
		{ "+++ exited with 0", "unknown" },
		{ "99999999999999999999 close(3) = 0", "unknown" },
	};
	struct text out = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_line(&out, rows[i].line);
		check_text(rows[i].line, text_string(&out), rows[i].told);
	}
	text_release(&out);
}

/* ---- threads, names and times */

/* "12 sh<-11 0+5 read(3) = 0 cut;": all calls of all actors, and what is told of these. */
static void
write_trace(struct text *out, const struct trace *trace)
{
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *actor = trace_actor(trace, i);
		track_ref track;
		uint32_t tracks;
		text_format(out, "%" PRId64 " ", actor->id);
		add_name(out, trace, actor->name);
		if (actor->creator != REF_NONE)
			text_format(out, "<-%" PRId64, trace_actor(trace, actor->creator)->id);
		text_format(out, " @%" PRId64, actor->first_ns);
		slices_tracks_of(trace->slices, TRACK_OF_ACTOR, i, &track, &tracks);
		for (uint32_t k = 0; tracks == 1; k++) {
			column_ref column = slices_track_at(trace->slices, track)->first_column;
			struct slice slice;
			if (k == slices_in_column(trace->slices, column))
				break;
			slices_get(trace->slices, column, k, &slice);
			text_format(out, "; %" PRId64 "+%" PRId64 " ", slice.start_ns, slice.took_ns);
			add_name(out, trace, slice.name);
			add_name(out, trace, slice.detail);
			text_add_string(out, (slice.flags & SLICE_CUT) != 0 ? " cut" : "");
			text_add_string(out, (slice.flags & SLICE_OPEN) != 0 ? " open" : "");
			text_add_string(out, (slice.flags & SLICE_BEGAN_BEFORE) != 0 ? " before" : "");
			text_add_string(out, (slice.flags & SLICE_FAILED) != 0 ? " failed" : "");
		}
		text_add_string(out, actor->end_ns != TIME_OPEN ? ". " : " ");
	}
}

static void
calls_and_threads_are_put_together(void **state)
{
	static const struct {
		const char *row, *text, *told;
	} rows[] = {
		{ "another line comes into a call",
			"1 17:00:00.0 read(3,  <unfinished ...>\n2 17:00:00.001 close(4) = 0 <0.000001>\n"
			"1 17:00:00.002 <... read resumed>\"x\", 9) = 1 <0.005>\n",
			"1  @0; 0+5000000 read(3, \"x\", 9) = 1 2  @1000000; 1000000+1000 close(4) = 0 " },
		{ "without -T it is from one half to the other",
			"1 17:00:00.000001 read(3,  <unfinished ...>\n"
			"1 17:00:00.000009 <... read resumed>\"x\", 9) = -1 EIO (E)\n",
			"1  @0; 0+8000 read(3, \"x\", 9) = -1 EIO (E) failed " },
		{ "a call without an end lasts to the next line",
			"1 17:00:00.000001 close(3) = 0\n1 17:00:00.000004 close(4) = 0\n",
			"1  @0; 0+3000 close(3) = 0 cut; 3000+0 close(4) = 0 cut " },
		{ "a second half that never comes",
			"1 17:00:00.1 read(3,  <unfinished ...>\n1 17:00:00.2 close(3) = 0 <0.1>\n"
			"1 17:00:00.4 poll( <unfinished ...>\n",
			"1  @0; 0+100000000 read(3,  <unfinished ...> cut; 100000000+100000000 close(3) = 0; "
			"300000000+0 poll( <unfinished ...> open " },
		{ "a second half without a first",
			"1 17:00:00.5 close(3) = 0 <0.1>\n2 17:00:00.7 <... read resumed>) = 1 <0.1>\n",
			"1  @0; 0+100000000 close(3) = 0 2  @100000000; 100000000+100000000 read) = 1 before " },
		{ "the second half of another call",
			"1 17:00:00.5 read(3,  <unfinished ...>\n1 17:00:00.7 <... poll resumed>) = 1\n",
			"1  @0; 0+200000000 read(3,  <unfinished ...> cut; 200000000+0 poll) = 1 cut before " },
		{ "an execve goes on as the first thread",
			"1 17:00:00.1 pause( <unfinished ...>\n2 17:00:00.2 execve(\"/bin/true\", [] <unfinished ...>\n"
			"1 17:00:00.3 <... pause resumed> <unfinished ...>) = ?\n"
			"1 17:00:00.4 +++ superseded by execve in pid 2 +++\n"
			"1 17:00:00.5 <... execve resumed>) = 0 <0.3>\n",
			"1 true @0; 0+200000000 pause( <unfinished ...>) = ?; 200000000+300000000 "
			"execve(\"/bin/true\", []) = 0 2  @100000000. " },
		{ "names and who made whom",
			"1 17:00:00.1 execve(\"/bin/sh\", [\"sh\"]) = 0 <0.1>\n1 17:00:00.2 clone(x) = 2 <0.3>\n"
			"2 17:00:00.6 prctl(PR_SET_NAME, \"kid\") = 0 <0.1>\n"
			"1 17:00:00.6 execve(\"/bin/no\", [\"sh\"]) = -1 ENOENT (No) <0.1>\n"
			"1 17:00:00.8 vfork( <unfinished ...>\n3 17:00:00.9 close(1) = 0 <0.1>\n"
			"1 17:00:01.5 <... vfork resumed>) = 3 <0.7>\n3 17:00:01.6 +++ exited with 0 +++\n",
			"1 sh @0; 0+100000000 execve(\"/bin/sh\", [\"sh\"]) = 0; 100000000+300000000 clone(x) = 2; "
			"500000000+100000000 execve(\"/bin/no\", [\"sh\"]) = -1 ENOENT (No) failed; "
			"700000000+700000000 vfork() = 3 2 kid<-1 @400000000; 500000000+100000000 "
			"prctl(PR_SET_NAME, \"kid\") = 0 3 sh<-1 @800000000; 800000000+100000000 close(1) = 0. " },
		{ "lines without a pid are of the first process",
			"close(1) = 0\nstrace: Process 8 attached\n[pid 7] close(2) = 0\n[pid 8] close(3) = 0\n"
			"[pid 7] +++ exited with 0 +++\nclose(4) = 0\n",
			"7  @0; 0+1000 close(1) = 0 cut; 1000+2000 close(2) = 0 cut. "
			"8  @0; 2000+2000 close(3) = 0 cut; 4000+0 close(4) = 0 cut " },
		{ "strace breaks a line where it attaches",
			"[pid 7] clone(x|SIGCHLDstrace: Process 8 attached\n, y) = 8 <0.000166>\n"
			"[pid 7] read(3, strace: Process 9 attached\n <unfinished ...>\n",
			"7  @0; 0+166000 clone(x|SIGCHLD, y) = 8; 167000+0 read(3,  <unfinished ...> open "
			"8 <-7 @166000 9  @166000 " },
		{ "and where it leaves",
			"strace: Process 5 attached\nrestart_syscall(<... resuming interrupted read ...>strace: "
			"Process 5 detached\n <detached ...>\n",
			"5  @0; 0+0 restart_syscall(<... resuming interrupted read ...> <unfinished ...> open " },
		{ "whole seconds", "17:00:00 close(3) = 0 <0.4>\n17:00:00 close(4) = 0 <0.4>\n",
			"0  @0; 0+400000000 close(3) = 0; 400000000+400000000 close(4) = 0 " },
		{ "midnight", "23:59:59.9 close(3) = 0 <0.1>\n00:00:00.1 close(4) = 0 <0.1>\n",
			"0  @0; 0+100000000 close(3) = 0; 200000000+100000000 close(4) = 0 " },
		{ "times go back", "1 17:00:02.0 close(3) = 0 <0.1>\n1 17:00:01.0 close(4) = 0 <0.1>\n",
			"1  @0; 0+100000000 close(4) = 0; 1000000000+100000000 close(3) = 0 " },
		{ "since the line before", "     0.000000 close(3) = 0\n     0.000007 close(4) = 0\n",
			"0  @0; 0+7000 close(3) = 0 cut; 7000+0 close(4) = 0 cut " },
	};
	struct text out = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct trace *trace = load_text(rows[i].text);
		text_clear(&out);
		write_trace(&out, trace);
		check_text(rows[i].row, text_string(&out), rows[i].told);
		assert_int_equal(fact(trace, "damaged"), 0);
		trace_free(trace);
	}
	text_release(&out);
}

static void
the_wall_clock_is_known_of_unix_time(void **state)
{
	(void)state;
	struct trace *trace = load_text("1 1795456574.506276 close(3) = 0 <0.1>\n");
	assert_true(wall_clock_is_known(&trace->wall));
	assert_true(wall_clock_at(&trace->wall, 1000) == INT64_C(1795456574506277000));
	assert_int_equal(trace->clock, TRACE_CLOCK_STAMPS);
	trace_free(trace);
	trace = load_file("plain");
	assert_false(wall_clock_is_known(&trace->wall));
	assert_int_equal(trace->clock, TRACE_CLOCK_LAID_OUT);
	assert_int_equal(fact(trace, "first_ns"), -1);
	trace_free(trace);
}

static void
stacks_are_of_the_call_before(void **state)
{
	struct span span;
	struct text out = { 0 };
	(void)state;
	struct trace *trace = load_text("close(3) = 0 <0.001>\n > /lib/libc.so.6(__close+0x1f) [0x1234]\n"
					" > /bin/a() [0x55]\n > /bin/a(main+0x3) [0x56]\nclose(4) = 0 <0.001>\n");
	assert_true(lane_span_at(trace, (struct lane){ LANE_ACTOR, 0 }, 5, &span));
	for (stack_id stack = span.stack; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		add_name(&out, trace, stack_leaf(&trace->stacks, stack)->function);
		text_format(&out, " %" PRIx64 ";", stack_leaf(&trace->stacks, stack)->pc);
	}
	assert_string_equal(text_string(&out), "__close 1234;[a] 55;main 56;");
	assert_int_equal(fact(trace, "stack_lines"), 3);
	text_release(&out);
	trace_free(trace);
}

static void
what_failed_and_files_are_told(void **state)
{
	static const char text[] =
		"open(\"/a\\\"b\", O_RDONLY) = -1 ENOENT (No) <0.1>\nopen(\"/a\\\"b\", O_RDONLY) = 3</a\\\"b> <0.1>\n"
		"read(3</x>, \"y\", 1) = -1 EIO (Bad) <0.3>\nread(3</x>, \"y\", 1) = -1 EIO (Bad)\n"
		"openat(AT_FDCWD</>, \"rel\", 0) = -1 ENOENT (No) <0.2>\ngetrandom(\"z\", 1, 0) = 1 <0.1>\n"
		"newfstatat(5</w>, \"\", 0x7f) = 0 <0.05>\nclose(9) = 0 <0.05>\n";
	const struct report_options options = { .format = REPORT_AS_CSV };
	struct text out = { 0 };
	struct error err;
	(void)state;
	error_clear(&err);
	struct trace *trace = load_text(text);
	assert_true(testing_result_with("syscalls", "errors", trace, &options, &out, &err));
	assert_string_equal(text_string(&out), "syscall,errno,errors,total_ns,max_ns\n"
					       "read,EIO,2,300000000,300000000\n"
					       "openat,ENOENT,1,200000000,200000000\n"
					       "open,ENOENT,1,100000000,100000000\n");
	text_clear(&out);
	assert_true(testing_result_with("syscalls", "files", trace, &options, &out, &err));
	assert_string_equal(text_string(&out), "file,calls,errors,total_ns,max_ns\n"
					       "/x,2,2,300000000,300000000\n"
					       "\"/a\\\"\"b\",2,1,200000000,100000000\n"
					       "rel,1,1,200000000,200000000\n"
					       "/w,1,0,50000000,50000000\n");
	assert_false(testing_result_with("syscalls", "what", trace, &options, &out, &err));
	text_release(&out);
	trace_free(trace);
}

/* ---- damage */

static void
damaged_lines_are_told(void **state)
{
	(void)state;
	struct trace *trace = load_text("1 17:00:00.1 close(3) = 0 <0.1>\nhello\n1 17:00:01.1 close(4) = 0\n"
					"[pid 2] clone(strace: Process 8 attached\n1 17:00:02.1 close(5) = 0\n"
					"1 17:00:03.1 read(3, \"ab");
	assert_int_equal(fact(trace, "damaged"), 3);
	assert_int_equal(fact(trace, "calls"), 3);
	assert_int_equal(fact(trace, "lines"), 6);
	assert_int_equal(damage_map_places(&trace->damage), 3);
	assert_string_equal(trace->damage.rows[0].first.message, "line 2 fits nothing: \"hello\"");
	assert_int_equal(trace->damage.rows[0].from_ns, 0);
	assert_int_equal(trace->damage.rows[1].from_ns, 1000000000);
	trace_free(trace);
	trace = load_text("     0.000000 close(3) = 0\n     0.000002 cl\xff\n     0.000003 close(4) = 0\n");
	assert_int_equal(fact(trace, "damaged"), 1);
	assert_int_equal(fact(trace, "last_ns"), 5000);
	trace_free(trace);
}

static void
cut_anywhere_it_is_read(void **state)
{
	(void)state;
	for (size_t file = 0; file < sizeof files / sizeof *files; file++) {
		struct text text;
		profiletesting_read_file("strace", files[file], ".txt", &text);
		for (size_t size = 0; size < text.length; size += 97) {
			struct trace *trace = load(text.bytes, size);
			assert_true(fact(trace, "damaged") <= 1);
			assert_int_equal(slices_count(trace->slices), fact(trace, "calls"));
			trace_free(trace);
		}
		text_release(&text);
	}
}

/* A line of more bytes than are read at once. */
static void
long_lines_are_read(void **state)
{
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, "1 write(1, \"");
	while (text.length < 3 * 1024 * 1024)
		text_add_string(&text, "0123456789 [pid 3] close(2) = 0 ");
	text_add_string(&text, "\", 5) = 5 <0.1>\n1 close(3) = 0 <0.1>\n");
	struct trace *trace = load(text.bytes, text.length);
	assert_int_equal(fact(trace, "damaged"), 0);
	assert_int_equal(fact(trace, "calls"), 2);
	assert_int_equal(fact(trace, "lines"), 2);
	trace_free(trace);
	text_release(&text);
}

/* ---- while more comes */

static void
lines_are_shown_as_they_come(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct text text;
		profiletesting_read_file("strace", files[i], ".txt", &text);
		assert_true(livetesting_check(&strace_source, &text, 300) >= text.length / 600);
		text_release(&text);
	}
}

/* A pipe that has said little is recognised, if that could be nothing else. */
static void
few_lines_are_enough(void **state)
{
	static const struct { const char *text; bool is_sure; } rows[] = {
		{ "1732.000001 brk(NULL) = 0x55 <0.000004>\n1732.000031 close(3) = 0 <0.000005>\n173", true },
		{ "strace: Process 7 attached\n[pid 7] 12:00:00 brk(NULL) = 0x55 <0.000004>\n"
		  "[pid 7] 12:00:01 close(3) = -1 EBADF (Bad file descriptor) <0.000005>\n", true },
		{ "1732.000001 brk(NULL) = 0x55 <0.000004>\n", false },
		{ "brk(NULL) = 0x55\nclose(3) = 0\n", false },
		{ "As it was:\n1732.000001 brk(NULL) = 0x55 <0.000004>\n"
		  "1732.000031 close(3) = 0 <0.000005>\n", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned points = strace_source.recognise(
			(const uint8_t *)rows[i].text, strlen(rows[i].text));
		assert_int_equal(points == SOURCE_SURE, rows[i].is_sure);
	}
}

static void
drop(void *context, struct trace *snapshot)
{
	++*(size_t *)context;
	trace_free(snapshot);
}

static uint64_t scarce; /* that many allocations go well behind the third piece, until the fourth */

static bool
read_scarce(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	memory_fail_after(0);
	bool is_fine = livetesting_read(in, out, size, got, err);
	memory_fail_after(in->memory_at == 900 ? scarce : 0);
	return is_fine;
}

/* Where memory is short there is a picture less, or an error. */
static void
a_picture_without_memory_is_left_out(void **state)
{
	struct text text;
	size_t shown, most = 0, fewer = 0;
	(void)state;
	profiletesting_read_file("strace", "signals", ".txt", &text);
	for (scarce = 0; scarce < 300; scarce++) {
		const struct trace_watch watch = { drop, &shown, 0 };
		const struct source_wish wish = { .watch = &watch };
		struct input in;
		struct error err;
		error_clear(&err);
		assert_true(input_open_memory(&in, text.bytes, 2000, &err));
		in.read = read_scarce;
		shown = 0;
		struct trace *trace = strace_source.load(&in, &wish, &err);
		memory_fail_after(0);
		assert_true(trace != NULL || err.kind == ERROR_MEMORY);
		most = scarce == 0 ? shown : most;
		fewer += trace != NULL && shown == most - 1;
		input_close(&in);
		trace_free(trace);
	}
	assert_true(most > 3 && fewer > 50);
	text_release(&text);
}

static bool
load_short_of_memory(struct error *err)
{
	static const char text[] = "1 17:00:00.1 read(3,  <unfinished ...>\nstrace: Process 2 attached\n"
				   "2 17:00:00.2 close(3) = 0 <0.1>\n > a(b+0x1) [0x2]\nhello\n"
				   "1 17:00:00.05 <... read resumed>) = 1 <0.1>\n1 17:00:00.3 fork() = 3\n"
				   "2 17:00:00.3 xstrace: Process 4 attached\n(1) = 2\n"
				   "1 17:00:00.4 --- SIGINT {si_pid=1} ---\n1 17:00:00.5 +++ exited with 0 +++\n";
	struct trace *trace = load_or_not(text, sizeof text - 1, err);
	trace_free(trace);
	return trace != NULL;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("reading", load_short_of_memory) > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_the_oracle_says),
		cmocka_unit_test(lines_are_read_from_both_ends),
		cmocka_unit_test(calls_and_threads_are_put_together),
		cmocka_unit_test(the_wall_clock_is_known_of_unix_time),
		cmocka_unit_test(stacks_are_of_the_call_before),
		cmocka_unit_test(what_failed_and_files_are_told),
		cmocka_unit_test(damaged_lines_are_told),
		cmocka_unit_test(cut_anywhere_it_is_read),
		cmocka_unit_test(long_lines_are_read),
		cmocka_unit_test(lines_are_shown_as_they_come),
		cmocka_unit_test(few_lines_are_enough),
		cmocka_unit_test(a_picture_without_memory_is_left_out),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
