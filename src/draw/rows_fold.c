/* Folds and their names. */
#include "draw/rows_fold.h"

#include <string.h>

#include "analysis/registry.h"
#include "base/text.h"
#include "draw/rows_internal.h"
#include "draw/task_rows.h"
#include "trace/lane_name.h"
#include "trace/regroup.h"
#include "trace/words.h"

static const char group_prefix[] = "group:";

static const char *const section_names[SECTION_COUNT] = {
	[SECTION_PROCESSORS] = "procs",
	[SECTION_THREADS] = "threads",
	[SECTION_ACTORS] = "goroutines",
	[SECTION_WAKERS] = "wakers",
	[SECTION_WOKEN] = "woken",
	[SECTION_FOCUS_PROCESSORS] = "ran-on",
	[SECTION_TASKS] = "tasks",
	[SECTION_GAUGES] = "named-counters",
	[SECTION_COUNTERS] = "counters",
	[SECTION_GC] = "gc",
	[SECTION_EVENTS] = "events",
	[SECTION_PANEL] = "panel",
};

/* ---- how it is at first */

/* Above the one that is shown alone none is unfolded for it. */
static task_ref
task_above(const struct timeline_rows *rows, task_ref task)
{
	bool is_alone = rows->tasks != NULL && rows->tasks->only != REF_NONE;
	return is_alone ? REF_NONE : trace_task(rows->trace, task)->parent;
}

/* Whether a task is the other one or above it. */
static bool
is_above(const struct timeline_rows *rows, task_ref above, task_ref task)
{
	for (int i = 0; task != REF_NONE && i <= ROWS_DEEPEST_TASK; i++) {
		if (task == above)
			return true;
		task = task_above(rows, task);
	}
	return false;
}

/* Of a trace with slices all else says little; but a screen is soon full. */
enum { MOST_OPEN_AT_FIRST = 64, MOST_GAUGES_AT_FIRST = 8 };

bool
rows_nest_usual(const struct timeline_rows *rows, struct lane lane)
{
	column_ref first;
	uint32_t count = 0;
	if (lane.type == LANE_ACTOR && lane.ref < MOST_OPEN_AT_FIRST)
		slice_rows_of(rows->trace, lane, &first, &count);
	return count > 0;
}

bool
rows_open_usual(struct timeline_rows *rows, struct error *err)
{
	uint32_t actors = trace_actor_count(rows->trace);
	for (actor_ref actor = 0; actor < actors && actor < MOST_OPEN_AT_FIRST; actor++) {
		struct lane lane = { LANE_ACTOR, actor };
		if (rows_nest_usual(rows, lane) && !rows_open_nest(rows, lane, err))
			return false;
	}
	return true;
}

static bool
nest_is_usual(const struct timeline_rows *rows, task_ref task, struct lane lane)
{
	if (lane.type == LANE_TASK)
		return is_above(rows, lane.ref, task);
	return rows_nest_usual(rows, lane) ||
	       (lane.type == LANE_ACTOR && rows->focus.actor == lane.ref);
}

static bool
goes_by_size(enum row_section section)
{
	return section == SECTION_PROCESSORS || section >= SECTION_GAUGES;
}

bool
rows_section_usual(const struct timeline_rows *rows, enum row_section section)
{
	return section != SECTION_THREADS &&
	       (section != SECTION_GAUGES || rows->trace->gauge_count <= MOST_GAUGES_AT_FIRST) &&
	       (rows->size != ROWS_SMALL || !goes_by_size(section));
}

bool
rows_section_is_open(const struct timeline_rows *rows, enum row_section section)
{
	return rows_section_usual(rows, section) != rows->section_is_turned[section];
}

bool
rows_set_size(struct timeline_rows *rows, enum rows_size size, struct error *err)
{
	enum rows_size before = rows->size;
	bool was_turned[SECTION_COUNT];
	if (before == size)
		return true;
	memcpy(was_turned, rows->section_is_turned, sizeof was_turned);
	for (int section = 0; section < SECTION_COUNT; section++) {
		bool stays = before == ROWS_UNSIZED || !goes_by_size((enum row_section)section) ||
			     (before == ROWS_SMALL) == (size == ROWS_SMALL);
		rows->section_is_turned[section] = stays && was_turned[section];
	}
	rows->size = size;
	if (rows_list(rows, err))
		return true;
	rows->size = before;
	memcpy(rows->section_is_turned, was_turned, sizeof was_turned);
	return false;
}

void
rows_fold_usual(struct timeline_rows *rows)
{
	for (int section = 0; section < SECTION_COUNT; section++)
		rows->section_is_turned[section] = false;
	for (group_ref group = 0; group < rows->trace->group_count; group++)
		rows->group_is_open[group] = rows_groups_usual(rows->trace);
}

/* ---- names */

/* The one that is sought is given, or the one that is told of. */
struct naming {
	const struct timeline_rows *rows;
	void (*add)(void *context, const char *name);
	void *context;
	struct text name;
};

static void
tell(struct naming *naming)
{
	struct text *name = &naming->name;
	if (!name->failed && name->length > 0 && strlen(name->bytes) == name->length)
		naming->add(naming->context, name->bytes);
	text_clear(name);
}

static void
tell_lane(struct naming *naming, struct lane lane)
{
	lane_name_add(&naming->name, naming->rows->trace, lane);
	tell(naming);
}

static bool
find_section(const char *name, enum row_section *section)
{
	const char *own = registry_own_name(name, strlen(name));
	if (own != NULL)
		name = own;
	for (int i = 0; i < SECTION_COUNT; i++) {
		*section = (enum row_section)i;
		if (strcmp(section_names[i], name) == 0)
			return true;
	}
	return false;
}

/* A group has its own name where that leads to it and to nothing else. */
static void
tell_group(struct naming *naming, group_ref group)
{
	const struct trace *trace = naming->rows->trace;
	struct text *name = &naming->name;
	struct lane found = { LANE_TYPE_COUNT, 0 };
	enum row_section section;
	if (trace_grouped_by(trace) == GROUP_BY_NAME) {
		lane_name_add(name, trace, (struct lane){ LANE_GROUP, group });
		if (name->length > 0 && strlen(name->bytes) == name->length &&
			!find_section(name->bytes, &section))
			lane_name_find(trace, name->bytes, &found);
	}
	if (found.type != LANE_GROUP || found.ref != group) {
		actor_ref first = trace->group_members[trace->groups[group].first];
		text_clear(name);
		text_add_string(name, group_prefix);
		text_add_id(name, &trace->words->actor, trace_actor(trace, first)->id);
	}
	tell(naming);
}

/* Those of one actor have no row of their own, and those without any have no name. */
static bool
has_group_row(const struct trace *trace, group_ref group)
{
	uint32_t least = trace_grouped_by(trace) == GROUP_BY_NAME ? 2 : 1;
	return trace->groups[group].count >= least;
}

static void
tell_nests(struct naming *naming, task_ref task)
{
	const struct nests *nests = &naming->rows->nests;
	struct lane focus = { LANE_ACTOR, naming->rows->focus.actor };
	for (size_t i = 0; i < nests->count; i++) {
		struct lane lane = nests->items[i].lane;
		bool is_shown = lane.type != LANE_TASK || naming->rows->shows_tasks;
		if (is_shown && !nest_is_usual(naming->rows, task, lane))
			tell_lane(naming, lane);
	}
	if (focus.ref != REF_NONE && nests_has_any(nests, naming->rows->trace, focus) &&
		nests_find(nests, focus) == SIZE_MAX)
		tell_lane(naming, focus);
	uint32_t actors = trace_actor_count(naming->rows->trace);
	for (actor_ref actor = 0; actor < actors && actor < MOST_OPEN_AT_FIRST; actor++) {
		struct lane lane = { LANE_ACTOR, actor };
		if (actor != focus.ref && rows_nest_usual(naming->rows, lane) &&
			nests_find(nests, lane) == SIZE_MAX)
			tell_lane(naming, lane);
	}
	for (int i = 0; task != REF_NONE && i <= ROWS_DEEPEST_TASK; i++) {
		struct lane lane = { LANE_TASK, task };
		if (nests_find(nests, lane) == SIZE_MAX)
			tell_lane(naming, lane);
		task = task_above(naming->rows, task);
	}
}

void
rows_name_folds(const struct timeline_rows *rows, task_ref task,
	void (*add)(void *context, const char *name), void *context)
{
	struct naming naming = { rows, add, context, { 0 } };
	const struct trace *trace = rows->trace;
	for (int section = 0; section < SECTION_COUNT; section++)
		if (rows->section_is_turned[section])
			add(context, registry_shown_name(section_names[section], trace->words));
	for (group_ref group = 0; group < trace->group_count; group++)
		if (rows->group_is_open[group] != rows_groups_usual(trace) &&
			has_group_row(trace, group))
			tell_group(&naming, group);
	tell_nests(&naming, task);
	text_release(&naming.name);
}

/* ---- and back */

static bool
find_group(const struct trace *trace, const char *name, group_ref *group)
{
	struct lane lane = { 0 };
	size_t length = strlen(group_prefix);
	bool is_by_member = strncmp(name, group_prefix, length) == 0;
	if (is_by_member && lane_name_find(trace, name + length, &lane) &&
		lane.type == LANE_ACTOR) {
		*group = trace_group_of(trace, lane.ref);
		return true;
	}
	bool is_found = lane_name_find(trace, name, &lane) && lane.type == LANE_GROUP;
	*group = lane.ref;
	return is_found;
}

static bool
fold_nest(struct timeline_rows *rows, task_ref task, struct lane lane, struct error *err)
{
	size_t index = nests_find(&rows->nests, lane);
	if (!nest_is_usual(rows, task, lane))
		return rows_open_nest(rows, lane, err);
	if (index != SIZE_MAX) {
		struct nest nest = nests_take(&rows->nests, index);
		nest_release(&nest);
	}
	return true;
}

static bool
fold_name(struct timeline_rows *rows, task_ref task, const char *name, struct error *err)
{
	enum row_section section;
	group_ref group;
	struct lane lane;
	if (find_section(name, &section)) {
		rows->section_is_turned[section] = true;
		return true;
	}
	if (find_group(rows->trace, name, &group)) {
		rows->group_is_open[group] = !rows_groups_usual(rows->trace);
		return true;
	}
	bool is_nest = lane_name_find(rows->trace, name, &lane) &&
		       (lane.type == LANE_ACTOR || (lane.type == LANE_PROCESSOR && rows->trace->slices != NULL) ||
			       (lane.type == LANE_TASK && rows->tasks != NULL));
	return is_nest ? fold_nest(rows, task, lane, err)
		       : error_set(err, ERROR_USAGE, "--fold=%s: there is no such row to fold", name);
}

bool
rows_fold_names(struct timeline_rows *rows, task_ref task, const char *const *names, size_t count,
	struct error *err)
{
	bool is_fine = true;
	rows_fold_usual(rows);
	for (size_t i = 0; i < count; i++)
		is_fine = fold_name(rows, task, names[i], err) && is_fine;
	return rows_list(rows, err) && is_fine;
}
