/* The list of rows: what of the trace is shown, from top to bottom. */
#include "analysis/beneath/lanes.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "draw/rows_internal.h"
#include "draw/task_rows.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/words.h"

/* The list that is being made; no_memory once it could not grow. */
struct list {
	struct row *items;
	size_t count, capacity;
	bool has_failed;
	bool has_stacks; /* the stack lanes are in it */
	bool is_of_pins; /* what comes now is pinned */
	struct error *err;
};

static void
add_row(struct list *list, enum row_type type, uint32_t ref, int depth)
{
	if (list->has_failed || !array_reserve(&list->items, &list->capacity, list->count + 1,
					sizeof *list->items, list->err)) {
		list->has_failed = true;
		return;
	}
	list->items[list->count++] =
		(struct row){ .ref = ref, .type = (uint8_t)type, .depth = (uint8_t)depth,
			.is_pinned = list->is_of_pins };
}

/* What is beneath a track, where that is unfolded. */
static void
add_nest(struct list *list, const struct timeline_rows *rows, struct lane lane, int depth)
{
	size_t index = nests_find(&rows->nests, lane);
	if (index == SIZE_MAX)
		return;
	const struct nest *nest = &rows->nests.items[index];
	enum row_type slices = lane.type == LANE_ACTOR ? ROW_SLICES : ROW_PROCESSOR_SLICES;
	for (uint32_t part = 0; part < nest->slice_rows + nest->ran_rows; part++) {
		struct slice_row at = nest_slices(nest, rows->trace, part);
		if (slices_in_column(at.slices, at.column) == 0)
			continue;
		add_row(list, slices, lane.ref, depth);
		if (!list->has_failed)
			list->items[list->count - 1].part = (uint16_t)part;
	}
	for (uint32_t part = 0; part < nest->region_count; part++) {
		add_row(list, ROW_REGIONS, (uint32_t)index, depth);
		if (!list->has_failed)
			list->items[list->count - 1].part = (uint16_t)part;
	}
	if (nest->log_count > 0)
		add_row(list, ROW_LOGS, (uint32_t)index, depth);
}

/* Beneath the first lane of the actor alone. */
static void
add_stacks(struct list *list, const struct timeline_rows *rows, actor_ref actor, int depth)
{
	const struct stack_chart *chart = &rows->stacks;
	if (chart->actor != actor || list->has_stacks)
		return;
	list->has_stacks = true;
	for (uint32_t part = 0; part < chart->depth && part <= UINT16_MAX; part++) {
		add_row(list, ROW_STACK, actor, depth);
		if (!list->has_failed)
			list->items[list->count - 1].part = (uint16_t)part;
	}
}

static void
add_actor(
	struct list *list, const struct timeline_rows *rows, actor_ref actor, int depth)
{
	add_row(list, ROW_ACTOR, actor, depth);
	add_stacks(list, rows, actor, depth + 1);
	add_nest(list, rows, (struct lane){ LANE_ACTOR, actor }, depth + 1);
}

/* Whether the trace has something for a row that is not a track of its own. */
static bool
has_any(const struct timeline_rows *rows, enum row_type type, uint32_t ref)
{
	const struct trace *trace = rows->trace;
	if (type == ROW_ACTORS) /* without a state that is told of there is nothing to count */
		return (words_classes(trace->words) & ~CLASS_BIT(CLASS_UNKNOWN)) != 0;
	if (type == ROW_HEAP)
		return counter_count(&trace->counters[COUNTER_HEAP_ALLOC]) > 0;
	if (type == ROW_THREADS)
		return trace->words->thread.one != NULL;
	if (type == ROW_GC)
		return trace->gc.count > 0;
	if (type == ROW_STW)
		return trace->stw.count > 0;
	if (type == ROW_WAKES)
		return wake_count(trace, (enum wake_row)ref, 0, INT64_MAX) > 0;
	return type != ROW_SAMPLES ||
	       samples_count(&rows->samples, (struct lane){ LANE_ALL, 0 }, 0, INT64_MAX) > 0;
}

static void
add_runtime_row(struct list *list, const struct timeline_rows *rows, enum row_type type, uint32_t ref)
{
	if (!has_any(rows, type, ref))
		return;
	if (type == ROW_HEAP && rows->size == ROWS_TALL)
		add_row(list, ROW_HEAP_UPPER, ref, 0);
	add_row(list, type, ref, 0);
}

/* Folded, one row stands for those that there are, unless that is one alone. */
static void
add_parts(struct list *list, const struct timeline_rows *rows, enum row_section section)
{
	static const struct row parts[] = {
		{ .type = ROW_ACTORS },
		{ .type = ROW_HEAP },
		{ .type = ROW_THREADS },
		{ .type = ROW_GC },
		{ .type = ROW_STW },
		{ .type = ROW_WAKES, .ref = WAKE_NETWORK },
		{ .type = ROW_WAKES, .ref = WAKE_TIMER },
		{ .type = ROW_WAKES, .ref = WAKE_SYSCALL },
	};
	int count = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		count += row_part_of(parts[i]) == section &&
			 has_any(rows, (enum row_type)parts[i].type, parts[i].ref);
	if (count > 1 && !rows_section_is_open(rows, section)) {
		add_row(list, ROW_SECTION, section, 0);
		return;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		if (row_part_of(parts[i]) == section)
			add_runtime_row(list, rows, (enum row_type)parts[i].type, parts[i].ref);
}

static void
add_runtime_rows(struct list *list, const struct timeline_rows *rows)
{
	add_parts(list, rows, SECTION_COUNTERS);
	add_parts(list, rows, SECTION_GC);
	add_parts(list, rows, SECTION_EVENTS);
	add_runtime_row(list, rows, ROW_SAMPLES, 0);
}

static void
add_gauges(struct list *list, const struct timeline_rows *rows)
{
	if (rows->trace->gauge_count == 0)
		return;
	add_row(list, ROW_SECTION, SECTION_GAUGES, 0);
	for (uint32_t i = 0; rows_section_is_open(rows, SECTION_GAUGES) && i < rows->trace->gauge_count; i++)
		add_row(list, ROW_GAUGE, i, 1);
}

bool
rows_leave_out(const struct timeline_rows *rows, struct lane lane)
{
	if (rows->filter == NULL || lane.type == LANE_GC || lane.type == LANE_STW)
		return false;
	if (lane.type == LANE_TASK)
		return rows->tasks != NULL &&
		       !task_rows_match(rows->tasks, lane.ref, rows->filter);
	return !search_has_any(rows->filter, lane);
}

static bool
is_shown(const struct timeline_rows *rows, enum lane_type type, uint32_t ref)
{
	struct lane lane = { type, ref };
	if (rows->hidden != NULL && row_picks_has(rows->hidden, rows->trace, row_of_lane(lane)))
		return false;
	return !rows_leave_out(rows, lane);
}

/* A heading and, where it is open, a row for each ref. */
static void
add_section(struct list *list, const struct timeline_rows *rows, enum row_section section,
	enum row_type type, const struct ref_list *refs)
{
	if (refs->count == 0)
		return;
	enum lane_type lane = type == ROW_PROCESSOR     ? LANE_PROCESSOR
			      : type == ROW_THREAD ? LANE_THREAD
						   : LANE_ACTOR;
	add_row(list, ROW_SECTION, section, 0);
	for (size_t i = 0; rows_section_is_open(rows, section) && i < refs->count; i++) {
		if (!is_shown(rows, lane, refs->items[i]))
			continue;
		if (type == ROW_ACTOR) {
			add_actor(list, rows, refs->items[i], 1);
			continue;
		}
		add_row(list, type, refs->items[i], 1);
		if (type == ROW_THREAD && rows->beneath != NULL && rows->beneath->beneath->threads[refs->items[i]].count > 0)
			add_row(list, ROW_BENEATH, refs->items[i], 2);
		add_nest(list, rows, (struct lane){ lane, refs->items[i] }, 2);
	}
}

static void
add_group(struct list *list, const struct timeline_rows *rows, group_ref group)
{
	const struct group *members = &rows->trace->groups[group];
	const struct lane_order *order = rows_lane_order(rows);
	const actor_ref *actors =
		&(order->members != NULL ? order->members
					 : rows->trace->group_members)[members->first];
	if (!is_shown(rows, LANE_GROUP, group) ||
		(members->count == 1 && !is_shown(rows, LANE_ACTOR, actors[0])))
		return;
	/* What else a group is about would not be seen on its only actor. */
	if (members->count == 1 && trace_grouped_by(rows->trace) == GROUP_BY_NAME) {
		add_actor(list, rows, actors[0], 1);
		return;
	}
	add_row(list, ROW_GROUP, group, 1);
	if (!rows->group_is_open[group])
		return;
	for (uint32_t i = 0; i < members->count; i++)
		if (is_shown(rows, LANE_ACTOR, actors[i]))
			add_actor(list, rows, actors[i], 2);
}

static void
add_actors(struct list *list, const struct timeline_rows *rows)
{
	const struct lane_order *order = rows_lane_order(rows);
	if (order->group_count == 0)
		return;
	add_row(list, ROW_SECTION, SECTION_ACTORS, 0);
	if (!rows_section_is_open(rows, SECTION_ACTORS))
		return;
	for (size_t i = 0; i < order->group_count; i++)
		add_group(list, rows, order->groups[i]);
}

static void
add_focus(struct list *list, const struct timeline_rows *rows)
{
	const struct row_focus *focus = &rows->focus;
	add_actor(list, rows, focus->actor, 0);
	add_section(list, rows, SECTION_WAKERS, ROW_ACTOR, &focus->wakers);
	add_section(list, rows, SECTION_WOKEN, ROW_ACTOR, &focus->woken);
	add_section(list, rows, SECTION_FOCUS_PROCESSORS, ROW_PROCESSOR, &focus->processors);
}

/* ---- those that interact */

/* By steps, and then in the order of the lanes. */
struct by_steps {
	actor_ref *sorted;
	size_t first[INTERACTS_MOST_STEPS + 1], end[INTERACTS_MOST_STEPS + 1];
};

static bool
sort_by_steps(struct by_steps *by_steps, const struct timeline_rows *rows, struct error *err)
{
	const struct interacts *interacts = &rows->interacts;
	const struct lane_order *order = rows_lane_order(rows);
	const actor_ref *members =
		order->members != NULL ? order->members : rows->trace->group_members;
	size_t next = 0;
	by_steps->sorted = array_new_unset(interacts->count, sizeof *by_steps->sorted, err);
	for (size_t step = 0; step <= INTERACTS_MOST_STEPS; step++) {
		by_steps->first[step] = by_steps->end[step] = next;
		next += interacts->counts[step];
	}
	for (size_t i = 0; by_steps->sorted != NULL && i < order->group_count; i++) {
		const struct group *group = &rows->trace->groups[order->groups[i]];
		for (uint32_t n = 0; n < group->count; n++) {
			actor_ref actor = members[group->first + n];
			uint8_t away = interacts_away(interacts, actor);
			if (away != INTERACTS_NEVER)
				by_steps->sorted[by_steps->end[away]++] = actor;
		}
	}
	return by_steps->sorted != NULL;
}

static void
add_interacting(struct list *list, const struct timeline_rows *rows)
{
	const struct interacts *interacts = &rows->interacts;
	struct by_steps by_steps;
	if (!sort_by_steps(&by_steps, rows, list->err)) {
		list->has_failed = true;
		return;
	}
	add_parts(list, rows, SECTION_GC);
	add_actor(list, rows, interacts->plan.actor, 0);
	for (uint32_t step = 1; step <= INTERACTS_MOST_STEPS && interacts->counts[step] > 0; step++) {
		size_t end = rows->step_is_folded[step] ? 0 : by_steps.end[step];
		add_row(list, ROW_STEP, step, 0);
		for (size_t i = by_steps.first[step]; i < end; i++)
			if (is_shown(rows, LANE_ACTOR, by_steps.sorted[i]))
				add_actor(list, rows, by_steps.sorted[i], 1);
	}
	memory_free(by_steps.sorted);
}

/* ---- tasks */

/* Tasks that are to be listed, the next one last. */
struct pending {
	struct pending_task {
		task_ref task;
		int depth;
	} *items;
	size_t count, capacity;
};

static void
push_task(struct list *list, struct pending *pending, task_ref task, int depth)
{
	if (list->has_failed || !array_reserve(&pending->items, &pending->capacity,
					pending->count + 1, sizeof *pending->items, list->err)) {
		list->has_failed = true;
		return;
	}
	pending->items[pending->count++] =
		(struct pending_task){ task, depth < ROWS_DEEPEST_TASK ? depth : ROWS_DEEPEST_TASK };
}

/* A task with what is beneath it; its children become pending. */
static void
add_task(struct list *list, const struct timeline_rows *rows, struct pending *pending,
	struct pending_task at)
{
	struct lane lane = { LANE_TASK, at.task };
	size_t index = nests_find(&rows->nests, lane);
	add_row(list, ROW_TASK, at.task, at.depth);
	if (index == SIZE_MAX)
		return;
	const struct nest *nest = &rows->nests.items[index];
	const struct ref_index *children = &rows->tasks->index.children;
	add_nest(list, rows, lane, at.depth + 1);
	for (size_t i = 0; i < nest->actor_count; i++)
		if (is_shown(rows, LANE_ACTOR, nest->actors[i]))
			add_actor(list, rows, nest->actors[i], at.depth + 1);
	for (uint32_t i = children->first[at.task + 1]; i > children->first[at.task]; i--)
		push_task(list, pending, children->refs[i - 1], at.depth + 1);
}

/* In a circle of parents, which none of the tasks in it has a way out of, each comes once. */
static void
add_task_tree(struct list *list, const struct timeline_rows *rows, task_ref root, int depth)
{
	struct pending pending = { 0 };
	push_task(list, &pending, root, depth);
	while (pending.count > 0 && !list->has_failed) {
		struct pending_task next = pending.items[--pending.count];
		bool is_again = next.task == root && next.depth != depth;
		bool is_asked = next.task == rows->tasks->only;
		if (!is_again && (is_asked || is_shown(rows, LANE_TASK, next.task)))
			add_task(list, rows, &pending, next);
	}
	memory_free(pending.items);
}

static void
add_tasks(struct list *list, const struct timeline_rows *rows)
{
	const struct task_rows *tasks = rows->tasks;
	if (tasks->only != REF_NONE) {
		add_task_tree(list, rows, tasks->only, 0);
		add_section(list, rows, SECTION_PROCESSORS, ROW_PROCESSOR, &rows->processor_order);
		return;
	}
	add_parts(list, rows, SECTION_GC);
	add_row(list, ROW_SECTION, SECTION_TASKS, 0);
	size_t known = rows->filter != NULL ? tasks->root_asked : tasks->root_count;
	for (size_t i = 0; rows_section_is_open(rows, SECTION_TASKS) && i < known; i++)
		add_task_tree(list, rows, tasks->roots[i], 1);
}

/* ---- pins */

/* A group comes without its members, and a task without those that work for it. */
static void
add_pin(struct list *list, const struct timeline_rows *rows, struct row row)
{
	if (row.type == ROW_ACTOR) {
		add_actor(list, rows, row.ref, 1);
	} else if (row.type > ROW_SECTION) {
		add_row(list, (enum row_type)row.type, row.ref, 1);
		struct lane lane;
		if (row_to_lane(row, &lane))
			add_nest(list, rows, lane, 2);
	} else {
		add_runtime_row(list, rows, (enum row_type)row.type, row.ref);
	}
}

static void
add_pins(struct list *list, const struct timeline_rows *rows)
{
	struct row row;
	list->is_of_pins = true;
	for (size_t i = 0; rows->pinned != NULL && i < rows->pinned->count; i++)
		if (row_picks_find(rows->pinned, i, rows->trace, &row))
			add_pin(list, rows, row);
	list->is_of_pins = false;
}

bool
rows_list(struct timeline_rows *rows, struct error *err)
{
	struct list list = { .err = err };
	add_pins(&list, rows);
	size_t pin_count = list.count;
	if (rows->focus.actor != REF_NONE) {
		add_focus(&list, rows);
	} else if (rows->shows_tasks) {
		add_tasks(&list, rows);
	} else if (rows->interacts.away != NULL) {
		add_interacting(&list, rows);
	} else {
		add_runtime_rows(&list, rows);
		add_gauges(&list, rows);
		add_section(&list, rows, SECTION_PROCESSORS, ROW_PROCESSOR, &rows->processor_order);
		add_section(&list, rows, SECTION_THREADS, ROW_THREAD, &rows->thread_order);
		add_actors(&list, rows);
	}
	if (list.has_failed) {
		memory_free(list.items);
		return false;
	}
	memory_free(rows->items);
	rows->items = list.items;
	rows->count = list.count;
	rows->pin_count = pin_count;
	rows->capacity = list.capacity;
	rows->listings++;
	return true;
}
