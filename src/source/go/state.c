/* The records of goroutines, procs and threads, and the lists that hang on them. */
#include "source/go/state.h"

#include <assert.h>

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

/* ---- records */

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
	goroutine->machine = NULL;
	goroutine->mark = (struct go_mark){ 0 };
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
machine_unbind_proc(struct machine *machine)
{
	if (machine->p == NULL)
		return;
	if (machine->previous_holder != NULL)
		machine->previous_holder->next_holder = machine->next_holder;
	else
		machine->p->holder = machine->next_holder;
	if (machine->next_holder != NULL)
		machine->next_holder->previous_holder = machine->previous_holder;
	machine->next_holder = machine->previous_holder = NULL;
	machine->p = NULL;
}

void
machine_bind_proc(struct machine *machine, struct proc *proc)
{
	machine_unbind_proc(machine);
	/* Nobody keeps nothing, and a proc called "none" cannot be told from none. */
	if (machine->id == GO_ID_NONE || proc->id == GO_ID_NONE)
		return;
	machine->p = proc;
	machine->next_holder = proc->holder;
	if (proc->holder != NULL)
		proc->holder->previous_holder = machine;
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
