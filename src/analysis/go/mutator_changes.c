/* What the collector took of the processors and gave back, in whatever order it is found. */
#include <string.h>

#include "analysis/go/mutator_internal.h"
#include "base/memory.h"
#include "base/text.h"
#include "query/watch.h"
#include "trace/series.h"

uint32_t
mutator_processor_index(const struct trace *trace, resource_ref processor)
{
	int64_t id = processor == REF_NONE ? -1 : trace_processor(trace, processor)->id;
	return id < 0 || id >= MUTATOR_PROCESSORS_MOST ? REF_NONE : (uint32_t)id;
}

static bool
add_change(struct mutator_changes *changes, struct mutator_change change)
{
	if (change.time_ns < changes->known_ns)
		return true;
	if (!array_reserve(&changes->items, &changes->capacity, changes->count + 1,
		    sizeof *changes->items, changes->err))
		return false;
	changes->items[changes->count++] = change;
	return true;
}

/* Begin and end of something that is going on in [start, end). */
static bool
add_span(struct mutator_changes *changes, enum mutator_change_type type, uint32_t processor, int64_t start_ns,
	int64_t end_ns)
{
	return add_change(changes, (struct mutator_change){ start_ns, 1, processor, type }) &&
	       add_change(changes, (struct mutator_change){ end_ns, -1, processor, type });
}

/* ---- what the collector took */

/*
 * How many there are is told at the begin, but in traces before Go 1.21 only with the first stop
 * of the world. Go's page then loses the begins of what goes on and counts their ends; here what
 * is told first holds from the begin of the trace on.
 */
static bool
add_processors(struct mutator_changes *changes)
{
	const struct counter *counter = &changes->trace->counters[COUNTER_GOMAXPROCS];
	if (counter_count(counter) > 0 && mutator_is_as_go(changes->parts))
		changes->known_ns = counter_time_ns(counter, 0);
	for (uint32_t i = 0; i < counter_count(counter); i++) {
		uint64_t count = counter_value(counter, i);
		int64_t amount =
			count > MUTATOR_PROCESSORS_MOST ? MUTATOR_PROCESSORS_MOST : (int64_t)count;
		int64_t time_ns = i == 0 && !mutator_is_as_go(changes->parts) ? 0 : counter_time_ns(counter, i);
		if (!add_change(changes, (struct mutator_change){ time_ns, amount, 0, CHANGE_PROCESSORS }))
			return false;
	}
	return true;
}

static bool
is_executing(const struct series *series, const struct item *item)
{
	enum state state = item_kind(series, item)->state;
	return state == STATE_RUNNING || state == STATE_SYSCALL;
}

/* Where an actor is at a moment; false where it is not. */
static bool
find_state(const struct mutator_changes *changes, actor_ref actor, int64_t time_ns,
	struct series *series, struct item *item)
{
	struct lane lane = { LANE_ACTOR, actor };
	return series_open_runs(changes->trace, lane, series) &&
	       series_find(series, time_ns, item) && item_class(series, item) != CLASS_GONE;
}

static uint32_t
processor_at(
	const struct mutator_changes *changes, const struct series *series, const struct item *item)
{
	return mutator_processor_index(changes->trace, item_processor(series, item));
}

/* The time in which an actor held processors within [start, end), on each of them. */
static bool
add_executing(struct mutator_changes *changes, actor_ref actor, int64_t start_ns, int64_t end_ns)
{
	struct series series;
	struct item item;
	bool has_item = find_state(changes, actor, start_ns, &series, &item);
	for (; has_item && item_start_ns(&item) < end_ns; has_item = series_step(&series, &item)) {
		struct span within = { .start_ns = item_start_ns(&item) };
		if (!is_executing(&series, &item))
			continue;
		uint32_t processor = processor_at(changes, &series, &item);
		within.end_ns = item_end_ns(&series, &item, &within.is_open);
		span_clip(&within, start_ns, end_ns);
		if (processor != REF_NONE && !add_span(changes, CHANGE_PROCESSOR, processor,
						     within.start_ns, within.end_ns))
			return false;
	}
	return true;
}

static bool
is_collection(const struct mutator_changes *changes, const struct range *range)
{
	size_t length;
	const char *name = trace_text(changes->trace, range->name, &length);
	for (size_t i = 0; i + 2 <= length; i++) {
		if (memcmp(name + i, "GC", 2) == 0)
			return true;
	}
	return false;
}

/* Of an assist whose begin it does not know Go's page counts the end alone. */
static bool
add_assist(struct mutator_changes *changes, const struct range *range, int64_t end_ns)
{
	struct series series;
	struct item item;
	if (range->start_ns >= changes->known_ns)
		return add_executing(changes, range->scope, range->start_ns, end_ns);
	if (!find_state(changes, range->scope, end_ns, &series, &item))
		return true;
	uint32_t processor = processor_at(changes, &series, &item);
	return processor == REF_NONE || range->end_ns == TIME_OPEN ||
	       add_change(
		       changes, (struct mutator_change){ end_ns, -1, processor, CHANGE_PROCESSOR });
}

static bool
add_range(struct mutator_changes *changes, const struct range *range)
{
	int64_t end_ns = trace_range_end_ns(changes->trace, range);
	uint32_t processor;
	if (end_ns < changes->from_ns || range->start_ns >= changes->until_ns)
		return true;
	switch (range->type) {
	case RANGE_STW:
		return (changes->parts & MUTATOR_STW) == 0 || !is_collection(changes, range) ||
		       add_span(changes, CHANGE_STW, 0, range->start_ns, end_ns);
	case RANGE_SWEEP:
		processor = mutator_processor_index(changes->trace, range->scope);
		return (changes->parts & MUTATOR_SWEEP) == 0 || processor == REF_NONE ||
		       add_span(changes, CHANGE_PROCESSOR, processor, range->start_ns, end_ns);
	case RANGE_MARK_ASSIST:
		return (changes->parts & MUTATOR_ASSIST) == 0 || range->scope == REF_NONE ||
		       add_assist(changes, range, end_ns);
	default:
		return true;
	}
}

static bool
add_ranges(struct mutator_changes *changes)
{
	for (range_ref ref = 0; ref < changes->trace->ranges.count; ref++) {
		if (!search_watch_check_item(changes->watch, ref, changes->err) ||
			!add_range(changes, trace_range(changes->trace, ref)))
			return false;
	}
	return true;
}

/* ---- mark workers: they say what they are when they begin to run */

static bool
is_worker(const struct mutator_changes *changes, const struct instant *instant)
{
	size_t length;
	const char *label = trace_text(changes->trace, instant->text, &length);
	return instant->type == INSTANT_LABEL && instant->actor != REF_NONE &&
	       text_has_prefix(label, length, "GC ") &&
	       !trace_text_is(changes->trace, instant->text, "GC (idle)") &&
	       ((changes->parts & MUTATOR_PER_PROCESSOR) == 0 ||
		       !trace_text_is(changes->trace, instant->text, "GC (dedicated)"));
}

/* Up to where it stops, which may be after a system call. */
static int64_t
end_of_turn(const struct mutator_changes *changes, const struct instant *instant)
{
	struct series series;
	struct item item;
	int64_t end_ns = instant->time_ns;
	bool is_open, has_item = find_state(changes, instant->actor, end_ns, &series, &item);
	for (; has_item && is_executing(&series, &item); has_item = series_step(&series, &item))
		end_ns = item_end_ns(&series, &item, &is_open);
	return end_ns;
}

/*
 * Go's page counts a worker whenever it runs after its first label, and once more with each label,
 * for which it never counts back.
 */
static bool
add_leak(struct mutator_changes *changes, const struct instant *instant, bool is_first)
{
	uint32_t processor = mutator_processor_index(changes->trace, instant->processor);
	if (is_first)
		return add_executing(changes, instant->actor, instant->time_ns,
			changes->trace->end_ns);
	return processor == REF_NONE ||
	       add_change(changes, (struct mutator_change){ instant->time_ns, 1, processor, CHANGE_PROCESSOR });
}

static bool
add_workers(struct mutator_changes *changes)
{
	const struct trace *trace = changes->trace;
	bool is_fine = true;
	/* Of each actor the end of the turn that counts already, above 0. */
	int64_t *known_ns = array_new(trace_actor_count(trace), sizeof *known_ns, changes->err);
	if (known_ns == NULL)
		return false;
	for (uint32_t ref = 0; is_fine && ref < trace->instants.count; ref++) {
		const struct instant *instant = trace_instant(trace, ref);
		is_fine = search_watch_check_item(changes->watch, ref, changes->err);
		if (!is_fine || !is_worker(changes, instant))
			continue;
		int64_t *known = &known_ns[instant->actor];
		if (mutator_is_as_go(changes->parts)) {
			is_fine = add_leak(changes, instant, *known == 0);
			*known = 1;
		} else if (instant->time_ns >= *known) { /* labels of one turn count once */
			*known = end_of_turn(changes, instant);
			is_fine = add_executing(
				changes, instant->actor, instant->time_ns, *known);
		}
	}
	memory_free(known_ns);
	return is_fine;
}

bool
mutator_find_changes(struct mutator_changes *changes)
{
	changes->known_ns = INT64_MIN;
	return add_processors(changes) && add_ranges(changes) &&
	       ((changes->parts & MUTATOR_BACKGROUND) == 0 || add_workers(changes));
}
