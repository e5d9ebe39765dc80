/* The table of what events take for granted, and how it is made true. */
#include "source/go/repair_internal.h"

/* ---- what becomes unknown */

struct go_event *
repair_push(struct state *state, enum go_event_kind kind)
{
	assert(state->queue_count < STATE_EVENTS_MAX);
	struct go_event *event = &state->queue[state->queue_count++];
	*event = (struct go_event){
		.kind = kind,
		.is_synthetic = true,
		.m = GO_ID_NONE,
		.p = GO_ID_NONE,
		.g = GO_ID_NONE,
		.stack = STACK_NONE,
	};
	return event;
}

static void
push_goroutine(struct state *state, int64_t id, enum go_state from, enum go_state to)
{
	struct go_event *event = repair_push(state, GO_EVENT_GOROUTINE);
	event->u.goroutine.id = id;
	event->u.goroutine.from = from;
	event->u.goroutine.to = to;
	event->u.goroutine.reason = STRING_EMPTY;
	event->u.goroutine.stack = STACK_NONE;
}

static void
leave_thread(struct goroutine *goroutine)
{
	struct machine *machine = goroutine->machine;
	if (machine != NULL && machine->last == goroutine && machine->g == goroutine->id)
		machine_unbind_goroutine(machine);
}

void
repair_doubt_goroutine(struct state *state, struct goroutine *goroutine)
{
	leave_thread(goroutine);
	if (goroutine->status == G_UNKNOWN)
		return;
	push_goroutine(state, goroutine->id, goroutine_public_states[goroutine->status],
	               GO_UNDETERMINED);
	goroutine->status = G_UNKNOWN;
	state->repairs->unknown_states++;
}

/* With what is in progress on it. */
static void
doubt_goroutine_wholly(struct state *state, struct goroutine *goroutine)
{
	if (goroutine->status == G_BAD)
		return;
	repair_close_stops(state, goroutine);
	repair_close_assist(state, goroutine);
	repair_doubt_goroutine(state, goroutine);
}

/* The goroutine on the thread, if any. */
static void
doubt_current(struct state *state, struct machine *machine)
{
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (goroutine != NULL)
		repair_doubt_goroutine(state, goroutine);
	machine_unbind_goroutine(machine);
}

static void
doubt_proc(struct state *state, struct proc *proc)
{
	while (proc->holder != NULL)
		machine_unbind_proc(proc->holder);
	if (proc->status == P_UNKNOWN)
		return;
	struct go_event *event = repair_push(state, GO_EVENT_PROC);
	event->u.proc.id = proc->id;
	event->u.proc.from = proc_public_states[proc->status];
	event->u.proc.to = PROC_UNDETERMINED;
	proc->status = P_UNKNOWN;
	state->repairs->unknown_states++;
}

static void
doubt_own_proc(struct state *state, struct machine *machine)
{
	struct proc *proc = machine->p;
	machine_unbind_proc(machine);
	if (proc != NULL && proc != machine->stand_in)
		doubt_proc(state, proc);
}

void
repair_doubt_thread(struct state *state, struct machine *machine)
{
	if (machine->g != GO_ID_NONE)
		doubt_current(state, machine);
	doubt_own_proc(state, machine);
}

/* ---- what an event takes for granted */

/* A goroutine of which nothing was told, or nothing since it ended. NULL with err set on failure. */
static struct goroutine *
add_goroutine(struct state *state, int64_t id, struct error *err)
{
	struct goroutine *goroutine = state_add_goroutine(state, id, G_UNKNOWN, err);
	if (goroutine == NULL)
		return NULL;
	push_goroutine(state, id, GO_NOT_EXIST, GO_UNDETERMINED);
	state->repairs->unknown_states++;
	return goroutine;
}

/* The number comes next on the counter. */
static void
meet_number(struct state *state, struct sequence *sequence, uint64_t n)
{
	if (state_follows(state, sequence, n))
		return;
	*sequence = (struct sequence){ state->generation, n - 1 };
	state->repairs->skipped_numbers++;
}

static bool
meet_goroutine(struct state *state, const struct wire_event *wire,
               enum goroutine_status status, struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	struct goroutine *goroutine = state_find_goroutine(state, id);
	if (goroutine == NULL) {
		goroutine = add_goroutine(state, id, err);
		if (goroutine == NULL)
			return false;
	}
	if (goroutine->status != status)
		repair_doubt_goroutine(state, goroutine);
	goroutine->status = (uint8_t)status;
	meet_number(state, &goroutine->sequence, wire->args[2]);
	return true;
}

static bool
meet_proc(struct state *state, const struct wire_event *wire, enum proc_status status,
          struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	struct proc *proc = state_find_proc(state, id);
	if (proc == NULL) {
		proc = state_add_proc(state, id, status, err);
		if (proc == NULL)
			return false;
	}
	if (proc->status != status)
		doubt_proc(state, proc);
	proc->status = (uint8_t)status;
	meet_number(state, &proc->sequence, wire->args[2]);
	return true;
}

/* The thread has a proc; nobody knows which where its beginning was lost. */
static bool
meet_own_proc(struct state *state, struct machine *machine, struct error *err)
{
	if (machine->p != NULL)
		return true;
	if (machine->stand_in == NULL) {
		machine->stand_in = stable_append(&state->procs, err);
		if (machine->stand_in == NULL)
			return false;
		machine->stand_in->id = GO_ID_NONE;
	}
	machine->p = machine->stand_in;
	machine->p->status = P_RUNNING;
	return true;
}

static void
meet_current(struct state *state, struct machine *machine, enum goroutine_status status)
{
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (goroutine == NULL || goroutine->status == status)
		return;
	repair_doubt_goroutine(state, goroutine);
	goroutine->status = (uint8_t)status;
	machine_bind_goroutine(machine, goroutine);
}

/* No goroutine has the number yet. */
static void
meet_new(struct state *state, const struct wire_event *wire)
{
	struct goroutine *goroutine = state_find_goroutine(state, state_id(wire->args[1]));
	if (goroutine == NULL)
		return;
	doubt_goroutine_wholly(state, goroutine);
	state_remove_goroutine(state, goroutine);
}

/* ---- what is more than the table can say */

static void
meet_syscall_number(struct state *state, struct machine *machine, const struct wire_event *wire)
{
	meet_number(state, &machine->p->sequence, wire->args[1]);
}

static void
meet_loss_of_proc(struct state *state, struct machine *machine, const struct wire_event *wire)
{
	(void)wire;
	if (machine->p != NULL && machine->p->status == P_SYSCALL)
		doubt_own_proc(state, machine);
}

/* Whether the event tells of a status that there can be. */
static bool
is_goroutine_status(const struct wire_event *wire)
{
	return wire->args[3] != G_BAD && wire->args[3] < G_UNKNOWN &&
	       (wire->args[3] != G_SYSCALL || wire->args[2] != WIRE_NONE);
}

static void
meet_goroutine_status(struct state *state, struct machine *machine,
                      const struct wire_event *wire)
{
	int64_t id = state_id(wire->args[1]);
	struct goroutine *goroutine = state_find_goroutine(state, id);
	struct machine *at = wire->args[3] == G_RUNNING ? machine
	                     : wire->args[3] == G_SYSCALL
	                             ? state_find_thread(state, wire->args[2]) : NULL;
	if (goroutine == NULL || !is_goroutine_status(wire))
		return;
	if (goroutine->status != wire->args[3])
		repair_doubt_goroutine(state, goroutine);
	goroutine->status = (uint8_t)wire->args[3];
	if (at == NULL || at->g == id)
		return;
	leave_thread(goroutine);
	if (at->g != GO_ID_NONE)
		doubt_current(state, at);
	machine_bind_goroutine(at, goroutine);
}

static void
meet_proc_status(struct state *state, struct machine *machine, const struct wire_event *wire)
{
	struct proc *proc = state_find_proc(state, state_id(wire->args[1]));
	(void)machine;
	if (proc == NULL || wire->args[2] == P_BAD || wire->args[2] >= P_UNKNOWN)
		return;
	doubt_proc(state, proc);
	proc->status = (uint8_t)wire->args[2];
}

/* ---- the table */

static const struct need {
	unsigned context; /* enum requirement, or'ed */
	enum goroutine_status current; /* of the goroutine on the thread; G_BAD: any */
	enum goroutine_status target;  /* of the one that operand 1 names; G_BAD: it names none */
	enum proc_status proc;         /* of the proc of the thread; P_BAD: any */
	enum proc_status target_proc;  /* of the one that operand 1 names; P_BAD: it names none */
	bool is_new;                   /* operand 1 is the number of a new goroutine */
	meet_more *more;
} needs[256] = {
	/* A stop by a thread without a proc tells nothing, so none is given to it. */
	[WIRE_PROC_STOP] = { .context = NEED_M, .proc = P_RUNNING },
	[WIRE_PROC_START] = { .context = NEED_M | NEED_NO_P, .target_proc = P_IDLE },
	[WIRE_PROC_STEAL] = { .context = NEED_M, .target_proc = P_ABANDONED },
	[WIRE_PROC_STATUS] = { .more = meet_proc_status },
	[WIRE_GO_CREATE] = { .context = NEED_M | NEED_P, .current = G_RUNNING, .is_new = true },
	[WIRE_GO_CREATE_BLOCKED] = { .context = NEED_M | NEED_P, .current = G_RUNNING, .is_new = true },
	[WIRE_GO_CREATE_SYSCALL] = { .context = NEED_M | NEED_NO_G, .is_new = true },
	[WIRE_GO_START] = { .context = NEED_M | NEED_P | NEED_NO_G, .target = G_RUNNABLE },
	[WIRE_GO_STOP] = { .context = NEED_USER, .current = G_RUNNING },
	[WIRE_GO_BLOCK] = { .context = NEED_USER, .current = G_RUNNING },
	[WIRE_GO_DESTROY] = { .context = NEED_USER, .current = G_RUNNING },
	[WIRE_GO_DESTROY_SYSCALL] = { .context = NEED_M | NEED_G, .current = G_SYSCALL,
	                              .proc = P_SYSCALL },
	[WIRE_GO_UNBLOCK] = { .target = G_WAITING },
	[WIRE_GO_SWITCH] = { .context = NEED_USER, .current = G_RUNNING, .target = G_WAITING },
	[WIRE_GO_SWITCH_DESTROY] = { .context = NEED_USER, .current = G_RUNNING, .target = G_WAITING },
	[WIRE_GO_STATUS] = { .more = meet_goroutine_status },
	[WIRE_GO_STATUS_STACK] = { .more = meet_goroutine_status },
	[WIRE_GO_SYSCALL_BEGIN] = { .context = NEED_USER, .current = G_RUNNING,
	                            .more = meet_syscall_number },
	[WIRE_GO_SYSCALL_END] = { .context = NEED_USER, .current = G_SYSCALL, .proc = P_SYSCALL },
	[WIRE_GO_SYSCALL_END_BLOCKED] = { .context = NEED_M | NEED_G, .current = G_SYSCALL,
	                                  .more = meet_loss_of_proc },
	[WIRE_STW_BEGIN] = { .context = NEED_USER, .more = repair_meet_range_begin },
	[WIRE_STW_END] = { .context = NEED_USER },
	[WIRE_GC_MARK_ASSIST_BEGIN] = { .context = NEED_USER, .more = repair_meet_range_begin },
	[WIRE_GC_MARK_ASSIST_ACTIVE] = { .more = repair_meet_range_active },
	[WIRE_GC_MARK_ASSIST_END] = { .context = NEED_USER },
	[WIRE_GC_SWEEP_BEGIN] = { .context = NEED_M | NEED_P, .more = repair_meet_range_begin },
	[WIRE_GC_SWEEP_ACTIVE] = { .more = repair_meet_range_active },
	[WIRE_GC_SWEEP_END] = { .context = NEED_M | NEED_P },
	[WIRE_GC_BEGIN] = { .context = NEED_USER, .more = repair_meet_gc },
	[WIRE_GC_ACTIVE] = { .more = repair_meet_gc },
	[WIRE_GC_END] = { .context = NEED_USER, .more = repair_meet_gc },
	[WIRE_PROCS_CHANGE] = { .context = NEED_USER },
	[WIRE_HEAP_ALLOC] = { .context = NEED_M | NEED_P },
	[WIRE_HEAP_GOAL] = { .context = NEED_M | NEED_P },
	[WIRE_GO_LABEL] = { .context = NEED_USER },
	[WIRE_USER_TASK_BEGIN] = { .context = NEED_USER },
	[WIRE_USER_TASK_END] = { .context = NEED_USER },
	[WIRE_USER_REGION_BEGIN] = { .context = NEED_USER },
	[WIRE_USER_REGION_END] = { .context = NEED_USER, .more = repair_meet_region_end },
	[WIRE_USER_LOG] = { .context = NEED_USER },
};

/* Which goroutine it was on the thread, or that there is a thread, nobody can make up. */
static bool
is_hopeless(struct state *state, struct machine *machine, const struct need *need)
{
	if ((need->context & NEED_M) != 0 && machine->id == GO_ID_NONE)
		return true;
	return (need->context & NEED_G) != 0 && state_current_goroutine(state, machine) == NULL;
}

static bool
meet_context(struct state *state, struct machine *machine, const struct need *need,
             struct error *err)
{
	if ((need->context & NEED_NO_G) != 0 && machine->g != GO_ID_NONE)
		doubt_current(state, machine);
	if ((need->context & NEED_NO_P) != 0)
		doubt_own_proc(state, machine);
	if ((need->context & NEED_P) != 0 && !meet_own_proc(state, machine, err))
		return false;
	if (need->current != G_BAD)
		meet_current(state, machine, need->current);
	if (need->proc != P_BAD && machine->p != NULL)
		machine->p->status = (uint8_t)need->proc;
	return true;
}

/* A status tells of goroutines that began where everything was lost. */
static bool
meet_unknown_goroutine(struct state *state, const struct wire_event *wire, struct error *err)
{
	bool is_status = wire->id == WIRE_GO_STATUS || wire->id == WIRE_GO_STATUS_STACK;
	int64_t id = state_id(wire->args[1]);
	if (!is_status || !is_goroutine_status(wire) || state_find_goroutine(state, id) != NULL)
		return true;
	return add_goroutine(state, id, err) != NULL;
}

bool
repair_prepare(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	const struct need *need = &needs[wire->id];
	state->queue_count = 0;
	if (is_hopeless(state, machine, need))
		return true;
	if (!meet_context(state, machine, need, err) || !meet_unknown_goroutine(state, wire, err))
		return false;
	if (need->is_new)
		meet_new(state, wire);
	if (need->target != G_BAD && !meet_goroutine(state, wire, need->target, err))
		return false;
	if (need->target_proc != P_BAD && !meet_proc(state, wire, need->target_proc, err))
		return false;
	if (need->more != NULL)
		need->more(state, machine, wire);
	return true;
}

void
repair_finish(struct state *state, const struct wire_event *wire)
{
	/* A status repeats what is known, but here it is news. */
	if (wire->id == WIRE_GO_STATUS || wire->id == WIRE_GO_STATUS_STACK)
		state->queue[0].u.goroutine.from = GO_UNDETERMINED;
}

/* ---- everything */

static void
doubt_proc_wholly(struct state *state, struct proc *proc)
{
	if (proc->id == GO_ID_NONE)
		return;
	repair_close_sweep(state, proc);
	doubt_proc(state, proc);
}

bool
repair_doubt_next(struct state *state, size_t *at)
{
	size_t index = (*at)++;
	state->queue_count = 0;
	if (index < state->goroutines.count) {
		doubt_goroutine_wholly(state, stable_at(&state->goroutines, (uint32_t)index));
		return true;
	}
	index -= state->goroutines.count;
	if (index < state->procs.count) {
		doubt_proc_wholly(state, stable_at(&state->procs, (uint32_t)index));
		return true;
	}
	index -= state->procs.count;
	if (index < state->machines.count) {
		repair_doubt_thread(state, stable_at(&state->machines, (uint32_t)index));
		return true;
	}
	if (index > state->machines.count)
		return false;
	repair_close_gc(state);
	state->gc_state = GC_UNDETERMINED;
	return true;
}

bool
repair_forget_next(struct state *state, size_t *at)
{
	size_t index = (*at)++;
	state->queue_count = 0;
	if (index >= state->goroutines.count)
		return false;
	struct goroutine *goroutine = stable_at(&state->goroutines, (uint32_t)index);
	if (goroutine->status != G_UNKNOWN || goroutine->sequence.generation == state->generation)
		return true;
	push_goroutine(state, goroutine->id, GO_UNDETERMINED, GO_NOT_EXIST);
	state_remove_goroutine(state, goroutine);
	return true;
}
