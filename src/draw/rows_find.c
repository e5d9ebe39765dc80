/* From rows to lanes and back. */
#include "draw/rows_internal.h"
#include "draw/task_rows.h"
#include "query/search.h"

bool
row_lane(const struct timeline_rows *rows, size_t index, struct lane *lane)
{
	return row_to_lane(rows->items[index], lane);
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

/* The first row of a section without a heading. */
static size_t
find_part(const struct timeline_rows *rows, enum row_section section)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (row_part_of(rows->items[i]) == section)
			return i;
	}
	return ROW_NONE;
}

/* The heading of those that are as far away as the actor. */
static size_t
find_step(const struct timeline_rows *rows, actor_ref actor)
{
	size_t i = 0;
	uint8_t away = interacts_away(&rows->interacts, actor);
	while (i < rows->count &&
		(rows->items[i].type != ROW_STEP || rows->items[i].ref != away))
		i++;
	return i < rows->count ? i : ROW_NONE;
}

static enum row_section
section_of(struct lane lane)
{
	static const enum row_section sections[LANE_TYPE_COUNT] = {
		[LANE_ACTOR] = SECTION_ACTORS,
		[LANE_PROCESSOR] = SECTION_PROCESSORS,
		[LANE_THREAD] = SECTION_THREADS,
		[LANE_GROUP] = SECTION_ACTORS,
		[LANE_ALL] = SECTION_COUNTERS,
		[LANE_GC] = SECTION_GC,
		[LANE_STW] = SECTION_GC,
	};
	return sections[lane.type];
}

const struct nest *
rows_nest(const struct timeline_rows *rows, size_t index)
{
	return &rows->nests.items[rows->items[index].ref];
}

const struct region_row *
rows_regions(const struct timeline_rows *rows, size_t index)
{
	return &rows_nest(rows, index)->regions[rows->items[index].part];
}

struct slice_row
rows_slices(const struct timeline_rows *rows, size_t index)
{
	const struct row *row = &rows->items[index];
	struct lane lane = { row->type == ROW_SLICES ? LANE_ACTOR : LANE_PROCESSOR, row->ref };
	const struct nest *nest = &rows->nests.items[nests_find(&rows->nests, lane)];
	return nest_slices(nest, rows->trace, row->part);
}

size_t
rows_find(const struct timeline_rows *rows, struct lane lane)
{
	size_t index = find_exactly(rows, lane);
	if (index == ROW_NONE && lane.type == LANE_ACTOR) {
		group_ref group = trace_group_of(rows->trace, lane.ref);
		index = find_exactly(rows, (struct lane){ LANE_GROUP, group });
	}
	if (index == ROW_NONE && lane.type == LANE_ACTOR)
		index = find_step(rows, lane.ref);
	if (index == ROW_NONE && lane.type < LANE_TYPE_COUNT)
		index = find_section(rows, section_of(lane));
	return index;
}

size_t
rows_count_matching(const struct timeline_rows *rows, struct search *search, bool *lasts)
{
	size_t count = 0;
	*lasts = !rows_is_matching(rows, search);
	if (!*lasts)
		return SIZE_MAX;
	for (size_t i = rows->pin_count; i < rows->count; i++) {
		const struct row *row = &rows->items[i];
		struct lane lane;
		if (row->type < ROW_PROCESSOR || row->type > ROW_TASK || !row_lane(rows, i, &lane))
			continue;
		if (row->type == ROW_TASK) {
			count += task_rows_match(rows->tasks, row->ref, search);
			continue;
		}
		*lasts = *lasts && search_is_settled(search, lane);
		count += search_has_any(search, lane);
	}
	return count;
}

size_t
rows_first_lane(const struct timeline_rows *rows)
{
	for (size_t i = rows->pin_count; i < rows->count; i++) {
		const struct row *row = &rows->items[i];
		bool is_of_processors = row->type == ROW_SECTION && row->ref == SECTION_PROCESSORS;
		if (row->type == ROW_PROCESSOR || (is_of_processors && !row_is_open(rows, i)))
			return i;
	}
	return rows->pin_count < rows->count ? rows->pin_count : 0;
}

size_t
rows_find_again(const struct timeline_rows *rows, struct row row, const struct trace *before)
{
	size_t found = ROW_NONE;
	if (row.type == ROW_GROUP)
		row.ref = trace_follow_group(rows->trace, before, row.ref);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *here = &rows->items[i];
		if (here->type != row.type || here->ref != row.ref || here->part != row.part)
			continue;
		if (here->is_pinned == row.is_pinned)
			return i;
		found = i;
	}
	if (found != ROW_NONE)
		return found;
	if (row.type == ROW_PROCESSOR)
		return find_section(rows, SECTION_PROCESSORS);
	if (row_part_of(row) != SECTION_COUNT)
		return find_section(rows, row_part_of(row));
	return row.type == ROW_SECTION ? find_part(rows, (enum row_section)row.ref) : ROW_NONE;
}

/* Of who does not interact there is nothing to unfold. */
static bool
reveal_step(struct timeline_rows *rows, struct lane lane, struct error *err)
{
	uint8_t away = lane.type == LANE_ACTOR ? interacts_away(&rows->interacts, lane.ref)
						   : INTERACTS_NEVER;
	if (away == INTERACTS_NEVER)
		return true;
	rows->step_is_folded[away] = false;
	return rows_list(rows, err);
}

bool
rows_reveal(struct timeline_rows *rows, struct lane lane, struct error *err)
{
	if (rows->focus.actor != REF_NONE || find_exactly(rows, lane) != ROW_NONE)
		return true;
	if (lane.type == LANE_TASK)
		return rows_reveal_task(rows, lane.ref, err);
	bool is_shown_anywhere = section_of(lane) == SECTION_GC;
	if (rows->shows_tasks && !is_shown_anywhere)
		return true;
	if (rows->interacts.away != NULL && !is_shown_anywhere)
		return reveal_step(rows, lane, err);
	rows_open_section(rows, section_of(lane));
	if (lane.type == LANE_ACTOR)
		rows->group_is_open[trace_group_of(rows->trace, lane.ref)] = true;
	return rows_list(rows, err);
}
