/* Goes once through the states of an actor; kinds of state are few. */
#include "analysis/life.h"

#include <stdlib.h>

#include "base/memory.h"
#include "query/search.h"
#include "trace/lane.h"

bool
life_first(const struct trace *trace, actor_ref actor, int64_t t0_ns, int64_t t1_ns,
	struct span *span)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = actor };
	if (lane_span_at(trace, lane, t0_ns, span))
		return true;
	return lane_next(trace, lane, t0_ns, CLASS_MASK_ALL, span) && span->start_ns < t1_ns;
}

static void
add_span(struct life_total *total, const struct span *span)
{
	int64_t duration_ns = span->end_ns - span->start_ns;
	if (total->count == 0 || duration_ns > total->longest.end_ns - total->longest.start_ns)
		total->longest = *span;
	total->count++;
	total->total_ns += duration_ns;
}

/*
 * An actor that is found to work for the collector, by a label, while it runs goes on in a state of
 * another class: that is one run, and not two.
 */
static void
add_to_run(struct life_total *total, const struct span *run, const struct span *more)
{
	struct span joined = *more;
	joined.start_ns = run->start_ns;
	total->total_ns += more->end_ns - more->start_ns;
	if (joined.end_ns - joined.start_ns > total->longest.end_ns - total->longest.start_ns)
		total->longest = joined;
}

static int
compare_totals(const void *a, const void *b)
{
	const struct life_total *left = a, *right = b;
	if (left->state != right->state)
		return left->state < right->state ? -1 : 1;
	if (left->is_reason != right->is_reason)
		return right->is_reason ? -1 : 1;
	if (left->total_ns != right->total_ns)
		return left->total_ns > right->total_ns ? -1 : 1;
	return (left->reason > right->reason) - (left->reason < right->reason);
}

/* The total by reason that a kind belongs to; different entries and classes may share one. */
static struct life_total *
reason_total(struct life_total *reasons, uint32_t *count, const struct state_kind *kind)
{
	for (uint32_t i = 0; i < *count; i++)
		if (reasons[i].state == kind->state && reasons[i].reason == kind->reason &&
			reasons[i].time_class == kind->time_class)
			return &reasons[i];
	reasons[*count] = (struct life_total){ .state = kind->state,
		.time_class = kind->time_class,
		.is_reason = true,
		.reason = kind->reason };
	return &reasons[(*count)++];
}

/* A state whose spans all have one reason, the empty one, is told by its total alone. */
static bool
is_worth_a_line(const struct life_total *reason, const struct life_total *state)
{
	return reason->reason != STRING_EMPTY || reason->total_ns != state->total_ns;
}

static bool
keep_totals(struct life *life, const struct life_total *states, const struct life_total *reasons,
	uint32_t reason_count, struct error *err)
{
	size_t most = (size_t)STATE_COUNT + reason_count;
	life->totals = memory_realloc(NULL, most * sizeof(*life->totals));
	if (life->totals == NULL)
		return error_set_memory(err, "the totals of a life");
	for (int i = 0; i < STATE_COUNT; i++)
		if (states[i].count > 0)
			life->totals[life->total_count++] = states[i];
	for (uint32_t i = 0; i < reason_count; i++)
		if (is_worth_a_line(&reasons[i], &states[reasons[i].state]))
			life->totals[life->total_count++] = reasons[i];
	qsort(life->totals, life->total_count, sizeof(*life->totals), compare_totals);
	return true;
}

bool
life_build(struct life *life, const struct trace *trace, const struct life_scope *scope,
	struct error *err)
{
	int64_t t0_ns = scope->t0_ns, t1_ns = scope->t1_ns;
	struct lane lane = { .type = LANE_ACTOR, .ref = scope->actor };
	struct life built = { .t0_ns = t0_ns, .t1_ns = t0_ns };
	struct life_total states[STATE_COUNT] = { 0 };
	struct life_total reasons[KIND_MAX + 1];
	uint32_t reason_count = 0;
	for (int i = 0; i < STATE_COUNT; i++)
		states[i].state = (enum state)i;
	struct span span, run;
	bool has_run = false; /* the span before was a run, that one */
	bool is_there = life_first(trace, scope->actor, t0_ns, t1_ns, &span);
	if (is_there && span.start_ns > t0_ns)
		built.t0_ns = span.start_ns;
	for (; is_there && span.start_ns < t1_ns;
		is_there = lane_after(trace, lane, &span, &span)) {
		struct span part = span;
		span_clip(&part, t0_ns, t1_ns);
		built.t1_ns = part.end_ns;
		if (scope->only != NULL && !search_matches(scope->only, span.segment, span.state))
			continue;
		if (has_run && run.end_ns == part.start_ns && span.kind->state == STATE_RUNNING) {
			add_to_run(&states[STATE_RUNNING], &run, &part);
			run.end_ns = part.end_ns;
		} else {
			add_span(&states[span.kind->state], &part);
			has_run = span.kind->state == STATE_RUNNING;
			run = part;
		}
		add_span(reason_total(reasons, &reason_count, span.kind), &part);
		built.span_count++;
	}
	if (!keep_totals(&built, states, reasons, reason_count, err))
		return false;
	*life = built;
	return true;
}

void
life_release(struct life *life)
{
	memory_free(life->totals);
	*life = (struct life){ 0 };
}

/* ---- nearest ids */

static uint64_t
distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static int
compare_ids(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

/* The place of the id that is farthest from the wanted one. */
static uint32_t
farthest(const int64_t *ids, uint32_t count, int64_t id)
{
	uint32_t found = 0;
	for (uint32_t i = 1; i < count; i++)
		if (distance(ids[i], id) > distance(ids[found], id))
			found = i;
	return found;
}

static bool
has_id(const int64_t *ids, uint32_t count, int64_t id)
{
	for (uint32_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

uint32_t
life_nearest(const struct trace *trace, int64_t id, int64_t *ids, uint32_t most)
{
	uint32_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace) && most > 0; i++) {
		int64_t candidate = trace_actor(trace, i)->id;
		if (has_id(ids, count, candidate))
			continue;
		if (count < most) {
			ids[count++] = candidate;
			continue;
		}
		uint32_t place = farthest(ids, count, id);
		if (distance(candidate, id) < distance(ids[place], id))
			ids[place] = candidate;
	}
	qsort(ids, count, sizeof(*ids), compare_ids);
	return count;
}
