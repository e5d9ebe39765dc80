/* Goes back through the segments, as each tells where the states before it ended. */
#include "analysis/state_scan.h"

#include "base/memory.h"
#include "query/watch.h"

bool
state_scan_init(struct state_scan *scan, const struct trace *trace, class_mask mask, int64_t t0_ns,
	int64_t t1_ns, struct search_watch *watch, struct error *err)
{
	uint32_t goroutines = trace_goroutine_count(trace);
	*scan = (struct state_scan){
		.trace = trace,
		.watch = watch,
		.t0_ns = t0_ns,
		.t1_ns = t1_ns,
		.after = array_new_unset(goroutines, sizeof *scan->after, err),
		.segment = trace->segments.count,
	};
	if (scan->after == NULL)
		return false;
	for (uint32_t i = 0; i < goroutines; i++)
		scan->after[i] = (struct scan_place){ REF_NONE, REF_NONE };
	for (uint32_t i = 0; i < trace->kind_count; i++)
		scan->wanted[i] = mask >> trace->kinds[i].time_class & 1;
	return true;
}

void
state_scan_release(struct state_scan *scan)
{
	array_release(&scan->after);
}

bool
state_scan_is_cancelled(struct search_watch *watch)
{
	return !search_watch_goes_on(watch, 0);
}

static void
enter_run(struct state_scan *scan, uint32_t index)
{
	const struct run *run = &trace_segment(scan->trace, scan->segment)->runs[index];
	scan->run = index;
	scan->state = run->first;
	scan->run_end = run->first + run->count;
}

/* To the segment before; one without states has no runs. */
static bool
enter_segment(struct state_scan *scan)
{
	const struct segment *segment;
	do {
		if (scan->segment == 0)
			return false;
		segment = trace_segment(scan->trace, --scan->segment);
		if (!search_watch_goes_on(scan->watch, segment->state_count))
			return false;
	} while (segment->run_count == 0);
	enter_run(scan, 0);
	return true;
}

static bool
next_run(struct state_scan *scan)
{
	if (scan->segment == scan->trace->segments.count)
		return enter_segment(scan);
	const struct segment *segment = trace_segment(scan->trace, scan->segment);
	const struct run *run = &segment->runs[scan->run];
	scan->after[run->goroutine] = (struct scan_place){ scan->segment, run->first };
	if (scan->run + 1 == segment->run_count)
		return enter_segment(scan);
	enter_run(scan, scan->run + 1);
	return true;
}

static int64_t
end_of(const struct state_scan *scan, const struct scanned *scanned)
{
	const struct trace *trace = scan->trace;
	if (scanned->after.segment != REF_NONE)
		return segment_start_ns(
			trace_segment(trace, scanned->after.segment), scanned->after.state);
	int64_t end_ns = trace_goroutine(trace, scanned->goroutine)->end_ns;
	return end_ns == TIME_OPEN ? trace->end_ns : end_ns;
}

static bool
is_within(const struct state_scan *scan, const struct scanned *scanned)
{
	bool is_before = scanned->end_ns <= scan->t0_ns && scan->t0_ns > scan->trace->start_ns;
	bool is_behind = scanned->start_ns >= scan->t1_ns && scan->t1_ns < scan->trace->end_ns;
	return !is_before && !is_behind;
}

/* Tells of a state of the run; false where it lies outside of the interval. */
static bool
look_at(const struct state_scan *scan, uint32_t state, struct scanned *scanned)
{
	const struct segment *segment = trace_segment(scan->trace, scan->segment);
	*scanned = (struct scanned){
		.goroutine = segment->runs[scan->run].goroutine,
		.at = { scan->segment, state },
		.after = { scan->segment, state + 1 },
		.start_ns = segment_start_ns(segment, state),
		.time_class = scan->trace->kinds[segment->kind[state] & KIND_MASK].time_class,
	};
	if (state + 1 == scan->run_end)
		scanned->after = scan->after[scanned->goroutine];
	scanned->end_ns = end_of(scan, scanned);
	return is_within(scan, scanned);
}

bool
state_scan_next(struct state_scan *scan, struct scanned *scanned)
{
	do {
		const uint8_t *kinds = scan->state < scan->run_end
					       ? trace_segment(scan->trace, scan->segment)->kind
					       : NULL;
		while (scan->state < scan->run_end) {
			uint32_t state = scan->state++;
			if (scan->wanted[kinds[state] & KIND_MASK] && look_at(scan, state, scanned))
				return true;
		}
	} while (next_run(scan));
	return false;
}

const struct state_kind *
scan_place_kind(const struct trace *trace, struct scan_place at)
{
	return &trace->kinds[trace_segment(trace, at.segment)->kind[at.state] & KIND_MASK];
}

const struct site *
scan_place_site(const struct trace *trace, struct scan_place at)
{
	return segment_site(trace_segment(trace, at.segment), at.state);
}
