/* Sorts tasks by type, and within one by whether they are complete and how long they took. */
#include "analysis/task_types.h"

#include <stdlib.h>

#include "analysis/task_index.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/task_times.h"

struct sorted_task {
	task_ref task;
	string_id name;
	bool is_complete;
	int64_t duration_ns;
	const char *text; /* of the name */
	size_t length;
};

bool
task_is_complete(const struct task *task)
{
	return !task->began_before && task->end_ns != TIME_OPEN;
}

static int
compare_tasks(const void *a, const void *b)
{
	const struct sorted_task *left = a, *right = b;
	if (left->name != right->name)
		return text_compare(left->text, left->length, right->text, right->length);
	if (left->is_complete != right->is_complete)
		return left->is_complete ? -1 : 1;
	if (left->duration_ns != right->duration_ns)
		return left->duration_ns > right->duration_ns ? -1 : 1;
	return (left->task > right->task) - (left->task < right->task);
}

static int
compare_types(const void *a, const void *b)
{
	const struct task_type *left = a, *right = b;
	if (left->spread.total_ns != right->spread.total_ns)
		return left->spread.total_ns > right->spread.total_ns ? -1 : 1;
	return (left->first > right->first) - (left->first < right->first);
}

/* Those that are asked for. */
static bool
choose(const struct trace *trace, const struct task_scope *scope, struct sorted_task *sorted,
	uint32_t *count, struct error *err)
{
	for (task_ref ref = 0; ref < trace->tasks.count; ref++) {
		const struct task *task = trace_task(trace, ref);
		int64_t start_ns = task_start_ns(trace, ref), end_ns = task_end_ns(trace, ref);
		if (!search_watch_check_item(scope->watch, ref, err))
			return false;
		if (start_ns >= scope->t1_ns || end_ns < scope->t0_ns)
			continue;
		if (!search_asks_for(scope->only, task_actor(task), start_ns, end_ns))
			continue;
		struct sorted_task *added = &sorted[(*count)++];
		*added = (struct sorted_task){ ref, task->name, task_is_complete(task),
			end_ns - start_ns, NULL, 0 };
		added->text = trace_text(trace, task->name, &added->length);
	}
	return true;
}

/* The durations in the list stay in their order; those that are sorted are a copy of them. */
static void
add_up(struct task_types *types, struct task_type *type, int64_t *scratch)
{
	for (uint32_t i = 0; i < type->complete; i++)
		scratch[i] = types->durations_ns[type->first + i];
	type->spread = spread_of(scratch, type->complete, 0);
}

static bool
group(struct task_types *types, const struct sorted_task *sorted, struct error *err)
{
	size_t capacity = 0;
	for (uint32_t i = 0; i < types->task_count; i++) {
		types->tasks[i] = sorted[i].task;
		types->durations_ns[i] = sorted[i].duration_ns;
		if (i == 0 || sorted[i].name != sorted[i - 1].name) {
			if (!array_reserve(&types->types, &capacity, (size_t)types->type_count + 1,
				    sizeof *types->types, err))
				return false;
			types->types[types->type_count++] =
				(struct task_type){ .name = sorted[i].name, .first = i };
		}
		struct task_type *type = &types->types[types->type_count - 1];
		type->count++;
		type->complete += sorted[i].is_complete;
	}
	return true;
}

static bool
arrange(struct task_types *types, const struct sorted_task *sorted, struct error *err)
{
	types->tasks = array_new_unset(types->task_count, sizeof *types->tasks, err);
	types->durations_ns = array_new_unset(types->task_count, sizeof *types->durations_ns, err);
	int64_t *scratch = array_new_unset(types->task_count, sizeof *scratch, err);
	bool is_fine = types->tasks != NULL && types->durations_ns != NULL && scratch != NULL &&
		       group(types, sorted, err);
	for (uint32_t i = 0; is_fine && i < types->type_count; i++)
		add_up(types, &types->types[i], scratch);
	if (is_fine && types->type_count > 0)
		qsort(types->types, types->type_count, sizeof *types->types, compare_types);
	memory_free(scratch);
	return is_fine;
}

bool
task_types_build(struct task_types *types, const struct trace *trace,
	const struct task_scope *scope, struct error *err)
{
	*types = (struct task_types){ 0 };
	struct sorted_task *sorted = array_new_unset(trace->tasks.count, sizeof *sorted, err);
	if (sorted == NULL)
		return false;
	bool is_fine = choose(trace, scope, sorted, &types->task_count, err);
	const struct sort sort = { sorted, types->task_count, sizeof *sorted, compare_tasks };
	is_fine = is_fine && sort_items(&sort, search_watch_cancel_flag(scope->watch), err) &&
		  search_watch_check(scope->watch, 0, err) && arrange(types, sorted, err);
	memory_free(sorted);
	if (!is_fine)
		task_types_release(types);
	return is_fine;
}

void
task_types_release(struct task_types *types)
{
	memory_free(types->tasks);
	memory_free(types->durations_ns);
	memory_free(types->types);
	*types = (struct task_types){ 0 };
}
