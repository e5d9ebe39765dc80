/*
 * Profiles against those of Go's own tools, against sums over the spans of the index, and
 * what is printed of them.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/profile.h"
#include "analysis/profile_top.h"
#include "base/memory.h"
#include "gotrace_testing.h"
#include "query/query.h"
#include "query/search.h"
#include "report/profile.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "tracetesting.h"

static struct profile
build(const struct trace *trace, enum profile_kind kind, const struct profile_scope *scope)
{
	struct profile profile;
	struct error err = { 0 };
	if (!profile_build(&profile, trace, kind, scope, &err))
		fail_msg("%s: %s", profile_name(kind), err.message);
	return profile;
}

/* ---- against Go */

/*
 * Go 1.22 orders events of different threads that bear the same time at random, and moves the
 * later one by a nanosecond.
 */
static const struct case_of_go {
	const char *name, *kind;
} tied[] = { { "contention-go1.22", "sched" } };

static bool
is_as_in_go(const struct case_of_go *of, int64_t got_ns, int64_t wanted_ns)
{
	bool is_tied = strcmp(of->name, tied[0].name) == 0 && strcmp(of->kind, tied[0].kind) == 0;
	int64_t off_ns = got_ns - wanted_ns;
	return off_ns == 0 || (is_tied && (off_ns == 1 || off_ns == 2));
}

/* The addresses of a stack, from the leaf outwards. */
static const char *
addresses(const struct trace *trace, stack_id stack)
{
	static struct text text;
	text.length = 0;
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack))
		text_format(&text, "%s0x%" PRIx64, text.length > 0 ? " " : "",
			stack_leaf(&trace->stacks, stack)->pc);
	text_add(&text, "", 1);
	return text.bytes;
}

static bool
is_stack_fact(const struct fact *fact, const char *kind)
{
	return strcmp(fact->fields[0], "stack") == 0 && strcmp(fact->fields[1], kind) == 0;
}

static void
check_entry(const struct case_of_go *of, const struct facts *facts, const struct trace *trace,
	const struct profile_entry *entry)
{
	const char *stack = addresses(trace, entry->stack);
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		if (!is_stack_fact(fact, of->kind) || strcmp(fact->fields[4], stack) != 0)
			continue;
		if ((uint64_t)fact_number(fact, 2, 0) != entry->count ||
			!is_as_in_go(of, entry->ns, fact_number(fact, 3, 0)))
			fail_msg("%s: %s: %s: Go has %s in %s ns, this is %" PRIu64 " in %" PRId64,
				of->name, of->kind, stack, fact->fields[2], fact->fields[3],
				entry->count, entry->ns);
		return;
	}
	fail_msg("%s: %s: Go does not have %" PRIu64 " in %" PRId64 " at %s", of->name, of->kind,
		entry->count, entry->ns, stack);
}

static void
check_go(const char *name)
{
	struct trace *trace = testing_load(name);
	struct profile_scope scope = profile_whole(trace);
	scope.rule = PROFILE_STACKED;
	struct facts facts;
	facts_read(&facts, name, ".pprof.txt");
	for (int kind = PROFILE_NET; kind <= PROFILE_SCHED; kind++) {
		struct case_of_go of = { name, profile_name((enum profile_kind)kind) };
		struct profile profile = build(trace, (enum profile_kind)kind, &scope);
		uint32_t wanted = 0;
		for (size_t i = 0; i < facts.count; i++)
			wanted += is_stack_fact(&facts.lines[i], of.kind);
		for (uint32_t i = 0; i < profile.entry_count; i++)
			check_entry(&of, &facts, trace, &profile.entries[i]);
		if (profile.entry_count != wanted)
			fail_msg("%s: %s: %u stacks, Go has %u", name, of.kind, profile.entry_count,
				wanted);
		profile_release(&profile);
	}
	facts_release(&facts);
	trace_free(trace);
}

static void
profiles_equal_those_of_go(void **state)
{
	(void)state;
	testing_each(".pprof.txt", check_go);
}

/* ---- the table */

/* The share in the second field of a line of a table and so on: "30.07%". */
static void
split_row(char *line, char *fields[6])
{
	for (int i = 0; i < 5; i++) {
		line += strspn(line, " ");
		fields[i] = line;
		line += strcspn(line, " ");
		assert_true(*line != '\0');
		*line++ = '\0';
	}
	fields[5] = line + strspn(line, " ");
}

static void
check_row(const struct case_of_go *of, const struct top_row *row, char *got, const char *wanted)
{
	char *theirs = memory_realloc(NULL, strlen(wanted) + 1);
	char *ours[6], *fields[6];
	assert_non_null(theirs);
	memcpy(theirs, wanted, strlen(wanted) + 1);
	split_row(theirs, fields);
	split_row(got, ours);
	for (int i = 1; i < 6; i++)
		if (i != 3 && strcmp(ours[i], fields[i]) != 0)
			fail_msg("%s: %s: %s: %s, Go has %s", of->name, of->kind, fields[5],
				ours[i], fields[i]);
	if (!is_as_in_go(of, row->flat, strtoll(fields[0], NULL, 10)) ||
		!is_as_in_go(of, row->cum, strtoll(fields[3], NULL, 10)))
		fail_msg("%s: %s: %s: %" PRId64 " and %" PRId64 ", Go has %s and %s", of->name,
			of->kind, fields[5], row->flat, row->cum, fields[0], fields[3]);
	memory_free(theirs);
}

/* Line by line; the units of the printed table are for people, the rows have nanoseconds. */
static void
check_table(const struct case_of_go *of, const struct facts *facts, const struct profile_top *top,
	char *line)
{
	uint32_t number = 0;
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		if (strcmp(fact->fields[0], "top") != 0 || strcmp(fact->fields[1], of->kind) != 0)
			continue;
		char *end = strchr(line, '\n');
		assert_non_null(end);
		*end = '\0';
		if (number == 0 || number == 2)
			assert_string_equal(line, fact->fields[2]);
		if (number >= 3) {
			assert_true(number - 3 < top->row_count);
			check_row(of, &top->rows[number - 3], line, fact->fields[2]);
		}
		line = end + 1;
		number++;
	}
	assert_int_equal(number, top->row_count + 3);
	assert_string_equal(line, "");
}

static void
check_tables(const char *name)
{
	struct trace *trace = testing_load(name);
	struct report_options options = { .width_cells = 100 };
	struct error err = { 0 };
	struct facts facts;
	facts_read(&facts, name, ".pprof.txt");
	for (int kind = PROFILE_NET; kind <= PROFILE_SCHED; kind++) {
		struct profile_request request = { .kind = (enum profile_kind)kind,
			.scope = profile_whole(trace) };
		request.scope.rule = PROFILE_STACKED;
		struct case_of_go of = { name, profile_name(request.kind) };
		struct profile profile = build(trace, request.kind, &request.scope);
		struct profile_top top;
		struct text out = { 0 };
		assert_true(profile_top_build(&top, &profile, NULL, &err));
		assert_true(report_top(trace, &request, &options, &out, &err));
		check_table(&of, &facts, &top, out.bytes);
		text_release(&out);
		profile_top_release(&top);
		profile_release(&profile);
	}
	facts_release(&facts);
	trace_free(trace);
}

static void
the_table_is_that_of_pprof(void **state)
{
	(void)state;
	testing_each(".pprof.txt", check_tables);
}

/* ---- sums */

static int64_t
time_in(const struct trace *trace, class_mask classes, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns = 0;
	lane_totals(trace, (struct lane){ LANE_ALL, 0 }, t0_ns, t1_ns, totals_ns);
	for (int i = 0; i < CLASS_COUNT; i++)
		if (classes & CLASS_BIT(i))
			sum_ns += totals_ns[i];
	return sum_ns;
}

static void
check_sums(const struct profile *profile)
{
	uint64_t count = 0;
	int64_t ns = 0;
	for (uint32_t i = 0; i < profile->entry_count; i++) {
		assert_true(profile->entries[i].count > 0);
		assert_true(i == 0 || profile->entries[i - 1].stack < profile->entries[i].stack);
		count += profile->entries[i].count;
		ns += profile->entries[i].ns;
	}
	assert_int_equal(count, profile->sum.count);
	assert_int_equal(ns, profile->sum.ns);
}

/* The time of a profile over an interval, of one goroutine or all. */
static int64_t
total_of(const struct trace *trace, enum profile_kind kind, struct profile_scope scope)
{
	struct profile profile = build(trace, kind, &scope);
	int64_t total = profile_total(&profile);
	check_sums(&profile);
	profile_release(&profile);
	return total;
}

enum { CUTS = 7 };

/* Parts of the trace, and its goroutines, each on its own come to the whole. */
static void
check_parts(const char *name, const struct trace *trace, enum profile_kind kind,
	enum profile_rule rule)
{
	struct profile_scope scope = profile_whole(trace);
	scope.rule = rule;
	scope.with_runtime = true;
	int64_t whole = total_of(trace, kind, scope), sum = 0;
	int64_t end_ns = scope.t1_ns;
	for (int i = 0; i < CUTS; i++) {
		scope.t0_ns = lane_edge(0, end_ns, CUTS, i);
		scope.t1_ns = lane_edge(0, end_ns, CUTS, i + 1);
		sum += total_of(trace, kind, scope);
	}
	if (sum != whole)
		fail_msg("%s: %s: parts come to %" PRId64 ", the whole is %" PRId64, name,
			profile_name(kind), sum, whole);
	scope = profile_whole(trace);
	scope.rule = rule;
	scope.with_runtime = true;
	sum = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		scope.actor = i;
		sum += total_of(trace, kind, scope);
	}
	if (sum != whole && kind != PROFILE_CPU)
		fail_msg("%s: %s: goroutines come to %" PRId64 ", the whole is %" PRId64, name,
			profile_name(kind), sum, whole);
}

static void
check_index(const char *name, const struct trace *trace, enum profile_kind kind)
{
	struct profile_scope scope = profile_whole(trace);
	scope.with_runtime = true;
	for (int i = 0; i < CUTS; i++) {
		scope.t0_ns = lane_edge(0, trace->end_ns, CUTS, i);
		scope.t1_ns = lane_edge(0, trace->end_ns, CUTS, i + 1);
		int64_t wanted =
			time_in(trace, profile_classes(kind), scope.t0_ns, scope.t1_ns);
		int64_t got = total_of(trace, kind, scope);
		if (got != wanted)
			fail_msg("%s: %s: %" PRId64 " ns, the index has %" PRId64, name,
				profile_name(kind), got, wanted);
	}
}

static void
check_all_sums(const char *name)
{
	struct trace *trace = testing_load(name);
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		check_parts(name, trace, (enum profile_kind)kind, PROFILE_STATES);
		check_parts(name, trace, (enum profile_kind)kind, PROFILE_STACKED);
		check_parts(name, trace, (enum profile_kind)kind, PROFILE_EXACT);
	}
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++)
		if (kind != PROFILE_CPU)
			check_index(name, trace, (enum profile_kind)kind);
	trace_free(trace);
}

static void
sums_agree_with_each_other_and_the_index(void **state)
{
	(void)state;
	testing_each(".trace", check_all_sums);
}

/* ---- scopes */

static void
a_function_has_its_goroutines(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct profile_scope scope = profile_whole(trace);
	scope.function = trace_actor(trace, trace_find_actor(trace, 57))->name;
	int64_t whole_ns = total_of(trace, PROFILE_SYNC, scope), sum_ns = 0;
	assert_true(whole_ns > 0);
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct profile_scope one = profile_whole(trace);
		one.actor = i;
		if (trace_actor(trace, i)->name == scope.function)
			sum_ns += total_of(trace, PROFILE_SYNC, one);
	}
	assert_int_equal(sum_ns, whole_ns);
	trace_free(trace);
}

/* The same region by region, each as an interval of its goroutine. */
static int64_t
within_regions(const struct trace *trace, const struct profile_scope *of)
{
	int64_t sum_ns = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		struct profile_scope one = profile_whole(trace);
		bool is_meant = range->type == RANGE_REGION &&
				(of->region == STRING_EMPTY || range->name == of->region) &&
				(of->task == REF_NONE || range->task == of->task);
		/* Those within another one are not asked for here. */
		if (!is_meant || range->depth > 0)
			continue;
		one.actor = range_actor(range);
		one.t0_ns = range->start_ns;
		one.t1_ns = range->end_ns == TIME_OPEN ? trace->end_ns : range->end_ns;
		sum_ns += total_of(trace, PROFILE_OFFCPU, one);
	}
	return sum_ns;
}

static void
regions_and_tasks_cut_time(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	uint32_t checked = 0;
	for (range_ref i = 0; i < trace->ranges.count && checked < 20; i++) {
		const struct range *range = trace_range(trace, i);
		struct profile_scope scope = profile_whole(trace);
		if (range->type != RANGE_REGION || range->depth > 0)
			continue;
		scope.region = range->name;
		assert_int_equal(total_of(trace, PROFILE_OFFCPU, scope),
			within_regions(trace, &scope));
		scope.region = STRING_EMPTY;
		scope.task = range->task;
		if (scope.task != REF_NONE)
			assert_int_equal(total_of(trace, PROFILE_OFFCPU, scope),
				within_regions(trace, &scope));
		checked++;
	}
	assert_true(checked > 0);
	trace_free(trace);
}

/* Two of one name: the inner one ends before the goroutine waits, the outer one after that. */
static const char old_regions[] = GO23 FREQ("1") BATCH("1", "0", "100") P0 G1
	"UserRegionEnd dt=1 task=0 name_string=1 stack=0\n"
	"GoBlock dt=1 reason_string=2 stack=0\n"
	BATCH("1", "1", "108") "ProcStatus dt=1 p=1 pstatus=2\nProcStart dt=1 p=1 p_seq=1\n"
	"GoUnblock dt=200 g=1 g_seq=1 stack=0\nGoStart dt=1 g=1 g_seq=2\n"
	"UserRegionEnd dt=1 task=0 name_string=1 stack=0\n"
	STRINGS("1") "String id=1\n\tdata=\"work\"\nString id=2\n\tdata=\"wait\"\n";

static void
regions_from_before_the_trace_are_one_time(void **state)
{
	(void)state;
	struct text bytes = { 0 };
	testing_assemble(old_regions, &bytes);
	struct trace *trace = testing_load_bytes("old regions", bytes.bytes, bytes.length);
	struct profile_scope scope = profile_whole(trace);
	assert_int_equal(trace->ranges.count, 2);
	scope.region = trace_range(trace, 0)->name;
	assert_int_not_equal(scope.region, STRING_EMPTY);
	assert_int_equal(total_of(trace, PROFILE_OFFCPU, scope), 311 - 104);
	trace_free(trace);
	text_release(&bytes);
}

/* What matches and what does not match are all there is. */
static void
queries_part_the_time(void **state)
{
	static const char *const queries[] = { "state=blocked dur>1ms", "!(state=blocked dur>1ms)" };
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct profile_scope scope = profile_whole(trace);
	int64_t whole_ns = total_of(trace, PROFILE_OFFCPU, scope), sum_ns = 0;
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		struct error note = { 0 };
		struct query *query = query_new(queries[i], &words_plain, &note);
		assert_non_null(query);
		struct search *search = search_query(trace, query, &note);
		assert_non_null(search);
		scope.only = search;
		int64_t part_ns = total_of(trace, PROFILE_OFFCPU, scope);
		assert_true(part_ns > 0);
		sum_ns += part_ns;
		search_free(search);
		query_free(query);
	}
	assert_int_equal(sum_ns, whole_ns);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_equal_those_of_go),
		cmocka_unit_test(the_table_is_that_of_pprof),
		cmocka_unit_test(sums_agree_with_each_other_and_the_index),
		cmocka_unit_test(a_function_has_its_goroutines),
		cmocka_unit_test(regions_and_tasks_cut_time),
		cmocka_unit_test(regions_from_before_the_trace_are_one_time),
		cmocka_unit_test(queries_part_the_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
