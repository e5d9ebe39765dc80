/*
 * Rules of a goroutine's life outside of system calls:
 * doc/format/go-trace-semantics.md, sections 3.2 and 3.4.
 */
#include <inttypes.h>

#include "source/go/rules_often.h"

const enum go_state goroutine_public_states[G_STATUS_COUNT] = {
	[G_BAD] = GO_UNDETERMINED,
	[G_UNKNOWN] = GO_UNDETERMINED,
	[G_RUNNABLE] = GO_RUNNABLE,
	[G_RUNNING] = GO_RUNNING,
	[G_SYSCALL] = GO_SYSCALL,
	[G_WAITING] = GO_WAITING,
};

/* ---- creation */

enum advance
rule_go_create(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	bool is_blocked = wire->id == WIRE_GO_CREATE_BLOCKED;
	int64_t id = state_id(wire->args[1]);
	if (!state_require(machine, NEED_M | NEED_P, err))
		return ADVANCE_FAILED;
	/* Without a current goroutine is fine; with one, it has to run. */
	if (state_current_goroutine(state, machine) != NULL &&
	    !state_expect_goroutine(state, machine, wire, G_RUNNING, err))
		return ADVANCE_FAILED;
	if (state_find_goroutine(state, id) != NULL)
		return state_fail(err,
		                  "tried to create goroutine (%" PRId64 ") that already exists",
		                  id);
	enum goroutine_status status = is_blocked ? G_WAITING : G_RUNNABLE;
	struct goroutine *goroutine = state_add_goroutine(state, id, status, err);
	if (goroutine == NULL)
		return ADVANCE_FAILED;
	struct go_transition change = go_from_to(GO_NOT_EXIST, goroutine_public_states[status]);
	struct go_event *event =
		state_emit_goroutine(state, machine, wire, goroutine, change, err);
	if (event == NULL || !state_stack(state, wire, 2, &event->u.goroutine.stack, err))
		return ADVANCE_FAILED;
	state_mark_context(event, machine);
	return ADVANCE_DONE;
}

/* ---- the end */

enum advance
rule_go_destroy(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_RUNNING, err);
	if (goroutine == NULL ||
	    !state_emit_goroutine(state, machine, wire, goroutine,
	                          go_from_to(GO_RUNNING, GO_NOT_EXIST), err))
		return ADVANCE_FAILED;
	state_remove_goroutine(state, goroutine);
	machine_unbind_goroutine(machine);
	return ADVANCE_DONE;
}

/* ---- coroutines */

/* Three events: the next one is woken, the current one stops or dies, the next one runs. */
static bool
emit_switch(struct state *state, struct machine *machine, const struct wire_event *wire,
            struct goroutine *current, struct goroutine *next, struct error *err)
{
	enum go_state left_in = wire->id == WIRE_GO_SWITCH_DESTROY ? GO_NOT_EXIST : GO_WAITING;
	struct go_event *event = state_emit_goroutine(state, machine, wire, next,
	                                              go_from_to(GO_WAITING, GO_RUNNABLE), err);
	if (event == NULL)
		return false;
	event = state_emit_goroutine(state, machine, wire, current,
	                             go_from_to(GO_RUNNING, left_in), err);
	if (event == NULL)
		return false;
	event->is_synthetic = true;
	event = state_emit_goroutine(state, machine, wire, next,
	                             go_from_to(GO_RUNNABLE, GO_RUNNING), err);
	if (event == NULL)
		return false;
	event->is_synthetic = true;
	event->g = GO_ID_NONE;
	return true;
}

enum advance
rule_go_switch(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct goroutine *current =
		state_expect_goroutine(state, machine, wire, G_RUNNING, err);
	if (current == NULL)
		return ADVANCE_FAILED;
	struct goroutine *next = often_find_ready(state, wire, G_WAITING);
	if (next == NULL)
		return ADVANCE_WAITS;
	if (!emit_switch(state, machine, wire, current, next, err))
		return ADVANCE_FAILED;
	if (wire->id == WIRE_GO_SWITCH_DESTROY)
		state_remove_goroutine(state, current);
	else
		current->status = G_WAITING;
	next->status = G_RUNNING;
	next->sequence.n = wire->args[2];
	machine_bind_goroutine(machine, next);
	return ADVANCE_DONE;
}

/* ---- status events (section 3.4) */

/* Finds or makes the goroutine that a status event tells of; NULL with err set on failure. */
static struct goroutine *
take_status(struct state *state, int64_t id, enum goroutine_status status, enum go_state *from,
            struct error *err)
{
	struct goroutine *goroutine = state_find_goroutine(state, id);
	*from = goroutine_public_states[status];
	if (goroutine != NULL && goroutine->status != status) {
		state_fail(err, "inconsistent status for goroutine %" PRId64, id);
		return NULL;
	}
	if (goroutine != NULL) {
		goroutine->sequence = (struct sequence){ state->generation, 0 };
		return goroutine;
	}
	if (state->generation != state->initial_generation) {
		state_fail(err, "found goroutine status for new goroutine after the first "
		                "generation: %" PRId64, id);
		return NULL;
	}
	*from = GO_UNDETERMINED;
	return state_add_goroutine(state, id, status, err);
}

/* A goroutine in a syscall on another thread than the one that says so. */
static bool
place_elsewhere(struct state *state, struct goroutine *goroutine, uint64_t m,
                struct go_event *event, struct error *err)
{
	struct machine *other = state_find_thread(state, m);
	if (other == NULL) {
		other = state_thread(state, m, err);
		if (other == NULL)
			return false;
		machine_bind_goroutine(other, goroutine);
		event->m = other->id;
		event->m_mark = &other->mark;
		return true;
	}
	if (other->g != goroutine->id) {
		state_fail(err, "inconsistent thread for syscalling goroutine %" PRId64
		                ": thread %" PRId64, goroutine->id, other->id);
		return false;
	}
	event->m = other->id;
	event->m_mark = &other->mark;
	event->g = goroutine->id;
	return true;
}

/* Binds a goroutine that is in a syscall to its thread m. */
static bool
place_syscalling(struct state *state, struct machine *machine, struct goroutine *goroutine,
                 uint64_t m, struct go_event *event, struct error *err)
{
	if (m == WIRE_NONE) {
		state_fail(err, "found goroutine %" PRId64 " in syscall without a thread",
		           goroutine->id);
		return false;
	}
	if (state_id(m) != machine->id)
		return place_elsewhere(state, goroutine, m, event, err);
	if (state->generation != state->initial_generation && machine->g != goroutine->id) {
		state_fail(err, "inconsistent thread for syscalling goroutine %" PRId64
		                ": thread %" PRId64, goroutine->id, machine->id);
		return false;
	}
	machine_bind_goroutine(machine, goroutine);
	return true;
}

enum advance
rule_go_status(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	if (wire->args[3] == G_BAD || wire->args[3] >= G_UNKNOWN)
		return state_fail(err, "invalid status for goroutine %" PRId64 ": %" PRIu64, id,
		                  wire->args[3]);
	enum goroutine_status status = (enum goroutine_status)wire->args[3];
	enum go_state from;
	struct goroutine *goroutine = take_status(state, id, status, &from, err);
	if (goroutine == NULL)
		return ADVANCE_FAILED;
	struct go_transition change = go_from_to(from, goroutine_public_states[status]);
	struct go_event *event =
		state_emit_goroutine(state, machine, wire, goroutine, change, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.goroutine.stack = event->stack;
	if (status == G_RUNNING)
		machine_bind_goroutine(machine, goroutine);
	if (status == G_SYSCALL &&
	    !place_syscalling(state, machine, goroutine, wire->args[2], event, err))
		return ADVANCE_FAILED;
	return ADVANCE_DONE;
}
