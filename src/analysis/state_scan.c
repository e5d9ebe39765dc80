/* Goes back through the segments, as each tells where the states before it ended. */
#include "analysis/state_scan.h"

#include "base/memory.h"
#include "query/watch.h"
#include "trace/series.h"

bool
state_scan_init(struct state_scan *scan, const struct trace *trace, const struct scan_scope *scope,
	struct error *err)
{
	uint32_t actors = trace_actor_count(trace), count = trace->segments.count;
	*scan = (struct state_scan){
		.trace = trace,
		.watch = scope->watch,
		.t0_ns = scope->t0_ns,
		.t1_ns = scope->t1_ns,
		.after = array_new_unset(actors, sizeof *scan->after, err),
		.end_segment = count,
	};
	if (scan->t0_ns > trace->start_ns)
		scan->first_segment = trace_segment_until(trace, scan->t0_ns);
	if (scan->t1_ns < trace->end_ns && trace_segment_until(trace, scan->t1_ns) < count)
		scan->end_segment = trace_segment_until(trace, scan->t1_ns) + 1;
	if (scan->first_segment > scan->end_segment)
		scan->first_segment = scan->end_segment;
	scan->segment = scan->end_segment;
	if (scan->after == NULL)
		return false;
	for (uint32_t i = 0; i < actors; i++)
		scan->after[i] = (struct scan_place){ REF_NONE, REF_NONE };
	for (uint32_t i = 0; i < trace->kind_count; i++)
		scan->wanted[i] = scope->mask >> trace->kinds[i].time_class & 1;
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
	scan->run_end = run_end(run);
}

/* To the segment before; one without states has no runs. */
static bool
enter_segment(struct state_scan *scan)
{
	const struct segment *segment;
	do {
		if (scan->segment == scan->first_segment)
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
	if (scan->segment == scan->end_segment)
		return enter_segment(scan);
	const struct segment *segment = trace_segment(scan->trace, scan->segment);
	const struct run *run = &segment->runs[scan->run];
	scan->after[run->actor] = (struct scan_place){ scan->segment, run->first };
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
	int64_t end_ns = trace_actor(trace, scanned->actor)->end_ns;
	return end_ns == TIME_OPEN ? trace->end_ns : end_ns;
}

static bool
is_within(const struct state_scan *scan, const struct scanned *scanned)
{
	bool is_before = scanned->end_ns <= scan->t0_ns && scan->t0_ns > scan->trace->start_ns;
	bool is_behind = scanned->start_ns >= scan->t1_ns && scan->t1_ns < scan->trace->end_ns;
	return !is_before && !is_behind;
}

/* The first state of an actor in the segments behind those that are looked through. */
static struct scan_place
first_behind(const struct state_scan *scan, actor_ref actor)
{
	const struct run_list *list = &scan->trace->directory.actors;
	uint32_t at = run_list_from(list, actor, scan->end_segment);
	if (at == list->first[actor + 1])
		return (struct scan_place){ REF_NONE, REF_NONE };
	const struct run_ref *next = &list->runs[at];
	return (struct scan_place){
		next->segment, trace_segment(scan->trace, next->segment)->runs[next->run].first
	};
}

static struct scan_place
after_run(const struct state_scan *scan, actor_ref actor)
{
	bool is_last = scan->after[actor].segment == REF_NONE &&
		       scan->end_segment < scan->trace->segments.count;
	return is_last ? first_behind(scan, actor) : scan->after[actor];
}

/* Tells of a state of the run; false where it lies outside of the interval. */
static bool
look_at(const struct state_scan *scan, uint32_t state, struct scanned *scanned)
{
	const struct segment *segment = trace_segment(scan->trace, scan->segment);
	*scanned = (struct scanned){
		.actor = segment->runs[scan->run].actor,
		.at = { scan->segment, state },
		.after = { scan->segment, state + 1 },
		.start_ns = segment_start_ns(segment, state),
		.time_class = scan->trace->kinds[segment->kind[state] & KIND_MASK].time_class,
	};
	if (state + 1 == scan->run_end)
		scanned->after = after_run(scan, scanned->actor);
	scanned->end_ns = end_of(scan, scanned);
	return is_within(scan, scanned);
}

/*
 * The state that an actor is in as the interval begins, where that stands in a segment that is
 * not looked through: before them, or behind where nobody knew of the actor until then.
 */
static bool
look_at_beginning(
	const struct state_scan *scan, actor_ref actor, struct scanned *scanned)
{
	const struct trace *trace = scan->trace;
	int64_t t0_ns = scan->t0_ns > trace->start_ns ? scan->t0_ns : trace->start_ns;
	const struct actor *about = trace_actor(trace, actor);
	struct series series;
	struct item item;
	if (about->first_ns > t0_ns || about->end_ns < t0_ns ||
		!series_open(trace, (struct lane){ LANE_ACTOR, actor }, &series) ||
		!series_find(&series, t0_ns, &item))
		return false;
	uint32_t segment = series.runs[item.at].segment, state = item_state(&item);
	uint8_t kind = item.segment->kind[state] & KIND_MASK;
	if ((segment >= scan->first_segment && segment < scan->end_segment) || !scan->wanted[kind])
		return false;
	*scanned = (struct scanned){
		.actor = actor,
		.at = { segment, state },
		.after = { REF_NONE, REF_NONE },
		.start_ns = item_start_ns(&item),
		.time_class = trace->kinds[kind].time_class,
	};
	if (series_step(&series, &item))
		scanned->after = (struct scan_place){ series.runs[item.at].segment,
			item_state(&item) };
	scanned->end_ns = end_of(scan, scanned);
	return is_within(scan, scanned);
}

static bool
next_at_beginning(struct state_scan *scan, struct scanned *scanned)
{
	bool is_all = scan->first_segment == 0 &&
		      scan->end_segment == scan->trace->segments.count;
	uint32_t count = is_all ? 0 : trace_actor_count(scan->trace);
	while (scan->actor < count && search_watch_goes_on(scan->watch, 0))
		if (look_at_beginning(scan, scan->actor++, scanned))
			return true;
	return false;
}

bool
state_scan_next(struct state_scan *scan, struct scanned *scanned)
{
	while (!scan->is_through) {
		const uint8_t *kinds = scan->state < scan->run_end
					       ? trace_segment(scan->trace, scan->segment)->kind
					       : NULL;
		while (scan->state < scan->run_end) {
			uint32_t state = scan->state++;
			if (scan->wanted[kinds[state] & KIND_MASK] && look_at(scan, state, scanned))
				return true;
		}
		scan->is_through = !next_run(scan);
	}
	return next_at_beginning(scan, scanned);
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
