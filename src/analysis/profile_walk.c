/* Goes through the states of a goroutine and finds its waits. */
#include <string.h>

#include "analysis/profile_internal.h"
#include "query/search.h"
#include "trace/series.h"

static bool
is_meant_reason(const struct profile_walk *walk, string_id reason)
{
	size_t length;
	const char *text = trace_text(walk->trace, reason, &length);
	if (walk->profile->kind == PROFILE_NET)
		return strcmp(text, "network") == 0;
	return walk->profile->kind != PROFILE_SYNC || strstr(text, "chan") != NULL ||
	       strstr(text, "sync") != NULL || strstr(text, "select") != NULL;
}

static enum profile_role
off_cpu_role(const struct state_kind *kind)
{
	bool waits = kind->state == STATE_READY || kind->state == STATE_BLOCKED ||
		     kind->state == STATE_SYSCALL;
	return waits ? ROLE_MEANT : ROLE_OTHER;
}

static enum profile_role
wait_role(const struct profile_walk *walk, const struct state_kind *kind)
{
	static const enum state meant[] = {
		[PROFILE_NET] = STATE_BLOCKED,
		[PROFILE_SYNC] = STATE_BLOCKED,
		[PROFILE_SYSCALL] = STATE_SYSCALL,
		[PROFILE_SCHED] = STATE_READY,
	};
	if (kind->state == STATE_UNKNOWN)
		return ROLE_LOST;
	if (kind->state == meant[walk->profile->kind])
		return is_meant_reason(walk, kind->reason) ? ROLE_MEANT : ROLE_SAME;
	/* Those never come with a stack. */
	if (walk->scope->rule == PROFILE_STACKED &&
		(kind->state == STATE_RUNNING || kind->state == STATE_GONE))
		return ROLE_NONE;
	return ROLE_OTHER;
}

void
profile_set_roles(struct profile_walk *walk)
{
	for (uint32_t i = 0; i < walk->trace->kind_count; i++) {
		const struct state_kind *kind = &walk->trace->kinds[i];
		walk->roles[i] = (uint8_t)(walk->profile->kind == PROFILE_OFFCPU
						   ? off_cpu_role(kind)
						   : wait_role(walk, kind));
	}
}

/* A state that is entered. */
struct entered {
	const struct segment *segment;
	uint32_t segment_index, state;
	const struct state_kind *kind;
	enum profile_role role;
	int64_t start_ns;
};

static bool
matches(const struct profile_walk *walk, const struct entered *entered)
{
	return walk->scope->only == NULL ||
	       search_matches(walk->scope->only, entered->segment_index, entered->state);
}

/* The stack that the event came with which made the goroutine enter the state. */
static stack_id
stack_of(const struct entered *entered)
{
	enum state state = entered->kind->state;
	if (state != STATE_READY && state != STATE_BLOCKED && state != STATE_SYSCALL)
		return STACK_NONE;
	return segment_site(entered->segment, entered->state)->place;
}

/* Counts the wait that ends then. */
static bool
end_wait(struct profile_walk *walk, int64_t end_ns, struct error *err)
{
	int64_t ns = profile_within(walk, walk->since_ns, end_ns);
	walk->is_waiting = false;
	if (ns == 0)
		return true;
	uint64_t count = walk->is_counted ? 0 : 1;
	walk->is_counted = true;
	return profile_add(walk, walk->stack, count, ns, err);
}

/* As Go compares stacks, by addresses up to the first that is 0, such a one tells nothing. */
static bool
is_empty(const struct profile_walk *walk, stack_id stack)
{
	const struct stack_table *stacks = &walk->trace->stacks;
	return stack_caller(stacks, stack) == STACK_NONE && stack_leaf(stacks, stack)->pc == 0;
}

static void
begin_wait(struct profile_walk *walk, stack_id stack, int64_t start_ns)
{
	walk->is_waiting = true;
	walk->stack = stack;
	walk->since_ns = start_ns;
}

static bool
enter_state(struct profile_walk *walk, const struct entered *entered, struct error *err)
{
	stack_id stack = stack_of(entered);
	if (stack == STACK_NONE && walk->scope->rule == PROFILE_STACKED &&
		entered->role != ROLE_LOST)
		return true;
	if (walk->is_waiting) {
		if (entered->role == ROLE_OTHER)
			return end_wait(walk, entered->start_ns, err);
		walk->is_waiting = entered->role != ROLE_LOST;
		return true;
	}
	if (entered->role != ROLE_MEANT || !matches(walk, entered))
		return true;
	if (stack != STACK_NONE && walk->scope->rule == PROFILE_EXACT && is_empty(walk, stack))
		stack = STACK_NONE;
	walk->is_counted = false;
	begin_wait(walk, stack, entered->start_ns);
	return true;
}

/* Where a goroutine off its proc stopped to run: known anew, or as before. */
static stack_id
off_cpu_stack(const struct profile_walk *walk, const struct entered *entered)
{
	bool goes_on = entered->kind->entry == ENTRY_UNBLOCKED ||
		       entered->kind->entry == ENTRY_RETURNED;
	return goes_on ? walk->stack : stack_of(entered);
}

/* One wait from state to state until it runs; those that do not match are holes in it. */
static bool
enter_off_cpu(struct profile_walk *walk, const struct entered *entered, struct error *err)
{
	if (walk->is_waiting && !end_wait(walk, entered->start_ns, err))
		return false;
	if (entered->role == ROLE_OTHER) {
		walk->is_counted = false;
		walk->stack = STACK_NONE;
		return true;
	}
	walk->stack = off_cpu_stack(walk, entered);
	if (entered->start_ns < walk->scope->t1_ns && matches(walk, entered))
		begin_wait(walk, walk->stack, entered->start_ns);
	return true;
}

static void
look_at(const struct profile_walk *walk, const struct series *series, const struct item *item,
	struct entered *entered)
{
	uint32_t state = item_state(item);
	uint8_t kind = item->segment->kind[state] & KIND_MASK;
	*entered = (struct entered){
		.segment = item->segment,
		.segment_index = series->runs[item->at].segment,
		.state = state,
		.kind = &walk->trace->kinds[kind],
		.role = (enum profile_role)walk->roles[kind],
	};
}

/* Whether nothing that began before this state can go on in it. */
static bool
settles(const struct profile_walk *walk, const struct entered *entered)
{
	if (walk->profile->kind == PROFILE_OFFCPU || walk->scope->rule == PROFILE_EXACT)
		return entered->role == ROLE_OTHER || entered->role == ROLE_LOST;
	return entered->role == ROLE_LOST ||
	       (entered->role == ROLE_OTHER && stack_of(entered) != STACK_NONE);
}

/* Finds the state from where on one has to look for what there is in the interval. */
static void
seek(const struct profile_walk *walk, const struct series *series, struct item *item)
{
	struct entered entered;
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

/* When the goroutine first ran, INT64_MIN if it never did. O(states before that). */
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
	bool is_off_cpu = walk->profile->kind == PROFILE_OFFCPU;
	struct entered entered = { .segment = item->segment,
		.segment_index = series->runs[item->at].segment };
	*goes_on = true;
	for (uint32_t i = item->index; i < item->count; i++) {
		entered.state = item->first + i;
		uint8_t kind = entered.segment->kind[entered.state] & KIND_MASK;
		entered.role = (enum profile_role)walk->roles[kind];
		if (entered.role == ROLE_NONE)
			continue;
		entered.kind = &walk->trace->kinds[kind];
		entered.start_ns = segment_start_ns(entered.segment, entered.state);
		*goes_on = walk->is_waiting || entered.start_ns < walk->scope->t1_ns;
		if (!*goes_on)
			break;
		if (!(is_off_cpu ? enter_off_cpu(walk, &entered, err)
				 : enter_state(walk, &entered, err)))
			return false;
	}
	return true;
}

bool
profile_walk_states(struct profile_walk *walk, goroutine_ref goroutine, struct error *err)
{
	bool is_off_cpu = walk->profile->kind == PROFILE_OFFCPU;
	struct series series;
	struct item item;
	if (!series_open(walk->trace, (struct lane){ LANE_GOROUTINE, goroutine }, &series))
		return true;
	walk->from_ns = is_off_cpu ? INT64_MIN : first_run_ns(walk->trace, &series);
	walk->is_waiting = walk->is_counted = false;
	walk->stack = STACK_NONE;
	seek(walk, &series, &item);
	for (bool goes_on = true; goes_on;) {
		if (!walk_run(walk, &series, &item, &goes_on, err))
			return false;
		if (!goes_on || item.at + 1 == series.run_count)
			break;
		series_enter(&series, item.at + 1, &item);
	}
	/* What the first four are about counts only once it is over. */
	return !is_off_cpu || !walk->is_waiting || end_wait(walk, walk->trace->end_ns, err);
}
