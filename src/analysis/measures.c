/* Kinds of states become measures once; then states are added up one after the other. */
#include "analysis/measures.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "query/search.h"
#include "query/watch.h"

struct measured_piece {
	int64_t start_ns, end_ns;
	int64_t before_ns; /* of the actor's pieces before this one */
};

/* ---- which there are */

static uint32_t
measure_of_reason(struct measures *measures, string_id reason)
{
	uint32_t index = 0;
	while (index < measures->reason_count && measures->reasons[index] != reason)
		index++;
	if (index == measures->reason_count)
		measures->reasons[measures->reason_count++] = reason;
	return MEASURE_REASONS + index;
}

static bool
name_measures(struct measures *measures, struct error *err)
{
	static const uint8_t of_state[STATE_COUNT] = {
		[STATE_GONE] = MEASURE_LIFE, /* which ends: never added up */
		[STATE_UNKNOWN] = MEASURE_UNKNOWN,
		[STATE_RUNNING] = MEASURE_RUNNING,
		[STATE_READY] = MEASURE_READY,
		[STATE_SYSCALL] = MEASURE_SYSCALL,
	};
	const struct trace *trace = measures->trace;
	measures->reasons = array_new(trace->kind_count, sizeof(*measures->reasons), err);
	if (measures->reasons == NULL)
		return false;
	for (uint32_t i = 0; i < trace->kind_count; i++) {
		const struct state_kind *kind = &trace->kinds[i];
		measures->of_kind[i] = kind->state == STATE_BLOCKED
					       ? (uint8_t)measure_of_reason(measures, kind->reason)
					       : of_state[kind->state];
	}
	return true;
}

/* ---- ranges */

/* Those that are measured, as they stand in the table. */
struct range_list {
	range_ref *refs;
	size_t count, capacity;
};

/* Where ranges of a type go; NULL: nowhere. */
static struct measured_ranges *
ranges_for(struct measures *measures, const struct range *range)
{
	if (range_actor(range) == REF_NONE)
		return NULL;
	switch ((int)range->type) {
	case RANGE_MARK_ASSIST:
		return &measures->assists;
	case RANGE_SWEEP:
		return &measures->sweeps;
	default:
		return NULL;
	}
}

/* Counts them by actor, one behind. */
static bool
find_ranges(struct measures *measures, struct range_list *list, struct search_watch *watch,
	struct error *err)
{
	for (range_ref ref = 0; ref < measures->trace->ranges.count; ref++) {
		const struct range *range = trace_range(measures->trace, ref);
		struct measured_ranges *ranges = ranges_for(measures, range);
		if (!search_watch_check_item(watch, ref, err))
			return false;
		if (ranges == NULL)
			continue;
		if (!array_reserve(&list->refs, &list->capacity, list->count + 1,
			    sizeof(*list->refs), err))
			return false;
		list->refs[list->count++] = ref;
		ranges->first[range_actor(range) + 1]++;
	}
	return true;
}

/* What one of damaged traces shares with the one before it counts once. */
static void
add_piece(const struct trace *trace, const struct range *range, struct measured_piece *piece,
	const struct measured_piece *before)
{
	piece->start_ns = range->start_ns;
	piece->end_ns = trace_range_end_ns(trace, range);
	piece->before_ns = 0;
	if (before == NULL)
		return;
	if (piece->start_ns < before->end_ns)
		piece->start_ns = before->end_ns;
	if (piece->end_ns < piece->start_ns)
		piece->end_ns = piece->start_ns;
	piece->before_ns = before->before_ns + before->end_ns - before->start_ns;
}

static bool
new_counts(struct measured_ranges *ranges, const struct trace *trace, struct error *err)
{
	ranges->first =
		array_new((size_t)trace_actor_count(trace) + 1, sizeof(*ranges->first), err);
	return ranges->first != NULL;
}

/* Makes room; first[] then says where the list of each actor begins, which is where `next` is. */
static bool
new_pieces(struct measured_ranges *ranges, uint32_t actors, struct error *err)
{
	for (uint32_t i = 0; i < actors; i++)
		ranges->first[i + 1] += ranges->first[i];
	ranges->next = array_copy(ranges->first, actors, sizeof(*ranges->next), err);
	ranges->pieces = array_new_unset(ranges->first[actors], sizeof(*ranges->pieces), err);
	return ranges->next != NULL && ranges->pieces != NULL;
}

static void
fill_pieces(struct measures *measures, const struct range_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct range *range = trace_range(measures->trace, list->refs[i]);
		struct measured_ranges *ranges = ranges_for(measures, range);
		uint32_t at = ranges->next[range_actor(range)]++;
		bool is_first = at == ranges->first[range_actor(range)];
		add_piece(measures->trace, range, &ranges->pieces[at],
			is_first ? NULL : &ranges->pieces[at - 1]);
	}
}

static bool
list_ranges(struct measures *measures, struct search_watch *watch, struct error *err)
{
	const struct trace *trace = measures->trace;
	uint32_t actors = trace_actor_count(trace);
	struct range_list list = { 0 };
	bool is_fine = new_counts(&measures->assists, trace, err) &&
		       new_counts(&measures->sweeps, trace, err) &&
		       find_ranges(measures, &list, watch, err) &&
		       new_pieces(&measures->assists, actors, err) &&
		       new_pieces(&measures->sweeps, actors, err);
	if (is_fine)
		fill_pieces(measures, &list);
	memory_free(list.refs);
	return is_fine;
}

static void
release_ranges(struct measured_ranges *ranges)
{
	memory_free(ranges->first);
	memory_free(ranges->next);
	memory_free(ranges->pieces);
}

/* Before all ranges of an actor that begin at a moment or later; where there are no lists, before none. */
static struct range_cursor
find_ranges_at(const struct measured_ranges *ranges, actor_ref actor, int64_t t_ns)
{
	if (ranges->first == NULL)
		return (struct range_cursor){ 0 };
	uint32_t first = ranges->first[actor], end = ranges->first[actor + 1];
	size_t before = sorted_until_field(ranges->pieces + first, end - first,
		sizeof *ranges->pieces, offsetof(struct measured_piece, start_ns), t_ns - 1);
	return (struct range_cursor){ first, first + (uint32_t)before, end };
}

/* How much of them lies before the moment at which the cursor stands. */
static int64_t
ranges_before(const struct measured_ranges *ranges, const struct range_cursor *cursor, int64_t t_ns)
{
	if (cursor->next == cursor->first)
		return 0;
	const struct measured_piece *last = &ranges->pieces[cursor->next - 1];
	return last->before_ns + (last->end_ns < t_ns ? last->end_ns : t_ns) - last->start_ns;
}

/* Goes on to a moment; the time of the ranges before it. */
static int64_t
ranges_until(const struct measured_ranges *ranges, struct range_cursor *cursor, int64_t t_ns)
{
	while (cursor->next < cursor->end && ranges->pieces[cursor->next].start_ns < t_ns)
		cursor->next++;
	return ranges_before(ranges, cursor, t_ns);
}

/* ---- the whole */

bool
measures_init(struct measures *measures, const struct trace *trace, const struct search *only,
	struct search_watch *watch, struct error *err)
{
	*measures = (struct measures){ .trace = trace, .only = only, .watch = watch };
	bool is_fine =
		name_measures(measures, err) && (only != NULL || list_ranges(measures, watch, err));
	if (!is_fine)
		measures_release(measures);
	return is_fine;
}

void
measures_release(struct measures *measures)
{
	memory_free(measures->reasons);
	release_ranges(&measures->assists);
	release_ranges(&measures->sweeps);
	*measures = (struct measures){ 0 };
}

uint32_t
measures_count(const struct measures *measures)
{
	return MEASURE_REASONS + measures->reason_count;
}

/* ---- going */

/* Looks at where the state ends. */
static void
look_ahead(struct measure_walk *walk)
{
	walk->is_in_run = walk->item.index + 1 < walk->item.count;
	walk->has_next = true;
	if (LIKELY(walk->is_in_run)) {
		walk->end_ns = segment_start_ns(walk->item.segment, item_state(&walk->item) + 1);
		return;
	}
	walk->next = walk->item;
	walk->has_next = series_step(&walk->series, &walk->next);
	walk->end_ns = walk->has_next ? item_start_ns(&walk->next)
				      : walk->series.trace->end_ns;
}

/* Goes to the state behind; behind a run there is none any more once nobody wants to know. */
static void
step(struct measure_walk *walk)
{
	if (walk->is_in_run) {
		walk->item.index++;
	} else {
		walk->item = walk->next;
		walk->is_over =
			!walk->has_next || !search_watch_goes_on(walk->measures->watch, 0);
	}
	if (!walk->is_over)
		look_ahead(walk);
}

/* How much of [t0, t1), which lies behind what was asked before, is within assists. */
static int64_t
assists_between(struct measure_walk *walk, int64_t t0_ns, int64_t t1_ns)
{
	const struct measured_ranges *assists = &walk->measures->assists;
	int64_t before_ns = ranges_until(assists, &walk->ran, t0_ns);
	return ranges_until(assists, &walk->ran, t1_ns) - before_ns;
}

static void
add_until(struct measure_walk *walk, int64_t t_ns)
{
	const struct measures *measures = walk->measures;
	uint32_t state = item_state(&walk->item);
	uint8_t measure = measures->of_kind[walk->item.segment->kind[state] & KIND_MASK];
	int64_t ns = t_ns - walk->at_ns;
	if (ns <= 0)
		return;
	walk->at_ns = t_ns;
	if (measures->only != NULL &&
		!search_matches(
			measures->only, walk->series.runs[walk->item.at].segment, state))
		return;
	walk->sums_ns[measure] += ns;
	if (measure == MEASURE_RUNNING && walk->ran.first < walk->ran.end)
		walk->sums_ns[MEASURE_ASSISTING] += assists_between(walk, t_ns - ns, t_ns);
}

void
measure_walk_begin(struct measure_walk *walk, const struct measures *measures,
	actor_ref actor, int64_t t_ns)
{
	walk->measures = measures;
	walk->actor = actor;
	walk->at_ns = t_ns;
	memset(walk->sums_ns, 0, measures_count(measures) * sizeof(*walk->sums_ns));
	walk->assists = walk->ran = find_ranges_at(&measures->assists, actor, t_ns);
	walk->sweeps = find_ranges_at(&measures->sweeps, actor, t_ns);
	walk->assists_ns = ranges_before(&measures->assists, &walk->assists, t_ns);
	walk->sweeps_ns = ranges_before(&measures->sweeps, &walk->sweeps, t_ns);
	walk->is_over = !series_open(measures->trace, (struct lane){ LANE_ACTOR, actor },
		&walk->series);
	if (walk->is_over)
		return;
	if (!series_find(&walk->series, t_ns, &walk->item))
		series_enter(&walk->series, 0, &walk->item);
	if (item_start_ns(&walk->item) > t_ns)
		walk->at_ns = item_start_ns(&walk->item);
	look_ahead(walk);
}

void
measure_walk_to(struct measure_walk *walk, int64_t t_ns)
{
	while (!walk->is_over && walk->end_ns <= t_ns) {
		add_until(walk, walk->end_ns);
		step(walk);
	}
	if (!walk->is_over)
		add_until(walk, t_ns);
	walk->sums_ns[MEASURE_ASSIST] =
		ranges_until(&walk->measures->assists, &walk->assists, t_ns) - walk->assists_ns;
	walk->sums_ns[MEASURE_SWEEP] =
		ranges_until(&walk->measures->sweeps, &walk->sweeps, t_ns) - walk->sweeps_ns;
}

void
measure_walk_between(const struct measure_walk *walk, const int64_t *before_ns, int64_t *sums_ns)
{
	const struct measures *measures = walk->measures;
	int64_t life_ns = 0, blocked_ns = 0;
	for (uint32_t i = MEASURE_RUNNING; i < measures_count(measures); i++) {
		sums_ns[i] = walk->sums_ns[i] - (before_ns != NULL ? before_ns[i] : 0);
		life_ns += sums_ns[i];
		blocked_ns += i >= MEASURE_REASONS ? sums_ns[i] : 0;
	}
	/* What they did for the collector they did in these states. */
	sums_ns[MEASURE_LIFE] = life_ns - sums_ns[MEASURE_ASSIST] - sums_ns[MEASURE_SWEEP] -
				sums_ns[MEASURE_ASSISTING];
	sums_ns[MEASURE_BLOCKED] = blocked_ns;
}

const char *
measure_word(uint32_t measure)
{
	static const char *const names[] = {
		[MEASURE_LIFE] = "life",
		[MEASURE_RUNNING] = "running",
		[MEASURE_READY] = "ready",
		[MEASURE_SYSCALL] = "syscall",
		[MEASURE_BLOCKED] = "blocked",
		[MEASURE_UNKNOWN] = "unknown",
		[MEASURE_ASSIST] = "GC assist",
		[MEASURE_SWEEP] = "sweep",
		[MEASURE_ASSISTING] = "assisting",
	};
	return names[measure < MEASURE_REASONS ? measure : MEASURE_BLOCKED];
}
