/*
 * One trace beneath another: captures of Go with the kernel's scheduler against what an independent reader says of
 * them, shifted clocks, captures of a part and with losses, and what cannot be put together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/beneath/stretch.h"
#include "analysis/findings.h"
#include "analysis/profile_request.h"
#include "analysis/samples.h"
#include "base/memory.h"
#include "base_testing.h"
#include "beneathtesting.h"
#include "draw/findings_words.h"
#include "jsonread.h"
#include "profiletesting.h"
#include "query/watch.h"
#include "query/search.h"
#include "report/profile.h"
#include "resulttesting.h"
#include "source/source.h"
#include "trace/lane.h"
#include "view/analyses.h"
#include "view/profile_page.h"
#include "tracetesting.h"

enum { MS = 1000000, US = 1000 };

/* As JSON lines. */
static void
report(const struct pair *pair, const char *by, const struct report_options *options, struct text *out)
{
	const struct analysis_kind *kind = registry_find("beneath", strlen("beneath"));
	void *parameter;
	struct error err;
	error_clear(&err);
	assert_true(analysis_read(kind, by, 0, &parameter, &err));
	const struct analysis_work work = { .kind = kind,
		.scope = { .actor = REF_NONE, .task = REF_NONE },
		.parameter = parameter,
		.beneath = &pair->beneath };
	if (!report_result(pair->above, &work, options, out, &err))
		fail_msg("%s: %s", by, err.message);
	analysis_forget(kind, parameter);
}

enum { TOTAL = BENEATH_STATES, TIMES };
static const char *const row_keys[TIMES] = { "on_ns", "ready_ns", "asleep_ns", "unknown_ns", "total_ns" };
static const char *const oracle_keys[TIMES] = { "on", "ready", "asleep", "unknown", "total" };

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(object, key, &value));
	return jsonslice_number(value);
}

/* The sums over all rows of a report; the parts of each are its total. */
static int
add_up(const struct text *out, int64_t sums_ns[TIMES])
{
	int rows = 0;
	memset(sums_ns, 0, TIMES * sizeof *sums_ns);
	for (const char *at = out->bytes; at != NULL && *at != '\0'; rows++) {
		struct jsonslice row = { at, strcspn(at, "\n") };
		int64_t parts_ns = 0;
		for (int i = 0; i < TIMES; i++)
			sums_ns[i] += number(row, row_keys[i]);
		for (int i = 0; i < BENEATH_STATES; i++)
			parts_ns += number(row, row_keys[i]);
		assert_int_equal(parts_ns, number(row, "total_ns"));
		at += row.length + (at[row.length] == '\n');
	}
	return rows;
}

static void
sums_of(const struct pair *pair, const char *by, int64_t sums_ns[TIMES])
{
	const struct report_options options = { .format = REPORT_AS_JSON };
	struct text out = { 0 };
	report(pair, by, &options, &out);
	add_up(&out, sums_ns);
	text_release(&out);
}

/* Every row is that of the oracle, and there are no others. */
static void
check_rows(const struct pair *pair, const char *name, const char *by, const char *part, const char *key_name)
{
	const struct report_options options = { .format = REPORT_AS_JSON };
	struct text oracle, out = { 0 };
	struct jsonslice all, key, classes, class_name, times;
	int64_t ignored[TIMES];
	int count = 0;
	profiletesting_read_file("go-and-sched", name, ".oracle.json", &oracle);
	report(pair, by, &options, &out);
	assert_true(jsonread_find((struct jsonslice){ oracle.bytes, oracle.length }, part, &all));
	struct jsonread in = jsonread_over(all);
	while (jsonread_member(&in, &key, &classes)) {
		struct jsonread each = jsonread_over(classes);
		while (jsonread_member(&each, &class_name, &times)) {
			char begin[120];
			snprintf(begin, sizeof begin, "{\"table\":\"beneath\",\"%s\":%.*s,\"class\":%.*s,", key_name,
				(int)key.length - 2, key.bytes + 1, (int)class_name.length, class_name.bytes);
			const char *row = strstr(out.bytes, begin);
			if (row == NULL)
				fail_msg("%s: no row %s", name, begin);
			for (int i = 0; i < TIMES; i++)
				if (number((struct jsonslice){ row, strcspn(row, "\n") }, row_keys[i]) !=
					number(times, oracle_keys[i]))
					fail_msg("%s: %s of %s", name, row_keys[i], begin);
			count++;
		}
	}
	assert_false(in.failed);
	assert_int_equal(add_up(&out, ignored), count);
	text_release(&oracle);
	text_release(&out);
}

static const char *const names[] = { "contention", "httpserver" };

static void
times_are_those_of_the_oracle(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct pair pair;
		struct error err;
		int64_t sums[4][TIMES];
		static const char *const by[] = { "", "thread", "function", "proc" };
		error_clear(&err);
		beneathtesting_open(&pair, names[i]);
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
		assert_int_equal(pair.beneath.shift_ns, 0);
		check_rows(&pair, names[i], "", "goroutines", "g");
		check_rows(&pair, names[i], "thread", "threads", "thread");
		for (int k = 0; k < 4; k++)
			sums_of(&pair, by[k], sums[k]);
		for (int k = 1; k < 4; k++)
			assert_memory_equal(sums[k], sums[0], sizeof sums[0]);
		beneathtesting_close(&pair);
	}
}

/* Of a clock that both state nothing is estimated; one that only one of them states, or another one, proves nothing. */
static void
clocks_are_stated(void **state)
{
	static const struct {
		const char *header, *told;
	} cases[] = {
		{ "# clockid: monotonic (1)\n", "perf_script has CLOCK_MONOTONIC (stated); shift 0s stated: " },
		{ "# clockid: boottime (7)\n", "perf_script has CLOCK_BOOTTIME (stated); shift 0s tested: " },
		{ "# clockid: 77\n", "perf_script does not say which it has; shift 0s tested: " } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text events, text = { 0 }, out = { 0 };
		struct error err;
		struct pair pair;
		error_clear(&err);
		profiletesting_read_file("go-and-sched", "contention", ".txt.gz", &events);
		text_format(&text, "# ========\n%s# ========\n#\n%s", cases[i].header, events.bytes);
		beneathtesting_put(&pair, "contention", beneathtesting_read("header", text.bytes, text.length));
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		beneath_add_clocks(&out, &pair.beneath);
		if (strstr(out.bytes, cases[i].told) == NULL)
			fail_msg("%s: %s", cases[i].header, out.bytes);
		beneathtesting_close(&pair);
		text_release(&events);
		text_release(&text);
		text_release(&out);
	}
}

/* A shift is never taken for none, and is found again within its error. */
static void
shifts_are_found(void **state)
{
	static const int64_t shifts_ns[] = { 30 * MS, -30 * MS, 31007 * US, 120 * MS, -777 * MS, 200 * US, -50 * US,
		INT64_C(123456789) * US };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct pair pair;
		beneathtesting_open(&pair, names[i]);
		int64_t origin_ns = pair.below->origin_ns;
		for (size_t k = 0; k < sizeof shifts_ns / sizeof *shifts_ns; k++) {
			struct error err;
			error_clear(&err);
			pair.below->origin_ns = origin_ns + shifts_ns[k];
			assert_true(beneath_align(&pair.beneath, NULL, &err));
			assert_int_equal(pair.beneath.clocks, BENEATH_ESTIMATED);
			int64_t off_ns = pair.beneath.shift_ns + shifts_ns[k];
			assert_in_range(off_ns < 0 ? -off_ns : off_ns, 0, pair.beneath.error_ns);
			assert_in_range(pair.beneath.error_ns, 1, 20 * US);
			beneath_shift(&pair.beneath, -shifts_ns[k]);
			assert_int_equal(pair.beneath.clocks, BENEATH_GIVEN);
			check_rows(&pair, names[i], "", "goroutines", "g");
		}
		beneathtesting_close(&pair);
	}
}

static void
what_is_asked_is_cut_to_its_time(void **state)
{
	struct report_options options = { .format = REPORT_AS_JSON };
	struct pair pair;
	int64_t whole[TIMES], part[TIMES], sums[TIMES] = { 0 };
	(void)state;
	beneathtesting_open(&pair, "contention");
	sums_of(&pair, "", whole);
	options.has_interval = true;
	for (int i = 0; i < 5; i++) {
		struct text out = { 0 };
		options.t0_ns = lane_edge(0, pair.above->end_ns + 1, 5, i);
		options.t1_ns = lane_edge(0, pair.above->end_ns + 1, 5, i + 1);
		report(&pair, "", &options, &out);
		add_up(&out, part);
		text_release(&out);
		for (int k = 0; k < TIMES; k++)
			sums[k] += part[k];
	}
	assert_memory_equal(sums, whole, sizeof sums);
	/* For people there is more. */
	struct text out = { 0 };
	options = (struct report_options){ .format = REPORT_AS_TEXT, .width_cells = 100, .limit = 3 };
	report(&pair, "thread", &options, &out);
	assert_non_null(strstr(out.bytes, "go has CLOCK_MONOTONIC (stated), perf_script does not say"));
	assert_non_null(strstr(out.bytes, "running   53.2 ms, on a CPU 37.5 ms (70%)"));
	assert_non_null(strstr(out.bytes, "compile (8.58 ms)"));
	text_release(&out);
	beneathtesting_close(&pair);
}

/* How long at a time, and why, as an independent reader of both files tells. */
static void
people_read_how_long_and_why(void **state)
{
	static const struct {
		const char *name, *line;
	} rows[] = {
		{ "contention", "running  on a CPU        1,497  7.55 us  54.2 us   308 us   771 us" },
		{ "contention", "running  waited for one     60    15 us  37.8 us  8.58 ms  8.58 ms" },
		{ "contention", "running  waited for a CPU     60  12.9 ms" },
		{ "contention", "running  sleep                22  2.86 ms" },
		{ "httpserver", "syscall  waited for one      6    17 us  2.15 ms  2.15 ms  2.15 ms" },
		{ "httpserver", "syscall  system call, disk sleep      1     1 us" },
		{ "quota", "running  waited for one    252   677 us  15.2 ms  70.8 ms  76.1 ms" },
		{ "quota", "running  throttled            29  1.39 s" },
		{ "quota", "running  waited for a CPU    223  562 ms" },
	};
	const struct report_options options = { .format = REPORT_AS_TEXT, .width_cells = 100, .ascii = true };
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pair pair;
		struct text out = { 0 };
		beneathtesting_open(&pair, rows[i].name);
		report(&pair, "", &options, &out);
		if (strstr(text_string(&out), rows[i].line) == NULL)
			fail_msg("%s: no %s in\n%s", rows[i].name, rows[i].line, text_string(&out));
		text_release(&out);
		beneathtesting_close(&pair);
	}
}

/* ---- less than all of the kernel's side */

/* The lines of `text` from a part of it on, and up to another, with the head that begins with '#'. */
static struct trace *
load_part(const char *name, const struct text *text, size_t from, size_t until)
{
	struct text part = { 0 };
	for (const char *at = text->bytes; *at == '#'; at = strchr(at, '\n') + 1)
		text_add(&part, at, (size_t)(strchr(at, '\n') + 1 - at));
	const char *begin = from == 0 ? text->bytes : strchr(text->bytes + from, '\n') + 1;
	const char *end = strchr(text->bytes + until - 1, '\n') + 1;
	text_add(&part, begin, (size_t)(end - begin));
	struct trace *trace = beneathtesting_read(name, part.bytes, part.length);
	text_release(&part);
	return trace;
}

static void
time_without_events_is_unknown(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct text text;
		struct pair pair;
		int64_t whole[TIMES], parts[3][TIMES];
		beneathtesting_open(&pair, names[i]);
		sums_of(&pair, "", whole);
		beneathtesting_close(&pair);
		profiletesting_read_file("go-and-sched", names[i], ".txt.gz", &text);
		size_t half = text.length / 2;
		const size_t places[][2] = { { 0, half }, { half, text.length }, { half - half / 4, half + half / 4 } };
		for (int k = 0; k < 3; k++) {
			struct error err;
			error_clear(&err);
			beneathtesting_put(&pair, names[i], load_part(names[i], &text, places[k][0], places[k][1]));
			assert_true(beneath_align(&pair.beneath, NULL, &err));
			assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
			sums_of(&pair, "", parts[k]);
			assert_int_equal(parts[k][TOTAL], whole[TOTAL]);
			for (int s = 0; s < BENEATH_UNKNOWN; s++)
				assert_in_range(parts[k][s], 0, whole[s]);
			assert_in_range(parts[k][BENEATH_UNKNOWN], 1, whole[TOTAL] - 1);
			beneathtesting_close(&pair);
		}
		text_release(&text);
	}
}

/* ---- piece by piece: thread 4247 of the upper trace over what these lines say */

static void
check_pieces(const char *lines, const char *wanted)
{
	static const char letters[BENEATH_STATES] = { 'O', 'R', 'S', '?' };
	struct text made = { 0 }, text = { 0 };
	struct beneath_piece piece;
	struct beneath_walk walk;
	struct pair pair;
	resource_ref thread = 0;
	text_format(&text, "%s%s", strstr(lines, "sched:") == NULL ? "# tracer: nop\n#\n" : "", lines);
	beneathtesting_put(&pair, "contention", beneathtesting_read("lines", text.bytes, text.length));
	while (trace_thread(pair.above, thread)->id != 4247)
		thread++;
	/* Microseconds since 5 s. */
	beneath_shift(&pair.beneath, pair.above->origin_ns - INT64_C(5000000000));
	beneath_begin(&walk, &pair.beneath, thread, -3 * US, 60 * US);
	int64_t at_ns = -3 * US, length_us = 0;
	char letter = '\0';
	while (beneath_next(&walk, &piece)) {
		char next = piece.is_gone ? 'x' : letters[piece.state];
		assert_int_equal(piece.from_ns, at_ns);
		assert_true(piece.until_ns > at_ns);
		at_ns = piece.until_ns;
		if (next != letter && letter != '\0') {
			text_format(&made, "%c%" PRId64 " ", letter, length_us);
			length_us = 0;
		}
		letter = next;
		length_us += (piece.until_ns - piece.from_ns) / US;
	}
	text_format(&made, "%c%" PRId64, letter, length_us);
	assert_int_equal(at_ns, 60 * US);
	assert_string_equal(text_string(&made), wanted);
	text_release(&made);
	text_release(&text);
	beneathtesting_close(&pair);
}

#define ON(cpu, us, was)                                                                           \
	"  <idle>-0     [00" #cpu "] d..2. 5.0000" #us                                             \
	": sched_switch: prev_comm=" was " prev_prio=120 prev_state=R ==> next_comm=a next_pid=4247 next_prio=120\n"
#define OFF(cpu, us, how, next)                                                                    \
	"  a-4247     [00" #cpu "] d..2. 5.0000" #us                                               \
	": sched_switch: prev_comm=a prev_pid=4247 prev_prio=120 prev_state=" how " ==> next_comm=" next " next_prio=120\n"
#define WAKE(cpu, us)                                                                              \
	"  b-9     [00" #cpu "] d..2. 5.0000" #us ": sched_waking: comm=a pid=4247 prio=120 target_cpu=000\n"
#define OTHER(cpu, us)                                                                             \
	"  b-9     [00" #cpu "] d..2. 5.0000" #us ": sched_waking: comm=c pid=10 prio=120 target_cpu=000\n"
#define IDLE "swapper/0 prev_pid=0"
#define TO_IDLE "swapper/0 next_pid=0"

static void
pieces_are_what_the_scheduler_says(void **state)
{
	(void)state;
	check_pieces(OTHER(1, 00) OFF(0, 10, "R+", TO_IDLE) ON(0, 20, IDLE) OFF(0, 30, "S", TO_IDLE) WAKE(1, 40)
			ON(1, 45, IDLE) OFF(1, 50, "D|K", TO_IDLE) OTHER(1, 55),
		"?13 R10 O10 S10 R5 O5 S5 ?5");
	/* A wake-up of who runs or is ready says nothing. */
	check_pieces(OTHER(1, 00) OFF(0, 10, "R", TO_IDLE) WAKE(1, 15) ON(0, 20, IDLE) WAKE(1, 25) OTHER(1, 55),
		"?13 R10 O35 ?5");
	/* Who was made did not exist, and who is dead does not. */
	check_pieces("  b-9 [001] d..2. 5.000000: sched_wakeup_new: comm=a pid=4247 prio=120 target_cpu=000\n"
			ON(0, 20, IDLE) OFF(0, 30, "X", TO_IDLE) OTHER(1, 55),
		"x3 R20 O10 x30");
	/* That it does something else on a CPU does not say since when it runs. */
	check_pieces(OTHER(1, 00) OFF(0, 10, "R", TO_IDLE)
			"  a-4247 [001] d..2. 5.000020: sched_waking: comm=c pid=10 prio=120 target_cpu=000\n"
			OFF(1, 30, "S", TO_IDLE) OTHER(1, 55),
		"?13 R20 S25 ?5");
	/* One that no line names. */
	check_pieces(OTHER(1, 00) OTHER(1, 55), "?63");
}

static void
time_behind_a_loss_is_unknown(void **state)
{
	static const char lost_0[] = "CPU:0 [LOST 7 EVENTS]\n", lost_1[] = "CPU:1 [LOST 7 EVENTS]\n";
	struct text lines = { 0 };
	(void)state;
	/* It began behind the last event of that CPU. */
	text_format(&lines, "%s%s%s%s", ON(0, 10, IDLE) OTHER(1, 15), lost_0, OTHER(0, 30) OFF(0, 40, "S", TO_IDLE),
		OTHER(1, 55));
	check_pieces(lines.bytes, "?43 S15 ?5");
	text_clear(&lines);
	text_format(&lines, "%s%s%s%s", ON(0, 10, IDLE) OTHER(1, 15), lost_1, OTHER(1, 30) OFF(0, 40, "S", TO_IDLE),
		OTHER(1, 55));
	check_pieces(lines.bytes, "?13 O30 S15 ?5");
	/* Asleep and ready, too; a wake-up names it. */
	text_clear(&lines);
	text_format(&lines, "%s%s%s%s", ON(0, 10, IDLE) OFF(0, 20, "S", TO_IDLE), lost_0,
		OTHER(0, 30) WAKE(1, 40), OTHER(1, 55));
	check_pieces(lines.bytes, "?13 O10 ?20 R15 ?5");
	text_clear(&lines);
	text_format(&lines, "%s%s%s%s", ON(0, 10, IDLE) OFF(0, 20, "R", TO_IDLE), lost_0,
		OTHER(0, 30) WAKE(1, 40), OTHER(1, 55));
	check_pieces(lines.bytes, "?13 O10 ?20 R15 ?5");
	text_clear(&lines);
	text_format(&lines, "%s%s%s%s", ON(0, 10, IDLE) OTHER(0, 20), lost_0, OTHER(0, 30) WAKE(1, 40), OTHER(1, 55));
	check_pieces(lines.bytes, "?13 O10 ?20 R15 ?5");
	/* The record of perf script. */
	check_pieces("a 4247/4247 [000] 5.000000: sched:sched_waking: comm=c pid=10 prio=120 target_cpu=000\n"
		     "x 0/0 [000] 5.000010: sched:sched_switch: prev_comm=x prev_pid=0 prev_prio=120 prev_state=R ==> "
		     "next_comm=a next_pid=4247 next_prio=120\n"
		     "a 4247/4247 [000] 5.000030: PERF_RECORD_LOST lost 12\n"
		     "a 4247/4247 [000] 5.000040: sched:sched_switch: prev_comm=a prev_pid=4247 prev_prio=120 prev_state=S ==> "
		     "next_comm=x next_pid=0 next_prio=120\n"
		     "b 9/9 [001] 5.000055: sched:sched_waking: comm=c pid=10 prio=120 target_cpu=000\n",
		"?43 S15 ?5");
	text_release(&lines);
}

/* ---- why thread 4247 sleeps, by these lines */

static void
check_reasons(const char *lines, bool is_in_call, const char *wanted)
{
	struct text made = { 0 }, text = { 0 };
	struct beneath_piece piece;
	struct beneath_walk walk;
	struct pair pair;
	resource_ref thread = 0;
	text_format(&text, "# tracer: nop\n#\n%s", lines);
	beneathtesting_put(&pair, "contention", beneathtesting_read("lines", text.bytes, text.length));
	while (trace_thread(pair.above, thread)->id != 4247)
		thread++;
	beneath_shift(&pair.beneath, pair.above->origin_ns - INT64_C(5000000000));
	beneath_begin(&walk, &pair.beneath, thread, 0, 60 * US);
	while (beneath_next(&walk, &piece))
		if (piece.state == BENEATH_ASLEEP) {
			text_add_string(&made, made.length > 0 ? "; " : "");
			text_add_reason(&made, &pair.beneath, reason_of_sleep(&walk, piece.from_ns, is_in_call));
		}
	assert_string_equal(text_string(&made), wanted);
	text_release(&made);
	text_release(&text);
	beneathtesting_close(&pair);
}

#define BY_IT(us, event) "  a-4247     [000] d..2. 5.0000" #us ": " event "\n"
#define FAULT "page_fault_user: address=0x4822c0 ip=0x4822c0 error_code=0x14"

static void
sleep_has_the_reason_that_is_told(void **state)
{
	(void)state;
	check_reasons(ON(0, 10, IDLE) OFF(0, 20, "S", TO_IDLE) ON(0, 30, IDLE) OFF(0, 40, "D", TO_IDLE) OTHER(1, 55), false,
		"sleep; disk sleep");
	check_reasons(ON(0, 10, IDLE) OFF(0, 20, "S", TO_IDLE) ON(0, 30, IDLE) OFF(0, 40, "D", TO_IDLE) OTHER(1, 55), true,
		"system call; system call, disk sleep");
	/* A fault is told where it is the last that the task did, and it sleeps as one in a fault does. */
	check_reasons(ON(0, 10, IDLE) BY_IT(19, FAULT) OFF(0, 20, "D", TO_IDLE) ON(0, 30, IDLE) BY_IT(31, FAULT)
			OFF(0, 40, "S", TO_IDLE) OTHER(1, 55),
		false, "page fault; sleep");
	check_reasons(ON(0, 10, IDLE) BY_IT(15, FAULT) BY_IT(19, "sched_stat_iowait: comm=a pid=4247 delay=1 [ns]")
			OFF(0, 20, "D", TO_IDLE) OTHER(1, 55),
		false, "disk sleep");
	check_reasons(ON(0, 10, IDLE) BY_IT(15, "sys_futex(uaddr: 1, op: 0)") OFF(0, 20, "S", TO_IDLE) ON(0, 30, IDLE)
			BY_IT(31, "sys_futex -> 0x0") BY_IT(32, "sys_read(fd: 1)") OFF(0, 40, "D", TO_IDLE) OTHER(1, 55),
		true, "futex; read, disk sleep");
}

/* ---- who had the CPU */

static void
check_holder(const char *lines, const char *wanted)
{
	struct text made = { 0 }, text = { 0 };
	struct pair pair;
	struct error err;
	struct stretch stretch = { .from_ns = 20 * US, .until_ns = 50 * US };
	error_clear(&err);
	text_format(&text, "# tracer: nop\n#\n%s", lines);
	beneathtesting_put(&pair, "contention", beneathtesting_read("lines", text.bytes, text.length));
	while (trace_thread(pair.above, stretch.thread)->id != 4247)
		stretch.thread++;
	beneath_shift(&pair.beneath, pair.above->origin_ns - INT64_C(5000000000));
	assert_true(stretch_add_holder(&stretch, &pair.beneath, true, &made, &err));
	assert_string_equal(text_string(&made), wanted);
	text_release(&made);
	text_release(&text);
	beneathtesting_close(&pair);
}

#define FROM(cpu, us, was, next)                                                                   \
	"  <idle>-0     [00" #cpu "] d..2. 5.0000" #us                                             \
	": sched_switch: prev_comm=" was " prev_prio=120 prev_state=R ==> next_comm=" next " next_prio=120\n"
#define X "x next_pid=30"
#define Y "y next_pid=31"
#define MOVE(cpu, us, to)                                                                          \
	"  z-32     [00" #cpu "] d..2. 5.0000" #us                                                 \
	": sched_migrate_task: comm=a pid=4247 prio=120 orig_cpu=0 dest_cpu=" #to "\n"

static void
who_had_the_cpu_follows_the_thread(void **state)
{
	(void)state;
	/* x has its CPU, y the other one, where it goes on. */
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "R", X) ON(1, 50, "y prev_pid=31")
			FROM(1, 55, "a prev_pid=4247", Y),
		"x (30 us)");
	/* It is told that it was moved. */
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "R", X) MOVE(2, 25, 1) ON(1, 50, "y prev_pid=31")
			FROM(1, 55, "a prev_pid=4247", Y),
		"y (25 us)");
	/* It was woken where it goes on. */
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "S", X) WAKE(2, 30) ON(1, 50, "y prev_pid=31")
			FROM(1, 55, "a prev_pid=4247", Y),
		"y (20 us)");
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "R", TO_IDLE) ON(0, 50, IDLE) OTHER(2, 55), "idle (30 us)");
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "R", X) FROM(0, 30, "x prev_pid=30", "swapper/0 next_pid=0")
			ON(0, 50, IDLE) OTHER(2, 55),
		"idle (20 us)");
	/* Nobody knows what was lost. */
	check_holder(FROM(1, 00, IDLE, Y) ON(0, 10, IDLE) OFF(0, 20, "R", TO_IDLE) ON(0, 50, IDLE) OTHER(2, 55)
			"CPU:1 [LOST 7 EVENTS]\n" OTHER(1, 58),
		"");
}

/* ---- what is odd */

static bool
find_odd(const struct pair *pair, const struct findings_scope *scope, struct findings *findings, struct error *err)
{
	struct findings_scope of = *scope;
	of.beneath = &pair->beneath;
	return findings_build(findings, pair->above, &of, NULL, err);
}

static const struct finding *
finding_of(const struct findings *findings, enum finding_kind kind)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind == kind)
			return &findings->items[i];
	return NULL;
}

static const struct {
	const char *name;
	enum finding_kind kind;
	const char *line, *advice; /* NULL: there is no such finding */
} odd[] = {
	{ "contention", FINDING_STARVED,
		"Goroutines ran for 53.2 ms by Go's account; their threads had a CPU for 37.5 ms of that and waited 12.9 ms "
		"for one, mostly while `compile` had both.",
		"keep what had the CPUs to other ones, or lower its priority" },
	{ "contention", FINDING_LATE,
		"2 stops of the world took 11.1 ms because a thread was not scheduled. The longest took 8.67 ms because thread "
		"4268 was not scheduled.",
		"give it more CPU, or lower GOMAXPROCS to the CPUs that it can have" },
	{ "contention", FINDING_HELD,
		"P0 was held by a thread without a CPU for 8.58 ms while 6 goroutines were ready. With others of 1 ms or more, "
		"Ps were held so for 11.3 ms in all.",
		"give it more CPU, or lower GOMAXPROCS to the CPUs that it can have" },
	{ "contention", FINDING_QUOTA, NULL, NULL },
	{ "httpserver", FINDING_STARVED,
		"Goroutines ran for 7.7 ms by Go's account; their threads had a CPU for 4.52 ms of that and waited 3.11 ms for "
		"one, mostly while `compile` had both.",
		"keep what had the CPUs to other ones, or lower its priority" },
	{ "httpserver", FINDING_LATE, NULL, NULL },
	{ "httpserver", FINDING_HELD, NULL, NULL },
	{ "httpserver", FINDING_QUOTA, NULL, NULL },
	{ "quota", FINDING_QUOTA,
		"All threads stood still for 54.1 ms to 64.8 ms of every 100 ms, 8 times, although they could run, and went on "
		"together: a CPU quota.",
		"raise the CPU limit of its container or group, or run fewer threads in it" },
	{ "quota", FINDING_STARVED,
		"Goroutines ran for 2.37 s by Go's account; their threads had a CPU for 417 ms of that and waited 1.95 s for "
		"one, mostly while a CPU quota stopped all threads.",
		"raise the CPU limit of its container or group" },
	{ "quota", FINDING_HELD,
		"P1 was held by a thread without a CPU for 16 ms while 1 goroutine was ready. With others of 1 ms or more, Ps "
		"were held so for 449 ms in all.",
		"give it more CPU, or lower GOMAXPROCS to the CPUs that it can have" },
};

static void
what_is_odd_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct pair pair;
		struct findings findings;
		struct error err;
		struct text line = { 0 }, advice = { 0 };
		error_clear(&err);
		beneathtesting_open(&pair, odd[i].name);
		assert_true(find_odd(&pair, &(const struct findings_scope){ .t1_ns = INT64_MAX }, &findings, &err));
		const struct finding *finding = finding_of(&findings, odd[i].kind);
		assert_true(findings.has_beneath);
		assert_int_equal(finding != NULL, odd[i].line != NULL);
		if (finding != NULL) {
			findings_add_line(&line, pair.above, finding, true);
			assert_string_equal(text_string(&line), odd[i].line);
			findings_add_advice(&advice, pair.above, finding);
			assert_string_equal(text_string(&advice), odd[i].advice);
		}
		text_release(&line);
		text_release(&advice);
		findings_release(&findings);
		beneathtesting_close(&pair);
	}
}

/* What threads waited is what the report says of all that ran, in the whole and in parts. */
static void
waits_are_those_of_the_report(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct pair pair;
		int64_t ready_ns = 0;
		beneathtesting_open(&pair, names[i]);
		struct report_options options = { .format = REPORT_AS_JSON, .has_interval = true };
		for (int part = 0; part < 3; part++) {
			struct findings findings;
			struct error err;
			struct text out = { 0 };
			int64_t sum_ns = 0;
			error_clear(&err);
			options.t0_ns = lane_edge(0, pair.above->end_ns, 3, part);
			options.t1_ns = lane_edge(0, pair.above->end_ns, 3, part + 1);
			report(&pair, "", &options, &out);
			for (const char *at = text_string(&out); *at != '\0'; at += strcspn(at, "\n") + 1) {
				struct jsonslice row = { at, strcspn(at, "\n") };
				if (strstr(at, "\"running\"") != NULL && strstr(at, "\"running\"") < at + row.length)
					sum_ns += number(row, "ready_ns");
			}
			const struct findings_scope scope = { .t0_ns = options.t0_ns, .t1_ns = options.t1_ns };
			assert_true(find_odd(&pair, &scope, &findings, &err));
			const struct finding *finding = finding_of(&findings, FINDING_STARVED);
			if (finding != NULL)
				assert_int_equal(finding->total_ns, sum_ns);
			ready_ns += finding != NULL ? finding->total_ns : 0;
			findings_release(&findings);
			text_release(&out);
		}
		assert_true(ready_ns > 0);
		beneathtesting_close(&pair);
	}
}

/* Fails at each of its allocations, until there is enough; and is ended. */
static void
looking_for_the_odd_may_fail(void **state)
{
	struct pair pair;
	struct findings findings;
	struct error err;
	bool is_fine = false;
	const struct findings_scope scope = { .t1_ns = INT64_MAX };
	(void)state;
	beneathtesting_open(&pair, "contention");
	for (uint64_t countdown = 1; !is_fine; countdown += 1 + countdown / 16) {
		error_clear(&err);
		memory_fail_after(countdown);
		is_fine = find_odd(&pair, &scope, &findings, &err);
		memory_fail_after(0);
		if (!is_fine)
			assert_int_equal(err.kind, ERROR_MEMORY);
	}
	findings_release(&findings);
	struct search_watch watch = { .is_cancelled = true };
	const struct findings_scope of = { .t1_ns = INT64_MAX, .beneath = &pair.beneath };
	error_clear(&err);
	assert_false(findings_build(&findings, pair.above, &of, &watch, &err));
	assert_int_equal(err.kind, ERROR_NONE);
	beneathtesting_close(&pair);
}

/* ---- what cannot be put together */


static void
what_does_not_fit_is_told(void **state)
{
	static const char others[] = OTHER(1, 00) OTHER(1, 10) OTHER(1, 20);
	static const char few[] = OTHER(1, 00) ON(0, 10, IDLE) OFF(0, 20, "S", TO_IDLE) OTHER(1, 55);
	(void)state;
	beneathtesting_refuses("contention", beneathtesting_load("httpserver", ".txt.gz"), "not of the same run");
	beneathtesting_refuses("httpserver", beneathtesting_load("contention", ".txt.gz"), "not of the same run");
	beneathtesting_refuses("contention", beneathtesting_read("others", others, strlen(others)), "not of the same run");
	beneathtesting_refuses("contention", beneathtesting_read("few", few, strlen(few)), "the clocks cannot be compared");
	/* Without the other trace there is nothing to tell. */
	struct trace *trace = testing_load("contention-go1.23");
	const struct report_options options = { .format = REPORT_AS_JSON };
	struct text out = { 0 };
	struct error err;
	error_clear(&err);
	assert_false(testing_result("beneath", trace, &options, &out, &err));
	error_clear(&err);
	assert_false(analysis_require(registry_needs("beneath"), trace, "beneath", &err));
	assert_non_null(strstr(err.message, "tells of no CPUs beneath threads"));
	text_release(&out);
	trace_free(trace);
}

/* Fails at each of its allocations, until there is enough. */
static void
memory_may_run_out(void **state)
{
	const struct analysis_kind *kind = registry_find("beneath", strlen("beneath"));
	const struct report_options options = { .format = REPORT_AS_TEXT, .width_cells = 80 };
	struct pair pair;
	struct error err;
	void *parameter;
	bool is_fine = false;
	(void)state;
	beneathtesting_open(&pair, "contention");
	pair.below->origin_ns += 30 * MS;
	assert_true(analysis_read(kind, "", 0, &parameter, &err));
	for (uint64_t countdown = 1; !is_fine; countdown += 1 + countdown / 16) {
		struct text out = { 0 };
		error_clear(&err);
		beneath_release(&pair.beneath);
		memory_fail_after(countdown);
		const struct analysis_work work = { .kind = kind,
			.scope = { .actor = REF_NONE, .task = REF_NONE },
			.parameter = parameter,
			.beneath = &pair.beneath };
		is_fine = beneath_init(&pair.beneath, pair.above, pair.below, &err) &&
			  beneath_align(&pair.beneath, NULL, &err) &&
			  report_result(pair.above, &work, &options, &out, &err) && !out.failed;
		memory_fail_after(0);
		text_release(&out);
		if (!is_fine && err.kind != ERROR_NONE)
			assert_int_equal(err.kind, ERROR_MEMORY);
	}
	assert_int_equal(pair.beneath.clocks, BENEATH_ESTIMATED);
	analysis_forget(kind, parameter);
	beneathtesting_close(&pair);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_the_oracle),
		cmocka_unit_test(clocks_are_stated),
		cmocka_unit_test(shifts_are_found),
		cmocka_unit_test(what_is_asked_is_cut_to_its_time),
		cmocka_unit_test(time_without_events_is_unknown),
		cmocka_unit_test(pieces_are_what_the_scheduler_says),
		cmocka_unit_test(time_behind_a_loss_is_unknown),
		cmocka_unit_test(sleep_has_the_reason_that_is_told),
		cmocka_unit_test(who_had_the_cpu_follows_the_thread),
		cmocka_unit_test(people_read_how_long_and_why),
		cmocka_unit_test(what_is_odd_is_told),
		cmocka_unit_test(waits_are_those_of_the_report),
		cmocka_unit_test(looking_for_the_odd_may_fail),
		cmocka_unit_test(what_does_not_fit_is_told),
		cmocka_unit_test(memory_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
