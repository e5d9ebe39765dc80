/* Mark phases from the index, and what ranges add to them, each looked at once. */
#include "analysis/cycles.h"

#include "base/checked.h"
#include "base/memory.h"

static const struct lane gc_lane = { LANE_GC, 0 };
static const struct lane all_lane = { LANE_ALL, 0 };

static bool
find_cycles(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct error *err)
{
	struct span span;
	bool has_span = lane_span_at(trace, gc_lane, t0_ns, &span) ||
			lane_next(trace, gc_lane, t0_ns, CLASS_MASK_ALL, &span);
	for (; has_span && span.start_ns < t1_ns;
		has_span = lane_after(trace, gc_lane, &span, &span)) {
		int64_t totals_ns[CLASS_COUNT];
		if (!array_reserve(&cycles->items, &cycles->capacity, cycles->count + 1,
			    sizeof *cycles->items, err))
			return false;
		lane_totals(trace, all_lane, span.start_ns, span.end_ns, totals_ns);
		cycles->items[cycles->count++] = (struct gc_cycle){
			.span = span, .workers_ns = totals_ns[CLASS_GC_WORKER]
		};
	}
	return true;
}

/* How many cycles begin at or before a moment, or end before it. */
static size_t
cycles_until(const struct gc_cycles *cycles, int64_t time_ns, bool is_end)
{
	size_t low = 0, high = cycles->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct span *span = &cycles->items[middle].span;
		if (is_end ? span->end_ns < time_ns : span->start_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What of a range lies within a mark phase that it touches; of a stop all. */
static void
add_to_cycle(struct gc_cycle *cycle, const struct range *range, int64_t end_ns)
{
	int64_t start_ns = range->start_ns;
	if (range->type == RANGE_STW) {
		cycle->stops_ns = saturating_add_i64(cycle->stops_ns, end_ns - start_ns);
		return;
	}
	start_ns = start_ns > cycle->span.start_ns ? start_ns : cycle->span.start_ns;
	end_ns = end_ns < cycle->span.end_ns ? end_ns : cycle->span.end_ns;
	cycle->assists_ns = saturating_add_i64(cycle->assists_ns, end_ns - start_ns);
	cycle->assists++;
}

/*
 * An assist may go on over any number of phases: those between its first and its last one are
 * only counted, and added up at the end.
 */
static void
add_range(struct gc_cycles *cycles, const struct range *range, int64_t end_ns)
{
	size_t first = cycles_until(cycles, range->start_ns, true);
	size_t until = cycles_until(cycles, end_ns, false);
	if (first >= until)
		return;
	add_to_cycle(&cycles->items[first], range, end_ns);
	if (until - first == 1)
		return;
	add_to_cycle(&cycles->items[until - 1], range, end_ns);
	if (range->type == RANGE_MARK_ASSIST) {
		cycles->items[first + 1].around++;
		cycles->items[until - 1].around--;
	}
}

static void
add_ranges(struct gc_cycles *cycles, const struct trace *trace)
{
	int64_t around = 0;
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		if (range->type == RANGE_STW || range->type == RANGE_MARK_ASSIST)
			add_range(cycles, range, trace_range_end_ns(trace, range));
	}
	for (size_t i = 0; i < cycles->count; i++) {
		struct gc_cycle *cycle = &cycles->items[i];
		int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
		around += cycle->around;
		bool fits = around == 0 || length_ns <= INT64_MAX / around;
		cycle->assists_ns = saturating_add_i64(
			cycle->assists_ns, fits ? around * length_ns : INT64_MAX);
		cycle->assists += (uint32_t)around;
	}
}

bool
gc_cycles_build(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct error *err)
{
	*cycles = (struct gc_cycles){ 0 };
	if (!find_cycles(cycles, trace, t0_ns, t1_ns, err)) {
		gc_cycles_release(cycles);
		return false;
	}
	add_ranges(cycles, trace);
	return true;
}

void
gc_cycles_release(struct gc_cycles *cycles)
{
	memory_free(cycles->items);
	*cycles = (struct gc_cycles){ 0 };
}

double
gc_cycle_share(const struct gc_cycle *cycle, const struct trace *trace)
{
	int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
	uint64_t procs;
	if (length_ns <= 0 || !counter_at(trace, COUNTER_GOMAXPROCS, cycle->span.end_ns, &procs) ||
		procs == 0)
		return -1;
	return (double)cycle->workers_ns / (double)length_ns / (double)procs;
}

goroutine_ref
gc_cycle_beginner(const struct gc_cycle *cycle, const struct trace *trace)
{
	range_ref range = cycle->span.range;
	return range == REF_NONE ? REF_NONE : trace_range(trace, range)->goroutine;
}
