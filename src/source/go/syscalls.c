/*
 * Rules of system calls, and of threads that come into Go from C and leave it
 * again: doc/format/go-trace-semantics.md, sections 3.2 and 3.3.
 */
#include <inttypes.h>

#include "source/go/rules.h"

/* The slow way out, after the proc was lost. */
enum advance
rule_syscall_end_blocked(struct state *state, struct machine *machine,
                         const struct wire_event *wire, struct error *err)
{
	if (machine->p != NULL && machine->p->status == P_SYSCALL)
		return ADVANCE_WAITS;
	if (!state_require(machine, NEED_M | NEED_G, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_SYSCALL, err);
	if (goroutine == NULL ||
	    !state_emit_goroutine(state, machine, wire, goroutine,
	                          go_from_to(GO_SYSCALL, GO_RUNNABLE), err))
		return ADVANCE_FAILED;
	goroutine->status = G_RUNNABLE;
	machine_unbind_goroutine(machine);
	return ADVANCE_DONE;
}

enum advance
rule_go_create_syscall(struct state *state, struct machine *machine,
                       const struct wire_event *wire, struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	if (!state_require(machine, NEED_M | NEED_NO_G, err))
		return ADVANCE_FAILED;
	if (state_find_goroutine(state, id) != NULL)
		return state_fail(err,
		                  "tried to create goroutine (%" PRId64 ") that already exists",
		                  id);
	struct goroutine *goroutine = state_add_goroutine(state, id, G_SYSCALL, err);
	if (goroutine == NULL ||
	    !state_emit_goroutine(state, machine, wire, goroutine,
	                          go_from_to(GO_NOT_EXIST, GO_SYSCALL), err))
		return ADVANCE_FAILED;
	machine_bind_goroutine(machine, goroutine);
	return ADVANCE_DONE;
}

/*
 * The id of a thread that leaves may be used again by another one, so its proc
 * must not stay bound to it: the proc is reported as stolen at this moment.
 */
static bool
abandon_proc(struct state *state, struct machine *machine, const struct wire_event *wire,
             struct error *err)
{
	struct proc *proc = machine->p;
	if (proc->status != P_SYSCALL) {
		state_fail(err,
		           "event GoDestroySyscall with proc (%" PRId64
		           ") that is not in a syscall", proc->id);
		return false;
	}
	struct go_event *event = state_emit_proc(state, machine, wire, proc,
	                                         proc_from_to(PROC_RUNNING, PROC_IDLE), err);
	if (event == NULL)
		return false;
	event->is_synthetic = true;
	proc->status = P_ABANDONED;
	return true;
}

enum advance
rule_go_destroy_syscall(struct state *state, struct machine *machine,
                        const struct wire_event *wire, struct error *err)
{
	if (!state_require(machine, NEED_M | NEED_G, err))
		return ADVANCE_FAILED;
	struct goroutine *goroutine =
		state_expect_goroutine(state, machine, wire, G_SYSCALL, err);
	if (goroutine == NULL)
		return ADVANCE_FAILED;
	if (machine->p != NULL && !abandon_proc(state, machine, wire, err))
		return ADVANCE_FAILED;
	if (!state_emit_goroutine(state, machine, wire, goroutine,
	                          go_from_to(GO_SYSCALL, GO_NOT_EXIST), err))
		return ADVANCE_FAILED;
	state_remove_goroutine(state, goroutine);
	machine_unbind_goroutine(machine);
	machine_unbind_proc(machine);
	return ADVANCE_DONE;
}
