/* What the rows of the timeline hold, and what changes it. */
#include "draw/rows.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "draw/rows_internal.h"
#include "draw/task_rows.h"
#include "trace/regroup.h"

enum {
	SMALL_TRACE_ACTORS = 24, /* up to so many all groups are open at first */
};

bool
rows_groups_usual(const struct trace *trace)
{
	return trace_actor_count(trace) <= SMALL_TRACE_ACTORS;
}

static const struct timeline_rows no_rows = {
	.focus.actor = REF_NONE,
	.stacks.actor = REF_NONE,
	.made.actor = REF_NONE,
};

/* All but the list. */
static bool
prepare(struct timeline_rows *rows, const struct trace *trace, const struct lane_order *order,
	struct row_marks *marks, struct error *err)
{
	struct row_marks taken;
	*rows = no_rows;
	rows->trace = trace;
	rows->given = order;
	if (!rows_order(rows, err) || !nests_init(&rows->nests, trace, err) ||
		!row_marks_take(marks, trace, &taken, err)) {
		rows_release(rows);
		return false;
	}
	rows->moments = taken.moments;
	rows->samples = taken.samples;
	rows->assists = taken.assists;
	rows_fold_usual(rows);
	return true;
}

bool
rows_init(struct timeline_rows *rows, const struct trace *trace, const struct lane_order *order,
	struct row_marks *marks, struct error *err)
{
	if (!prepare(rows, trace, order, marks, err))
		return false;
	if (!rows_open_usual(rows, err) || !rows_list(rows, err)) {
		rows_release(rows);
		return false;
	}
	return true;
}

void
rows_take_assists(struct timeline_rows *rows, struct row_marks *marks)
{
	pieces_release(&rows->assists);
	rows->assists = marks->assists;
	marks->assists = (struct pieces){ .trace = NULL };
	rows->renewals++;
}

/*
 * What the user opened and closed, and what others know the rows by; a group that there was not
 * before is as rows_init() has it. Only those without a name can have become part of another group;
 * they come first, and what the other one was stays.
 */
static void
keep_open(struct timeline_rows *rows, const struct timeline_rows *before)
{
	memcpy(rows->section_is_turned, before->section_is_turned,
		sizeof rows->section_is_turned);
	rows->renewals = before->renewals + 1;
	rows->listings = before->listings + 1;
	rows->size = before->size;
	rows->hidden = before->hidden;
	rows->pinned = before->pinned;
	memcpy(rows->step_is_folded, before->step_is_folded, sizeof rows->step_is_folded);
	rows->wake = before->wake;
	rows->wake_context = before->wake_context;
	if (trace_grouped_by(rows->trace) != trace_grouped_by(before->trace))
		return;
	for (group_ref group = 0; group < before->trace->group_count; group++)
		rows->group_is_open[trace_follow_group(rows->trace, before->trace, group)] =
			before->group_is_open[group];
}

/* In the same order, so that rows in them stay the same rows. */
static bool
keep_nests(struct timeline_rows *rows, const struct timeline_rows *before, struct error *err)
{
	for (size_t i = 0; i < before->nests.count; i++)
		if (!rows_open_nest(rows, before->nests.items[i].lane, err))
			return false;
	return true;
}

static bool
keep_tasks(struct timeline_rows *rows, const struct timeline_rows *before, struct error *err)
{
	if (before->tasks == NULL)
		return true;
	rows->shows_tasks = before->shows_tasks;
	rows->tasks = task_rows_new(rows->trace, before->tasks->only, NULL, err);
	return rows->tasks != NULL;
}

bool
rows_renew(struct timeline_rows *rows, const struct trace *trace, const struct lane_order *order,
	struct row_marks *marks, struct error *err)
{
	struct timeline_rows renewed;
	if (!prepare(&renewed, trace, order, marks, err))
		return false;
	keep_open(&renewed, rows);
	renewed.interacts = rows->interacts;
	bool has_new_slices = trace->slices != NULL && rows->trace->slices == NULL;
	if (!keep_tasks(&renewed, rows, err) || !keep_nests(&renewed, rows, err) ||
		(has_new_slices && !rows_open_usual(&renewed, err)) ||
		!rows_show_stacks(&renewed, rows->stacks.actor, err) ||
		!rows_focus(&renewed, rows->focus.actor, err)) {
		renewed.interacts.away = NULL;
		rows_release(&renewed);
		return false;
	}
	rows->interacts.away = NULL;
	rows_release(rows);
	*rows = renewed;
	return true;
}

void
rows_release(struct timeline_rows *rows)
{
	memory_free(rows->items);
	lane_order_release(&rows->usual);
	memory_free(rows->processor_order.items);
	memory_free(rows->thread_order.items);
	memory_free(rows->group_is_open);
	row_focus_release(&rows->focus);
	interacts_release(&rows->interacts);
	nests_release(&rows->nests);
	task_rows_free(rows->tasks);
	moments_release(&rows->moments);
	samples_release(&rows->samples);
	pieces_release(&rows->assists);
	stack_chart_release(&rows->stacks);
	stack_chart_release(&rows->made);
	nest_release(&rows->made_nest);
	*rows = no_rows;
}

/* The one that was made beforehand, or a new one. */
static bool
take_stacks(struct timeline_rows *rows, struct stack_chart *chart, actor_ref actor,
	struct error *err)
{
	if (actor == REF_NONE)
		return true;
	if (actor != rows->made.actor)
		return stack_chart_build(
			chart, rows->trace, &rows->samples, actor, NULL, err);
	*chart = rows->made;
	rows->made = (struct stack_chart){ .actor = REF_NONE };
	return true;
}

bool
rows_show_stacks(struct timeline_rows *rows, actor_ref actor, struct error *err)
{
	struct stack_chart before = rows->stacks, chart = { .actor = REF_NONE };
	if (!take_stacks(rows, &chart, actor, err))
		return false;
	rows->stacks = chart;
	if (!rows_list(rows, err)) {
		rows->stacks = before;
		stack_chart_release(&chart);
		return false;
	}
	stack_chart_release(&before);
	return true;
}

bool
rows_focus(struct timeline_rows *rows, actor_ref actor, struct error *err)
{
	struct row_focus focus = { .actor = REF_NONE }, old = rows->focus;
	struct lane lane = { LANE_ACTOR, actor };
	if (actor != REF_NONE && (!row_focus_build(&focus, rows->trace, actor, err) ||
					     !rows_open_nest(rows, lane, err))) {
		row_focus_release(&focus);
		return false;
	}
	rows->focus = focus;
	if (!rows_list(rows, err)) {
		rows->focus = old;
		row_focus_release(&focus);
		return false;
	}
	row_focus_release(&old);
	return true;
}

bool
rows_interact(struct timeline_rows *rows, struct interacts *interacts, struct error *err)
{
	struct interacts before = rows->interacts;
	rows->interacts = interacts != NULL ? *interacts : (struct interacts){ .plan = { 0 } };
	if (!rows_list(rows, err)) {
		rows->interacts = before;
		return false;
	}
	if (before.away == NULL || rows->interacts.plan.actor != before.plan.actor)
		memset(rows->step_is_folded, 0, sizeof rows->step_is_folded);
	interacts_release(&before);
	return true;
}

bool
rows_set_beneath(struct timeline_rows *rows, const struct beneath_lanes *lanes, struct error *err)
{
	const struct beneath_lanes *before = rows->beneath;
	rows->beneath = lanes;
	if (rows_list(rows, err))
		return true;
	rows->beneath = before;
	return false;
}

bool
rows_hide(struct timeline_rows *rows, const struct row_picks *hidden, struct error *err)
{
	const struct row_picks *before = rows->hidden;
	rows->hidden = hidden;
	if (rows_list(rows, err))
		return true;
	rows->hidden = before;
	return false;
}

bool
rows_pin(struct timeline_rows *rows, const struct row_picks *pinned, struct error *err)
{
	const struct row_picks *before = rows->pinned;
	for (size_t i = 0; pinned != NULL && i < pinned->count && rows->tasks == NULL; i++) {
		if (pinned->items[i].type != ROW_TASK)
			continue;
		rows->tasks = task_rows_new(rows->trace, REF_NONE, NULL, err);
		if (rows->tasks == NULL)
			return false;
	}
	rows->pinned = pinned;
	if (rows_list(rows, err))
		return true;
	rows->pinned = before;
	return false;
}

bool
rows_match_slices(struct timeline_rows *rows, enum slice_search which, const struct search *search,
	uint32_t number, struct error *err)
{
	for (size_t i = 0; i < rows->nests.count; i++)
		if (!nest_match(&rows->nests.items[i], rows->trace, which, search, number, err))
			return false;
	return true;
}

bool
rows_filter(struct timeline_rows *rows, struct search *filter, struct error *err)
{
	struct search *before = rows->filter;
	rows->filter = filter;
	if (rows->tasks != NULL)
		task_rows_forget_matches(rows->tasks);
	if (rows_list(rows, err))
		return true;
	rows->filter = before;
	return false;
}

/* ---- folding */

static bool
is_part(const struct timeline_rows *rows, size_t index, enum row_section section)
{
	return index < rows->count && row_part_of(rows->items[index]) == section;
}

bool
row_can_fold(const struct timeline_rows *rows, size_t index)
{
	const struct row *row = &rows->items[index];
	enum row_section part = row_part_of(*row);
	if (part != SECTION_COUNT)
		return is_part(rows, index + 1, part) &&
		       (index == 0 || !is_part(rows, index - 1, part));
	struct lane lane;
	return row->type == ROW_SECTION || row->type == ROW_STEP || row->type == ROW_GROUP ||
	       row->type == ROW_TASK ||
	       ((row->type == ROW_ACTOR || row->type == ROW_PROCESSOR) &&
		       row_lane(rows, index, &lane) &&
		       nests_has_any(&rows->nests, rows->trace, lane));
}

bool
row_is_open(const struct timeline_rows *rows, size_t index)
{
	const struct row *row = &rows->items[index];
	if (row->type == ROW_SECTION)
		return rows_section_is_open(rows, (enum row_section)row->ref);
	if (row_part_of(*row) != SECTION_COUNT)
		return true;
	if (row->type == ROW_STEP)
		return !rows->step_is_folded[row->ref];
	struct lane lane;
	if (row_lane(rows, index, &lane) && row->type != ROW_GROUP)
		return nests_find(&rows->nests, lane) != SIZE_MAX;
	return row->type == ROW_GROUP && rows->group_is_open[row->ref];
}

/* Folds or unfolds an actor or task. */
static bool
toggle_nest(struct timeline_rows *rows, struct lane lane, struct error *err)
{
	size_t index = nests_find(&rows->nests, lane);
	if (index == SIZE_MAX)
		return rows_open_nest(rows, lane, err) && rows_list(rows, err);
	struct nest nest = nests_take(&rows->nests, index);
	if (rows_list(rows, err)) {
		nest_release(&nest);
		return true;
	}
	nests_put_back(&rows->nests, index, &nest);
	return false;
}

bool
rows_toggle_section(struct timeline_rows *rows, enum row_section section, struct error *err)
{
	bool *is_turned = &rows->section_is_turned[section];
	*is_turned = !*is_turned;
	if (rows_list(rows, err))
		return true;
	*is_turned = !*is_turned;
	return false;
}

bool
rows_toggle(struct timeline_rows *rows, size_t index, struct error *err)
{
	assert(row_can_fold(rows, index));
	struct row row = rows->items[index];
	struct lane lane;
	if (row.type == ROW_SECTION)
		return rows_toggle_section(rows, (enum row_section)row.ref, err);
	if (row_part_of(row) != SECTION_COUNT)
		return rows_toggle_section(rows, row_part_of(row), err);
	if (row_lane(rows, index, &lane) && row.type != ROW_GROUP)
		return toggle_nest(rows, lane, err);
	bool *is_open = row.type == ROW_STEP ? &rows->step_is_folded[row.ref]
					     : &rows->group_is_open[row.ref];
	*is_open = !*is_open;
	if (rows_list(rows, err))
		return true;
	*is_open = !*is_open;
	return false;
}
