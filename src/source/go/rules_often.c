/* The frequent rules as rules like all others: what they tell goes into the queue. */
#include "source/go/rules_often.h"

static ALWAYS_INLINE enum advance
queue_change(struct state *state, struct machine *machine, const struct wire_event *wire,
             often_rule *rule, struct error *err)
{
	struct go_change change;
	enum advance result = rule(state, machine, wire, &change, err);
	if (result != ADVANCE_DONE)
		return result;
	assert(state->queue_count < STATE_EVENTS_MAX);
	go_change_tell(&change, wire->id, &state->queue[state->queue_count++]);
	return ADVANCE_DONE;
}

enum advance
rule_go_start(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	return queue_change(state, machine, wire, often_go_start, err);
}

enum advance
rule_go_unblock(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	return queue_change(state, machine, wire, often_go_unblock, err);
}

enum advance
rule_go_stop(struct state *state, struct machine *machine, const struct wire_event *wire,
             struct error *err)
{
	return queue_change(state, machine, wire, often_go_stop, err);
}

enum advance
rule_go_block(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	return queue_change(state, machine, wire, often_go_block, err);
}

enum advance
rule_syscall_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                   struct error *err)
{
	return queue_change(state, machine, wire, often_syscall_begin, err);
}

enum advance
rule_syscall_end(struct state *state, struct machine *machine, const struct wire_event *wire,
                 struct error *err)
{
	return queue_change(state, machine, wire, often_syscall_end, err);
}
