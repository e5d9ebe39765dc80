/* The questions of lane.h about wake rows, counters and regions. */
#include "trace/lane.h"

#include "trace/series.h"

static int64_t
wake_ns(const struct segment *segment, const struct wake_column *column, uint32_t index)
{
	return segment_start_ns(segment, state_list_at(&column->states, index));
}

/* The first wake of a segment at or after t; column->count if there is none. */
static uint32_t
wake_lower_bound(const struct segment *segment, const struct wake_column *column, int64_t t_ns)
{
	uint32_t low = 0, high = column->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (wake_ns(segment, column, middle) < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Wakes before t, of all the trace. */
static uint64_t
wakes_before(const struct trace *trace, enum wake_row row, int64_t t_ns)
{
	uint32_t index = trace_segment_until(trace, t_ns);
	const struct segment *segment;

	if (index == trace->segments.count)
		return trace->wake_totals[row];
	segment = trace_segment(trace, index);
	return segment->wakes[row].before +
	       wake_lower_bound(segment, &segment->wakes[row], t_ns);
}

uint32_t
wake_count(const struct trace *trace, enum wake_row row, int64_t t0_ns, int64_t t1_ns)
{
	if (t1_ns <= t0_ns)
		return 0;
	return (uint32_t)(wakes_before(trace, row, t1_ns) - wakes_before(trace, row, t0_ns));
}

/* The wake of a given number, counted from the first of the trace. */
static void
wake_span(const struct trace *trace, enum wake_row row, uint64_t number, struct span *span)
{
	uint32_t low = 0, high = trace->segments.count;
	const struct segment *segment;
	struct series series;
	struct item item;
	uint32_t state;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (trace_segment_head(trace, middle)->wakes[row].before <= number)
			low = middle;
		else
			high = middle;
	}
	segment = trace_segment(trace, low);
	number -= segment->wakes[row].before;
	state = state_list_at(&segment->wakes[row].states, (uint32_t)number);
	series_open(trace, (struct lane){ LANE_ACTOR, segment_run_of(segment, state)->actor },
	            &series);
	series_find(&series, wake_ns(segment, &segment->wakes[row], (uint32_t)number), &item);
	item_span(&series, &item, span);
}

bool
wake_find(const struct trace *trace, enum wake_row row, int64_t t_ns, bool forward,
          struct span *span)
{
	uint64_t number = wakes_before(trace, row, t_ns);

	if (forward ? number >= trace->wake_totals[row] : number == 0)
		return false;
	wake_span(trace, row, forward ? number : number - 1, span);
	return true;
}

/* Values at or before t. */
static uint32_t
values_until(const struct counter *counter, int64_t t_ns)
{
	return stable_until_i64(&counter->time_ns, t_ns);
}

static bool
value_at(const struct counter *counter, int64_t t_ns, uint64_t *value)
{
	uint32_t after = values_until(counter, t_ns);

	if (after == 0)
		return false;
	*value = counter_value(counter, after - 1);
	return true;
}

static void
widen(uint64_t *least, uint64_t *greatest, uint64_t low, uint64_t high)
{
	if (low < *least)
		*least = low;
	if (high > *greatest)
		*greatest = high;
}

static bool
value_range(const struct counter *counter, int64_t t0_ns, int64_t t1_ns, uint64_t *least, uint64_t *greatest)
{
	uint32_t first = values_until(counter, t0_ns);
	uint32_t end = t1_ns > t0_ns ? values_until(counter, t1_ns - 1) : 0;

	/* The value that holds at t0 counts too. */
	if (first > 0)
		first--;
	if (first >= end)
		return false;
	*least = UINT64_MAX;
	*greatest = 0;
	while (first < end) {
		uint32_t block = first / COUNTER_BLOCK;

		if (first % COUNTER_BLOCK == 0 && end - first >= COUNTER_BLOCK) {
			widen(least, greatest, counter->block_least[block],
			      counter->block_greatest[block]);
			first += COUNTER_BLOCK;
		} else {
			uint64_t value = counter_value(counter, first++);

			widen(least, greatest, value, value);
		}
	}
	return true;
}

bool
counter_at(const struct trace *trace, enum counter_type type, int64_t t_ns, uint64_t *value)
{
	return value_at(&trace->counters[type], t_ns, value);
}

bool
counter_range(const struct trace *trace, enum counter_type type, int64_t t0_ns, int64_t t1_ns,
              uint64_t *least, uint64_t *greatest)
{
	return value_range(&trace->counters[type], t0_ns, t1_ns, least, greatest);
}

bool
gauge_at(const struct trace *trace, uint32_t gauge, int64_t t_ns, int64_t *value)
{
	uint64_t packed;
	if (!value_at(&trace->gauges[gauge].counter, t_ns, &packed))
		return false;
	*value = gauge_unpack(packed);
	return true;
}

bool
gauge_range(const struct trace *trace, uint32_t gauge, int64_t t0_ns, int64_t t1_ns, int64_t *least,
	int64_t *greatest)
{
	uint64_t low, high;
	if (!value_range(&trace->gauges[gauge].counter, t0_ns, t1_ns, &low, &high))
		return false;
	*least = gauge_unpack(low);
	*greatest = gauge_unpack(high);
	return true;
}

size_t
instants_before(const struct trace *trace, const uint32_t *refs, size_t count, int64_t t_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace_instant(trace, refs[middle])->time_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t
ranges_begun_before(const struct trace *trace, const range_ref *refs, size_t count, int64_t t_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace_range(trace, refs[middle])->start_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
is_within(const struct range *range, int64_t t_ns)
{
	return range->type == RANGE_REGION && range->start_ns <= t_ns && t_ns < range->end_ns;
}

range_ref
region_at(const struct trace *trace, actor_ref actor, int64_t t_ns)
{
	const struct ref_index *index = &trace->actor_ranges;
	const range_ref *refs;
	uint32_t first;
	size_t begun;

	if (actor >= index->key_count)
		return REF_NONE;
	first = index->first[actor];
	refs = index->refs + first;
	begun = ranges_begun_before(trace, refs, index->first[actor + 1] - first, t_ns + 1);
	/* Ranges that began before the trace stand first and enclose all others. */
	for (size_t i = begun; i > 0; i--) {
		range_ref ref = refs[i - 1];

		if (trace_range(trace, ref)->type != RANGE_REGION)
			continue;
		while (ref != REF_NONE && !is_within(trace_range(trace, ref), t_ns))
			ref = trace_range(trace, ref)->parent;
		if (ref != REF_NONE)
			return ref;
		break;
	}
	for (size_t i = 0; i < begun && trace_range(trace, refs[i])->began_before; i++)
		if (is_within(trace_range(trace, refs[i]), t_ns))
			return refs[i];
	return REF_NONE;
}
