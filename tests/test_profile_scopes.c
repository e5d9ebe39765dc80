/*
 * Profiles of some goroutines, regions, tasks, intervals and queries, and of all of that at once,
 * against sums over the states of the naive model.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"
#include "base_testing.h"
#include "pair.h"
#include "query/search.h"
#include "tracetesting.h"

/* What the query of the scope asks of a state, and a naive scan of its duration. */
enum { LEAST_NS = 20000 };
static const char query_text[] = "dur>=20us";

struct question {
	const struct pair *pair;
	enum profile_kind kind;
	struct profile_scope scope;
};

/* ---- where time counts */

struct piece {
	int64_t start_ns, end_ns;
};

/* Of a goroutine: disjoint, ascending. */
struct pieces {
	struct piece *items;
	size_t count, capacity;
};

static void
add_piece(struct pieces *pieces, int64_t start_ns, int64_t end_ns)
{
	struct error err = { 0 };
	size_t at = 0;
	while (at < pieces->count) {
		struct piece *piece = &pieces->items[at];
		if (piece->end_ns < start_ns || piece->start_ns > end_ns) {
			at++;
			continue;
		}
		start_ns = piece->start_ns < start_ns ? piece->start_ns : start_ns;
		end_ns = piece->end_ns > end_ns ? piece->end_ns : end_ns;
		*piece = pieces->items[--pieces->count];
		at = 0;
	}
	assert_true(array_reserve(&pieces->items, &pieces->capacity, pieces->count + 1,
		sizeof *pieces->items, &err));
	pieces->items[pieces->count++] = (struct piece){ start_ns, end_ns };
}

static void
find_pieces(const struct question *question, actor_ref goroutine, struct pieces *pieces)
{
	const struct trace *trace = question->pair->trace;
	const struct profile_scope *scope = &question->scope;
	pieces->count = 0;
	if (scope->region == STRING_EMPTY && scope->task == REF_NONE)
		add_piece(pieces, INT64_MIN, INT64_MAX);
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION && range_actor(range) == goroutine &&
			(scope->region == STRING_EMPTY || range->name == scope->region) &&
			(scope->task == REF_NONE || range->task == scope->task))
			add_piece(pieces, range->start_ns, trace_range_end_ns(trace, range));
	}
}

static int64_t
part_within(const struct question *question, const struct pieces *pieces, int64_t start_ns,
	int64_t end_ns)
{
	const struct profile_scope *scope = &question->scope;
	int64_t sum_ns = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		int64_t from_ns = pieces->items[i].start_ns, until_ns = pieces->items[i].end_ns;
		from_ns = from_ns > start_ns ? from_ns : start_ns;
		from_ns = from_ns > scope->t0_ns ? from_ns : scope->t0_ns;
		until_ns = until_ns < end_ns ? until_ns : end_ns;
		until_ns = until_ns < scope->t1_ns ? until_ns : scope->t1_ns;
		sum_ns += until_ns > from_ns ? until_ns - from_ns : 0;
	}
	return sum_ns;
}

/* ---- what counts */

static bool
is_meant(const struct question *question, const struct naive_state *of)
{
	size_t length;
	const char *reason = naive_text(&question->pair->naive, of->reason, &length);
	bool is_by_states = question->scope.rule == PROFILE_STATES;
	if (question->scope.only != NULL && of->end_ns - of->start_ns < LEAST_NS)
		return false;
	switch (question->kind) {
	case PROFILE_NET:
		return of->state == STATE_BLOCKED && strcmp(reason, "network") == 0;
	case PROFILE_SYNC:
		return of->state == STATE_BLOCKED &&
		       (strstr(reason, "chan") != NULL || strstr(reason, "sync") != NULL ||
			       strstr(reason, "select") != NULL ||
			       (is_by_states && strcmp(reason, "forever") == 0));
	case PROFILE_SYSCALL:
		return of->state == STATE_SYSCALL;
	case PROFILE_SCHED:
		return of->state == STATE_READY;
	case PROFILE_CPU:
	case PROFILE_OFFCPU:
	case PROFILE_KIND_COUNT:
	case PROFILE_SAMPLES:
		break;
	}
	return of->state == STATE_READY || of->state == STATE_BLOCKED || of->state == STATE_SYSCALL;
}

static const struct naive_state *
next_of(const struct naive *naive, const struct naive_state *of)
{
	return of->next != SIZE_MAX ? &naive->states[of->next] : NULL;
}

/*
 * When the wait ends that a state begins: with the last of those that follow it of the same state;
 * TIME_OPEN where nobody knows.
 */
static int64_t
wait_end_ns(const struct question *question, const struct naive_state *of)
{
	const struct naive *naive = &question->pair->naive;
	const struct naive_state *last = of, *next;
	if (question->scope.rule == PROFILE_STATES)
		return of->end_ns;
	if (question->kind == PROFILE_OFFCPU)
		return of->is_open ? TIME_OPEN : of->end_ns;
	while ((next = next_of(naive, last)) != NULL && next->state == of->state)
		last = next;
	return last->is_open || (next != NULL && next->state == STATE_UNKNOWN) ? TIME_OPEN
									      : last->end_ns;
}

static int64_t
sum_goroutine(const struct question *question, const struct naive_goroutine *goroutine,
	const struct pieces *pieces)
{
	const struct naive *naive = &question->pair->naive;
	const struct naive_state *first =
		goroutine->first_state != SIZE_MAX ? &naive->states[goroutine->first_state] : NULL;
	const struct naive_state *ran = first;
	int64_t sum_ns = 0, until_ns = INT64_MIN;
	while (ran != NULL && ran->state != STATE_RUNNING)
		ran = next_of(naive, ran);
	bool is_by_states =
		question->scope.rule == PROFILE_STATES || question->kind == PROFILE_OFFCPU;
	int64_t from_ns = ran != NULL && !is_by_states ? ran->start_ns : INT64_MIN;
	for (const struct naive_state *of = first; of != NULL; of = next_of(naive, of)) {
		if (!is_meant(question, of) || of->start_ns < until_ns)
			continue;
		int64_t end_ns = wait_end_ns(question, of);
		if (end_ns == TIME_OPEN)
			continue;
		int64_t start_ns = of->start_ns > from_ns ? of->start_ns : from_ns;
		sum_ns += part_within(question, pieces, start_ns, end_ns);
		until_ns = end_ns;
	}
	return sum_ns;
}

static int64_t
count_samples(const struct question *question, actor_ref goroutine, const struct pieces *pieces)
{
	struct naive_spans spans = { 0 };
	int64_t count = 0;
	pair_samples(question->pair, (struct lane){ LANE_ACTOR, goroutine }, &spans);
	for (size_t i = 0; i < spans.count; i++)
		count += part_within(question, pieces, spans.items[i].start_ns,
				 spans.items[i].start_ns + 1) > 0;
	naive_spans_release(&spans);
	return count;
}

static bool
is_runtime(const char *name, size_t length)
{
	return length >= 8 && (memcmp(name, "runtime.", 8) == 0 || memcmp(name, "runtime/", 8) == 0);
}

static int64_t
naive_total(const struct question *question)
{
	const struct pair *pair = question->pair;
	const struct profile_scope *scope = &question->scope;
	struct pieces pieces = { 0 };
	int64_t total = 0;
	for (actor_ref i = 0; i < trace_actor_count(pair->trace); i++) {
		bool is_out = scope->actor != REF_NONE && scope->actor != i;
		string_id name = trace_actor(pair->trace, i)->name;
		size_t length;
		const char *text = trace_text(pair->trace, name, &length);
		if (!profile_is_of_all(question->kind, scope) && is_runtime(text, length))
			continue;
		if (is_out || (scope->function != STRING_EMPTY && scope->function != name))
			continue;
		find_pieces(question, i, &pieces);
		if (question->kind == PROFILE_CPU)
			total += count_samples(question, i, &pieces);
		else if (pair->goroutines[i] != SIZE_MAX)
			total += sum_goroutine(question,
				&pair->naive.goroutines[pair->goroutines[i]], &pieces);
	}
	memory_free(pieces.items);
	return total;
}

/* ---- asking */

static void
check(const struct question *question)
{
	const struct profile_scope *scope = &question->scope;
	struct profile profile;
	struct error err = { 0 };
	assert_true(
		profile_build(&profile, question->pair->trace, question->kind, scope, &err));
	int64_t got = profile_total(&profile), wanted = naive_total(question);
	if (got != wanted)
		fail_msg("%s: %s by rule %d%s in [%" PRId64 ", %" PRId64
			 ") of goroutine %u, function %u, region %u, task %u%s: %" PRId64
			 ", not %" PRId64,
			question->pair->name, profile_name(question->kind), scope->rule,
			scope->with_runtime ? " of all" : "", scope->t0_ns,
			scope->t1_ns, scope->actor, scope->function, scope->region,
			scope->task, scope->only != NULL ? ", a query" : "", got, wanted);
	profile_release(&profile);
}

/* Some region, and its task; where there are none the scope stays. */
static void
choose_region(struct pair *pair, struct profile_scope *scope, bool is_of_task)
{
	const struct trace *trace = pair->trace;
	for (int tries = 0; tries < 50 && trace->ranges.count > 0; tries++) {
		const struct range *range = trace_range(
			trace, (range_ref)random_below(&pair->random, trace->ranges.count));
		if (range->type != RANGE_REGION)
			continue;
		if (is_of_task)
			scope->task = range->task;
		else
			scope->region = range->name;
		return;
	}
}

/* Bit by bit what the scope has. */
enum { OF_GOROUTINE = 1, OF_FUNCTION = 2, OF_REGION = 4, OF_TASK = 8, OF_TIME = 16, OF_QUERY = 32 };

static void
check_scope(struct pair *pair, unsigned has, const struct search *search)
{
	struct question question = { .pair = pair, .scope = profile_whole(pair->trace) };
	struct profile_scope *scope = &question.scope;
	uint32_t goroutine =
		(uint32_t)random_below(&pair->random, trace_actor_count(pair->trace));
	struct viewport interval = pair_viewport(pair, 1);
	scope->rule = random_below(&pair->random, 2) == 0 ? PROFILE_STATES : PROFILE_EXACT;
	scope->with_runtime = random_below(&pair->random, 2) == 0;
	if (has & OF_GOROUTINE)
		scope->actor = goroutine;
	if (has & OF_FUNCTION)
		scope->function = trace_actor(pair->trace, goroutine)->name;
	if (has & OF_REGION)
		choose_region(pair, scope, false);
	if (has & OF_TASK)
		choose_region(pair, scope, true);
	if (has & OF_TIME) {
		scope->t0_ns = interval.t0_ns;
		scope->t1_ns = interval.t1_ns;
	}
	if (has & OF_QUERY)
		scope->only = search;
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		question.kind = (enum profile_kind)kind;
		/* Samples are matched by the state that they are in. */
		if (kind != PROFILE_CPU || !(has & OF_QUERY))
			check(&question);
	}
}

static void
check_pair(struct pair *pair)
{
	struct error note = { 0 };
	struct search *search = search_new(pair->trace, query_text, &note);
	assert_non_null(search);
	for (unsigned has = 0; has < 64 && trace_actor_count(pair->trace) > 0; has++)
		check_scope(pair, has, search);
	search_free(search);
}

static void
scopes_equal_naive_sums(void **state)
{
	(void)state;
	pair_each(1, 10, check_pair);
}

/* A query for the goroutines of a function says the same as its scope, by all rules. */
static void
check_function(const char *name)
{
	struct trace *trace = testing_load(name);
	for (group_ref i = 0; i < trace->group_count && i < 5; i++) {
		struct profile_scope of_function = profile_whole(trace), asked = of_function;
		struct text text = { 0 };
		struct error note = { 0 };
		size_t length;
		const char *function = trace_text(trace, trace->groups[i].name, &length);
		if (length == 0 || strcspn(function, "\"\\") < length)
			continue;
		text_format(&text, "name=\"%s\"", function);
		struct search *only = search_new(trace, text.bytes, &note);
		assert_non_null(only);
		of_function.function = trace->groups[i].name;
		asked.only = only;
		for (int kind = 0; kind < 3 * PROFILE_KIND_COUNT; kind++) {
			struct profile one, other;
			enum profile_kind of = (enum profile_kind)(kind / 3);
			asked.with_runtime = true;
			of_function.rule = asked.rule = (enum profile_rule)(kind % 3);
			assert_true(profile_build(&one, trace, of, &of_function, &note));
			assert_true(profile_build(&other, trace, of, &asked, &note));
			assert_int_equal(one.sum.ns, other.sum.ns);
			assert_int_equal(one.sum.count, other.sum.count);
			assert_int_equal(one.entry_count, other.entry_count);
			profile_release(&one);
			profile_release(&other);
		}
		search_free(only);
		text_release(&text);
	}
	trace_free(trace);
}

static void
queries_for_functions_equal_their_scope(void **state)
{
	(void)state;
	testing_each(".trace", check_function);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_equal_naive_sums),
		cmocka_unit_test(queries_for_functions_equal_their_scope),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
