/* Goes along each actor once, from where a region begins or ends to where the next one does. */
#include "analysis/regions.h"

#include <string.h>

#include "analysis/actors_internal.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "query/radix.h"
#include "query/watch.h"

/* Where a region begins or ends, cut to the interval. */
struct border {
	int64_t time_ns;
	uint32_t wanted;
	bool is_end;
};

static struct radix_item
item_of(int64_t time_ns, uint32_t wanted, bool is_end)
{
	return (struct radix_item){ (uint64_t)time_ns, (uint64_t)wanted << 1 | is_end };
}

static struct border
border_of(const struct radix_item *item)
{
	return (struct border){ (int64_t)item->key, (uint32_t)(item->value >> 1),
		(item->value & 1) != 0 };
}

/* One of an actor's regions. */
struct wanted {
	range_ref region;
	struct row_origin origin;
	uint32_t begun; /* where it stands among those that did not end yet */
};

struct regions {
	struct gathering gathering;
	struct wanted *wanted; /* of an actor, each with two borders */
	uint32_t wanted_count;
	size_t wanted_capacity;
	struct radix_item *borders; /* item_of() */
	size_t border_count, border_capacity;
	uint32_t *begun;     /* of the wanted, those that did not end yet */
	int64_t *before_ns;  /* the sums that belong to them, one after the other */
	uint32_t begun_count;
	size_t begun_capacity, before_capacity;
};

static bool
is_wanted(const struct regions *regions, const struct range *range, int64_t end_ns)
{
	const struct actors_scope *scope = regions->gathering.scope;
	if (range->type != RANGE_REGION || (scope->region != NULL && range->name != *scope->region))
		return false;
	return range->start_ns < scope->t1_ns && end_ns >= scope->t0_ns;
}

static bool
add_borders(struct regions *regions, range_ref ref, struct error *err)
{
	const struct trace *trace = regions->gathering.measures.trace;
	const struct actors_scope *scope = regions->gathering.scope;
	const struct range *range = trace_range(trace, ref);
	int64_t start_ns = range->start_ns, end_ns = trace_range_end_ns(trace, range);
	if (!is_wanted(regions, range, end_ns))
		return true;
	if (!array_reserve(&regions->borders, &regions->border_capacity, regions->border_count + 2,
		    sizeof(*regions->borders), err) ||
		!array_reserve(&regions->wanted, &regions->wanted_capacity,
			(size_t)regions->wanted_count + 1, sizeof(*regions->wanted), err))
		return false;
	start_ns = start_ns > scope->t0_ns ? start_ns : scope->t0_ns;
	end_ns = end_ns < scope->t1_ns ? end_ns : scope->t1_ns;
	regions->borders[regions->border_count++] =
		item_of(start_ns, regions->wanted_count, false);
	regions->borders[regions->border_count++] = item_of(end_ns, regions->wanted_count, true);
	regions->wanted[regions->wanted_count++] =
		(struct wanted){ .region = ref, .origin = { range->name, range->start_stack } };
	return true;
}

/*
 * By time; equal ones stay in their order, in which each region begins before it ends. Nearly all
 * regions begin and end one after the other, so few of the borders move, and not far.
 */
static bool
sort_borders(struct regions *regions, struct error *err)
{
	enum { FEW_STEPS = 8 }; /* for each of them */
	struct radix_item *items = regions->borders;
	size_t left = regions->border_count * FEW_STEPS;
	for (size_t i = 1; i < regions->border_count; i++) {
		struct radix_item item = items[i];
		size_t at = i;
		for (; at > 0 && items[at - 1].key > item.key && left > 0; at--, left--)
			items[at] = items[at - 1];
		items[at] = item;
		if (left == 0)
			return radix_sort(items, regions->border_count,
				search_watch_cancel_flag(regions->gathering.scope->watch), err);
	}
	return true;
}

static bool
begin(struct regions *regions, const struct measure_walk *walk, const struct border *border,
	struct error *err)
{
	uint32_t measures = measures_count(&regions->gathering.measures);
	uint32_t at = regions->begun_count;
	if (!array_reserve(&regions->begun, &regions->begun_capacity, (size_t)at + 1,
		    sizeof(*regions->begun), err) ||
		!array_reserve(&regions->before_ns, &regions->before_capacity,
			((size_t)at + 1) * measures, sizeof(*regions->before_ns), err))
		return false;
	regions->wanted[border->wanted].begun = regions->begun_count++;
	regions->begun[at] = border->wanted;
	memcpy(&regions->before_ns[(size_t)at * measures], walk->sums_ns,
		measures * sizeof(*walk->sums_ns));
	return true;
}

/* The last one that was begun takes its place. */
static bool
end(struct regions *regions, const struct measure_walk *walk, const struct border *border,
	struct error *err)
{
	struct gathering *gathering = &regions->gathering;
	uint32_t measures = measures_count(&gathering->measures);
	int64_t sums_ns[MEASURE_MOST];
	const struct wanted *wanted = &regions->wanted[border->wanted];
	uint32_t at = wanted->begun, last = --regions->begun_count;
	int64_t *before_ns = &regions->before_ns[(size_t)at * measures];
	struct actor_row row = { .actor = walk->actor, .region = wanted->region };
	measure_walk_between(walk, before_ns, sums_ns);
	regions->begun[at] = regions->begun[last];
	regions->wanted[regions->begun[at]].begun = at;
	memmove(before_ns, &regions->before_ns[(size_t)last * measures],
		measures * sizeof(*before_ns));
	return actors_keep_row(gathering, &row, &wanted->origin, sums_ns, err);
}

static bool
walk_along(struct regions *regions, actor_ref actor, struct error *err)
{
	enum { BORDERS_PER_LOOK = 1024 };
	struct search_watch *watch = regions->gathering.scope->watch;
	struct measure_walk walk;
	if (!sort_borders(regions, err))
		return false;
	measure_walk_begin(&walk, &regions->gathering.measures, actor,
		border_of(&regions->borders[0]).time_ns);
	for (size_t i = 0; i < regions->border_count; i++) {
		struct border border = border_of(&regions->borders[i]);
		if (i % BORDERS_PER_LOOK == 0 && !search_watch_check(watch, 0, err))
			return false;
		measure_walk_to(&walk, border.time_ns);
		if (!(border.is_end ? end : begin)(regions, &walk, &border, err))
			return false;
	}
	return true;
}

/* All of it. */
static void
prefetch(const struct range *range)
{
	PREFETCH(range);
	PREFETCH((const char *)(range + 1) - 1);
}

static bool
gather(struct regions *regions, struct error *err)
{
	enum { AHEAD = 16 }; /* an actor's regions lie apart, and to wait for each takes long */
	const struct trace *trace = regions->gathering.measures.trace;
	const struct ref_index *index = &trace->actor_ranges;
	struct search_watch *watch = regions->gathering.scope->watch;
	for (actor_ref i = 0; i < index->key_count; i++) {
		regions->border_count = 0;
		regions->wanted_count = 0;
		if (!search_watch_check(watch, trace_actor(trace, i)->state_count, err))
			return false;
		for (uint32_t n = index->first[i]; n < index->first[i + 1]; n++) {
			if (n + AHEAD < index->first[index->key_count])
				prefetch(trace_range(trace, index->refs[n + AHEAD]));
			if (!add_borders(regions, index->refs[n], err))
				return false;
		}
		if (regions->border_count > 0 && !walk_along(regions, i, err))
			return false;
	}
	return true;
}

bool
regions_build(struct actor_times *times, const struct trace *trace,
	const struct actors_scope *scope, struct error *err)
{
	struct regions regions = { .gathering = { .times = times, .scope = scope } };
	bool is_fine = actors_begin(&regions.gathering, trace, err) &&
		       actors_end(&regions.gathering, gather(&regions, err), err);
	memory_free(regions.wanted);
	memory_free(regions.borders);
	memory_free(regions.begun);
	memory_free(regions.before_ns);
	return is_fine;
}
