/* The rules of v1 events that a program wrote itself: tasks, regions, logs. */
#include "source/go/v1_convert_internal.h"

bool
v1_task_create(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	uint64_t id = step->record.args[1];
	struct v1_task task = {
		.parent = (int64_t)step->record.args[2],
		.name = v1_file_string(converter->order->file, step->record.args[3]),
	};
	if (!v1_require(step, id_map_find(&converter->state.task_of, id) == MAP_NONE,
	                "the task exists already", err) ||
	    !v1_state_add_task(&converter->state, id, task, err))
		return false;
	struct go_event event = v1_event_of(step, GO_EVENT_TASK_BEGIN, WIRE_USER_TASK_BEGIN);
	event.u.task.id = (int64_t)id;
	event.u.task.parent = task.parent == 0 ? GO_ID_NONE : task.parent;
	event.u.task.name = task.name;
	return v1_deliver(converter, step, &event, err);
}

/* The parent is told as it was recorded: 0 for none, unlike at the begin (section 7). */
bool
v1_task_end(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	uint64_t id = step->record.args[1];
	uint32_t index = id_map_find(&converter->state.task_of, id);
	struct v1_task task = { GO_ID_NONE, STRING_EMPTY };
	if (index != MAP_NONE)
		task = converter->state.tasks[index];
	id_map_remove(&converter->state.task_of, id);
	struct go_event event = v1_event_of(step, GO_EVENT_TASK_END, WIRE_USER_TASK_END);
	event.u.task.id = (int64_t)id;
	event.u.task.parent = task.parent;
	event.u.task.name = task.name;
	return v1_deliver(converter, step, &event, err);
}

/* A region that ends must be the innermost one, if any is known. */
static bool
pop_region(struct v1_converter *converter, struct v1_step *step, string_id name, struct error *err)
{
	if (step->goroutine->regions == 0)
		return true;
	const struct v1_note *note = &converter->state.notes[step->goroutine->regions];
	if (!v1_require(step, note->task == step->record.args[1] && note->name == name,
	                "the region is not the innermost one", err))
		return false;
	v1_state_pop_region(&converter->state, step->goroutine);
	return true;
}

bool
v1_region(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	enum { BEGINS, ENDS };
	uint64_t task = step->record.args[1], mode = step->record.args[2];
	string_id name = v1_file_string(converter->order->file, step->record.args[3]);
	if (!v1_require(step, mode == BEGINS || mode == ENDS, "an unknown mode of a region", err))
		return false;
	if (mode == BEGINS ? !v1_state_push_region(&converter->state, step->goroutine, task, name,
	                                           err)
	    : !pop_region(converter, step, name, err))
		return false;
	struct go_event event =
		mode == BEGINS ? v1_event_of(step, GO_EVENT_REGION_BEGIN, WIRE_USER_REGION_BEGIN)
	                       : v1_event_of(step, GO_EVENT_REGION_END, WIRE_USER_REGION_END);
	event.u.region.task = (int64_t)task;
	event.u.region.name = name;
	return v1_deliver(converter, step, &event, err);
}

bool
v1_user_log(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	const struct v1_file *file = converter->order->file;
	const struct v1_record *record = &step->record;
	struct go_event event = v1_event_of(step, GO_EVENT_LOG, WIRE_USER_LOG);
	event.u.log.task = (int64_t)record->args[1];
	event.u.log.category = v1_file_string(file, record->args[2]);
	return intern_add(file->strings, (const char *)record->text, record->text_size,
	                  &event.u.log.message, err) &&
	       v1_deliver(converter, step, &event, err);
}
