/* Asks the index about each actor, then sorts those alike together. */
#include "analysis/moment.h"

#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { AT_A_TIME = 1024 /* actors, before it is asked whether to go on */ };

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* ---- where it was */

/* The last CPU sample within the running state, up to the moment; STACK_NONE for none. */
static stack_id
sampled_stack(const struct trace *trace, const struct span *span, int64_t t_ns)
{
	const struct ref_index *index = &trace->actor_instants;
	if (span->actor >= index->key_count)
		return STACK_NONE;
	uint32_t first = index->first[span->actor], end = index->first[span->actor + 1];
	const uint32_t *refs = index->refs + first;
	for (size_t i = instants_before(trace, refs, end - first, t_ns + 1); i > 0; i--) {
		const struct instant *instant = trace_instant(trace, refs[i - 1]);
		if (instant->time_ns < span->start_ns)
			break;
		if (instant->type == INSTANT_SAMPLE)
			return instant->stack;
	}
	return STACK_NONE;
}

/* Where it stopped or began to wait before it got ready or to run. */
static stack_id
earlier_stack(const struct trace *trace, const struct span *span)
{
	struct lane lane = { LANE_ACTOR, span->actor };
	struct span here = *span, before;
	while (here.stack == STACK_NONE && here.kind->entry != ENTRY_CREATED &&
		lane_before(trace, lane, &here, &before))
		here = before;
	return here.stack;
}

static stack_id
stack_of(const struct trace *trace, const struct span *span, int64_t t_ns)
{
	stack_id sampled = STACK_NONE;
	if (span->kind->state == STATE_RUNNING)
		sampled = sampled_stack(trace, span, t_ns);
	return sampled != STACK_NONE ? sampled : earlier_stack(trace, span);
}

/* ---- who is alike */

struct sorted {
	const struct trace *trace;
	struct moment_actor *actor;
	size_t group_size;
};

/* Those that run do not wait for anything: they come first. */
static int
state_order(const struct state_kind *kind)
{
	return kind->state == STATE_RUNNING ? -1 : (int)kind->state;
}

static int
compare_alike(const struct trace *trace, const struct moment_actor *a,
	const struct moment_actor *b)
{
	const struct actor *left = trace_actor(trace, a->actor);
	const struct actor *right = trace_actor(trace, b->actor);
	int order = COMPARE(state_order(a->kind), state_order(b->kind));
	if (order == 0)
		order = COMPARE(a->kind->reason, b->kind->reason);
	if (order == 0)
		order = COMPARE(a->stack, b->stack);
	if (order == 0)
		order = COMPARE(left->name, right->name);
	return order != 0 ? order : COMPARE(left->create_stack, right->create_stack);
}

static int
compare_all(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = compare_alike(a->trace, a->actor, b->actor);
	if (order == 0)
		order = COMPARE(a->actor->since_ns, b->actor->since_ns);
	return order != 0 ? order
			  : COMPARE(trace_actor(a->trace, a->actor->actor)->id,
				    trace_actor(b->trace, b->actor->actor)->id);
}

static int
compare_groups(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	bool a_runs = a->actor->kind->state == STATE_RUNNING;
	bool b_runs = b->actor->kind->state == STATE_RUNNING;
	int order = COMPARE(b_runs, a_runs);
	if (order == 0)
		order = COMPARE(b->group_size, a->group_size);
	return order != 0 ? order : compare_all(left, right);
}

/* Gives each the size of its group; those of a group stand together. Returns how many groups. */
static size_t
count_groups(struct sorted *sorted, size_t count)
{
	size_t groups = 0;
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count; end++) {
			if (compare_alike(sorted->trace, sorted[first].actor,
				    sorted[end].actor) != 0)
				break;
		}
		for (size_t i = first; i < end; i++)
			sorted[i].group_size = end - first;
		groups++;
	}
	return groups;
}

/* Puts the actors in the order in which they stand in `sorted`. */
static bool
arrange(struct moment *moment, const struct sorted *sorted, size_t groups, struct error *err)
{
	struct moment_actor *arranged =
		array_new(moment->actor_count, sizeof *arranged, err);
	if (arranged == NULL)
		return false;
	for (size_t i = 0; i < moment->actor_count; i++)
		arranged[i] = *sorted[i].actor;
	memory_free(moment->actors);
	moment->actors = arranged;
	moment->groups = array_new(groups, sizeof *moment->groups, err);
	if (moment->groups == NULL)
		return false;
	for (size_t i = 0; i < moment->actor_count; i += sorted[i].group_size)
		moment->groups[moment->group_count++] =
			(struct moment_group){ i, sorted[i].group_size };
	return true;
}

static bool
fold(struct moment *moment, const struct trace *trace, const atomic_bool *is_cancelled,
	struct error *err)
{
	size_t count = moment->actor_count;
	struct sorted *sorted = array_new(count, sizeof *sorted, err);
	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct sorted){ trace, &moment->actors[i], 0 };
	const struct sort alike = { sorted, count, sizeof *sorted, compare_all };
	const struct sort by_size = { sorted, count, sizeof *sorted, compare_groups };
	bool is_fine = sort_items(&alike, is_cancelled, err);
	size_t groups = is_fine ? count_groups(sorted, count) : 0;
	is_fine = is_fine && sort_items(&by_size, is_cancelled, err) &&
		  arrange(moment, sorted, groups, err);
	memory_free(sorted);
	return is_fine;
}

/* ---- the whole */

static bool
gather(struct moment *moment, const struct trace *trace, const struct search *only,
	const atomic_bool *is_cancelled, struct error *err)
{
	size_t capacity = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct span span;
		if (i % AT_A_TIME == 0 && !job_goes_on(is_cancelled, err))
			return false;
		if (!lane_span_at(trace, (struct lane){ LANE_ACTOR, i }, moment->t_ns, &span))
			continue;
		if (only != NULL && !search_matches(only, span.segment, span.state))
			continue;
		if (!array_reserve(&moment->actors, &capacity, moment->actor_count + 1,
			    sizeof *moment->actors, err))
			return false;
		moment->actors[moment->actor_count++] = (struct moment_actor){
			.actor = i,
			.since_ns = span.start_ns,
			.is_old = span.kind->entry == ENTRY_STATUS,
			.kind = span.kind,
			.processor = span.kind->state == STATE_RUNNING ? span.processor : REF_NONE,
			.stack = stack_of(trace, &span, moment->t_ns),
		};
	}
	return true;
}

bool
moment_build(struct moment *moment, const struct trace *trace, int64_t t_ns,
	const struct search *only, const atomic_bool *is_cancelled, struct error *err)
{
	struct moment built = { .t_ns = t_ns };
	if (!gather(&built, trace, only, is_cancelled, err) || !fold(&built, trace, is_cancelled, err)) {
		moment_release(&built);
		return false;
	}
	*moment = built;
	return true;
}

void
moment_release(struct moment *moment)
{
	memory_free(moment->actors);
	memory_free(moment->groups);
	*moment = (struct moment){ 0 };
}

const char *
moment_state_text(const struct trace *trace, const struct state_kind *kind, size_t *length)
{
	const char *name = trace->words->dump_states[kind->state];
	if (kind->state == STATE_BLOCKED && kind->reason != STRING_EMPTY)
		return trace_text(trace, kind->reason, length);
	if (name == NULL)
		name = state_name(kind->state);
	*length = strlen(name);
	return name;
}
