/*
 * Rules of metrics, labels, tasks, regions, logs and experimental events:
 * doc/format/go-trace-semantics.md, section 3.6.
 */
#include <inttypes.h>

#include "source/go/rules.h"

/* ---- metrics and labels */

enum advance
rule_metric(struct state *state, struct machine *machine, const struct wire_event *wire,
            struct error *err)
{
	bool is_procs = wire->id == WIRE_PROCS_CHANGE;
	if (!state_require(machine, is_procs ? NEED_USER : NEED_M | NEED_P, err))
		return ADVANCE_FAILED;
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_METRIC, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.metric.value = wire->args[1];
	if (is_procs)
		event->u.metric.metric = GO_METRIC_GOMAXPROCS;
	else if (wire->id == WIRE_HEAP_ALLOC)
		event->u.metric.metric = GO_METRIC_HEAP_ALLOC;
	else
		event->u.metric.metric = GO_METRIC_HEAP_GOAL;
	return ADVANCE_DONE;
}

enum advance
rule_label(struct state *state, struct machine *machine, const struct wire_event *wire,
           struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_LABEL, err);
	if (event == NULL || !state_string(state, wire, 1, &event->u.label.label, err))
		return ADVANCE_FAILED;
	return ADVANCE_DONE;
}

/* ---- tasks */

static bool
new_task(struct state *state, uint32_t *index, struct error *err)
{
	if (state->free_task_count > 0) {
		*index = state->free_tasks[--state->free_task_count];
		return true;
	}
	if (state->task_count == MAP_NONE)
		return error_set(err, ERROR_LIMIT, "too many tasks");
	/* Room on the free list for every task, so that ending one cannot fail. */
	if (!array_reserve(&state->tasks, &state->task_capacity, state->task_count + 1,
	                   sizeof(*state->tasks), err) ||
	    !array_reserve(&state->free_tasks, &state->free_task_capacity,
	                   state->task_count + 1, sizeof(*state->free_tasks), err))
		return false;
	*index = (uint32_t)state->task_count++;
	return true;
}

enum advance
rule_task_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	uint64_t id = wire->args[1];
	/* No parent is 0 in the file and all-ones in what is reported. */
	int64_t parent = wire->args[2] == 0 ? GO_ID_NONE : state_id(wire->args[2]);
	string_id name;
	uint32_t index = 0;
	if (id_map_find(&state->task_of, id) != MAP_NONE)
		return state_fail(err, "task ID conflict: %" PRIu64, id);
	if (!state_string(state, wire, 3, &name, err) ||
	    !state_require(machine, NEED_USER, err) || !new_task(state, &index, err) ||
	    !id_map_add(&state->task_of, id, index, err))
		return ADVANCE_FAILED;
	state->tasks[index] = (struct task){ parent, name };
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_TASK_BEGIN, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.task.id = state_id(id);
	event->u.task.parent = parent;
	event->u.task.name = name;
	return ADVANCE_DONE;
}

enum advance
rule_task_end(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	uint64_t id = wire->args[1];
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_TASK_END, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.task.id = state_id(id);
	event->u.task.parent = GO_ID_NONE;
	event->u.task.name = STRING_EMPTY;
	/* It may have begun before the trace, or ended before. */
	uint32_t index = id_map_find(&state->task_of, id);
	if (index == MAP_NONE)
		return ADVANCE_DONE;
	event->u.task.parent = state->tasks[index].parent;
	event->u.task.name = state->tasks[index].name;
	id_map_remove(&state->task_of, id);
	state->free_tasks[state->free_task_count++] = index;
	return ADVANCE_DONE;
}

/* ---- regions */

static struct go_event *
emit_region(struct state *state, struct machine *machine, const struct wire_event *wire,
            enum go_event_kind kind, struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return NULL;
	struct go_event *event = state_emit(state, machine, wire, kind, err);
	if (event == NULL || !state_string(state, wire, 2, &event->u.region.name, err))
		return NULL;
	event->u.region.task = state_id(wire->args[1]);
	return event;
}

enum advance
rule_region_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                  struct error *err)
{
	struct go_event *event = emit_region(state, machine, wire, GO_EVENT_REGION_BEGIN, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (goroutine == NULL)
		return state_fail(err,
		                  "event UserRegionBegin for goroutine (%" PRId64
		                  ") that doesn't exist", machine->g);
	if (!state_push_note(state, &goroutine->regions, event->u.region.task,
	                     event->u.region.name, err))
		return ADVANCE_FAILED;
	return ADVANCE_DONE;
}

enum advance
rule_region_end(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	struct go_event *event = emit_region(state, machine, wire, GO_EVENT_REGION_END, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (goroutine == NULL)
		return state_fail(err,
		                  "event UserRegionEnd for goroutine (%" PRId64
		                  ") that doesn't exist", machine->g);
	/* Without an open region it began before the trace. */
	if (goroutine->regions == 0)
		return ADVANCE_DONE;
	const struct note *top = &state->notes[goroutine->regions];
	if (top->number != event->u.region.task || top->text != event->u.region.name)
		return state_fail(err,
		                  "misuse of region in goroutine %" PRId64
		                  ": the end does not match the innermost begin", goroutine->id);
	state_drop_note(state, &goroutine->regions);
	return ADVANCE_DONE;
}

/* ---- logs and experiments */

enum advance
rule_log(struct state *state, struct machine *machine, const struct wire_event *wire,
         struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_LOG, err);
	if (event == NULL || !state_string(state, wire, 2, &event->u.log.category, err) ||
	    !state_string(state, wire, 3, &event->u.log.message, err))
		return ADVANCE_FAILED;
	event->u.log.task = state_id(wire->args[1]);
	return ADVANCE_DONE;
}

/* What the numbers of an event of AllocFree mean, from the tables. */
static void
explain_allocation(const struct state *state, struct go_event *event)
{
	const struct alloc_tables *tables = &state->tables->alloc;
	event->u.experimental.page_bytes = tables->page_bytes;
	event->u.experimental.object_align_bytes = tables->object_align_bytes;
	event->u.experimental.type = STRING_EMPTY;
	event->u.experimental.type_bytes = 0;
	if (event->wire_id != WIRE_HEAP_OBJECT && event->wire_id != WIRE_HEAP_OBJECT_ALLOC)
		return;
	const struct heap_type *type = alloc_tables_type(tables, event->u.experimental.args[1]);
	if (type == NULL)
		return;
	event->u.experimental.type = type->name;
	event->u.experimental.type_bytes = type->size_bytes;
}

enum advance
rule_experimental(struct state *state, struct machine *machine, const struct wire_event *wire,
                  struct error *err)
{
	if (!state_require(machine, NEED_M, err))
		return ADVANCE_FAILED;
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_EXPERIMENTAL, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	unsigned count = wire_kinds[wire->id].arg_count - 1u;
	event->u.experimental.arg_count = (uint8_t)count;
	for (unsigned i = 0; i < count; i++)
		event->u.experimental.args[i] = wire->args[i + 1];
	explain_allocation(state, event);
	return ADVANCE_DONE;
}
