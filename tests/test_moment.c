/*
 * Everyone at one time: against the naive model on all traces, and the printed form on one.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/moment.h"
#include "golden.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "report/moment.h"
#include "tracetesting.h"

enum { SIMULATED = 20, MOMENTS = 30 };

/* The state of a goroutine of the naive model at t; NULL if it was not alive. */
static const struct naive_state *
state_at(const struct naive *naive, size_t goroutine, int64_t t_ns)
{
	for (size_t i = naive->goroutines[goroutine].first_state; i != SIZE_MAX;
		i = naive->states[i].next) {
		const struct naive_state *state = &naive->states[i];
		struct naive_span span = { .start_ns = state->start_ns,
			.end_ns = state->end_ns,
			.is_open = state->is_open };
		if (naive_overlaps(&span, t_ns, t_ns + 1))
			return state;
	}
	return NULL;
}

static void
check_one(const struct pair *pair, const struct moment *moment, size_t index)
{
	const struct moment_actor *got = &moment->actors[index];
	const struct naive_state *wanted =
		state_at(&pair->naive, pair->goroutines[got->actor], moment->t_ns);
	if (wanted == NULL || wanted->state != got->kind->state ||
		wanted->start_ns != got->since_ns)
		fail_msg("%s: at %" PRId64 " goroutine %u is not %s since %" PRId64, pair->name,
			moment->t_ns, got->actor, state_name(got->kind->state), got->since_ns);
}

/* Each stands in one group, with those that are as it is. */
static void
check_groups(const struct pair *pair, const struct moment *moment)
{
	size_t next = 0;
	for (size_t i = 0; i < moment->group_count; i++) {
		const struct moment_group *group = &moment->groups[i];
		const struct moment_actor *first = &moment->actors[group->first];
		assert_int_equal(group->first, next);
		assert_true(group->count > 0);
		next += group->count;
		for (size_t n = 1; n < group->count; n++) {
			const struct moment_actor *other = &first[n];
			assert_int_equal(other->kind->state, first->kind->state);
			assert_int_equal(other->kind->reason, first->kind->reason);
			assert_int_equal(other->stack, first->stack);
			assert_int_equal(trace_actor(pair->trace, other->actor)->name,
				trace_actor(pair->trace, first->actor)->name);
			assert_true(other->since_ns >= other[-1].since_ns);
		}
	}
	assert_int_equal(next, moment->actor_count);
}

static size_t
count_alive(const struct pair *pair, int64_t t_ns)
{
	size_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(pair->trace); i++)
		count += pair->goroutines[i] != SIZE_MAX &&
			 state_at(&pair->naive, pair->goroutines[i], t_ns) != NULL;
	return count;
}

static void
check_moments(struct pair *pair)
{
	for (unsigned i = 0; i < MOMENTS * pair->rounds; i++) {
		struct moment moment;
		struct error err = { 0 };
		assert_true(moment_build(&moment, pair->trace, pair_moment(pair), NULL, NULL, &err));
		for (size_t n = 0; n < moment.actor_count; n++)
			check_one(pair, &moment, n);
		assert_int_equal(moment.actor_count, count_alive(pair, moment.t_ns));
		check_groups(pair, &moment);
		moment_release(&moment);
	}
}

static void
everyone_alive_is_there_once(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_moments);
}

static void
the_dump_looks_like_one_of_go(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.26");
	struct report_options options = { .file_name = "a.trace", .cursor_ns = 30000000 };
	struct text out = { 0 };
	struct error err = { 0 };
	assert_true(report_moment(trace, &options, &out, &err));
	golden_check("dump.txt", &out);
	text_release(&out);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everyone_alive_is_there_once),
		cmocka_unit_test(the_dump_looks_like_one_of_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
