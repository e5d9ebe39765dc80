/* Rows of tasks: showing them, what is beneath them, and what is worked out of them. */
#include "analysis/task_job.h"
#include "base/memory.h"
#include "draw/rows_internal.h"
#include "draw/task_rows.h"

bool
rows_open_nest(struct timeline_rows *rows, struct lane lane, struct error *err)
{
	struct nest nest;
	bool is_task = lane.type == LANE_TASK;
	if ((!is_task && !nests_has_any(&rows->nests, rows->trace, lane)) ||
		nests_find(&rows->nests, lane) != SIZE_MAX)
		return true;
	bool is_made = rows->has_made_nest && lane.type == LANE_PROCESSOR &&
		       lane.ref == rows->made_nest.lane.ref;
	if (is_made && nests_add(&rows->nests, &rows->made_nest, err)) {
		rows->made_nest = (struct nest){ 0 };
		rows->has_made_nest = false;
		return true;
	}
	if (is_made)
		return false;
	if (!is_task)
		return nests_open(&rows->nests, rows->trace, lane, err);
	if (!task_rows_nest(&nest, rows->tasks, lane.ref, err))
		return false;
	if (nests_add(&rows->nests, &nest, err))
		return true;
	nest_release(&nest);
	return false;
}

bool
rows_show_tasks(struct timeline_rows *rows, bool shows, task_ref only, struct error *err)
{
	bool showed = rows->shows_tasks;
	task_ref before = rows->tasks != NULL ? rows->tasks->only : REF_NONE;
	if (shows && rows->tasks == NULL)
		rows->tasks = task_rows_new(rows->trace, only, NULL, err);
	if (shows && rows->tasks == NULL)
		return false;
	if (only != REF_NONE && !rows_open_nest(rows, (struct lane){ LANE_TASK, only }, err))
		return false;
	rows->shows_tasks = shows;
	if (rows->tasks != NULL)
		rows->tasks->only = only;
	if (rows_list(rows, err))
		return true;
	rows->shows_tasks = showed;
	if (rows->tasks != NULL)
		rows->tasks->only = before;
	return false;
}

bool
rows_is_matching(const struct timeline_rows *rows, const struct search *search)
{
	return search != NULL && rows->shows_tasks && rows->tasks->only == REF_NONE &&
	       rows->tasks->root_asked < rows->tasks->root_count;
}

bool
rows_match_more(struct timeline_rows *rows, struct search *search, struct error *err)
{
	enum { TASKS_AT_ONCE = 1000 };
	if (!rows_is_matching(rows, search))
		return true;
	task_rows_match_more(rows->tasks, TASKS_AT_ONCE, search);
	return rows->filter == NULL || rows_list(rows, err);
}

bool
rows_reveal_task(struct timeline_rows *rows, task_ref task, struct error *err)
{
	const struct trace *trace = rows->trace;
	task_ref above[ROWS_DEEPEST_TASK], next = trace_task(trace, task)->parent;
	size_t count = 0;
	for (; next != REF_NONE && count < ROWS_DEEPEST_TASK; next = trace_task(trace, next)->parent)
		above[count++] = next;
	if (next != REF_NONE)
		return rows_show_tasks(rows, true, task, err);
	if (!rows_show_tasks(rows, true, REF_NONE, err))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!rows_open_nest(rows, (struct lane){ LANE_TASK, above[i] }, err))
			return false;
	rows_open_section(rows, SECTION_TASKS);
	return rows_list(rows, err);
}

/* The task of a row, once. */
static void
add_wish(const struct row *row, task_ref *shown, size_t *count)
{
	size_t i = 0;
	if (row->type != ROW_TASK)
		return;
	while (i < *count && shown[i] != row->ref)
		i++;
	shown[i] = row->ref;
	*count += i == *count;
}

bool
rows_prepare(struct timeline_rows *rows, size_t first, size_t count, struct error *err)
{
	task_ref *shown = array_new_unset(count + rows->pin_count, sizeof *shown, err);
	struct task_wish wish = {
		.tasks = shown, .wake = rows->wake, .context = rows->wake_context
	};
	rows->is_waiting = false;
	if (shown == NULL)
		return false;
	for (size_t i = 0; i < rows->pin_count; i++)
		add_wish(&rows->items[i], shown, &wish.count);
	for (size_t i = first; i < rows->count && i - first < count; i++)
		add_wish(&rows->items[i], shown, &wish.count);
	bool is_fine = wish.count == 0 || task_rows_ask(rows->tasks, &wish, &rows->is_waiting, err);
	memory_free(shown);
	return is_fine;
}
