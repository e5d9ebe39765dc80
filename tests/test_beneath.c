/*
 * One trace beneath another: captures of Go with the kernel's scheduler against what an independent reader says of
 * them, shifted clocks, captures of a part and with losses, and what cannot be put together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/profile_request.h"
#include "analysis/samples.h"
#include "base/memory.h"
#include "base_testing.h"
#include "jsonread.h"
#include "profiletesting.h"
#include "query/search.h"
#include "report/profile.h"
#include "resulttesting.h"
#include "source/source.h"
#include "trace/lane.h"
#include "view/analyses.h"
#include "view/profile_page.h"
#include "tracetesting.h"

enum { MS = 1000000, US = 1000 };

struct pair {
	struct trace *above, *below;
	struct beneath beneath;
};

static struct trace *
load_bytes(const char *name, const void *bytes, size_t size)
{
	const struct source_wish wish = { .is_lenient = true };
	struct input in;
	struct error err;
	error_clear(&err);
	struct trace *trace =
		input_open_memory(&in, bytes, size, &err) ? source_load(&in, NULL, &wish, &err) : NULL;
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	input_close(&in);
	return trace;
}

static struct trace *
load_file(const char *name, const char *suffix)
{
	struct text text;
	profiletesting_read_file("go-and-sched", name, suffix, &text);
	struct trace *trace = load_bytes(name, text.bytes, text.length);
	text_release(&text);
	return trace;
}

/* Takes over what is below. */
static void
put_beneath(struct pair *pair, const char *name, struct trace *below)
{
	struct error err;
	error_clear(&err);
	pair->above = load_file(name, ".trace.gz");
	pair->below = below;
	assert_true(beneath_is_above(pair->above));
	assert_true(beneath_is_below(pair->below));
	assert_false(beneath_is_below(pair->above));
	assert_false(beneath_is_above(pair->below));
	assert_true(beneath_init(&pair->beneath, pair->above, pair->below, &err));
}

static void
open_pair(struct pair *pair, const char *name)
{
	put_beneath(pair, name, load_file(name, ".txt.gz"));
}

static void
close_pair(struct pair *pair)
{
	beneath_release(&pair->beneath);
	trace_free(pair->above);
	trace_free(pair->below);
}

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
		open_pair(&pair, names[i]);
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
		assert_int_equal(pair.beneath.shift_ns, 0);
		check_rows(&pair, names[i], "", "goroutines", "g");
		check_rows(&pair, names[i], "thread", "threads", "thread");
		for (int k = 0; k < 4; k++)
			sums_of(&pair, by[k], sums[k]);
		for (int k = 1; k < 4; k++)
			assert_memory_equal(sums[k], sums[0], sizeof sums[0]);
		close_pair(&pair);
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
		open_pair(&pair, names[i]);
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
		close_pair(&pair);
	}
}

static void
what_is_asked_is_cut_to_its_time(void **state)
{
	struct report_options options = { .format = REPORT_AS_JSON };
	struct pair pair;
	int64_t whole[TIMES], part[TIMES], sums[TIMES] = { 0 };
	(void)state;
	open_pair(&pair, "contention");
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
	assert_non_null(strstr(out.bytes, "compile (6.71 ms)"));
	text_release(&out);
	close_pair(&pair);
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
	struct trace *trace = load_bytes(name, part.bytes, part.length);
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
		open_pair(&pair, names[i]);
		sums_of(&pair, "", whole);
		close_pair(&pair);
		profiletesting_read_file("go-and-sched", names[i], ".txt.gz", &text);
		size_t half = text.length / 2;
		const size_t places[][2] = { { 0, half }, { half, text.length }, { half - half / 4, half + half / 4 } };
		for (int k = 0; k < 3; k++) {
			struct error err;
			error_clear(&err);
			put_beneath(&pair, names[i], load_part(names[i], &text, places[k][0], places[k][1]));
			assert_true(beneath_align(&pair.beneath, NULL, &err));
			assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
			sums_of(&pair, "", parts[k]);
			assert_int_equal(parts[k][TOTAL], whole[TOTAL]);
			for (int s = 0; s < BENEATH_UNKNOWN; s++)
				assert_in_range(parts[k][s], 0, whole[s]);
			assert_in_range(parts[k][BENEATH_UNKNOWN], 1, whole[TOTAL] - 1);
			close_pair(&pair);
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
	put_beneath(&pair, "contention", load_bytes("lines", text.bytes, text.length));
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
	close_pair(&pair);
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

/* ---- what cannot be put together */

static void
refused(const char *name, struct trace *below, const char *wanted)
{
	struct pair pair;
	struct error err;
	error_clear(&err);
	put_beneath(&pair, name, below);
	assert_false(beneath_align(&pair.beneath, NULL, &err));
	if (strstr(err.message, wanted) == NULL)
		fail_msg("%s", err.message);
	close_pair(&pair);
}

static void
what_does_not_fit_is_told(void **state)
{
	static const char others[] = OTHER(1, 00) OTHER(1, 10) OTHER(1, 20);
	static const char few[] = OTHER(1, 00) ON(0, 10, IDLE) OFF(0, 20, "S", TO_IDLE) OTHER(1, 55);
	(void)state;
	refused("contention", load_file("httpserver", ".txt.gz"), "not of the same run");
	refused("httpserver", load_file("contention", ".txt.gz"), "not of the same run");
	refused("contention", load_bytes("others", others, strlen(others)), "not of the same run");
	refused("contention", load_bytes("few", few, strlen(few)), "the clocks cannot be compared");
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

/* ---- samples */

/* Those of a capture without the events of the scheduler. */
static struct trace *
load_samples(const char *name)
{
	struct text text, samples = { 0 };
	profiletesting_read_file("go-and-sched", name, ".txt.gz", &text);
	for (const char *at = text.bytes; *at != '\0';) {
		const char *behind = strstr(at, "\n\n");
		const char *end = behind != NULL ? behind + 2 : at + strlen(at), *clock = strstr(at, " cpu-clock: \n");
		if (clock != NULL && clock < strchr(at, '\n'))
			text_add(&samples, at, (size_t)(end - at));
		at = end;
	}
	struct trace *trace = load_bytes(name, samples.bytes, samples.length);
	text_release(&text);
	text_release(&samples);
	return trace;
}

/* How many samples there are of that in the scope; of: as behind the colon of --report=top. */
static int64_t
samples_of(const struct pair *pair, const char *of, const struct profile_scope *scope)
{
	struct profile_request request = { .of = of, .scope = *scope };
	struct profile profile;
	struct error err;
	error_clear(&err);
	request.scope.beneath = &pair->beneath;
	if (!profile_request_build(&request, pair->above, &profile, &err))
		fail_msg("%s: %s", of, err.message);
	int64_t count = profile_total(&profile), sum = 0;
	assert_ptr_equal(profile.trace, pair->below);
	for (uint32_t i = 0; i < profile.entry_count; i++)
		sum += profile_value(&profile, &profile.entries[i]);
	assert_int_equal(sum, count);
	profile_release(&profile);
	return count;
}

static int64_t
key_number(struct jsonslice key)
{
	return jsonslice_number((struct jsonslice){ key.bytes + 1, key.length - 2 });
}

/* Makes a scope that of what a key of the oracle names. */
static void
scope_actor(struct profile_scope *scope, const struct trace *trace, struct jsonslice key)
{
	for (scope->actor = 0; trace_actor(trace, scope->actor)->id != key_number(key);)
		scope->actor++;
}

static void
scope_task(struct profile_scope *scope, const struct trace *trace, struct jsonslice key)
{
	for (scope->task = 0; (int64_t)trace_task(trace, scope->task)->id != key_number(key);)
		scope->task++;
}

static void
scope_region(struct profile_scope *scope, const struct trace *trace, struct jsonslice key)
{
	size_t length = 0;
	const char *name = NULL;
	for (scope->region = 0; length != key.length - 2 || memcmp(name, key.bytes + 1, length) != 0;)
		name = trace_text(trace, ++scope->region, &length);
}

/* Each number of a part of the oracle is that of the samples; returns their sum. */
static int64_t
check_samples(const struct pair *pair, const struct text *oracle, const char *part, const char *of,
	void (*choose)(struct profile_scope *scope, const struct trace *trace, struct jsonslice key))
{
	struct jsonslice all, key, value;
	int64_t sum = 0;
	assert_true(jsonread_find((struct jsonslice){ oracle->bytes, oracle->length }, part, &all));
	struct jsonread in = jsonread_over(all);
	while (jsonread_member(&in, &key, &value)) {
		struct profile_scope scope = profile_whole(pair->above);
		choose(&scope, pair->above, key);
		int64_t count = samples_of(pair, of, &scope);
		if (count != jsonslice_number(value))
			fail_msg("%s %.*s: %" PRId64, part, (int)key.length, key.bytes, count);
		sum += count;
	}
	return sum;
}

static int64_t
samples_matching(const struct pair *pair, const char *query)
{
	struct profile_scope scope = profile_whole(pair->above);
	struct search *search;
	struct error err;
	error_clear(&err);
	search = search_new(pair->above, query, &err);
	assert_non_null(search);
	scope.only = search;
	int64_t count = samples_of(pair, "beneath", &scope);
	search_free(search);
	return count;
}

static void
check_all_samples(const struct pair *pair, const struct text *oracle)
{
	struct jsonslice all = { oracle->bytes, oracle->length }, states;
	struct profile_scope scope = profile_whole(pair->above);
	int64_t total = number(all, "total");
	assert_int_equal(samples_of(pair, "beneath", &scope), total);
	assert_int_equal(samples_of(pair, "beneath:cpu-clock", &scope), total);
	assert_int_equal(check_samples(pair, oracle, "goroutines", "beneath", scope_actor), total - number(all, "nobody"));
	check_samples(pair, oracle, "tasks", "beneath", scope_task);
	check_samples(pair, oracle, "regions", "beneath", scope_region);
	assert_true(jsonread_find(all, "states", &states));
	assert_int_equal(samples_matching(pair, "state=running"), number(states, "running"));
	assert_int_equal(samples_matching(pair, "state=syscall"), number(states, "syscall"));
	scope.t1_ns = number(all, "middle_ns");
	assert_int_equal(samples_of(pair, "beneath", &scope), number(all, "first half"));
	scope.t0_ns = scope.t1_ns;
	scope.t1_ns = INT64_MAX;
	assert_int_equal(samples_of(pair, "beneath", &scope), total - number(all, "first half"));
}

/* Also where nobody tells of the scheduler; events with stacks are no samples, but can be asked for. */
static void
samples_are_of_who_ran(void **state)
{
	struct text oracle;
	(void)state;
	profiletesting_read_file("go-and-sched", "worker", ".oracle.json", &oracle);
	for (int alone = 0; alone < 2; alone++) {
		struct pair pair;
		struct error err;
		error_clear(&err);
		put_beneath(&pair, "worker", alone ? load_samples("worker") : load_file("worker", ".txt.gz"));
		assert_int_equal(beneath_has_states(pair.below), !alone);
		assert_true(beneath_has_samples(pair.below));
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
		assert_int_equal(pair.beneath.shift_ns, 0);
		assert_int_equal(pair.beneath.error_ns, 0);
		check_all_samples(&pair, &oracle);
		if (!alone)
			check_samples(&pair, &oracle, "switches", "beneath:sched:sched_switch", scope_actor);
		close_pair(&pair);
	}
	text_release(&oracle);
}

static void
samples_tell_the_shift(void **state)
{
	static const int64_t shifts_ns[] = { 30 * MS, -30 * MS, 31007 * US, 777 * MS, 2 * MS, INT64_C(123456789) * US };
	struct pair pair;
	struct text line = { 0 };
	(void)state;
	put_beneath(&pair, "worker", load_samples("worker"));
	int64_t origin_ns = pair.below->origin_ns;
	for (size_t k = 0; k < sizeof shifts_ns / sizeof *shifts_ns; k++) {
		struct error err;
		error_clear(&err);
		pair.below->origin_ns = origin_ns + shifts_ns[k];
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		assert_int_equal(pair.beneath.clocks, BENEATH_ESTIMATED);
		int64_t off_ns = pair.beneath.shift_ns + shifts_ns[k];
		assert_in_range(off_ns < 0 ? -off_ns : off_ns, 0, pair.beneath.error_ns);
		assert_in_range(pair.beneath.error_ns, 1, 200 * US);
	}
	beneath_add_clocks(&line, &pair.beneath);
	assert_non_null(strstr(line.bytes, " samples agree"));
	text_release(&line);
	close_pair(&pair);
}

/* The longest running span of all threads. */
static struct span
longest_span(const struct trace *trace)
{
	struct span longest = { .start_ns = 0 }, span;
	for (resource_ref ref = 0; ref < trace_thread_count(trace); ref++)
		if (lane_longest(trace, (struct lane){ LANE_THREAD, ref }, 0, trace->end_ns, CLASS_BIT(CLASS_RUNNING), &span) &&
			span.end_ns - span.start_ns > longest.end_ns - longest.start_ns)
			longest = span;
	return longest;
}

/* Samples of who runs the same all the time fit, but so they would with another shift. */
static void
samples_that_fit_anyhow_tell_nothing(void **state)
{
	struct trace *above = load_file("worker", ".trace.gz");
	struct span span = longest_span(above);
	int64_t from_ns = above->origin_ns + span.start_ns + (span.end_ns - span.start_ns) / 2;
	struct text lines = { 0 };
	size_t length;
	(void)state;
	const char *name = trace_text(above, trace_actor(above, span.actor)->name, &length);
	for (int i = 0; i < 20; i++)
		text_format(&lines, "worker 1/%" PRId64 " [000] %" PRId64 ".%09" PRId64 ": cpu-clock: \n\tff %.*s (/x)\n\n",
			trace_thread(above, span.thread)->id, from_ns / 1000000000, from_ns % 1000000000 + i, (int)length, name);
	refused("worker", load_bytes("lines", lines.bytes, lines.length), "clocks cannot be compared: shifts from -");
	trace_free(above);
	text_release(&lines);
}

/* For marks: on the lanes of the trace above, in its time. */
static void
samples_stand_on_lanes(void **state)
{
	struct pair pair;
	struct samples samples;
	struct text oracle;
	struct jsonslice all, goroutines, key, value;
	struct error err;
	const atomic_bool is_cancelled = true;
	uint32_t on_threads = 0, on_processors = 0;
	(void)state;
	error_clear(&err);
	profiletesting_read_file("go-and-sched", "worker", ".oracle.json", &oracle);
	all = (struct jsonslice){ oracle.bytes, oracle.length };
	put_beneath(&pair, "worker", load_samples("worker"));
	pair.below->origin_ns -= 30 * MS;
	beneath_shift(&pair.beneath, 30 * MS);
	assert_true(beneath_find_samples(&samples, &pair.beneath, NULL, &err));
	assert_true(jsonread_find(all, "goroutines", &goroutines));
	struct jsonread in = jsonread_over(goroutines);
	while (jsonread_member(&in, &key, &value)) {
		struct profile_scope scope;
		scope_actor(&scope, pair.above, key);
		const struct lane lane = { LANE_ACTOR, scope.actor };
		assert_int_equal(samples_count(&samples, lane, 0, INT64_MAX), jsonslice_number(value));
		for (uint32_t at = samples_next(&samples, lane, 0); at != REF_NONE;) {
			struct span span;
			int64_t t_ns = samples_time_ns(&samples, at);
			assert_true(lane_span_at(pair.above, lane, t_ns, &span));
			assert_true(span.kind->state == STATE_RUNNING || span.kind->state == STATE_SYSCALL);
			assert_int_equal(samples_within(&samples, lane, t_ns, t_ns + 1, t_ns), at);
			at = samples_next(&samples, lane, t_ns + 1);
		}
	}
	for (resource_ref ref = 0; ref < trace_thread_count(pair.above); ref++)
		on_threads += samples_count(&samples, (struct lane){ LANE_THREAD, ref }, 0, INT64_MAX);
	for (resource_ref ref = 0; ref < trace_processor_count(pair.above); ref++)
		on_processors += samples_count(&samples, (struct lane){ LANE_PROCESSOR, ref }, 0, INT64_MAX);
	assert_int_equal(on_threads, number(all, "total"));
	assert_int_equal(samples_count(&samples, (struct lane){ LANE_ALL, 0 }, 0, INT64_MAX), on_threads);
	assert_in_range(on_processors, 1, number(all, "total") - number(all, "nobody"));
	samples_release(&samples);
	assert_false(beneath_find_samples(&samples, &pair.beneath, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	close_pair(&pair);
	text_release(&oracle);
}

/* The kernel's frames over those of the program, in all forms. */
static void
stacks_are_of_the_trace_beneath(void **state)
{
	const struct report_options options = { .format = REPORT_AS_TEXT, .width_cells = 100 };
	struct profile_request request = { .of = "beneath" };
	struct text out = { 0 };
	struct pair pair;
	struct error err;
	(void)state;
	error_clear(&err);
	open_pair(&pair, "worker");
	request.scope = profile_whole(pair.above);
	request.scope.beneath = &pair.beneath;
	assert_true(report_folded(pair.above, &request, &options, &out, &err));
	assert_non_null(strstr(out.bytes, "main.readZeros;"));
	assert_non_null(strstr(out.bytes, ";entry_SYSCALL_64_after_hwframe;do_syscall_64;ksys_read;"));
	text_clear(&out);
	assert_true(report_top(pair.above, &request, &options, &out, &err));
	assert_non_null(strstr(out.bytes, "Type: cpu-clock"));
	assert_non_null(strstr(out.bytes, "  read_zero\n"));
	text_clear(&out);
	const struct report_options json = { .format = REPORT_AS_JSON };
	assert_true(report_tree(pair.above, &request, &json, &out, &err));
	assert_non_null(strstr(out.bytes, "\"function\":\"read_zero\""));
	text_release(&out);
	close_pair(&pair);
}

/* The screen is told what lies beneath by the work alone. */
static void
pages_have_names_of_the_trace_beneath(void **state)
{
	const struct analysis_ops *ops = analysis_choose("top:beneath").row.ops;
	const struct analysis_kind *kind = registry_find("top", strlen("top"));
	struct pair pair;
	struct error err;
	void *parameter;
	bool has_kernel = false;
	(void)state;
	error_clear(&err);
	open_pair(&pair, "worker");
	assert_true(analysis_read(kind, "beneath", 0, &parameter, &err));
	struct analysis_work work = { .kind = kind,
		.trace = pair.above,
		.scope = { .is_all = true, .actor = REF_NONE, .task = REF_NONE },
		.parameter = parameter,
		.beneath = &pair.beneath };
	struct profile_numbers *numbers = ops->build(&work, &err);
	assert_non_null(numbers);
	assert_true(numbers->is_beneath);
	assert_int_equal(numbers->whole, 180);
	const struct call_tree *tree = numbers->trees[0];
	for (uint32_t i = call_tree_next(tree, 0); i != CALL_NONE; i = call_tree_next(tree, i))
		has_kernel |= tree->nodes[i].name_length == 9 && memcmp(tree->nodes[i].name, "read_zero", 9) == 0;
	assert_true(has_kernel);
	ops->release(numbers);
	atomic_store(&work.watch.is_cancelled, true);
	assert_null(ops->build(&work, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	analysis_forget(kind, parameter);
	close_pair(&pair);
}

static void
asked_in_vain(const struct pair *pair, const char *of, const struct beneath *beneath, const char *wanted)
{
	struct profile_request request = { .of = of, .scope = profile_whole(pair->above) };
	struct profile profile;
	struct error err;
	error_clear(&err);
	request.scope.beneath = beneath;
	assert_false(profile_request_build(&request, pair->above, &profile, &err));
	assert_string_equal(err.message, wanted);
}

static void
samples_that_are_not_there_are_told(void **state)
{
	struct pair pair;
	(void)state;
	open_pair(&pair, "contention");
	asked_in_vain(&pair, "beneath", NULL, "no trace lies beneath this one");
	asked_in_vain(&pair, "beneath:cycles", &pair.beneath,
		"the samples are of no type cycles: there are sched:sched_waking, sched:sched_switch, "
		"sched:sched_migrate_task, sched:sched_wakeup_new and sched:sched_process_exit");
	close_pair(&pair);
	open_pair(&pair, "httpserver");
	asked_in_vain(&pair, "beneath", &pair.beneath, "the trace beneath has no samples");
	close_pair(&pair);
	/* Stacks that name no actor say nothing of the clocks. */
	static const char samples[] = "a 1 5.000000: cpu-clock: \n\tff f (/x)\n\n";
	refused("worker", load_bytes("samples", samples, strlen(samples)), "not of the same run");
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
	open_pair(&pair, "contention");
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
	close_pair(&pair);
}

/* The same of samples. */
static void
memory_for_samples_may_run_out(void **state)
{
	struct profile_request request = { .of = "beneath" };
	struct pair pair;
	struct error err;
	bool is_fine = false;
	(void)state;
	put_beneath(&pair, "worker", load_samples("worker"));
	request.scope = profile_whole(pair.above);
	request.scope.task = 0;
	request.scope.beneath = &pair.beneath;
	for (uint64_t countdown = 1; !is_fine; countdown += 1 + countdown / 16) {
		struct samples samples = { .trace = NULL };
		struct profile profile = { .trace = NULL };
		error_clear(&err);
		beneath_release(&pair.beneath);
		memory_fail_after(countdown);
		is_fine = beneath_init(&pair.beneath, pair.above, pair.below, &err) &&
			  beneath_align(&pair.beneath, NULL, &err) &&
			  profile_request_build(&request, pair.above, &profile, &err) &&
			  beneath_find_samples(&samples, &pair.beneath, NULL, &err);
		memory_fail_after(0);
		profile_release(&profile);
		samples_release(&samples);
		if (!is_fine)
			assert_int_equal(err.kind, ERROR_MEMORY);
	}
	assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
	close_pair(&pair);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_the_oracle),
		cmocka_unit_test(shifts_are_found),
		cmocka_unit_test(what_is_asked_is_cut_to_its_time),
		cmocka_unit_test(time_without_events_is_unknown),
		cmocka_unit_test(pieces_are_what_the_scheduler_says),
		cmocka_unit_test(time_behind_a_loss_is_unknown),
		cmocka_unit_test(what_does_not_fit_is_told),
		cmocka_unit_test(samples_are_of_who_ran),
		cmocka_unit_test(samples_tell_the_shift),
		cmocka_unit_test(stacks_are_of_the_trace_beneath),
		cmocka_unit_test(pages_have_names_of_the_trace_beneath),
		cmocka_unit_test(samples_that_are_not_there_are_told),
		cmocka_unit_test(samples_that_fit_anyhow_tell_nothing),
		cmocka_unit_test(samples_stand_on_lanes),
		cmocka_unit_test(memory_may_run_out),
		cmocka_unit_test(memory_for_samples_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
