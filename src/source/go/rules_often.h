/*
 * The rules of the events that nearly all of a trace consists of, in line for the merge
 * (order.c). Each tells its change of state by itself, rather than to put an event into the
 * queue; rules.c makes of them rules like all others. doc/format/go-trace-semantics.md,
 * sections 3.2 and 3.3.
 */
#ifndef TTRACE_SOURCE_GO_RULES_OFTEN_H
#define TTRACE_SOURCE_GO_RULES_OFTEN_H

#include <inttypes.h>

#include "source/go/change.h"
#include "source/go/rules.h"

/* As state_rule; *change is good after ADVANCE_DONE. None of them binds or unbinds nobody. */
typedef enum advance often_rule(struct state *state, struct machine *machine,
                                const struct wire_event *wire, struct go_change *change,
                                struct error *err);

/* The goroutine if it can do what needs this status and sequence number, else NULL: wait. */
static ALWAYS_INLINE struct goroutine *
often_find_ready(const struct state *state, const struct wire_event *wire,
                 enum goroutine_status status)
{
	struct goroutine *goroutine = state_find_goroutine(state, state_id(wire->args[1]));
	if (goroutine == NULL || goroutine->status != status ||
	    !state_follows(state, &goroutine->sequence, wire->args[2]))
		return NULL;
	return goroutine;
}

static ALWAYS_INLINE enum advance
often_go_start(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct go_change *change, struct error *err)
{
	struct goroutine *goroutine = often_find_ready(state, wire, G_RUNNABLE);
	if (UNLIKELY(goroutine == NULL))
		return ADVANCE_WAITS;
	if (!state_require(machine, NEED_M | NEED_P | NEED_NO_G, err))
		return ADVANCE_FAILED;
	go_change_set(change, machine, goroutine, GO_RUNNABLE, GO_RUNNING);
	goroutine->status = G_RUNNING;
	goroutine->sequence.n = wire->args[2];
	machine_bind_goroutine(machine, goroutine);
	return ADVANCE_DONE;
}

static ALWAYS_INLINE enum advance
often_go_unblock(struct state *state, struct machine *machine, const struct wire_event *wire,
                 struct go_change *change, struct error *err)
{
	struct goroutine *goroutine = often_find_ready(state, wire, G_WAITING);
	stack_id stack;
	if (UNLIKELY(goroutine == NULL))
		return ADVANCE_WAITS;
	go_change_set(change, machine, goroutine, GO_WAITING, GO_RUNNABLE);
	change->actor = state_bound_goroutine(machine);
	if (!state_stack(state, wire, 3, &stack, err))
		return ADVANCE_FAILED;
	change->stack = stack;
	goroutine->status = G_RUNNABLE;
	goroutine->sequence.n = wire->args[2];
	return ADVANCE_DONE;
}

/* The goroutine that runs on the thread leaves it for a reason of its own, and is ready or waits. */
static ALWAYS_INLINE enum advance
often_stop_running(struct state *state, struct machine *machine, const struct wire_event *wire,
                   enum goroutine_status status, struct go_change *change, struct error *err)
{
	enum go_state to = status == G_WAITING ? GO_WAITING : GO_RUNNABLE;
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_RUNNING, err);
	if (UNLIKELY(goroutine == NULL))
		return ADVANCE_FAILED;
	stack_id stack;
	string_id reason;
	go_change_set(change, machine, goroutine, GO_RUNNING, to);
	change->actor = goroutine;
	if (!state_stack(state, wire, 2, &stack, err) ||
	    !state_string(state, wire, 1, &reason, err))
		return ADVANCE_FAILED;
	change->stack = change->own_stack = stack;
	change->reason = reason;
	goroutine->status = (uint8_t)status;
	machine_unbind_goroutine(machine);
	return ADVANCE_DONE;
}

static ALWAYS_INLINE enum advance
often_go_stop(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct go_change *change, struct error *err)
{
	return often_stop_running(state, machine, wire, G_RUNNABLE, change, err);
}

static ALWAYS_INLINE enum advance
often_go_block(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct go_change *change, struct error *err)
{
	return often_stop_running(state, machine, wire, G_WAITING, change, err);
}

static ALWAYS_INLINE enum advance
often_syscall_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                    struct go_change *change, struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_RUNNING, err);
	if (UNLIKELY(goroutine == NULL))
		return ADVANCE_FAILED;
	struct proc *proc = machine->p;
	if (UNLIKELY(!state_follows(state, &proc->sequence, wire->args[1]))) {
		state_fail(err, "failed to advance GoSyscallBegin: can't make sequence");
		return ADVANCE_FAILED;
	}
	stack_id stack;
	go_change_set(change, machine, goroutine, GO_RUNNING, GO_SYSCALL);
	change->actor = goroutine;
	if (!state_stack(state, wire, 2, &stack, err))
		return ADVANCE_FAILED;
	change->stack = change->own_stack = stack;
	goroutine->status = G_SYSCALL;
	proc->status = P_SYSCALL;
	proc->sequence.n = wire->args[1];
	return ADVANCE_DONE;
}

/* The fast way out: nobody took the proc. */
static ALWAYS_INLINE enum advance
often_syscall_end(struct state *state, struct machine *machine, const struct wire_event *wire,
                  struct go_change *change, struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_SYSCALL, err);
	if (UNLIKELY(goroutine == NULL))
		return ADVANCE_FAILED;
	if (UNLIKELY(machine->p->status != P_SYSCALL)) {
		state_fail(err,
		           "event GoSyscallEnd for proc (%" PRId64 ") that is not in a syscall",
		           machine->p->id);
		return ADVANCE_FAILED;
	}
	go_change_set(change, machine, goroutine, GO_SYSCALL, GO_RUNNING);
	change->actor = goroutine;
	goroutine->status = G_RUNNING;
	machine->p->status = P_RUNNING;
	return ADVANCE_DONE;
}

#endif
