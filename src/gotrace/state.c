/*
 * The table of rules, and what the rules share: the records of goroutines,
 * procs and threads, their bindings, and the making of events.
 */
#include "gotrace/rules.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static state_rule *const rules[256] = {
	[WIRE_PROCS_CHANGE] = rule_metric,
	[WIRE_PROC_START] = rule_proc_start,
	[WIRE_PROC_STOP] = rule_proc_stop,
	[WIRE_PROC_STEAL] = rule_proc_steal,
	[WIRE_PROC_STATUS] = rule_proc_status,
	[WIRE_GO_CREATE] = rule_go_create,
	[WIRE_GO_CREATE_SYSCALL] = rule_go_create_syscall,
	[WIRE_GO_START] = rule_go_start,
	[WIRE_GO_DESTROY] = rule_go_destroy,
	[WIRE_GO_DESTROY_SYSCALL] = rule_go_destroy_syscall,
	[WIRE_GO_STOP] = rule_go_stop,
	[WIRE_GO_BLOCK] = rule_go_block,
	[WIRE_GO_UNBLOCK] = rule_go_unblock,
	[WIRE_GO_SYSCALL_BEGIN] = rule_syscall_begin,
	[WIRE_GO_SYSCALL_END] = rule_syscall_end,
	[WIRE_GO_SYSCALL_END_BLOCKED] = rule_syscall_end_blocked,
	[WIRE_GO_STATUS] = rule_go_status,
	[WIRE_STW_BEGIN] = rule_stw_begin,
	[WIRE_STW_END] = rule_stw_end,
	[WIRE_GC_ACTIVE] = rule_gc_active,
	[WIRE_GC_BEGIN] = rule_gc_begin,
	[WIRE_GC_END] = rule_gc_end,
	[WIRE_GC_SWEEP_ACTIVE] = rule_sweep_active,
	[WIRE_GC_SWEEP_BEGIN] = rule_sweep_begin,
	[WIRE_GC_SWEEP_END] = rule_sweep_end,
	[WIRE_GC_MARK_ASSIST_ACTIVE] = rule_assist_active,
	[WIRE_GC_MARK_ASSIST_BEGIN] = rule_assist_begin,
	[WIRE_GC_MARK_ASSIST_END] = rule_assist_end,
	[WIRE_HEAP_ALLOC] = rule_metric,
	[WIRE_HEAP_GOAL] = rule_metric,
	[WIRE_GO_LABEL] = rule_label,
	[WIRE_USER_TASK_BEGIN] = rule_task_begin,
	[WIRE_USER_TASK_END] = rule_task_end,
	[WIRE_USER_REGION_BEGIN] = rule_region_begin,
	[WIRE_USER_REGION_END] = rule_region_end,
	[WIRE_USER_LOG] = rule_log,
	[WIRE_GO_SWITCH] = rule_go_switch,
	[WIRE_GO_SWITCH_DESTROY] = rule_go_switch,
	[WIRE_GO_CREATE_BLOCKED] = rule_go_create,
	[WIRE_GO_STATUS_STACK] = rule_go_status,
	[WIRE_SPAN] = rule_experimental,
	[WIRE_SPAN_ALLOC] = rule_experimental,
	[WIRE_SPAN_FREE] = rule_experimental,
	[WIRE_HEAP_OBJECT] = rule_experimental,
	[WIRE_HEAP_OBJECT_ALLOC] = rule_experimental,
	[WIRE_HEAP_OBJECT_FREE] = rule_experimental,
	[WIRE_GOROUTINE_STACK] = rule_experimental,
	[WIRE_GOROUTINE_STACK_ALLOC] = rule_experimental,
	[WIRE_GOROUTINE_STACK_FREE] = rule_experimental,
};

bool
state_init(struct state *state, struct error *err)
{
	*state = (struct state){
		.goroutines.item_size = sizeof(struct goroutine),
		.procs.item_size = sizeof(struct proc),
		.machines.item_size = sizeof(struct machine),
		.nobody = { .id = GO_ID_NONE, .g = GO_ID_NONE },
		.note_count = 1,
	};
	return array_reserve(&state->notes, &state->note_capacity, 1, sizeof(*state->notes), err);
}

void
state_release(struct state *state)
{
	stable_release(&state->goroutines);
	stable_release(&state->procs);
	stable_release(&state->machines);
	id_map_release(&state->goroutine_of);
	id_map_release(&state->proc_of);
	id_map_release(&state->machine_of);
	id_map_release(&state->task_of);
	memory_free(state->free_goroutines);
	memory_free(state->tasks);
	memory_free(state->free_tasks);
	memory_free(state->notes);
	*state = (struct state){ 0 };
}

void
state_begin_generation(struct state *state, uint64_t generation, const struct tables *tables)
{
	if (state->initial_generation == 0)
		state->initial_generation = generation;
	state->generation = generation;
	state->tables = tables;
}

/* ---- advancing */

enum advance
state_fail(struct error *err, const char *format, ...)
{
	char message[sizeof(err->message)];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	error_set(err, ERROR_ORDER, "%s", message);
	return ADVANCE_FAILED;
}

bool
state_fail_requirement(unsigned missing, struct error *err)
{
	static const struct {
		enum requirement requirement;
		const char *message;
	} rows[] = {
		{ NEED_M, "expected a thread but didn't have one" },
		{ NEED_P, "expected a proc but didn't have one" },
		{ NEED_NO_P, "expected no proc but had one" },
		{ NEED_G, "expected a goroutine but didn't have one" },
		{ NEED_NO_G, "expected no goroutine but had one" },
	};
	size_t first = 0;
	while ((missing & rows[first].requirement) == 0)
		first++;
	return error_set(err, ERROR_ORDER, "%s", rows[first].message);
}

/* Says which event it was that broke the rules. */
static void
name_event(const struct machine *machine, const struct wire_event *wire, struct error *err)
{
	if (err->kind == ERROR_MEMORY)
		return;
	err->offset_bytes = wire->offset_bytes;
	if (machine->id == GO_ID_NONE)
		error_prefix(err, "%s", wire_kinds[wire->id].name);
	else
		error_prefix(err, "%s on thread %" PRId64, wire_kinds[wire->id].name,
		             machine->id);
}

enum advance
state_advance(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	state_rule *rule = rules[wire->id];
	state->queue_count = 0;
	enum advance result =
		rule ? rule(state, machine, wire, err)
		     : state_fail(err, "bad event type found while ordering");
	if (result == ADVANCE_FAILED)
		name_event(machine, wire, err);
	/* Nobody keeps no context (section 1). */
	if (machine == &state->nobody)
		*machine = (struct machine){ .id = GO_ID_NONE, .g = GO_ID_NONE };
	return result;
}

/* ---- records */

struct goroutine *
state_fail_expected(const struct machine *machine, const struct wire_event *wire,
                    const struct goroutine *goroutine, enum goroutine_status status,
                    struct error *err)
{
	static const char *const names[G_STATUS_COUNT] = {
		"Bad", "Runnable", "Running", "Syscall", "Waiting",
	};
	const char *event = wire_kinds[wire->id].name;
	if (goroutine == NULL)
		state_fail(err, "event %s for goroutine (%" PRId64 ") that doesn't exist", event,
		           machine->g);
	else
		state_fail(err, "event %s for goroutine (%" PRId64 ") that is %s, not %s", event,
		           goroutine->id, names[goroutine->status], names[status]);
	return NULL;
}

static struct goroutine *
new_goroutine(struct state *state, struct error *err)
{
	if (state->free_count > 0)
		return stable_at(&state->goroutines, state->free_goroutines[--state->free_count]);
	/* Room on the free list for every record, so that removing cannot fail. */
	if (!array_reserve(&state->free_goroutines, &state->free_capacity,
	                   (size_t)state->goroutines.count + 1, sizeof(*state->free_goroutines),
	                   err))
		return NULL;
	struct goroutine *goroutine = stable_append(&state->goroutines, err);
	if (goroutine != NULL)
		goroutine->index = state->goroutines.count - 1;
	return goroutine;
}

struct goroutine *
state_add_goroutine(struct state *state, int64_t id, enum goroutine_status status,
                    struct error *err)
{
	struct goroutine *goroutine = new_goroutine(state, err);
	if (goroutine == NULL ||
	    !id_map_add(&state->goroutine_of, (uint64_t)id, goroutine->index, err))
		return NULL;
	goroutine->id = id;
	goroutine->sequence = (struct sequence){ state->generation, 0 };
	goroutine->status = (uint8_t)status;
	goroutine->regions = goroutine->stops = 0;
	goroutine->is_assisting = false;
	return goroutine;
}

void
state_remove_goroutine(struct state *state, struct goroutine *goroutine)
{
	while (goroutine->regions != 0)
		state_drop_note(state, &goroutine->regions);
	while (goroutine->stops != 0)
		state_drop_note(state, &goroutine->stops);
	id_map_remove(&state->goroutine_of, (uint64_t)goroutine->id);
	goroutine->status = G_BAD;
	assert(state->free_count < state->free_capacity);
	state->free_goroutines[state->free_count++] = goroutine->index;
}

struct proc *
state_find_proc(const struct state *state, int64_t id)
{
	uint32_t index = id_map_find(&state->proc_of, (uint64_t)id);
	return index == MAP_NONE ? NULL : stable_at(&state->procs, index);
}

struct proc *
state_add_proc(struct state *state, int64_t id, enum proc_status status, struct error *err)
{
	struct proc *proc = stable_append(&state->procs, err);
	if (proc == NULL ||
	    !id_map_add(&state->proc_of, (uint64_t)id, state->procs.count - 1, err))
		return NULL;
	proc->id = id;
	proc->sequence = (struct sequence){ state->generation, 0 };
	proc->status = (uint8_t)status;
	return proc;
}

struct machine *
state_find_thread(const struct state *state, uint64_t m)
{
	uint32_t index = id_map_find(&state->machine_of, m);
	return index == MAP_NONE ? NULL : stable_at(&state->machines, index);
}

struct machine *
state_thread(struct state *state, uint64_t m, struct error *err)
{
	if (m == WIRE_NONE)
		return &state->nobody;
	struct machine *machine = state_find_thread(state, m);
	if (machine != NULL)
		return machine;
	machine = stable_append(&state->machines, err);
	if (machine == NULL || !id_map_add(&state->machine_of, m, state->machines.count - 1, err))
		return NULL;
	machine->id = state_id(m);
	machine->g = GO_ID_NONE;
	return machine;
}

void
machine_bind_proc(struct machine *machine, struct proc *proc)
{
	/* A proc that is called "none" in the file cannot be told from none. */
	machine->p = proc->id == GO_ID_NONE ? NULL : proc;
	proc->holder = machine;
}

bool
state_push_note(struct state *state, uint32_t *list, int64_t number, string_id text,
                struct error *err)
{
	uint32_t index = state->free_notes;
	if (index != 0) {
		state->free_notes = state->notes[index].next;
	} else {
		if (state->note_count == UINT32_MAX)
			return error_set(err, ERROR_LIMIT, "too many regions and ranges are open");
		if (!array_reserve(&state->notes, &state->note_capacity, state->note_count + 1,
		                   sizeof(*state->notes), err))
			return false;
		index = (uint32_t)state->note_count++;
	}
	state->notes[index] = (struct note){ number, text, *list };
	*list = index;
	return true;
}

void
state_drop_note(struct state *state, uint32_t *list)
{
	uint32_t index = *list;
	*list = state->notes[index].next;
	state->notes[index].next = state->free_notes;
	state->free_notes = index;
}

/* ---- events */

bool
state_fail_id(const struct wire_event *wire, unsigned operand, const char *what,
              struct error *err)
{
	return error_set(err, ERROR_FORMAT, "found invalid %s ID %" PRIu64 " for event %s", what,
	                 wire->args[operand], wire_kinds[wire->id].name);
}

struct go_event *
state_emit_proc(struct state *state, const struct machine *machine,
                const struct wire_event *wire, const struct proc *proc, enum proc_state from,
                enum proc_state to, struct error *err)
{
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_PROC, err);
	if (event == NULL)
		return NULL;
	event->u.proc.id = proc->id;
	event->u.proc.from = from;
	event->u.proc.to = to;
	return event;
}
