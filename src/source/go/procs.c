/* Rules of the proc events: doc/format/go-trace-semantics.md, section 3.1. */
#include <inttypes.h>

#include "source/go/rules.h"

/* The public state of each status. */
const enum proc_state proc_public_states[P_STATUS_COUNT] = {
	[P_BAD] = PROC_UNDETERMINED,
	[P_UNKNOWN] = PROC_UNDETERMINED,
	[P_RUNNING] = PROC_RUNNING,
	[P_IDLE] = PROC_IDLE,
	[P_SYSCALL] = PROC_RUNNING,
	[P_ABANDONED] = PROC_IDLE,
};

static const char *const status_names[P_STATUS_COUNT] = {
	"Bad", "Running", "Idle", "Syscall", "SyscallAbandoned", "unknown",
};

/*
 * The proc is in a syscall, as we know, and about to be stolen, as its new
 * status says: reported in the context of the thread that still holds it.
 */
static enum advance
promote(struct state *state, const struct wire_event *wire, struct proc *proc, struct error *err)
{
	struct machine *holder = proc->holder;
	if (holder == NULL)
		return state_fail(err,
		                  "failed to find sched context for proc %" PRId64
		                  " that's about to be stolen", proc->id);
	if (!state_emit_proc(state, holder, wire, proc,
	                     proc_from_to(PROC_RUNNING, PROC_RUNNING), err))
		return ADVANCE_FAILED;
	proc->sequence = (struct sequence){ state->generation, 0 };
	return ADVANCE_DONE;
}

static enum advance
confirm_status(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct proc *proc, enum proc_status status, struct error *err)
{
	if (status == P_ABANDONED && proc->status == P_SYSCALL)
		return promote(state, wire, proc, err);
	if (proc->status != status)
		return state_fail(err,
		                  "inconsistent status for proc %" PRId64 ": it was %s, and the "
		                  "event says %s", proc->id, status_names[proc->status],
		                  status_names[status]);
	enum proc_state same = proc_public_states[status];
	if (!state_emit_proc(state, machine, wire, proc, proc_from_to(same, same), err))
		return ADVANCE_FAILED;
	proc->sequence = (struct sequence){ state->generation, 0 };
	return ADVANCE_DONE;
}

static enum advance
first_status(struct state *state, struct machine *machine, const struct wire_event *wire,
             enum proc_status status, struct error *err)
{
	enum proc_state from = state->generation == state->initial_generation
	                               ? PROC_UNDETERMINED : PROC_NOT_EXIST;
	struct proc *proc = state_add_proc(state, state_id(wire->args[1]), status, err);
	if (proc == NULL ||
	    !state_emit_proc(state, machine, wire, proc,
	                     proc_from_to(from, proc_public_states[status]), err))
		return ADVANCE_FAILED;
	return ADVANCE_DONE;
}

enum advance
rule_proc_status(struct state *state, struct machine *machine, const struct wire_event *wire,
                 struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	if (wire->args[2] == P_BAD || wire->args[2] >= P_UNKNOWN)
		return state_fail(err, "invalid status for proc %" PRId64 ": %" PRIu64, id,
		                  wire->args[2]);
	enum proc_status status = (enum proc_status)wire->args[2];
	struct proc *proc = state_find_proc(state, id);
	enum advance result =
		proc ? confirm_status(state, machine, wire, proc, status, err)
		     : first_status(state, machine, wire, status, err);
	if (result == ADVANCE_DONE && (status == P_RUNNING || status == P_SYSCALL))
		machine_bind_proc(machine, state_find_proc(state, id));
	return result;
}

enum advance
rule_proc_start(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	struct proc *proc = state_find_proc(state, state_id(wire->args[1]));
	if (proc == NULL || proc->status != P_IDLE ||
	    !state_follows(state, &proc->sequence, wire->args[2]) || machine->p != NULL)
		return ADVANCE_WAITS;
	if (!state_require(machine, NEED_M | NEED_NO_P, err) ||
	    !state_emit_proc(state, machine, wire, proc,
	                     proc_from_to(PROC_IDLE, PROC_RUNNING), err))
		return ADVANCE_FAILED;
	proc->status = P_RUNNING;
	proc->sequence.n = wire->args[2];
	machine_bind_proc(machine, proc);
	return ADVANCE_DONE;
}

enum advance
rule_proc_stop(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	struct proc *proc = machine->p;
	if (!state_require(machine, NEED_M | NEED_P, err))
		return ADVANCE_FAILED;
	if (proc->status != P_RUNNING && proc->status != P_SYSCALL)
		return state_fail(err, "event ProcStop for proc (%" PRId64 ") that is %s", proc->id,
		                  status_names[proc->status]);
	if (!state_emit_proc(state, machine, wire, proc,
	                     proc_from_to(PROC_RUNNING, PROC_IDLE), err))
		return ADVANCE_FAILED;
	proc->status = P_IDLE;
	machine_unbind_proc(machine);
	return ADVANCE_DONE;
}

/* The thread that loses the proc to a thief, or NULL with err set. */
static struct machine *
find_victim(const struct state *state, struct machine *thief, const struct proc *proc,
            uint64_t m, struct error *err)
{
	if (state_id(m) == thief->id) {
		if (thief->p == proc)
			return thief;
		state_fail(err, "tried to self-steal proc %" PRId64 ", but had another one",
		           proc->id);
		return NULL;
	}
	struct machine *victim = state_find_thread(state, m);
	if (victim == NULL) {
		state_fail(err, "stole proc from non-existent thread %" PRId64, state_id(m));
		return NULL;
	}
	if (victim->p != proc) {
		state_fail(err,
		           "tried to steal proc %" PRId64 " from thread %" PRId64
		           ", but got proc %" PRId64 " instead",
		           proc->id, victim->id, victim->p ? victim->p->id : GO_ID_NONE);
		return NULL;
	}
	return victim;
}

enum advance
rule_proc_steal(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	struct proc *proc = state_find_proc(state, state_id(wire->args[1]));
	if (proc == NULL || (proc->status != P_SYSCALL && proc->status != P_ABANDONED) ||
	    !state_follows(state, &proc->sequence, wire->args[2]))
		return ADVANCE_WAITS;
	if (!state_require(machine, NEED_M, err))
		return ADVANCE_FAILED;

	/* The thread that held an abandoned proc may have moved on; nothing is taken from it. */
	bool is_held = proc->status == P_SYSCALL;
	struct machine *victim = NULL;
	if (is_held) {
		victim = find_victim(state, machine, proc, wire->args[3], err);
		if (victim == NULL)
			return ADVANCE_FAILED;
	}
	if (!state_emit_proc(state, machine, wire, proc,
	                     proc_from_to(is_held ? PROC_RUNNING : PROC_IDLE, PROC_IDLE), err))
		return ADVANCE_FAILED;
	proc->status = P_IDLE;
	proc->sequence.n = wire->args[2];
	if (victim != NULL)
		machine_unbind_proc(victim);
	return ADVANCE_DONE;
}
