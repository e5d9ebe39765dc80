/* The rows of the timeline. */
#include "draw/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"
#include "base/checked.h"
#include "base/memory.h"
#include "draw/row_focus.h"
#include "query/search.h"

enum {
	SMALL_TRACE_GOROUTINES = 24, /* up to so many all groups are open at first */
};

/* ---- the order of groups */

struct group_rank {
	group_ref group;
	bool is_runtime; /* of Go itself: these come last */
	int64_t busy_ns;
};

static struct lane
group_lane(const struct trace *trace, group_ref group)
{
	const struct group *members = &trace->groups[group];
	if (members->count == 1)
		return (struct lane){ LANE_GOROUTINE, trace->group_members[members->first] };
	return (struct lane){ LANE_GROUP, group };
}

static struct group_rank
rank_group(const struct trace *trace, group_ref group)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, group_lane(trace, group), 0, trace->end_ns, totals_ns);
	return (struct group_rank){
		.group = group,
		.is_runtime = trace_is_runtime_name(trace, trace->groups[group].name),
		.busy_ns = saturating_add_i64(totals_ns[CLASS_RUNNING],
			saturating_add_i64(totals_ns[CLASS_READY], totals_ns[CLASS_SYSCALL])),
	};
}

static int
compare_ranks(const void *left, const void *right)
{
	const struct group_rank *a = left, *b = right;
	if (a->is_runtime != b->is_runtime)
		return a->is_runtime ? 1 : -1;
	if (a->busy_ns != b->busy_ns)
		return a->busy_ns > b->busy_ns ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static bool
order_groups(struct timeline_rows *rows, struct error *err)
{
	const struct trace *trace = rows->trace;
	struct group_rank *ranks = NULL;
	struct ref_list *order = &rows->group_order;
	size_t rank_capacity = 0, open_capacity = 0, count = trace->group_count;
	bool is_done =
		array_reserve(&ranks, &rank_capacity, count, sizeof *ranks, err) &&
		array_reserve(&order->items, &order->capacity, count, sizeof *order->items, err) &&
		array_reserve(&rows->group_is_open, &open_capacity, count,
			sizeof *rows->group_is_open, err);
	if (is_done && count > 0) {
		for (group_ref group = 0; group < count; group++)
			ranks[group] = rank_group(trace, group);
		qsort(ranks, count, sizeof *ranks, compare_ranks);
		for (size_t i = 0; i < count; i++)
			order->items[i] = ranks[i].group;
		order->count = count;
		memset(rows->group_is_open, 0, count * sizeof *rows->group_is_open);
	}
	memory_free(ranks);
	return is_done;
}

/* ---- the order of procs and threads */

struct id_rank {
	int64_t id;
	uint32_t ref;
};

static int
compare_ids(const void *left, const void *right)
{
	const struct id_rank *a = left, *b = right;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->ref > b->ref) - (a->ref < b->ref);
}

static int64_t
proc_id(const struct trace *trace, uint32_t ref)
{
	return trace_proc(trace, ref)->id;
}

static int64_t
thread_id(const struct trace *trace, uint32_t ref)
{
	return trace_thread(trace, ref)->id;
}

static bool
order_by_id(struct ref_list *order, const struct trace *trace, uint32_t count,
	int64_t (*id_of)(const struct trace *, uint32_t), struct error *err)
{
	struct id_rank *ranks = NULL;
	size_t capacity = 0;
	if (!array_reserve(&ranks, &capacity, count, sizeof *ranks, err) ||
		!array_reserve(&order->items, &order->capacity, count, sizeof *order->items, err)) {
		memory_free(ranks);
		return false;
	}
	for (uint32_t ref = 0; ref < count; ref++)
		ranks[ref] = (struct id_rank){ id_of(trace, ref), ref };
	if (count > 0)
		qsort(ranks, count, sizeof *ranks, compare_ids);
	for (uint32_t i = 0; i < count; i++)
		order->items[i] = ranks[i].ref;
	order->count = count;
	memory_free(ranks);
	return true;
}

static bool
order_all(struct timeline_rows *rows, struct error *err)
{
	const struct trace *trace = rows->trace;
	return order_groups(rows, err) &&
	       order_by_id(&rows->proc_order, trace, trace_proc_count(trace), proc_id, err) &&
	       order_by_id(&rows->thread_order, trace, trace_thread_count(trace), thread_id, err);
}

/* ---- the list */

/* The list that is being made; no_memory once it could not grow. */
struct list {
	struct row *items;
	size_t count, capacity;
	bool has_failed;
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
		(struct row){ .ref = ref, .type = (uint8_t)type, .depth = (uint8_t)depth };
}

static void
add_runtime_rows(struct list *list, const struct timeline_rows *rows)
{
	const struct trace *trace = rows->trace;
	add_row(list, ROW_GOROUTINES, 0, 0);
	if (trace->counters[COUNTER_HEAP_ALLOC].count > 0) {
		if (rows->is_tall)
			add_row(list, ROW_HEAP_UPPER, 0, 0);
		add_row(list, ROW_HEAP, 0, 0);
	}
	add_row(list, ROW_THREADS, 0, 0);
	if (trace->gc.count > 0)
		add_row(list, ROW_GC, 0, 0);
	if (trace->stw.count > 0)
		add_row(list, ROW_STW, 0, 0);
	for (uint32_t row = 0; row < WAKE_ROW_COUNT; row++) {
		if (wake_count(trace, (enum wake_row)row, 0, INT64_MAX) > 0)
			add_row(list, ROW_WAKES, row, 0);
	}
}

static bool
is_shown(const struct timeline_rows *rows, enum lane_type type, uint32_t ref)
{
	return rows->filter == NULL ||
	       search_has_any(rows->filter, (struct lane){ type, ref });
}

/* A heading and, where it is open, a row for each ref. */
static void
add_section(struct list *list, const struct timeline_rows *rows, enum row_section section,
	enum row_type type, const struct ref_list *refs)
{
	if (refs->count == 0)
		return;
	enum lane_type lane = type == ROW_PROC     ? LANE_PROC
			      : type == ROW_THREAD ? LANE_THREAD
						   : LANE_GOROUTINE;
	add_row(list, ROW_SECTION, section, 0);
	for (size_t i = 0; rows->section_is_open[section] && i < refs->count; i++)
		if (is_shown(rows, lane, refs->items[i]))
			add_row(list, type, refs->items[i], 1);
}

static void
add_group(struct list *list, const struct timeline_rows *rows, group_ref group)
{
	const struct group *members = &rows->trace->groups[group];
	const goroutine_ref *goroutines = &rows->trace->group_members[members->first];
	if (!is_shown(rows, LANE_GROUP, group))
		return;
	if (members->count == 1) {
		add_row(list, ROW_GOROUTINE, goroutines[0], 1);
		return;
	}
	add_row(list, ROW_GROUP, group, 1);
	if (!rows->group_is_open[group])
		return;
	for (uint32_t i = 0; i < members->count; i++)
		if (is_shown(rows, LANE_GOROUTINE, goroutines[i]))
			add_row(list, ROW_GOROUTINE, goroutines[i], 2);
}

static void
add_goroutines(struct list *list, const struct timeline_rows *rows)
{
	if (rows->group_order.count == 0)
		return;
	add_row(list, ROW_SECTION, SECTION_GOROUTINES, 0);
	if (!rows->section_is_open[SECTION_GOROUTINES])
		return;
	for (size_t i = 0; i < rows->group_order.count; i++)
		add_group(list, rows, rows->group_order.items[i]);
}

static void
add_focus(struct list *list, const struct timeline_rows *rows)
{
	const struct row_focus *focus = &rows->focus;
	add_row(list, ROW_GOROUTINE, focus->goroutine, 0);
	for (uint32_t depth = 0; depth < focus->region_depths; depth++)
		add_row(list, ROW_REGIONS, depth, 1);
	add_section(list, rows, SECTION_WAKERS, ROW_GOROUTINE, &focus->wakers);
	add_section(list, rows, SECTION_WOKEN, ROW_GOROUTINE, &focus->woken);
	add_section(list, rows, SECTION_FOCUS_PROCS, ROW_PROC, &focus->procs);
}

static bool
make_list(struct timeline_rows *rows, struct error *err)
{
	struct list list = { .err = err };
	if (rows->focus.goroutine != REF_NONE) {
		add_focus(&list, rows);
	} else {
		add_runtime_rows(&list, rows);
		add_section(&list, rows, SECTION_PROCS, ROW_PROC, &rows->proc_order);
		add_section(&list, rows, SECTION_THREADS, ROW_THREAD, &rows->thread_order);
		add_goroutines(&list, rows);
	}
	if (list.has_failed) {
		memory_free(list.items);
		return false;
	}
	memory_free(rows->items);
	rows->items = list.items;
	rows->count = list.count;
	rows->capacity = list.capacity;
	return true;
}

/* ---- */

static void
open_small_trace(struct timeline_rows *rows)
{
	if (trace_goroutine_count(rows->trace) > SMALL_TRACE_GOROUTINES)
		return;
	for (group_ref group = 0; group < rows->trace->group_count; group++)
		rows->group_is_open[group] = true;
}

/* All but the list. */
static bool
prepare(struct timeline_rows *rows, const struct trace *trace, struct error *err)
{
	*rows = (struct timeline_rows){ .trace = trace, .focus.goroutine = REF_NONE };
	for (int section = 0; section < SECTION_COUNT; section++)
		rows->section_is_open[section] = section != SECTION_THREADS;
	if (!order_all(rows, err) || !moments_build(&rows->moments, trace, err)) {
		rows_release(rows);
		return false;
	}
	open_small_trace(rows);
	return true;
}

bool
rows_init(struct timeline_rows *rows, const struct trace *trace, struct error *err)
{
	if (!prepare(rows, trace, err))
		return false;
	if (!make_list(rows, err)) {
		rows_release(rows);
		return false;
	}
	return true;
}

/*
 * What the user opened and closed; a group that there was not before is as rows_init() has it.
 * Only those without a name can have become part of another group; they come first, and
 * what the other one was stays.
 */
static void
keep_open(struct timeline_rows *rows, const struct timeline_rows *before)
{
	memcpy(rows->section_is_open, before->section_is_open, sizeof rows->section_is_open);
	rows->is_tall = before->is_tall;
	for (group_ref group = 0; group < before->trace->group_count; group++)
		rows->group_is_open[trace_follow_group(rows->trace, before->trace, group)] =
			before->group_is_open[group];
}

bool
rows_renew(struct timeline_rows *rows, const struct trace *trace, struct error *err)
{
	struct timeline_rows renewed;
	if (!prepare(&renewed, trace, err))
		return false;
	keep_open(&renewed, rows);
	if (!rows_focus(&renewed, rows->focus.goroutine, err)) {
		rows_release(&renewed);
		return false;
	}
	rows_release(rows);
	*rows = renewed;
	return true;
}

size_t
rows_find_again(const struct timeline_rows *rows, struct row row, const struct trace *before)
{
	if (row.type == ROW_GROUP)
		row.ref = trace_follow_group(rows->trace, before, row.ref);
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].type == row.type && rows->items[i].ref == row.ref)
			return i;
	}
	return ROW_NONE;
}

void
rows_release(struct timeline_rows *rows)
{
	memory_free(rows->items);
	memory_free(rows->group_order.items);
	memory_free(rows->proc_order.items);
	memory_free(rows->thread_order.items);
	memory_free(rows->group_is_open);
	row_focus_release(&rows->focus);
	moments_release(&rows->moments);
	*rows = (struct timeline_rows){ .focus.goroutine = REF_NONE };
}

bool
rows_set_tall(struct timeline_rows *rows, bool is_tall, struct error *err)
{
	if (rows->is_tall == is_tall)
		return true;
	rows->is_tall = is_tall;
	if (make_list(rows, err))
		return true;
	rows->is_tall = !is_tall;
	return false;
}

bool
rows_focus(struct timeline_rows *rows, goroutine_ref goroutine, struct error *err)
{
	struct row_focus focus = { .goroutine = REF_NONE }, old = rows->focus;
	if (goroutine != REF_NONE && !row_focus_build(&focus, rows->trace, goroutine, err))
		return false;
	rows->focus = focus;
	if (!make_list(rows, err)) {
		rows->focus = old;
		row_focus_release(&focus);
		return false;
	}
	row_focus_release(&old);
	return true;
}

bool
rows_filter(struct timeline_rows *rows, const struct search *filter, struct error *err)
{
	const struct search *before = rows->filter;
	rows->filter = filter;
	if (make_list(rows, err))
		return true;
	rows->filter = before;
	return false;
}

/* ---- folding */

bool
row_can_fold(const struct timeline_rows *rows, size_t index)
{
	uint8_t type = rows->items[index].type;
	return type == ROW_SECTION || type == ROW_GROUP;
}

bool
row_is_open(const struct timeline_rows *rows, size_t index)
{
	const struct row *row = &rows->items[index];
	if (row->type == ROW_SECTION)
		return rows->section_is_open[row->ref];
	return row->type == ROW_GROUP && rows->group_is_open[row->ref];
}

bool
rows_toggle(struct timeline_rows *rows, size_t index, struct error *err)
{
	assert(row_can_fold(rows, index));
	struct row row = rows->items[index];
	bool *is_open = row.type == ROW_SECTION ? &rows->section_is_open[row.ref]
						: &rows->group_is_open[row.ref];
	*is_open = !*is_open;
	if (make_list(rows, err))
		return true;
	*is_open = !*is_open;
	return false;
}

/* ---- lanes */

bool
row_lane(const struct timeline_rows *rows, size_t index, struct lane *lane)
{
	static const int lane_types[ROW_TYPE_COUNT] = {
		[ROW_GOROUTINES] = LANE_ALL,
		[ROW_HEAP] = -1,
		[ROW_HEAP_UPPER] = -1,
		[ROW_THREADS] = LANE_ALL,
		[ROW_GC] = LANE_GC,
		[ROW_STW] = LANE_STW,
		[ROW_WAKES] = -1,
		[ROW_SECTION] = -1,
		[ROW_PROC] = LANE_PROC,
		[ROW_THREAD] = LANE_THREAD,
		[ROW_GROUP] = LANE_GROUP,
		[ROW_GOROUTINE] = LANE_GOROUTINE,
		[ROW_REGIONS] = -1,
	};
	const struct row *row = &rows->items[index];
	if (lane_types[row->type] < 0)
		return false;
	*lane = (struct lane){ (enum lane_type)lane_types[row->type], row->ref };
	return true;
}

static size_t
find_exactly(const struct timeline_rows *rows, struct lane lane)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct lane found;
		if (row_lane(rows, i, &found) && found.type == lane.type && found.ref == lane.ref)
			return i;
	}
	return ROW_NONE;
}

static size_t
find_section(const struct timeline_rows *rows, enum row_section section)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].type == ROW_SECTION && rows->items[i].ref == section)
			return i;
	}
	return ROW_NONE;
}

static enum row_section
section_of(struct lane lane)
{
	if (lane.type == LANE_PROC)
		return SECTION_PROCS;
	return lane.type == LANE_THREAD ? SECTION_THREADS : SECTION_GOROUTINES;
}

size_t
rows_find(const struct timeline_rows *rows, struct lane lane)
{
	size_t index = find_exactly(rows, lane);
	if (index == ROW_NONE && lane.type == LANE_GOROUTINE) {
		group_ref group = trace_goroutine(rows->trace, lane.ref)->group;
		index = find_exactly(rows, (struct lane){ LANE_GROUP, group });
	}
	if (index == ROW_NONE && lane.type <= LANE_GROUP)
		index = find_section(rows, section_of(lane));
	return index;
}

bool
rows_reveal(struct timeline_rows *rows, struct lane lane, struct error *err)
{
	if (rows->focus.goroutine != REF_NONE || find_exactly(rows, lane) != ROW_NONE ||
		lane.type > LANE_GROUP)
		return true;
	rows->section_is_open[section_of(lane)] = true;
	if (lane.type == LANE_GOROUTINE)
		rows->group_is_open[trace_goroutine(rows->trace, lane.ref)->group] = true;
	return make_list(rows, err);
}

size_t
rows_first_lane(const struct timeline_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].type == ROW_PROC)
			return i;
	}
	return 0;
}
