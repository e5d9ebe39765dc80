/* Goes through the states of an actor and finds its waits. */
#include "analysis/profile_internal.h"
#include "trace/series.h"

static void
look_at(const struct profile_walk *walk, const struct series *series, const struct item *item,
	struct profile_entered *entered)
{
	uint32_t state = item_state(item);
	uint8_t kind = item->segment->kind[state] & KIND_MASK;
	*entered = (struct profile_entered){
		.kind = &walk->trace->kinds[kind],
		.site = segment_site(item->segment, state),
		.role = (enum profile_role)walk->roles[kind],
		.segment = series->runs[item->at].segment,
		.state = state,
	};
}

/* Whether nothing that began before this state can go on in it. */
static bool
settles(const struct profile_walk *walk, const struct profile_entered *entered)
{
	if (walk->scope->rule == PROFILE_STATES && walk->profile->kind != PROFILE_OFFCPU)
		return true;
	if (walk->profile->kind == PROFILE_OFFCPU || walk->scope->rule == PROFILE_EXACT)
		return entered->role == ROLE_OTHER || entered->role == ROLE_LOST;
	return entered->role == ROLE_LOST ||
	       (entered->role == ROLE_OTHER && profile_stack_of(entered) != STACK_NONE);
}

/* Finds the state from where on one has to look for what there is in the interval. */
static void
seek(const struct profile_walk *walk, const struct series *series, struct item *item)
{
	struct profile_entered entered;
	if (!series_find(series, walk->scope->t0_ns, item)) {
		series_enter(series, 0, item);
		return;
	}
	look_at(walk, series, item, &entered);
	while (item_ordinal(item) > 0 && !settles(walk, &entered)) {
		series_item(series, item_ordinal(item) - 1, item);
		look_at(walk, series, item, &entered);
	}
}

/* When the actor first ran, INT64_MIN if it never did. O(states before that). */
static int64_t
first_run_ns(const struct trace *trace, const struct series *series)
{
	struct item item;
	series_enter(series, 0, &item);
	do {
		uint8_t kind = item.segment->kind[item_state(&item)] & KIND_MASK;
		if (trace->kinds[kind].state == STATE_RUNNING)
			return item_start_ns(&item);
	} while (series_step(series, &item));
	return INT64_MIN;
}

/* The states of a run from the item on. *goes_on: whether those of later runs matter as well. */
static bool
walk_run(struct profile_walk *walk, const struct series *series, const struct item *item,
	bool *goes_on, struct error *err)
{
	const struct segment *segment = item->segment;
	struct profile_entered entered = { .segment = series->runs[item->at].segment };
	*goes_on = true;
	for (uint32_t i = item->index; i < item->count; i++) {
		entered.state = item->first + i;
		uint8_t kind = segment->kind[entered.state] & KIND_MASK;
		entered.role = (enum profile_role)walk->roles[kind];
		if (entered.role == ROLE_NONE)
			continue;
		entered.kind = &walk->trace->kinds[kind];
		entered.site = segment_site(segment, entered.state);
		entered.start_ns = segment_start_ns(segment, entered.state);
		*goes_on = walk->wait->is_waiting || entered.start_ns < walk->scope->t1_ns;
		if (!*goes_on)
			break;
		if (!profile_enter(walk, &entered, err))
			return false;
	}
	return true;
}

bool
profile_walk_states(struct profile_walk *walk, actor_ref actor, struct error *err)
{
	struct series series;
	struct item item;
	if (!series_open(walk->trace, (struct lane){ LANE_ACTOR, actor }, &series))
		return true;
	*walk->wait = (struct profile_wait){
		.from_ns = profile_counts_states(walk) ? INT64_MIN
						       : first_run_ns(walk->trace, &series)
	};
	seek(walk, &series, &item);
	for (bool goes_on = true; goes_on;) {
		if (!walk_run(walk, &series, &item, &goes_on, err))
			return false;
		if (!goes_on || item.at + 1 == series.run_count)
			break;
		series_enter(&series, item.at + 1, &item);
	}
	return profile_leave(walk, err);
}
