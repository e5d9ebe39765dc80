/* Logs and stops of the world by actor and group. */
#include "draw/moments.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/lane.h"

struct moment {
	uint32_t key;
	int64_t time_ns;
};

/* In the order of time. */
struct moment_list {
	struct moment *items;
	size_t count, capacity;
};

static bool
add_moment(struct moment_list *list, const struct moment *moment, struct error *err)
{
	if (!array_reserve(
		    &list->items, &list->capacity, list->count + 1, sizeof *list->items, err))
		return false;
	list->items[list->count++] = *moment;
	return true;
}

static bool
collect_logs(struct moment_list *list, const struct trace *trace, struct error *err)
{
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		if (instant->type != INSTANT_LOG || instant->actor == REF_NONE)
			continue;
		struct moment moment = { instant->actor, instant->time_ns };
		if (!add_moment(list, &moment, err))
			return false;
	}
	return true;
}

/* Adds the stops among the ranges from *next on that begin by `until_ns`, and leaves *next behind them. */
static bool
collect_stops_until(struct moment_list *list, const struct trace *trace, range_ref *next,
	int64_t until_ns, struct error *err)
{
	for (; *next < trace->ranges.count; ++*next) {
		const struct range *range = trace_range(trace, *next);
		if (range->start_ns > until_ns)
			break;
		if (range->type != RANGE_STW || range_actor(range) == REF_NONE)
			continue;
		struct moment moment = { range_actor(range), range->start_ns };
		if (!add_moment(list, &moment, err))
			return false;
	}
	return true;
}

/*
 * Ranges stand in the order of their start but for those that began before the trace. So the union
 * of all stops tells where they stand among very many others, unless one of them did that.
 */
static bool
collect_stops(struct moment_list *list, const struct trace *trace, struct error *err)
{
	const struct cover *stops = &trace->stw;
	range_ref next = 0;
	if (stops->count > 0 && stops->start_ns[0] <= trace->start_ns)
		return collect_stops_until(list, trace, &next, INT64_MAX, err);
	for (uint32_t i = 0; i < stops->count; i++) {
		if (next < stops->range[i])
			next = stops->range[i];
		if (!collect_stops_until(list, trace, &next, stops->end_ns[i], err))
			return false;
	}
	return true;
}

static int
compare_times(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;
	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/* Nearly all that is recorded stands in the order of time already. */
static void
order_by_time(struct moment_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		if (list->items[i].time_ns >= list->items[i - 1].time_ns)
			continue;
		qsort(list->items, list->count, sizeof *list->items, compare_times);
		return;
	}
}

static void
release_index(struct moment_index *index)
{
	memory_free(index->first);
	memory_free(index->time_ns);
	*index = (struct moment_index){ 0 };
}

/*
 * By counting: first[key + 1] says how many have the key, then where its next one goes, and
 * in the end where the key after it begins.
 */
static void
fill_index(struct moment_index *index, const struct moment_list *list)
{
	uint32_t place = 0;
	memset(index->first, 0, ((size_t)index->key_count + 1) * sizeof *index->first);
	for (size_t i = 0; i < list->count; i++)
		index->first[list->items[i].key + 1]++;
	for (uint32_t key = 0; key < index->key_count; key++) {
		uint32_t count = index->first[key + 1];
		index->first[key + 1] = place;
		place += count;
	}
	for (size_t i = 0; i < list->count; i++)
		index->time_ns[index->first[list->items[i].key + 1]++] = list->items[i].time_ns;
}

static bool
build_index(struct moment_index *index, const struct moment_list *list, uint32_t key_count,
	struct error *err)
{
	*index = (struct moment_index){ 0 };
	if (list->count == 0)
		return true;
	size_t first_capacity = 0, time_capacity = 0;
	index->key_count = key_count;
	if (!array_reserve(&index->first, &first_capacity, (size_t)key_count + 1,
		    sizeof *index->first, err) ||
		!array_reserve(&index->time_ns, &time_capacity, list->count, sizeof *index->time_ns,
			err)) {
		release_index(index);
		return false;
	}
	fill_index(index, list);
	return true;
}

static bool
build_both(struct moment_index *by_actor, struct moment_index *by_group,
	struct moment_list *list, const struct trace *trace, struct error *err)
{
	order_by_time(list);
	if (!build_index(by_actor, list, trace_actor_count(trace), err))
		return false;
	for (size_t i = 0; i < list->count; i++)
		list->items[i].key = trace_group_of(trace, list->items[i].key);
	return build_index(by_group, list, trace->group_count, err);
}

bool
moments_build(struct moments *moments, const struct trace *trace, struct error *err)
{
	struct moment_list logs = { 0 }, stops = { 0 };
	*moments = (struct moments){ 0 };
	bool is_built =
		collect_logs(&logs, trace, err) && collect_stops(&stops, trace, err) &&
		build_both(&moments->actor_logs, &moments->group_logs, &logs, trace, err) &&
		build_both(&moments->actor_stops, &moments->group_stops, &stops, trace, err);
	if (!is_built)
		moments_release(moments);
	memory_free(logs.items);
	memory_free(stops.items);
	return is_built;
}

void
moments_release(struct moments *moments)
{
	release_index(&moments->actor_logs);
	release_index(&moments->group_logs);
	release_index(&moments->actor_stops);
	release_index(&moments->group_stops);
}

/* The first of the places [low, high) at t or later; near `low` it is found soonest. */
static uint32_t
first_from(const struct moment_index *index, uint32_t low, uint32_t high, int64_t t_ns)
{
	for (uint32_t step = 1; step < high - low; step *= 2) {
		if (index->time_ns[low + step - 1] >= t_ns) {
			high = low + step - 1;
			break;
		}
		low += step;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (index->time_ns[middle] < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many of a key's are before t. */
static uint32_t
count_before(const struct moment_index *index, uint32_t key, int64_t t_ns)
{
	uint32_t first = index->first[key];
	return first_from(index, first, index->first[key + 1], t_ns) - first;
}

uint32_t
moments_log_count(const struct moments *moments, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	const struct moment_index *logs =
		lane.type == LANE_GROUP ? &moments->group_logs : &moments->actor_logs;
	if ((lane.type != LANE_GROUP && lane.type != LANE_ACTOR) || lane.ref >= logs->key_count)
		return 0;
	return count_before(logs, lane.ref, t1_ns) - count_before(logs, lane.ref, t0_ns);
}

/* Gives a mark to each cell with a moment of the key. */
static void
mark_each(const struct moment_index *index, uint32_t key, struct viewport viewport,
	struct strip_cell *cells, int count, uint8_t mark)
{
	if (key >= index->key_count)
		return;
	uint32_t end = index->first[key + 1];
	uint32_t at = first_from(index, index->first[key], end, viewport.t0_ns);
	while (at < end && index->time_ns[at] < viewport.t1_ns) {
		int cell = lane_cell_at(viewport.t0_ns, viewport.t1_ns, count, index->time_ns[at]);
		cells[cell].marks |= mark;
		at = first_from(index, at + 1, end,
			lane_edge(viewport.t0_ns, viewport.t1_ns, count, cell + 1));
	}
}

void
moments_mark(const struct moments *moments, struct lane lane, struct viewport viewport,
	struct strip_cell *cells, int count)
{
	bool is_group = lane.type == LANE_GROUP;
	if (!is_group && lane.type != LANE_ACTOR)
		return;
	mark_each(is_group ? &moments->group_logs : &moments->actor_logs, lane.ref, viewport,
		cells, count, STRIP_MARK_LOG);
	mark_each(is_group ? &moments->group_stops : &moments->actor_stops, lane.ref, viewport,
		cells, count, STRIP_MARK_STW);
}
