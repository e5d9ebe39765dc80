/* What the states that an actor enters come to: waits that begin and end. */
#include <string.h>

#include "analysis/profile_internal.h"
#include "base/memory.h"
#include "query/search.h"

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

bool
profile_counts_states(const struct profile_walk *walk)
{
	return walk->scope->rule == PROFILE_STATES || walk->profile->kind == PROFILE_OFFCPU;
}

static enum profile_role
state_role(const struct profile_walk *walk, const struct state_kind *kind)
{
	bool is_meant = (profile_classes(walk->profile->kind) & CLASS_BIT(kind->time_class)) != 0;
	return is_meant ? ROLE_MEANT : ROLE_OTHER;
}

/* By Go's rules. */
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
profile_set_roles(struct profile_walk *walk, uint32_t kind_count)
{
	for (; walk->role_count < kind_count; walk->role_count++) {
		const struct state_kind *kind = &walk->trace->kinds[walk->role_count];
		walk->roles[walk->role_count] =
			(uint8_t)(profile_counts_states(walk) ? state_role(walk, kind)
						      : wait_role(walk, kind));
	}
}

static bool
matches(const struct profile_walk *walk, const struct profile_entered *entered)
{
	return walk->scope->only == NULL ||
	       search_matches(walk->scope->only, entered->segment, entered->state);
}

stack_id
profile_stack_of(const struct profile_entered *entered)
{
	enum state state = entered->kind->state;
	if (state != STATE_READY && state != STATE_BLOCKED && state != STATE_SYSCALL)
		return STACK_NONE;
	return entered->site->place;
}

static bool
keep_early(struct profile_walk *walk, const struct profile_entry *entry, struct error *err)
{
	if (!array_reserve(&walk->early, &walk->early_capacity, walk->early_count + 1,
		    sizeof *walk->early, err))
		return false;
	walk->early[walk->early_count++] =
		(struct profile_early){ walk->actor, *entry };
	return true;
}

/* Counts the wait up to there; is_open: it is not over. */
static bool
end_wait(struct profile_walk *walk, int64_t end_ns, bool is_open, struct error *err)
{
	struct profile_wait *wait = walk->wait;
	bool has_not_run = wait->from_ns == PROFILE_NOT_RUN;
	bool is_early = has_not_run || wait->whose == WHOSE_UNKNOWN;
	int64_t start_ns =
		has_not_run || wait->since_ns > wait->from_ns ? wait->since_ns : wait->from_ns;
	int64_t ns = profile_within(walk, start_ns, end_ns);
	struct profile_entry entry = { .stack = wait->stack, .count = !wait->is_counted, .ns = ns };
	wait->is_waiting = false;
	if (ns == 0)
		return true;
	wait->is_counted = true;
	if (is_open) {
		entry.open_count = 1;
		entry.open_ns = ns;
	}
	return is_early ? keep_early(walk, &entry, err) : profile_add(walk, &entry, err);
}

/* As Go compares stacks, by addresses up to the first that is 0, such a one tells nothing. */
static bool
is_empty(const struct profile_walk *walk, stack_id stack)
{
	const struct stack_table *stacks = &walk->trace->stacks;
	return stack_caller(stacks, stack) == STACK_NONE && stack_leaf(stacks, stack)->pc == 0;
}

static void
begin_wait(struct profile_wait *wait, stack_id stack, int64_t start_ns)
{
	wait->is_waiting = true;
	wait->stack = stack;
	wait->since_ns = start_ns;
}

static bool
enter_state(struct profile_walk *walk, const struct profile_entered *entered, struct error *err)
{
	stack_id stack = profile_stack_of(entered);
	if (stack == STACK_NONE && walk->scope->rule == PROFILE_STACKED &&
		entered->role != ROLE_LOST)
		return true;
	if (walk->wait->is_waiting) {
		if (entered->role == ROLE_OTHER)
			return end_wait(walk, entered->start_ns, false, err);
		walk->wait->is_waiting = entered->role != ROLE_LOST;
		return true;
	}
	if (entered->role != ROLE_MEANT || !matches(walk, entered))
		return true;
	if (stack != STACK_NONE && walk->scope->rule == PROFILE_EXACT && is_empty(walk, stack))
		stack = STACK_NONE;
	walk->wait->is_counted = false;
	begin_wait(walk->wait, stack, entered->start_ns);
	return true;
}

/* Where an actor off its processor stopped to run: known anew, or as before. */
static stack_id
off_cpu_stack(const struct profile_walk *walk, const struct profile_entered *entered)
{
	bool goes_on = entry_is_wake(entered->kind->entry) ||
		       entered->kind->entry == ENTRY_RETURNED;
	return goes_on ? walk->wait->stack : profile_stack_of(entered);
}

/*
 * Each state is a wait. Off the CPU it is one from state to state until the actor runs; those that
 * do not match are holes in it.
 */
static bool
enter_counted(struct profile_walk *walk, const struct profile_entered *entered, struct error *err)
{
	bool is_off_cpu = walk->profile->kind == PROFILE_OFFCPU;
	if (walk->wait->is_waiting && !end_wait(walk, entered->start_ns, false, err))
		return false;
	if (entered->role == ROLE_OTHER) {
		walk->wait->is_counted = false;
		walk->wait->stack = STACK_NONE;
		return true;
	}
	walk->wait->is_counted = walk->wait->is_counted && is_off_cpu;
	walk->wait->stack = is_off_cpu ? off_cpu_stack(walk, entered) : profile_stack_of(entered);
	if (entered->start_ns < walk->scope->t1_ns && matches(walk, entered))
		begin_wait(walk->wait, walk->wait->stack, entered->start_ns);
	return true;
}

bool
profile_enter(struct profile_walk *walk, const struct profile_entered *entered, struct error *err)
{
	return profile_counts_states(walk) ? enter_counted(walk, entered, err)
				   : enter_state(walk, entered, err);
}

bool
profile_leave(struct profile_walk *walk, struct error *err)
{
	return walk->scope->rule != PROFILE_STATES || !walk->wait->is_waiting ||
	       end_wait(walk, walk->trace->end_ns, true, err);
}
