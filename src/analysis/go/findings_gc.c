/* What the collector and others who stop the world cost. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/lane.h"
#include "trace/runtime.h"

static bool
is_within(const struct finder *finder, const struct trouble *trouble)
{
	return trouble->start_ns < finder->t1_ns && trouble->end_ns > finder->t0_ns &&
	       finder_is_known(finder, trouble->start_ns, trouble->end_ns);
}

/* A range of the type that lies in the interval at least in part. */
static bool
take_range(const struct finder *finder, range_ref ref, enum range_type type,
	struct trouble *trouble)
{
	const struct range *range = trace_range(finder->trace, ref);
	*trouble = (struct trouble){ range_actor(range), range->start_ns,
		trace_range_end_ns(finder->trace, range), 0, range->start_stack };
	trouble->lost_ns = finder_clip(finder, trouble);
	return range->type == type && is_within(finder, trouble) &&
	       finder_asks_for_time(finder, trouble->actor, trouble->start_ns);
}

/* ---- the world stopped */

struct stops {
	struct trouble_sums kinds;
	string_id *names; /* of them, by key of the sums */
	size_t capacity;
	struct map index_of; /* name -> key */
};

/* Tracing itself stops the world as it begins and ends. */
static bool
is_of_tracing(const struct trace *trace, string_id name)
{
	return trace_text_is(trace, name, "start trace") || trace_text_is(trace, name, "stop trace");
}

static bool
add_stop(struct finder *finder, struct stops *stops, string_id name, struct trouble *trouble)
{
	/* Whoever happens to allocate as the heap meets its goal stops the world for a collection. */
	if (gc_is_own_stop(finder->trace, name))
		trouble->stack = STACK_NONE;
	uint32_t index = map_find(&stops->index_of, name);
	if (index == MAP_NONE) {
		index = (uint32_t)stops->kinds.count;
		if (!array_reserve(&stops->names, &stops->capacity, (size_t)index + 1,
			    sizeof *stops->names, finder->err) ||
			!map_put(&stops->index_of, name, index, finder->err))
			return false;
		stops->names[index] = name;
	}
	return trouble_sums_add(&stops->kinds, index, trouble);
}

static bool
gather_stops(struct finder *finder, struct stops *stops)
{
	const struct trace *trace = finder->trace;
	bool is_fine = true;
	for (range_ref i = 0; i < trace->ranges.count && is_fine; i++) {
		struct trouble trouble;
		string_id name = trace_range(trace, i)->name;
		if (take_range(finder, i, RANGE_STW, &trouble) && !is_of_tracing(trace, name))
			is_fine = add_stop(finder, stops, name, &trouble);
	}
	return is_fine;
}

/* A word of a query is a pattern, which matches the kind of a stop too. */
static bool
add_stop_kind(const struct finder *finder, string_id name, struct text *query)
{
	size_t length;
	const char *text = trace_text(finder->trace, name, &length);
	for (size_t i = 0; i < length; i++)
		if (text[i] != ' ' && !isalnum((unsigned char)text[i]))
			return false;
	if (length == 0)
		return false;
	text_add_string(query, "gc=stopper \"");
	text_add(query, text, length);
	text_add_string(query, "\" ");
	return true;
}

static bool
judge_stops(struct finder *finder, const struct stops *stops, uint32_t key)
{
	struct finding finding = trouble_sums_finding(&stops->kinds, key, FINDING_STOP);
	struct text query = { 0 };
	uint64_t processors = finder_processors(finder);
	finding.name = stops->names[key];
	finding.actors = 0;
	finding.lost_ns =
		saturating_mul_i64(finding.total_ns, processors > 0 ? (int64_t)processors : 1);
	if (!finder_matters(finder, finding.total_ns) && finding.longest_ns < FINDING_STOP_NS)
		return true;
	finding.is_query_whole = add_stop_kind(finder, finding.name, &query);
	if (finding.is_query_whole)
		query_add_interval(&query, finder);
	else
		text_format(&query, "gc=stw start<=%" PRId64 "ns end>%" PRId64 "ns", finding.start_ns,
			finding.start_ns);
	return finder_add(finder, &finding, &query);
}

bool
find_stops(struct finder *finder)
{
	struct stops stops = { 0 };
	bool is_fine = trouble_sums_init(&stops.kinds, finder) && gather_stops(finder, &stops);
	for (uint32_t i = 0; i < stops.kinds.count && is_fine; i++)
		is_fine = judge_stops(finder, &stops, i);
	trouble_sums_release(&stops.kinds);
	array_release(&stops.names);
	map_release(&stops.index_of);
	return is_fine;
}

/* ---- mark assists */

/* What a lane ran within [start, end) and the interval. */
static int64_t
running_time(const struct finder *finder, struct lane lane, int64_t start_ns, int64_t end_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(finder->trace, lane, start_ns > finder->t0_ns ? start_ns : finder->t0_ns,
		end_ns < finder->t1_ns ? end_ns : finder->t1_ns, totals_ns);
	return totals_ns[CLASS_RUNNING];
}

/* What runs in an assist works for the collector. Other time in it is that of other findings. */
static bool
add_assist(struct finder *finder, struct trouble_sums *groups, struct trouble *trouble)
{
	struct lane lane = { LANE_ACTOR, trouble->actor };
	trouble->lost_ns = running_time(finder, lane, trouble->start_ns, trouble->end_ns);
	return trouble_sums_add(
		groups, trace_actor(finder->trace, trouble->actor)->group, trouble);
}

static bool
judge_assists(struct finder *finder, const struct trouble_sums *groups, group_ref group)
{
	struct finding finding = trouble_sums_finding(groups, group, FINDING_ASSIST);
	struct text query = { 0 };
	if (!finder_matters(finder, finding.lost_ns))
		return true;
	finding.name = finder->trace->groups[group].name;
	finding.whole_ns = running_time(
		finder, (struct lane){ LANE_GROUP, group }, finder->t0_ns, finder->t1_ns);
	if (finding.total_ns < finding.whole_ns / 100 * FINDING_ASSIST_PERCENT)
		return true;
	query_add_group(&query, finder, &finding, "state=running gc=assist");
	return finder_add(finder, &finding, &query);
}

bool
find_assists(struct finder *finder)
{
	const struct trace *trace = finder->trace;
	struct trouble_sums groups;
	bool is_fine = trouble_sums_init(&groups, finder);
	for (range_ref i = 0; i < trace->ranges.count && is_fine; i++) {
		struct trouble trouble;
		if (take_range(finder, i, RANGE_MARK_ASSIST, &trouble) &&
			trouble.actor != REF_NONE &&
			!trace_is_runtime(trace, trouble.actor))
			is_fine = add_assist(finder, &groups, &trouble);
	}
	for (group_ref i = 0; i < groups.count && is_fine; i++)
		is_fine = judge_assists(finder, &groups, i);
	trouble_sums_release(&groups);
	return is_fine;
}

/* ---- collections */

/* Keys of the sums: by enum gc_trigger, and the sum of all. */
enum { ALL_COLLECTIONS = GC_TRIGGER_COUNT };

/* A collection, as a piece of trace.gc. */
static bool
take_collection(const struct finder *finder, uint32_t index, struct trouble *trouble)
{
	const struct cover *gc = &finder->trace->gc;
	const struct range *range = trace_range(finder->trace, gc->range[index]);
	*trouble = (struct trouble){ range_actor(range), gc->start_ns[index], gc->end_ns[index], 0,
		range->start_stack };
	trouble->lost_ns = finder_clip(finder, trouble);
	return is_within(finder, trouble);
}

/* The pause before it is no longer than the collection before. */
static bool
goes_on(const struct finder *finder, uint32_t index)
{
	const struct cover *gc = &finder->trace->gc;
	int64_t pause_ns = gc->start_ns[index] - gc->end_ns[index - 1];
	return pause_ns <= gc->end_ns[index - 1] - gc->start_ns[index - 1] &&
	       finder_is_known(finder, gc->end_ns[index - 1], gc->start_ns[index]);
}

static uint32_t
end_of_run(const struct finder *finder, uint32_t first)
{
	const struct cover *gc = &finder->trace->gc;
	uint32_t end = first + 1;
	while (end < gc->count && gc->start_ns[end] < finder->t1_ns && goes_on(finder, end))
		end++;
	return end;
}

/* The goal that the heap had as a collection began. */
static void
add_goal(const struct finder *finder, struct finding *finding, int64_t t_ns)
{
	uint64_t bytes;
	if (!counter_at(finder->trace, COUNTER_HEAP_GOAL, t_ns, &bytes))
		return;
	if (finding->goal_most_bytes == 0 || bytes < finding->goal_least_bytes)
		finding->goal_least_bytes = bytes;
	if (bytes > finding->goal_most_bytes)
		finding->goal_most_bytes = bytes;
}

static bool
sum_collections(struct finder *finder, struct trouble_sums *sums, struct finding *goals)
{
	const struct trace *trace = finder->trace;
	struct trouble trouble;
	bool is_fine = true;
	for (uint32_t i = 0; i < trace->gc.count && is_fine; i++) {
		if (!take_collection(finder, i, &trouble))
			continue;
		enum gc_trigger trigger = gc_trigger_of(trace, trace_range(trace, trace->gc.range[i]));
		if (trigger == GC_TRIGGER_HEAP)
			add_goal(finder, goals, trouble.start_ns);
		is_fine = trouble_sums_add(sums, trigger, &trouble) &&
			  trouble_sums_add(sums, ALL_COLLECTIONS, &trouble);
	}
	return is_fine;
}

/* What began the collections, and the longest of the cause that made up half of the time. */
static void
tell_causes(const struct trouble_sums *sums, struct finding *finding)
{
	finding->place_count = 0;
	finding->stack = STACK_NONE;
	finding->cause = GC_TRIGGER_COUNT;
	for (uint32_t i = 0; i < GC_TRIGGER_COUNT; i++) {
		struct finding cause = trouble_sums_finding(sums, i, FINDING_GC);
		finding->triggers[i] = cause.count;
		/* Where the heap met its goal is chance. A call is made somewhere. */
		if (i == GC_TRIGGER_CALL) {
			memcpy(finding->places, cause.places, sizeof finding->places);
			finding->place_count = cause.place_count;
		}
		if (cause.count == 0 || cause.lost_ns < finding->lost_ns / 2)
			continue;
		finding->cause = (enum gc_trigger)i;
		finding->stack = i == GC_TRIGGER_CALL ? cause.stack : STACK_NONE;
		finding->actor = cause.actor;
		finding->start_ns = cause.start_ns;
		finding->end_ns = cause.end_ns;
		finding->longest_ns = cause.longest_ns;
	}
}

/* The collections that followed each other without a pause, and their time. */
static int64_t
sum_runs(const struct finder *finder, uint64_t *count)
{
	const struct cover *gc = &finder->trace->gc;
	int64_t total_ns = 0;
	uint32_t first = 0, end;
	struct trouble trouble;
	*count = 0;
	while (first < gc->count && gc->end_ns[first] <= finder->t0_ns)
		first++;
	for (; first < gc->count && gc->start_ns[first] < finder->t1_ns; first = end) {
		end = end_of_run(finder, first);
		for (uint32_t i = first; end - first >= FINDING_GC_RUN && i < end; i++) {
			if (!take_collection(finder, i, &trouble))
				continue;
			total_ns += trouble.lost_ns;
			++*count;
		}
	}
	return total_ns;
}

bool
find_collections(struct finder *finder)
{
	uint64_t back_to_back;
	struct finding goals = { 0 };
	struct text query = { 0 };
	struct trouble_sums sums;
	if (finder->scope->only != NULL) {
		/* A collection is no span that a query could match. */
		finder->findings->unknown_kinds |= 1U << FINDING_GC;
		return true;
	}
	if (!finder_matters(finder, sum_runs(finder, &back_to_back)))
		return true;
	bool is_fine = trouble_sums_init(&sums, finder) && sum_collections(finder, &sums, &goals);
	if (is_fine) {
		struct finding finding = trouble_sums_finding(&sums, ALL_COLLECTIONS, FINDING_GC);
		tell_causes(&sums, &finding);
		finding.lane = (struct lane){ LANE_GC, 0 };
		finding.actors = 0;
		finding.whole_ns = finder->t1_ns - finder->t0_ns;
		finding.back_to_back = back_to_back;
		finding.goal_least_bytes = goals.goal_least_bytes;
		finding.goal_most_bytes = goals.goal_most_bytes;
		text_add_string(&query, "gc=worker ");
		query_add_interval(&query, finder);
		is_fine = finder_add(finder, &finding, &query);
	}
	trouble_sums_release(&sums);
	return is_fine;
}
