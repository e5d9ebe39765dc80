/*
 * Samples beneath: profiles of what threads ran against what an independent reader says, marks on lanes, clocks told by
 * stacks, and what cannot be asked.
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

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(object, key, &value));
	return jsonslice_number(value);
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
	struct trace *trace = beneathtesting_read(name, samples.bytes, samples.length);
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
		beneathtesting_put(&pair, "worker", alone ? load_samples("worker") : beneathtesting_load("worker", ".txt.gz"));
		assert_int_equal(beneath_has_states(pair.below), !alone);
		assert_true(beneath_has_samples(pair.below));
		assert_true(beneath_align(&pair.beneath, NULL, &err));
		assert_int_equal(pair.beneath.clocks, BENEATH_TESTED);
		assert_int_equal(pair.beneath.shift_ns, 0);
		assert_int_equal(pair.beneath.error_ns, 0);
		check_all_samples(&pair, &oracle);
		if (!alone)
			check_samples(&pair, &oracle, "switches", "beneath:sched:sched_switch", scope_actor);
		beneathtesting_close(&pair);
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
	beneathtesting_put(&pair, "worker", load_samples("worker"));
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
	beneathtesting_close(&pair);
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
	struct trace *above = beneathtesting_load("worker", ".trace.gz");
	struct span span = longest_span(above);
	int64_t from_ns = above->origin_ns + span.start_ns + (span.end_ns - span.start_ns) / 2;
	struct text lines = { 0 };
	size_t length;
	(void)state;
	const char *name = trace_text(above, trace_actor(above, span.actor)->name, &length);
	for (int i = 0; i < 20; i++)
		text_format(&lines, "worker 1/%" PRId64 " [000] %" PRId64 ".%09" PRId64 ": cpu-clock: \n\tff %.*s (/x)\n\n",
			trace_thread(above, span.thread)->id, from_ns / 1000000000, from_ns % 1000000000 + i, (int)length, name);
	beneathtesting_refuses("worker", beneathtesting_read("lines", lines.bytes, lines.length), "clocks cannot be compared: shifts from -");
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
	beneathtesting_put(&pair, "worker", load_samples("worker"));
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
	beneathtesting_close(&pair);
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
	beneathtesting_open(&pair, "worker");
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
	beneathtesting_close(&pair);
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
	beneathtesting_open(&pair, "worker");
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
	beneathtesting_close(&pair);
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
	beneathtesting_open(&pair, "contention");
	asked_in_vain(&pair, "beneath", NULL, "no trace lies beneath this one");
	asked_in_vain(&pair, "beneath:cycles", &pair.beneath,
		"the samples are of no type cycles: there are sched:sched_waking, sched:sched_switch, "
		"sched:sched_migrate_task, sched:sched_wakeup_new and sched:sched_process_exit");
	beneathtesting_close(&pair);
	beneathtesting_open(&pair, "httpserver");
	asked_in_vain(&pair, "beneath", &pair.beneath, "the trace beneath has no samples");
	beneathtesting_close(&pair);
	/* Stacks that name no actor say nothing of the clocks. */
	static const char samples[] = "a 1 5.000000: cpu-clock: \n\tff f (/x)\n\n";
	beneathtesting_refuses("worker", beneathtesting_read("samples", samples, strlen(samples)), "not of the same run");
}

/* Fails at each of its allocations, until there is enough. */
static void
memory_for_samples_may_run_out(void **state)
{
	struct profile_request request = { .of = "beneath" };
	struct pair pair;
	struct error err;
	bool is_fine = false;
	(void)state;
	beneathtesting_put(&pair, "worker", load_samples("worker"));
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
	beneathtesting_close(&pair);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_of_who_ran),
		cmocka_unit_test(samples_tell_the_shift),
		cmocka_unit_test(samples_that_fit_anyhow_tell_nothing),
		cmocka_unit_test(samples_stand_on_lanes),
		cmocka_unit_test(stacks_are_of_the_trace_beneath),
		cmocka_unit_test(pages_have_names_of_the_trace_beneath),
		cmocka_unit_test(samples_that_are_not_there_are_told),
		cmocka_unit_test(memory_for_samples_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
