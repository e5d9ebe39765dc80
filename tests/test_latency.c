/*
 * Durations of all kinds against the naive model, percentiles against a sort, and the words for
 * kinds.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/latency.h"
#include "base_testing.h"
#include "base/compiler.h"
#include "draw/latency_words.h"
#include "golden.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "query/query.h"
#include "query/search.h"
#include "query/watch.h"
#include "randomtrace.h"
#include "resulttesting.h"
#include "trace/words.h"
#include "tracetesting.h"

/* ---- words */

static void
kinds_read_and_write(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum latency_type type;
		const char *name, *written;
	} rows[] = {
		{ "sched", LATENCY_SCHED, NULL, "sched" },
		{ " stw ", LATENCY_STW, NULL, "stw" },
		{ "gc", LATENCY_GC, NULL, "gc" },
		{ "assist", LATENCY_ASSIST, NULL, "assist" },
		{ "sweep", LATENCY_SWEEP, NULL, "sweep" },
		{ "syscall", LATENCY_SYSCALL, NULL, "syscall" },
		{ "block", LATENCY_BLOCK, NULL, "block" },
		{ "block=chan receive", LATENCY_BLOCK, "chan receive", "block=chan receive" },
		{ "block = select ", LATENCY_BLOCK, "select", "block=select" },
		{ "region=\"a \"b\" \"", LATENCY_REGION, "a \"b\" ", "region=\"a \"b\" \"" },
		{ "task=x=y", LATENCY_TASK, "x=y", "task=x=y" },
		{ "task = \"\" ", LATENCY_TASK, "", "task=\"\"" },
		{ "\"state=ready dur>1ms\"", LATENCY_QUERY, "state=ready dur>1ms",
			"\"state=ready dur>1ms\"" },
		{ "reason=\"chan receive\"", LATENCY_QUERY, "reason=\"chan receive\"",
			"\"reason=\"chan receive\"\"" },
		{ "\"region=x\"", LATENCY_QUERY, "region=x", "\"region=x\"" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct latency_kind kind;
		struct error err = { 0 };
		struct text written = { 0 };
		if (!latency_kind_parse(&kind, rows[i].text, 0, strlen(rows[i].text), &err))
			fail_msg("%s: %s", rows[i].text, err.message);
		assert_int_equal(kind.type, rows[i].type);
		check_text(rows[i].text, kind.name != NULL ? kind.name : "(none)",
			rows[i].name != NULL ? rows[i].name : "(none)");
		latency_kind_add(&written, &kind);
		check_text(rows[i].text, written.bytes, rows[i].written);
		latency_kind_release(&kind);
		text_release(&written);
	}
}

static void
wrong_kinds_are_refused_at_their_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "a kind is missing, at character 1" },
		{ "  ", "a kind is missing, at character 3" },
		{ "sched x", "nothing stands behind this kind, at character 7" },
		{ "gc=", "nothing stands behind this kind, at character 3" },
		{ "region", "= and a name are missing, at character 7" },
		{ "task=", "a name is missing, at character 6" },
		{ "\"\"", "a condition is missing, at character" },
		{ "block=\"", "this quote is not closed, at character 7" },
		{ "region x", "before the name = is missing, at character 8" },
		{ "\"g=1 dur>x\"", "at character 10" },
		{ "g=1 dur>x", "at character 9" },
		{ "scheduler", "there is no such kind; there are sched, stw" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct latency_kind kind;
		struct error err = { 0 };
		if (latency_kind_parse(&kind, rows[i].text, 0, strlen(rows[i].text), &err))
			fail_msg("%s: taken", rows[i].text);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (strstr(err.message, rows[i].message) == NULL)
			fail_msg("%s: %s", rows[i].text, err.message);
	}
}

/* ---- against the naive model */

struct plain {
	int64_t start_ns, duration_ns;
};

struct plain_set {
	struct plain *items;
	size_t count, capacity;
	int64_t total_ns, within_ns;
};

struct question {
	const struct pair *pair;
	const char *text;
	enum latency_type type;
	const char *name;
	struct latency_scope scope;
};

static void
add_plain(struct plain_set *set, const struct question *question, int64_t start_ns, int64_t end_ns)
{
	const struct latency_scope *scope = &question->scope;
	struct error err = { 0 };
	struct naive_span span = { .start_ns = start_ns, .end_ns = end_ns };
	int64_t within_ns = naive_part_ns(&span, scope->t0_ns, scope->t1_ns);
	if ((end_ns <= scope->t0_ns && scope->t0_ns > 0) ||
		(start_ns >= scope->t1_ns && scope->t1_ns < question->pair->naive.end_ns))
		return;
	assert_true(array_reserve(
		&set->items, &set->capacity, set->count + 1, sizeof *set->items, &err));
	set->items[set->count++] = (struct plain){ start_ns, end_ns - start_ns };
	set->total_ns += end_ns - start_ns;
	set->within_ns += within_ns > 0 ? within_ns : 0;
}

static bool
is_text(const struct naive *naive, string_id id, const char *wanted)
{
	size_t length;
	const char *text = naive_text(naive, id, &length);
	return wanted == NULL || (strlen(wanted) == length && memcmp(text, wanted, length) == 0);
}

static void
add_plain_states(struct plain_set *set, const struct question *question)
{
	const struct naive *naive = &question->pair->naive;
	enum state wanted = question->type == LATENCY_SCHED	? STATE_READY
			    : question->type == LATENCY_SYSCALL ? STATE_SYSCALL
								: STATE_BLOCKED;
	for (size_t i = 0; i < naive->state_count; i++) {
		const struct naive_state *of = &naive->states[i];
		if (of->state == wanted && is_text(naive, of->reason, question->name))
			add_plain(set, question, of->start_ns, of->end_ns);
	}
}

static void
add_plain_ranges(struct plain_set *set, const struct question *question)
{
	const struct naive *naive = &question->pair->naive;
	enum range_type wanted = question->type == LATENCY_STW	    ? RANGE_STW
				 : question->type == LATENCY_GC	    ? RANGE_GC_MARK
				 : question->type == LATENCY_ASSIST ? RANGE_MARK_ASSIST
								    : RANGE_SWEEP;
	for (size_t i = 0; i < naive->range_count; i++) {
		const struct naive_range *range = &naive->ranges[i];
		if (range->type == wanted && is_text(naive, range->name, question->name))
			add_plain(set, question, range->start_ns, range->end_ns);
	}
}

/* The naive model does not end a region with its goroutine. */
static void
add_plain_regions(struct plain_set *set, const struct question *question)
{
	const struct trace *trace = question->pair->trace;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION &&
			trace_text_is(trace, range->name, question->name))
			add_plain(set, question, range->start_ns, trace_range_end_ns(trace, range));
	}
}

/* What a search finds stands for itself. */
static void
add_plain_matches(struct plain_set *set, const struct question *question)
{
	struct error note = { 0 };
	struct span span;
	struct query *query = query_new(question->name, &words_plain, &note);
	assert_non_null(query);
	struct search *search = search_query(question->pair->trace, query, &note);
	assert_non_null(search);
	for (uint64_t i = 0; search_match(search, i, &span); i++)
		add_plain(set, question, span.start_ns, span.end_ns);
	search_free(search);
	query_free(query);
}

static int
compare_plain(const void *a, const void *b)
{
	const struct plain *x = a, *y = b;
	if (x->duration_ns != y->duration_ns)
		return x->duration_ns < y->duration_ns ? -1 : 1;
	return (x->start_ns < y->start_ns) - (x->start_ns > y->start_ns);
}

static struct latency
build(const struct question *question)
{
	struct latency latency;
	struct latency_kind kind;
	struct error err = { 0 };
	assert_true(latency_kind_parse(&kind, question->text, 0, strlen(question->text), &err));
	assert_int_equal(kind.type, question->type);
	if (!latency_build(&latency, question->pair->trace, &kind, &question->scope, NULL, &err))
		fail_msg("%s: %s: %s", question->pair->name, question->text, err.message);
	latency_kind_release(&kind);
	return latency;
}

static void
fail_at(const struct question *question, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("%s: %s in [%" PRId64 ", %" PRId64 "): %s: %" PRId64 ", not %" PRId64,
			question->pair->name, question->text, question->scope.t0_ns,
			question->scope.t1_ns, what, got, wanted);
}

static void
check_quantiles(const struct question *question, const struct latency *latency,
	const struct plain_set *set)
{
	static const uint64_t parts[] = { 0, 1, 500, 900, 990, 999, 1000 };
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		size_t least = 0;
		while (least < set->count && (least + 1) * 1000 < parts[i] * set->count)
			least++;
		fail_at(question, "a quantile", latency_quantile(latency, parts[i], 1000),
			set->count > 0 ? set->items[least].duration_ns : 0);
	}
}

static void
check_buckets(const struct question *question, const struct latency *latency,
	const struct plain_set *set, int64_t unit_ns)
{
	uint64_t counts[LATENCY_BUCKETS], wanted[LATENCY_BUCKETS] = { 0 };
	int most = 0, used = latency_log2(latency, unit_ns, counts);
	for (size_t i = 0; i < set->count; i++) {
		int bucket = 0;
		for (int64_t units = set->items[i].duration_ns / unit_ns; units > 1; units /= 2)
			bucket++;
		wanted[bucket]++;
		most = bucket + 1 > most ? bucket + 1 : most;
	}
	fail_at(question, "buckets", used, most);
	for (int i = 0; i < LATENCY_BUCKETS; i++)
		fail_at(question, "a bucket", (int64_t)counts[i], (int64_t)wanted[i]);
}

static void
check_longest(const struct question *question, const struct latency *latency,
	const struct plain_set *set)
{
	struct error err = { 0 };
	size_t count, *longest = latency_longest(latency, 5, &count, &err);
	assert_non_null(longest);
	fail_at(question, "the longest", (int64_t)count,
		(int64_t)(set->count < 5 ? set->count : 5));
	for (size_t i = 0; i < count; i++) {
		const struct plain *wanted = &set->items[set->count - 1 - i];
		struct latency_span span;
		latency_span(latency, longest[i], &span);
		fail_at(question, "a long one", span.duration_ns, wanted->duration_ns);
		fail_at(question, "its start", span.start_ns, wanted->start_ns);
	}
	memory_free(longest);
}

/* From the shortest to the longest. */
static void
check_each(const struct question *question, const struct latency *latency,
	const struct plain_set *set)
{
	int64_t sum_ns = 0;
	for (size_t i = 0; i < latency->count; i++) {
		int64_t duration_ns = latency_duration_ns(latency, i);
		fail_at(question, "a duration", duration_ns, set->items[i].duration_ns);
		assert_true(latency_start_ns(latency, i) >= 0);
		sum_ns += duration_ns;
	}
	fail_at(question, "their sum", sum_ns, set->total_ns);
}

static void
check_question(const struct question *question)
{
	struct plain_set set = { 0 };
	struct latency latency = build(question);
	if (question->type == LATENCY_QUERY)
		add_plain_matches(&set, question);
	else if (question->type == LATENCY_REGION)
		add_plain_regions(&set, question);
	else if (question->type == LATENCY_SCHED || question->type == LATENCY_SYSCALL ||
		 question->type == LATENCY_BLOCK)
		add_plain_states(&set, question);
	else
		add_plain_ranges(&set, question);
	if (set.count > 0)
		qsort(set.items, set.count, sizeof *set.items, compare_plain);
	fail_at(question, "count", (int64_t)latency.count, (int64_t)set.count);
	fail_at(question, "total", latency.total_ns, set.total_ns);
	fail_at(question, "within", latency.within_ns, set.within_ns);
	assert_true(latency.cut_count <= latency.count);
	check_quantiles(question, &latency, &set);
	check_buckets(question, &latency, &set, 1);
	check_buckets(question, &latency, &set, 1000);
	check_longest(question, &latency, &set);
	check_each(question, &latency, &set);
	latency_release(&latency);
	memory_free(set.items);
}

/* Of the whole trace, and of some interval. */
static void
check_kind(struct pair *pair, const char *text, enum latency_type type, const char *name)
{
	struct viewport interval = pair_viewport(pair, 1);
	struct question question = { pair, text, type, name,
		{ 0, pair->naive.end_ns, REF_NONE, NULL, true } };
	check_question(&question);
	question.scope.t0_ns = interval.t0_ns;
	question.scope.t1_ns = interval.t1_ns;
	check_question(&question);
}

static void
write_kind(struct text *out, enum latency_type type, const char *name)
{
	struct text copy = { 0 };
	text_add_string(&copy, name);
	struct latency_kind kind = { type, copy.bytes };
	latency_kind_add(out, &kind);
	text_release(&copy);
}

static void
check_regions(struct pair *pair, string_id id)
{
	struct text kind = { 0 };
	size_t length;
	const char *name = naive_text(&pair->naive, id, &length);
	if (strlen(name) != length)
		return;
	write_kind(&kind, LATENCY_REGION, name);
	check_kind(pair, kind.bytes, LATENCY_REGION, name);
	text_release(&kind);
}

static void
check_pair(struct pair *pair)
{
	static const struct {
		const char *text;
		enum latency_type type;
		const char *name;
	} rows[] = {
		{ "sched", LATENCY_SCHED, NULL },
		{ "syscall", LATENCY_SYSCALL, NULL },
		{ "block", LATENCY_BLOCK, NULL },
		{ "block=chan receive", LATENCY_BLOCK, "chan receive" },
		{ "block=no such reason", LATENCY_BLOCK, "no such reason" },
		{ "stw", LATENCY_STW, NULL },
		{ "gc", LATENCY_GC, NULL },
		{ "assist", LATENCY_ASSIST, NULL },
		{ "sweep", LATENCY_SWEEP, NULL },
		{ "\"state=running dur>10us\"", LATENCY_QUERY, "state=running dur>10us" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_kind(pair, rows[i].text, rows[i].type, rows[i].name);
	for (size_t i = 0; i < pair->naive.range_count; i++)
		if (pair->naive.ranges[i].type == RANGE_REGION) {
			check_regions(pair, pair->naive.ranges[i].name);
			break;
		}
}

static void
durations_equal_a_naive_scan(void **state)
{
	(void)state;
	pair_each(1, 20, check_pair);
}

/* ---- of traces in many segments only those are looked through that matter */

static bool
is_counted(const struct random_trace *random, const struct plain_span *span, enum time_class wanted,
	const struct latency_scope *scope)
{
	return span->time_class == wanted &&
	       (span->end_ns > scope->t0_ns || scope->t0_ns <= 0) &&
	       (span->start_ns < scope->t1_ns || scope->t1_ns >= random->end_ns);
}

static void
check_scan(const struct random_trace *random, const struct latency_scope *scope)
{
	struct pair pair = { .name = "random", .trace = random->trace };
	struct question question = { &pair, "sched", LATENCY_SCHED, NULL, *scope };
	struct latency latency = build(&question);
	int64_t total_ns = 0, count = 0;
	for (uint32_t g = 0; g < random->goroutine_count; g++)
		for (size_t i = 0; i < random->goroutines[g].count; i++) {
			const struct plain_span *span = &random->goroutines[g].spans[i];
			if (!is_counted(random, span, CLASS_READY, scope))
				continue;
			total_ns += span->end_ns - span->start_ns;
			count++;
		}
	fail_at(&question, "count", (int64_t)latency.count, count);
	fail_at(&question, "total", latency.total_ns, total_ns);
	latency_release(&latency);
}

/* Anywhere, or where a segment begins. */
static int64_t
random_start_ns(const struct random_trace *random, uint64_t *state)
{
	uint32_t segment = (uint32_t)random_below(state, 2 * random->trace->segments.count);
	return segment < random->trace->segments.count
		       ? trace_segment(random->trace, segment)->base_ns
		       : (int64_t)random_below(state, (uint64_t)random->end_ns);
}

static void
check_random(uint64_t seed)
{
	struct random_trace random;
	uint64_t state = seed;
	random_trace_make(&random, seed);
	uint64_t end_ns = (uint64_t)random.end_ns;
	for (int i = 0; i < 40 && end_ns > 1; i++) {
		int64_t t0_ns = random_start_ns(&random, &state);
		uint64_t most = i % 2 == 0 ? end_ns : end_ns / 20 + 1;
		struct latency_scope scope = { t0_ns,
			t0_ns + 1 + (int64_t)random_below(&state, most), REF_NONE, NULL, true };
		check_scan(&random, &scope);
	}
	random_trace_release(&random);
}

static void
intervals_of_many_segments_equal_a_scan(void **state)
{
	(void)state;
	random_each_seed(40, check_random);
}

/* ---- tasks, goroutines, queries */

static size_t
count_of(const struct trace *trace, const char *text, struct latency_scope scope)
{
	struct pair pair = { .trace = (struct trace *)trace };
	struct latency_kind kind;
	struct error err = { 0 };
	if (!latency_kind_parse(&kind, text, 0, strlen(text), &err))
		fail_msg("%s: %s", text, err.message);
	struct question question = { &pair, text, kind.type, kind.name, scope };
	struct latency latency = build(&question);
	size_t count = latency.count;
	latency_release(&latency);
	latency_kind_release(&kind);
	return count;
}

static void
tasks_count_by_name(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.26");
	struct latency_scope whole = { 0, trace->end_ns, REF_NONE, NULL, true };
	size_t all = 0;
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		struct text text = { 0 };
		size_t length, same = 0;
		const char *name = trace_text(trace, trace_task(trace, i)->name, &length);
		if (strlen(name) != length)
			continue;
		for (task_ref n = 0; n < trace->tasks.count; n++)
			same += trace_task(trace, n)->name == trace_task(trace, i)->name;
		write_kind(&text, LATENCY_TASK, name);
		assert_int_equal(count_of(trace, text.bytes, whole), same);
		text_release(&text);
		all++;
	}
	assert_true(all > 0);
	trace_free(trace);
}

/* Goroutines, each on its own, come to all; and a query for one to the scope of that one. */
static void
check_goroutines(const struct trace *trace, const char *kind)
{
	struct latency_scope scope = { 0, trace->end_ns, REF_NONE, NULL, true };
	size_t all = count_of(trace, kind, scope), sum = 0, unknown = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++)
		unknown += strcmp(kind, "sweep") == 0 &&
			   trace_range(trace, i)->type == RANGE_SWEEP &&
			   range_actor(trace_range(trace, i)) == REF_NONE;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct text text = { 0 };
		struct error note = { 0 };
		scope.actor = i;
		size_t own = count_of(trace, kind, scope);
		sum += own;
		if (i % 7 != 0)
			continue;
		text_format(&text, "g=%" PRId64, trace_actor(trace, i)->id);
		struct search *only = search_new(trace, text.bytes, &note);
		assert_non_null(only);
		struct latency_scope found = { 0, trace->end_ns, REF_NONE, only, true };
		assert_int_equal(count_of(trace, kind, found), own);
		search_free(only);
		text_release(&text);
	}
	assert_int_equal(sum + unknown, all);
}

static size_t
count_ranges(const struct trace *trace, enum range_type type, const struct search *only)
{
	size_t count = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t end_ns = trace_range_end_ns(trace, range);
		count += range->type == type &&
			 (only == NULL || testing_finds(trace, only, range_actor(range),
						  range->start_ns, end_ns));
	}
	return count;
}

/* How many of the ranges of a type are found, where some are and some are not. */
static bool
check_ranges(const struct trace *trace, const char *kind, enum range_type type, struct search *only)
{
	struct latency_scope scope = { trace->start_ns, trace->end_ns, REF_NONE, only, true };
	size_t found = count_ranges(trace, type, only);
	assert_int_equal(count_of(trace, kind, scope), found);
	return found > 0 && found < count_ranges(trace, type, NULL);
}

static void
ranges_are_those_in_which_a_state_is_found(void **state)
{
	static const char *const queries[] = { "state=blocked", "state=ready", "state=syscall" };
	(void)state;
	struct trace *trace = testing_load("gcheavy-go1.26");
	size_t telling = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct error note = { 0 };
		struct search *only = search_new(trace, queries[i], &note);
		assert_non_null(only);
		telling += check_ranges(trace, "assist", RANGE_MARK_ASSIST, only);
		telling += check_ranges(trace, "sweep", RANGE_SWEEP, only);
		telling += check_ranges(trace, "gc", RANGE_GC_MARK, only);
		telling += check_ranges(trace, "stw", RANGE_STW, only);
		search_free(only);
	}
	assert_true(telling > 0);
	trace_free(trace);
}

/* ---- in a map */

/* How many spans began within a cell, by asking each. */
static uint64_t
count_in_cell(const struct latency *latency, const int64_t edges[4])
{
	uint64_t count = 0;
	for (size_t i = 0; i < latency->count; i++) {
		int64_t start_ns = latency_start_ns(latency, i);
		int64_t duration_ns = latency_duration_ns(latency, i);
		count += start_ns >= edges[0] && start_ns < edges[1] && duration_ns >= edges[2] &&
			 duration_ns < edges[3];
	}
	return count;
}

/* Each cell has what a scan finds in it, and no span is in none. */
static void
check_map(const struct trace *trace, const char *text, const struct latency_kind *kind,
	const struct report_options *options)
{
	struct latency_scope scope = { options->t0_ns, options->t1_ns, REF_NONE, options->only, options->with_runtime };
	struct latency latency;
	struct text out = { 0 };
	struct error err = { 0 };
	uint64_t all = 0;
	assert_true(latency_build(&latency, trace, kind, &scope, NULL, &err));
	assert_true(testing_result_with("heat", text, trace, options, &out, &err));
	for (const char *line = strchr(out.bytes, '\n') + 1; *line != '\0';
		line = strchr(line, '\n') + 1) {
		int64_t edges[4];
		uint64_t count;
		assert_int_equal(sscanf(line, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64
					      ",%" SCNu64,
					 &edges[0], &edges[1], &edges[2], &edges[3], &count),
			5);
		assert_int_equal(count, count_in_cell(&latency, edges));
		all += count;
	}
	const int64_t whole[4] = { options->t0_ns, options->t1_ns, 0, INT64_MAX };
	assert_int_equal(all, count_in_cell(&latency, whole));
	latency_release(&latency);
	text_release(&out);
}

static void
maps_count_each_span_that_begins(void **state)
{
	static const char *const kinds[] = { "sched", "gc", "stw", "block", "assist", "dur>10us",
		"region=none" };
	(void)state;
	struct trace *trace = testing_load("gcheavy-go1.26");
	struct error err = { 0 };
	struct search *only = search_new(trace, "g<=22", &err);
	for (size_t i = 0; i < ARRAY_LENGTH(kinds) * 2; i++) {
		struct report_options options = { .width_cells = 100,
			.format = REPORT_AS_CSV,
			.has_interval = true,
			.t0_ns = i % 2 * 5000000,
			.t1_ns = i % 2 == 0 ? trace->end_ns : 15000000,
			.only = i % 2 == 0 ? NULL : only };
		struct latency_kind kind;
		const char *text = kinds[i / 2];
		assert_true(latency_kind_parse(&kind, text, 0, strlen(text), &err));
		check_map(trace, text, &kind, &options);
		latency_kind_release(&kind);
	}
	search_free(only);
	trace_free(trace);
}

static void
maps_look_as_they_should(void **state)
{
	static const struct {
		const char *golden, *trace, *kind;
		struct report_options options;
	} rows[] = {
		{ "heat.txt", "httpserver-go1.26", "sched",
			{ .file_name = "a.trace", .width_cells = 100 } },
		{ "heat-ascii.txt", "gcheavy-go1.26", "gc",
			{ .file_name = "a.trace",
				.map_lines = 8,
				.width_cells = 60,
				.ascii = true,
				.has_interval = true,
				.t0_ns = 5000000,
				.t1_ns = 15000000 } },
		{ "heat-none.txt", "httpserver-go1.26", "region=none",
			{ .file_name = "a.trace", .width_cells = 100 } },
		{ "heat.json", "gcheavy-go1.26", "stw",
			{ .width_cells = 100, .limit = 3, .format = REPORT_AS_JSON } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(testing_result_with(
			"heat", rows[i].kind, trace, &rows[i].options, &out, &err));
		golden_check(rows[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

/* Not even memory is asked for, so that the want of it goes unnoticed. */
static void
what_nobody_wants_is_not_gathered(void **state)
{
	static const enum latency_type types[] = { LATENCY_STW, LATENCY_SWEEP };
	(void)state;
	struct trace *trace = testing_load("gcheavy-go1.26");
	struct latency_scope scope = { trace->start_ns, trace->end_ns, REF_NONE, NULL, true };
	struct search_watch watch = { .is_cancelled = true };
	for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
		struct latency_kind kind = { .type = types[i] };
		struct latency latency;
		struct error err = { 0 };
		memory_fail_after(1);
		assert_false(latency_build(&latency, trace, &kind, &scope, &watch, &err));
		memory_fail_after(0);
		assert_int_equal(err.kind, ERROR_CANCELLED);
	}
	trace_free(trace);
}

static void
goroutines_come_to_all(void **state)
{
	static const char *const kinds[] = { "sched", "block", "syscall", "stw", "assist", "sweep",
		"state=running" };
	(void)state;
	struct trace *trace = testing_load("gcheavy-go1.26");
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		check_goroutines(trace, kinds[i]);
	trace_free(trace);
}

/* What hangs to the end of the trace is long, and said to be longer. */
static void
what_is_cut_is_counted(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/blockedforever");
	struct pair pair = { .trace = trace };
	struct question question = { &pair, "block", LATENCY_BLOCK, NULL,
		{ 0, trace->end_ns, REF_NONE, NULL, true } };
	struct latency latency = build(&question);
	size_t count, *longest;
	struct error err = { 0 };
	struct latency_span span;
	longest = latency_longest(&latency, 1, &count, &err);
	assert_int_equal(count, 1);
	latency_span(&latency, longest[0], &span);
	assert_true(latency.cut_count > 0 && latency.cut_count < latency.count);
	assert_int_equal(span.start_ns + span.duration_ns, trace->end_ns);
	assert_true(span.actor != REF_NONE && span.range == REF_NONE && span.task == REF_NONE);
	memory_free(longest);
	latency_release(&latency);
	trace_free(trace);
}

/* ---- printed */

static void
print(const struct trace *trace, const char *text, const struct report_options *options,
	struct text *out)
{
	struct report_options named = *options;
	struct error err = { 0 };
	named.names_file = options->format == REPORT_AS_CSV;
	if (!testing_result_with("latency", text, trace, &named, out, &err))
		fail_msg("%s: %s", text, err.message);
}

/* Not as a number of something, which people read in groups of three digits. */
static void
tasks_are_told_by_their_ids(void **state)
{
	static const char trace_text[] = GO26 SYNC("1") BATCH("1", "0", "5") P0 G1
		"UserTaskBegin dt=1 task=12345 parent_task=0 name_string=1 stack=0\n"
		"UserTaskEnd dt=9 task=12345 stack=0\n" STRINGS("1")
		"String id=1\n\tdata=\"t\"\nEndOfGeneration\n";
	struct report_options options = { .width_cells = 100 };
	struct text bytes = { 0 }, out = { 0 };
	(void)state;
	testing_assemble(trace_text, &bytes);
	struct trace *trace = testing_load_bytes("task 12345", bytes.bytes, bytes.length);
	print(trace, "task=t", &options, &out);
	assert_non_null(strstr(out.bytes, " 12345\n"));
	text_release(&out);
	text_release(&bytes);
	trace_free(trace);
}

static void
forms_are_as_agreed(void **state)
{
	(void)state;
	static const struct {
		const char *golden, *trace, *kind;
		struct report_options options;
	} rows[] = {
		{ "latency-sched.txt", "httpserver-go1.26", "sched",
			{ .file_name = "a.trace", .width_cells = 120, .limit = 4 } },
		{ "latency-block.txt", "httpserver-go1.26", "block=select",
			{ .file_name = "a.trace",
				.width_cells = 70,
				.ascii = true,
				.has_interval = true,
				.t0_ns = 2000000,
				.t1_ns = 30000000 } },
		{ "latency-task.csv", "httpserver-go1.26", "task=request",
			{ .file_name = "a.trace",
				.width_cells = 100,
				.format = REPORT_AS_CSV,
				.limit = 3 } },
		{ "latency-none.txt", "tasks-go1.26", "region=none",
			{ .file_name = "a.trace", .width_cells = 100 } },
		{ "latency-none.json", "tasks-go1.26", "region=none",
			{ .width_cells = 100, .format = REPORT_AS_JSON } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct text out = { 0 };
		print(trace, rows[i].kind, &rows[i].options, &out);
		golden_check(rows[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

static void
histograms_are_those_of_funclatency(void **state)
{
	(void)state;
	static const struct bucket narrow[] = { { 0, 2, 0 }, { 2, 4, 3 }, { 4, 8, 100 }, { 8, 16, 7 } };
	static const char *const wanted[] = {
		"         0 -> 1          : 0        |                                        |",
		"         2 -> 3          : 3        |*                                       |",
		"         4 -> 7          : 100      |****************************************|",
		"         8 -> 15         : 7        |**                                      |",
	};
	const struct bucket wide = { INT64_C(1) << 32, INT64_C(2) << 32, 2 };
	struct latency_words words = latency_words_of(narrow, 4);
	struct text line = { 0 };
	latency_words_titles(&line, &words, "usecs");
	check_text("titles", line.bytes, "     usecs               : count     distribution");
	for (int i = 0; i < 4; i++) {
		text_clear(&line);
		latency_words_bucket(&line, &words, &narrow[i]);
		check_text("bucket", line.bytes, wanted[i]);
	}
	text_clear(&line);
	words = latency_words_of(&wide, 1);
	latency_words_titles(&line, &words, "usecs");
	check_text("wide titles", line.bytes,
		"               usecs                         : count     distribution");
	text_clear(&line);
	latency_words_bucket(&line, &words, &wide);
	check_text("wide bucket", line.bytes,
		"          4294967296 -> 8589934591           : 2        |********************|");
	text_release(&line);
}

/* ---- want of memory */

static struct trace *memory_trace;

static bool
build_kind(const char *text, struct error *err)
{
	struct latency latency;
	struct latency_kind kind;
	struct latency_scope scope = { 0, memory_trace->end_ns, REF_NONE, NULL, true };
	size_t count;
	if (!latency_kind_parse(&kind, text, 0, strlen(text), err))
		return false;
	bool is_fine = latency_build(&latency, memory_trace, &kind, &scope, NULL, err);
	if (is_fine) {
		size_t *longest = latency_longest(&latency, 3, &count, err);
		is_fine = longest != NULL;
		memory_free(longest);
		latency_release(&latency);
	}
	latency_kind_release(&kind);
	return is_fine;
}

static bool
build_states(struct error *err)
{
	return build_kind("block=select", err);
}

static bool
build_query(struct error *err)
{
	return build_kind("\"state=blocked\"", err);
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	memory_trace = testing_load("tasks-go1.26");
	fail_each_allocation("states", build_states);
	fail_each_allocation("query", build_query);
	trace_free(memory_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_read_and_write),
		cmocka_unit_test(wrong_kinds_are_refused_at_their_place),
		cmocka_unit_test(durations_equal_a_naive_scan),
		cmocka_unit_test(intervals_of_many_segments_equal_a_scan),
		cmocka_unit_test(tasks_count_by_name),
		cmocka_unit_test(goroutines_come_to_all),
		cmocka_unit_test(ranges_are_those_in_which_a_state_is_found),
		cmocka_unit_test(maps_count_each_span_that_begins),
		cmocka_unit_test(maps_look_as_they_should),
		cmocka_unit_test(what_nobody_wants_is_not_gathered),
		cmocka_unit_test(what_is_cut_is_counted),
		cmocka_unit_test(tasks_are_told_by_their_ids),
		cmocka_unit_test(forms_are_as_agreed),
		cmocka_unit_test(histograms_are_those_of_funclatency),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
