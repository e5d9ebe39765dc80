/* What is known between two events of a v1 trace. */
#include "source/go/v1_state.h"

#include <assert.h>

#include "base/memory.h"

bool
v1_state_init(struct v1_state *state, const struct v1_order *order, struct error *err)
{
	size_t proc_count = order->file->list_count;
	state->goroutines = array_new(order->goroutine_count, sizeof(*state->goroutines), err);
	/* One more: samples have no list of a P. */
	state->procs = array_new(proc_count + 1, sizeof(*state->procs), err);
	if (state->goroutines == NULL || state->procs == NULL)
		return false;
	for (size_t i = 0; i <= proc_count; i++)
		state->procs[i].m = GO_ID_NONE;
	state->goroutines[V1_G_NONE].status = V1_RUNNING;
	state->goroutines[V1_G_NONE].is_known = true;
	state->note_count = 1;
	return array_reserve(&state->notes, &state->note_capacity, 1, sizeof(*state->notes), err);
}

void
v1_state_release(struct v1_state *state)
{
	memory_free(state->goroutines);
	memory_free(state->procs);
	memory_free(state->early);
	memory_free(state->tasks);
	memory_free(state->notes);
	id_map_release(&state->task_of);
	*state = (struct v1_state){ 0 };
}

bool
v1_state_push_region(struct v1_state *state, struct v1_goroutine *goroutine, uint64_t task,
                     string_id name, struct error *err)
{
	uint32_t index = state->free_notes;
	if (index != 0) {
		state->free_notes = state->notes[index].next;
	} else {
		if (state->note_count >= UINT32_MAX)
			return error_set(err, ERROR_LIMIT, "too many open regions");
		if (!array_reserve(&state->notes, &state->note_capacity, state->note_count + 1,
		                   sizeof(*state->notes), err))
			return false;
		index = (uint32_t)state->note_count++;
	}
	state->notes[index] = (struct v1_note){ task, name, goroutine->regions };
	goroutine->regions = index;
	return true;
}

void
v1_state_pop_region(struct v1_state *state, struct v1_goroutine *goroutine)
{
	uint32_t index = goroutine->regions;
	assert(index != 0);
	goroutine->regions = state->notes[index].next;
	state->notes[index].next = state->free_notes;
	state->free_notes = index;
}

void
v1_state_drop_regions(struct v1_state *state, struct v1_goroutine *goroutine)
{
	while (goroutine->regions != 0)
		v1_state_pop_region(state, goroutine);
}

bool
v1_state_add_early(struct v1_state *state, uint32_t index, struct error *err)
{
	if (!array_reserve(&state->early, &state->early_capacity, state->early_count + 1,
	                   sizeof(*state->early), err))
		return false;
	state->early[state->early_count++] = index;
	state->goroutines[index].is_unmentioned = true;
	return true;
}

bool
v1_state_add_task(struct v1_state *state, uint64_t id, struct v1_task task, struct error *err)
{
	if (!array_reserve(&state->tasks, &state->task_capacity, state->task_count + 1,
	                   sizeof(*state->tasks), err) ||
	    !id_map_add(&state->task_of, id, (uint32_t)state->task_count, err))
		return false;
	state->tasks[state->task_count++] = task;
	return true;
}
