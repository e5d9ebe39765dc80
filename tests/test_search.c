/*
 * Search: patterns (case, plain text, what is hostile), and matches on lanes and in
 * time against a scan of every state that looks at every text.
 */
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "query/pattern.h"
#include "query/search.h"
#include "query/search_job.h"
#include "randomtrace.h"
#include "tracetesting.h"

/* ---- patterns */

static void
patterns_match_by_smart_case(void **state)
{
	(void)state;
	static const struct {
		const char *row, *pattern, *text;
		bool matches;
	} rows[] = {
		{ "lower case matches any", "worker", "main.Worker", true },
		{ "a capital wants a capital", "Worker", "main.worker", false },
		{ "a capital finds itself", "Worker", "main.Worker", true },
		{ "an escape is no capital", "\\Sorker", "main.Worker", true },
		{ "nor is a word border", "\\Bo\\B", "WORK", true },
		{ "nor a property", "\\p{Lu}orker", "Worker", true },
		{ "nor a code in hex", "\\x{4F}rk", "work", true },
		{ "nor a group's name", "(?<Name>work)er", "WORKER", true },
		{ "nor a reference to it", "(?P<Xy>w)\\k{Xy}", "WW", true },
		{ "nor a look behind", "(?<=w)ork", "WORK", true },
		{ "what a look behind wants is", "(?<=W)ork", "work", false },
		{ "what a group holds is", "(?:W)ork", "work", false },
		{ "quoted letters count", "\\QWork\\E", "work", false },
		{ "and end where they end", "\\Qw\\E\\Sr", "WOR", true },
		{ "capitals of other scripts", "\xc3\x84pfel", "\xc3\xa4pfel", false },
		{ "and their small letters", "\xc3\xa4pfel", "\xc3\x84pfel", true },
		{ "plain text", "'a.c", "abc", false },
		{ "plain text finds itself", "'net/http.(*conn).serve", "net/http.(*conn).serve", true },
		{ "its capitals count", "'a(B", "xa(b", false },
		{ "its escapes are letters", "'\\S", "\\s", false },
		{ "a pattern that is none", "net/http.(*conn).serve", "net/http.(*conn).serve", true },
		{ "and matches as plain text", "net/http.(*conn).serve", "net/http.conn.serve", false },
		{ "in any case", "net/http.(*conn).serve", "NET/HTTP.(*CONN).SERVE", true },
		{ "a start", "^main", "xmain", false },
		{ "an alternative", "^(?:a|b)$", "b", true },
		{ "across bytes that are no UTF-8", "after", "\xff\xfe after", true },
		{ "which nothing matches", "^.$", "\xff", false },
		{ "a pattern that is no UTF-8", "\xff(", "a\xff(b", true },
		{ "which compares bytes", "'\xff", "\xfe", false },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error note = { 0 };
		struct pattern *pattern = pattern_new(rows[i].pattern, &note);
		if (pattern == NULL)
			fail_msg("%s: %s", rows[i].row, note.message);
		if (pattern_matches(pattern, rows[i].text, strlen(rows[i].text)) !=
			rows[i].matches)
			fail_msg("%s: %s", rows[i].row, rows[i].matches ? "no match" : "a match");
		pattern_free(pattern);
	}
}

static void
what_does_not_compile_is_plain_text_with_a_note(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *note;
		bool is_plain;
	} rows[] = {
		{ "a+b", "", false },
		{ "'a(b", "", true },
		{ "a(b", "searched as plain text: missing closing parenthesis at character 4", true },
		{ "\xc3\xa4\xc3\xa4[",
			"searched as plain text: missing terminating ] for character class at "
			"character 4",
			true },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error note = { 0 };
		struct pattern *pattern = pattern_new(rows[i].pattern, &note);
		assert_non_null(pattern);
		check_text(rows[i].pattern, note.message, rows[i].note);
		assert_int_equal(note.kind, rows[i].note[0] == '\0' ? ERROR_NONE : ERROR_USAGE);
		assert_int_equal(pattern_is_plain(pattern), rows[i].is_plain);
		pattern_free(pattern);
	}
}

static void
nothing_is_no_pattern(void **state)
{
	(void)state;
	struct error note = { 0 };
	assert_null(pattern_new("", &note));
	assert_int_equal(note.kind, ERROR_USAGE);
	error_clear(&note);
	assert_null(pattern_new("'", &note));
	assert_int_equal(note.kind, ERROR_USAGE);
}

static void
without_another_pattern_the_first_stays(void **state)
{
	(void)state;
	struct error note = { 0 };
	struct pattern *pattern = NULL;
	assert_false(pattern_replace(&pattern, "", &note));
	assert_null(pattern);
	error_clear(&note);
	assert_true(pattern_replace(&pattern, "first", &note));
	assert_false(pattern_replace(&pattern, "'", &note));
	assert_int_equal(note.kind, ERROR_USAGE);
	assert_string_equal(pattern_text(pattern), "first");
	error_clear(&note);
	assert_true(pattern_replace(&pattern, "second", &note));
	assert_string_equal(pattern_text(pattern), "second");
	pattern_free(pattern);
}

/* Texts on which a pattern needs more steps than there are nanoseconds in a year. */
static void
no_pattern_runs_away(void **state)
{
	(void)state;
	static const char *const patterns[] = { "(a+)+$", "(a|aa)+$", "(.*)*b\\1$", "((a*)*)*c",
		"^(?:(a?){30}){30}$", "(?:(?:(?:a?){99}){99}){9}b" };
	char text[1000];
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '!';
	for (size_t i = 0; i < ARRAY_LENGTH(patterns); i++) {
		struct error note = { 0 };
		struct pattern *pattern = pattern_new(patterns[i], &note);
		assert_non_null(pattern);
		for (int n = 0; n < 1000; n++)
			assert_false(pattern_matches(pattern, text, sizeof(text)));
		pattern_free(pattern);
	}
	struct error note = { 0 };
	struct pattern *pattern = pattern_new("(a+)+$", &note);
	assert_false(pattern_matches(pattern, text, sizeof(text)));
	assert_int_equal(pattern_skipped(pattern), 1);
	assert_true(pattern_matches(pattern, text, sizeof(text) - 1));
	assert_int_equal(pattern_skipped(pattern), 1);
	pattern_free(pattern);
}

/* ---- a scan of everything */

/* A log, sample, region and so on that matches: the state in which it happened does. */
struct moment {
	actor_ref goroutine;
	int64_t t_ns;
};

struct scan {
	const struct trace *trace;
	const char *needle; /* plain text, lower case */
	struct moment *moments;
	size_t moment_count, moment_capacity;
	struct span *spans; /* that match */
	size_t count, capacity;
};

static bool
contains(const char *bytes, size_t length, const char *needle)
{
	size_t wanted = strlen(needle);
	for (size_t i = 0; i + wanted <= length; i++) {
		size_t same = 0;
		while (same < wanted && tolower((unsigned char)bytes[i + same]) == needle[same])
			same++;
		if (same == wanted)
			return true;
	}
	return false;
}

static bool
string_contains(const struct scan *scan, string_id id)
{
	size_t length;
	const char *bytes = trace_text(scan->trace, id, &length);
	return contains(bytes, length, scan->needle);
}

static bool
stack_contains(const struct scan *scan, stack_id stack)
{
	const struct stack_table *stacks = &scan->trace->stacks;
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack))
		if (string_contains(scan, stack_leaf(stacks, stack)->function))
			return true;
	return false;
}

static bool
goroutine_contains(const struct scan *scan, actor_ref ref)
{
	const struct actor *goroutine = trace_actor(scan->trace, ref);
	char id[32];
	int length = snprintf(id, sizeof(id), "G%" PRId64, goroutine->id);
	return contains(id, (size_t)length, scan->needle) ||
	       string_contains(scan, goroutine->name);
}

static void
add_moment(struct scan *scan, actor_ref goroutine, int64_t t_ns)
{
	struct error err = { 0 };
	assert_true(array_reserve(&scan->moments, &scan->moment_capacity, scan->moment_count + 1,
		sizeof(*scan->moments), &err));
	scan->moments[scan->moment_count++] = (struct moment){ goroutine, t_ns };
}

static void
scan_moments(struct scan *scan)
{
	const struct trace *trace = scan->trace;
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		bool is_sample = instant->type == INSTANT_SAMPLE;
		if (string_contains(scan, instant->category) ||
			string_contains(scan, instant->text) ||
			(is_sample && stack_contains(scan, instant->stack)))
			add_moment(scan, instant->actor, instant->time_ns);
	}
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (string_contains(scan, range->name))
			add_moment(scan, range_actor(range), range->start_ns);
	}
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		if (!string_contains(scan, task->name))
			continue;
		if (task->began_before)
			add_moment(scan, task->end_actor, task->end_ns);
		else
			add_moment(scan, task->start_actor, task->start_ns);
	}
}

/* Moments at the end of the trace belong to the span that is the goroutine's last one. */
static bool
moments_contain(const struct scan *scan, const struct span *span, bool is_last)
{
	for (size_t i = 0; i < scan->moment_count; i++) {
		int64_t t_ns = scan->moments[i].t_ns;
		if (scan->moments[i].goroutine == span->actor && t_ns >= span->start_ns &&
			(t_ns < span->end_ns || (is_last && t_ns == span->end_ns)))
			return true;
	}
	return false;
}

static bool
span_contains(const struct scan *scan, const struct span *span, bool is_last)
{
	return goroutine_contains(scan, span->actor) ||
	       string_contains(scan, span->kind->reason) ||
	       stack_contains(scan, span->stack) || stack_contains(scan, span->waker_stack) ||
	       moments_contain(scan, span, is_last);
}

static void
add_span(struct scan *scan, const struct span *span)
{
	struct error err = { 0 };
	assert_true(array_reserve(
		&scan->spans, &scan->capacity, scan->count + 1, sizeof(*scan->spans), &err));
	scan->spans[scan->count++] = *span;
}

static void
scan_goroutine(struct scan *scan, const struct search *search, actor_ref ref)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	struct span span, next;
	bool is_there = lane_next(scan->trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	while (is_there) {
		is_there = lane_after(scan->trace, lane, &span, &next);
		bool matches = span_contains(scan, &span, !is_there);
		if (search_matches(search, span.segment, span.state) != matches)
			fail_msg("\"%s\": G%" PRId64 " at %" PRId64 " is %s match", scan->needle,
				trace_actor(scan->trace, ref)->id, span.start_ns,
				matches ? "no" : "a");
		if (matches)
			add_span(scan, &span);
		span = next;
	}
}

/* The matching spans of one lane; those of procs and threads may end before their states do. */
static void
scan_lane(struct scan *on_lane, const struct scan *scan, const struct search *search,
	struct lane lane)
{
	struct span span, next;
	bool is_there = false;
	*on_lane = (struct scan){ .trace = scan->trace };
	if (lane.type == LANE_PROCESSOR || lane.type == LANE_THREAD)
		is_there = lane_next(scan->trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(scan->trace, lane, &span, &next), span = next)
		if (search_matches(search, span.segment, span.state))
			add_span(on_lane, &span);
	for (size_t i = 0; i < scan->count; i++) {
		actor_ref ref = scan->spans[i].actor;
		group_ref group = trace_actor(scan->trace, ref)->group;
		if (lane.type == LANE_ALL || (lane.type == LANE_GROUP && group == lane.ref) ||
			(lane.type == LANE_ACTOR && ref == lane.ref))
			add_span(on_lane, &scan->spans[i]);
	}
}

/* What is open holds at the trace's end, too. */
static bool
scan_overlaps(const struct scan *scan, int64_t t0_ns, int64_t t1_ns)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan->spans[i].start_ns < t1_ns &&
			scan->spans[i].end_ns + scan->spans[i].is_open > t0_ns)
			return true;
	return false;
}

/* ---- the search against the scan */

static uint64_t seed = 7;

static int64_t
random_time(const struct trace *trace)
{
	return (int64_t)random_below(&seed, (size_t)trace->end_ns + 2) - 1;
}

static void
check_lane(struct search *search, const struct scan *scan, struct lane lane)
{
	enum { CELLS = 23 };
	bool marks[CELLS];
	int64_t t0_ns = random_time(scan->trace), t1_ns = random_time(scan->trace);
	if (random_below(&seed, 2) == 0)
		t1_ns = t0_ns + (int64_t)random_below(&seed, 10000) + CELLS;
	if (t0_ns >= t1_ns)
		return;
	struct scan on_lane;
	scan_lane(&on_lane, scan, search, lane);
	if (search_has_any(search, lane) != (on_lane.count > 0))
		fail_msg("\"%s\": lane %d %u has %s match", scan->needle, lane.type, lane.ref,
			on_lane.count > 0 ? "a" : "no");
	search_cells(search, lane, t0_ns, t1_ns, CELLS, marks);
	for (int i = 0; i < CELLS; i++) {
		int64_t from_ns = lane_edge(t0_ns, t1_ns, CELLS, i);
		int64_t to_ns = lane_edge(t0_ns, t1_ns, CELLS, i + 1);
		bool wanted = scan_overlaps(&on_lane, from_ns, to_ns);
		if (from_ns < to_ns && (marks[i] != wanted ||
					       search_overlaps(search, lane, from_ns, to_ns) != wanted))
			fail_msg("\"%s\": lane %d %u, [%" PRId64 ", %" PRId64 "): wanted %s match",
				scan->needle, lane.type, lane.ref, from_ns, to_ns,
				wanted ? "a" : "no");
	}
	memory_free(on_lane.spans);
}

static void
check_lanes(struct search *search, const struct scan *scan)
{
	const struct trace *trace = scan->trace;
	for (resource_ref p = 0; p < trace_processor_count(trace); p++)
		check_lane(search, scan, (struct lane){ LANE_PROCESSOR, p });
	for (resource_ref t = 0; t < trace_thread_count(trace); t++)
		check_lane(search, scan, (struct lane){ LANE_THREAD, t });
	for (group_ref g = 0; g < trace->group_count; g++)
		check_lane(search, scan, (struct lane){ LANE_GROUP, g });
	for (int i = 0; i < 8; i++) {
		uint32_t any = (uint32_t)random_below(&seed, trace_actor_count(trace));
		check_lane(search, scan, (struct lane){ LANE_ACTOR, any });
		check_lane(search, scan, (struct lane){ LANE_ALL, 0 });
	}
}

static size_t
scan_before(const struct scan *scan, int64_t t_ns)
{
	size_t count = 0;
	for (size_t i = 0; i < scan->count; i++)
		count += scan->spans[i].start_ns < t_ns;
	return count;
}

/* All matches in order, each one once, and back from each to its index. */
static void
check_order(struct search *search, const struct scan *scan)
{
	int64_t at_ns = INT64_MIN;
	struct span span;
	for (uint64_t i = 0; i < scan->count; i++) {
		uint64_t index = UINT64_MAX;
		assert_true(search_match(search, i, &span));
		assert_true(span.start_ns >= at_ns);
		assert_true(search_matches(search, span.segment, span.state));
		assert_true(search_index(search, span.segment, span.state, &index));
		assert_int_equal(index, i);
		at_ns = span.start_ns;
	}
	assert_false(search_match(search, scan->count, &span));
}

static void
check_moments(struct search *search, const struct scan *scan)
{
	for (int i = 0; i < 40; i++) {
		int64_t t_ns = random_time(scan->trace);
		if (scan->count > 0 && i % 2 == 0)
			t_ns = scan->spans[random_below(&seed, scan->count)].start_ns;
		struct span span;
		uint64_t index;
		size_t before = scan_before(scan, t_ns), until = scan_before(scan, t_ns + 1);
		assert_int_equal(search_before(search, t_ns), before);
		assert_int_equal(search_next(search, t_ns, &span, &index), until < scan->count);
		if (until < scan->count) {
			assert_int_equal(index, until);
			assert_true(span.start_ns > t_ns);
		}
		assert_int_equal(search_previous(search, t_ns, &span, &index), before > 0);
		if (before > 0) {
			assert_int_equal(index, before - 1);
			assert_true(span.start_ns < t_ns);
		}
	}
}

static void
check_search(const struct trace *trace, const char *needle)
{
	struct scan scan = { .trace = trace, .needle = needle };
	struct error note = { 0 };
	char pattern[100];
	snprintf(pattern, sizeof(pattern), "'%s", needle);
	struct search *search = search_new(trace, pattern, &note);
	assert_non_null(search);
	assert_int_equal(note.kind, ERROR_NONE);
	scan_moments(&scan);
	for (actor_ref g = 0; g < trace_actor_count(trace); g++) {
		assert_int_equal(
			search_matches_actor(search, g), goroutine_contains(&scan, g));
		scan_goroutine(&scan, search, g);
	}
	assert_int_equal(search_count(search), scan.count);
	check_order(search, &scan);
	check_moments(search, &scan);
	check_lanes(search, &scan);
	search_free(search);
	memory_free(scan.spans);
	memory_free(scan.moments);
}

static void
check_trace(const char *name)
{
	static const char *const needles[] = { "main.", "sleep", "g1", "gc", "e", "chan receive",
		"inner", "plain", "nothing has this in it", "conn" };
	struct trace *trace = testing_load(name);
	for (size_t i = 0; i < ARRAY_LENGTH(needles); i++)
		check_search(trace, needles[i]);
	trace_free(trace);
}

static void
finds_what_a_scan_finds(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

static void
check_random_trace(uint64_t random_seed)
{
	static const char *const needles[] = { "function1", "sleep", "g1", "select", "main" };
	static struct random_trace random;
	random_trace_make(&random, random_seed);
	print_message("seed %" PRIu64 "\n", random_seed);
	seed = random_seed;
	for (size_t i = 0; i < ARRAY_LENGTH(needles); i++)
		check_search(random.trace, needles[i]);
	random_trace_release(&random);
}

static void
finds_what_a_scan_finds_in_random_traces(void **state)
{
	(void)state;
	random_each_seed(20, check_random_trace);
}

/* "G7" is a goroutine and not the beginning of G70; names match from their start. */
static void
a_goroutine_is_found_by_its_id(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct error note = { 0 };
	struct search *search = search_new(trace, "^G7\\b", &note);
	assert_non_null(search);
	actor_ref g7 = trace_find_actor(trace, 7), g70 = trace_find_actor(trace, 70);
	assert_true(search_matches_actor(search, g7));
	assert_false(search_matches_actor(search, g70));
	search_free(search);
	search = search_new(trace, "^main\\.grow\\.func2$", &note);
	assert_true(search_matches_actor(search, g7));
	assert_true(search_matches_actor(search, g70));
	search_free(search);
	search = search_new(trace, "^G70 main", &note);
	assert_true(search_matches_actor(search, g70));
	search_free(search);
	trace_free(trace);
}

/* A pattern that also matches nothing at all does not make every nameless state match. */
static void
no_text_is_no_match(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.23");
	struct error note = { 0 };
	struct search *search = search_new(trace, "^x?$", &note);
	assert_non_null(search);
	assert_int_equal(search_count(search), 0);
	search_free(search);
	trace_free(trace);
}

static struct trace *failing_trace;

static bool
search_once(struct error *err)
{
	struct search *search = search_new(failing_trace, "main", err);
	if (search == NULL)
		return false;
	search_free(search);
	return true;
}

static void
reports_want_of_memory(void **state)
{
	(void)state;
	failing_trace = testing_load("seed-go122");
	assert_true(fail_each_allocation("search", search_once) > 10);
	trace_free(failing_trace);
}

/* ---- on a worker */

static void
check_groups_alike(const struct trace *trace, struct search *one, struct search *other)
{
	enum { CELLS = 200 };
	bool marks[CELLS], wanted[CELLS];
	for (group_ref i = 0; i < trace->group_count; i++) {
		struct lane lane = { LANE_GROUP, i };
		search_cells(one, lane, 0, trace->end_ns, CELLS, marks);
		search_cells(other, lane, 0, trace->end_ns, CELLS, wanted);
		assert_memory_equal(marks, wanted, sizeof marks);
	}
}

static void
count_wake(void *context)
{
	atomic_fetch_add((atomic_int *)context, 1);
}

static void
a_job_makes_the_same_search(void **state)
{
	(void)state;
	struct error note = { 0 };
	atomic_int wakes = 0;
	struct trace *trace = testing_load("contention-go1.23");
	struct search *wanted = search_new(trace, "select|Mutex", &note), *search = NULL;
	struct search_job *job =
		search_job_start(trace, "select|Mutex", count_wake, &wakes, &note);
	assert_non_null(job);
	int percent = 0, before = 0;
	for (; !search_job_take(job, &search, &note); before = percent) {
		percent = search_job_percent(job);
		assert_true(percent >= before);
	}
	assert_false(search_job_take(job, &search, &note));
	assert_true(search_count(search) == search_count(wanted));
	search_job_wait(job);
	assert_true(search_job_is_done(job));
	assert_int_equal(search_job_percent(job), 99);
	assert_int_equal(wakes, 2);
	check_groups_alike(trace, search, wanted);
	search_job_end(job);
	check_groups_alike(trace, search, wanted);
	search_free(search);
	search_free(wanted);
	trace_free(trace);
}

/* Whatever it has by then: nothing, the search alone, or some groups, which can be asked for all the same. */
static void
a_job_can_be_ended_at_any_time(void **state)
{
	(void)state;
	struct error note = { 0 };
	struct trace *trace = testing_load("contention-go1.23");
	struct search *wanted = search_new(trace, "main", &note);
	for (int round = 0; round < 20; round++) {
		struct search *search = NULL;
		struct search_job *job = search_job_start(trace, "main", NULL, NULL, &note);
		assert_non_null(job);
		while (round % 2 == 1 && !search_job_take(job, &search, &note))
			continue;
		search_job_end(job);
		if (search != NULL)
			check_groups_alike(trace, search, wanted);
		search_free(search);
	}
	assert_null(search_job_start(trace, "", NULL, NULL, &note));
	assert_int_equal(note.kind, ERROR_USAGE);
	search_free(wanted);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_by_smart_case),
		cmocka_unit_test(what_does_not_compile_is_plain_text_with_a_note),
		cmocka_unit_test(nothing_is_no_pattern),
		cmocka_unit_test(without_another_pattern_the_first_stays),
		cmocka_unit_test(no_pattern_runs_away),
		cmocka_unit_test(finds_what_a_scan_finds),
		cmocka_unit_test(finds_what_a_scan_finds_in_random_traces),
		cmocka_unit_test(a_goroutine_is_found_by_its_id),
		cmocka_unit_test(no_text_is_no_match),
		cmocka_unit_test(reports_want_of_memory),
		cmocka_unit_test(a_job_makes_the_same_search),
		cmocka_unit_test(a_job_can_be_ended_at_any_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
