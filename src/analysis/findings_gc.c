/* What the collector and others who stop the world cost. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/findings_internal.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/lane.h"

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
	*trouble = (struct trouble){ range_goroutine(range), range->start_ns,
		trace_range_end_ns(finder->trace, range), range->start_stack };
	return range->type == type && is_within(finder, trouble) &&
	       finder_asks_for_time(finder, trouble->goroutine, trouble->start_ns);
}

/* ---- the world stopped */

/* Stops of one kind. */
struct stop_kind {
	string_id name;
	struct trouble_sum sum;
};

struct stops {
	struct stop_kind *kinds;
	size_t count, capacity;
	struct map index_of; /* name -> kinds */
};

/* Tracing itself stops the world as it begins and ends. */
static bool
is_of_tracing(const struct trace *trace, string_id name)
{
	return trace_text_is(trace, name, "start trace") || trace_text_is(trace, name, "stop trace");
}

static bool
add_stop(struct finder *finder, struct stops *stops, string_id name, const struct trouble *trouble)
{
	uint32_t index = map_find(&stops->index_of, name);
	if (index == MAP_NONE) {
		index = (uint32_t)stops->count;
		if (!array_reserve(&stops->kinds, &stops->capacity, stops->count + 1,
			    sizeof *stops->kinds, finder->err) ||
			!map_put(&stops->index_of, name, index, finder->err))
			return false;
		stops->kinds[stops->count++] = (struct stop_kind){ .name = name };
	}
	trouble_sum_add(&stops->kinds[index].sum, finder, trouble, true);
	return true;
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

static uint64_t
count_procs(const struct finder *finder)
{
	uint64_t least, most;
	if (counter_range(finder->trace, COUNTER_GOMAXPROCS, finder->t0_ns, finder->t1_ns, &least,
		    &most) &&
		most <= INT32_MAX)
		return most;
	return trace_proc_count(finder->trace);
}

static int64_t
times(int64_t value, uint64_t count)
{
	return value > INT64_MAX / (int64_t)count ? INT64_MAX : value * (int64_t)count;
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
judge_stops(struct finder *finder, const struct stop_kind *kind)
{
	struct finding finding = finding_of(&kind->sum, FINDING_STOP);
	struct text query = { 0 };
	uint64_t procs = count_procs(finder);
	finding.name = kind->name;
	finding.lost_ns = times(finding.total_ns, procs > 0 ? procs : 1);
	if (!finder_matters(finder, finding.total_ns) &&
		finding.end_ns - finding.start_ns < FINDING_STOP_NS)
		return true;
	finding.is_query_whole = add_stop_kind(finder, kind->name, &query);
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
	bool is_fine = gather_stops(finder, &stops);
	for (size_t i = 0; i < stops.count && is_fine; i++)
		is_fine = judge_stops(finder, &stops.kinds[i]);
	array_release(&stops.kinds);
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

/* All of an assist is lost, but the goroutine marks only while it runs. */
static void
add_assist(struct finder *finder, struct group_sums *groups, const struct trouble *trouble)
{
	struct lane lane = { LANE_GOROUTINE, trouble->goroutine };
	struct trouble_sum *sum = group_sums_add(groups, finder, trouble);
	sum->total_ns -= finder_clip(finder, trouble) -
			 running_time(finder, lane, trouble->start_ns, trouble->end_ns);
}

static bool
judge_assists(struct finder *finder, group_ref group, const struct trouble_sum *sum)
{
	struct finding finding = finding_of(sum, FINDING_ASSIST);
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
	struct group_sums groups;
	bool is_fine = group_sums_init(&groups, finder);
	if (!is_fine)
		return false;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		struct trouble trouble;
		if (take_range(finder, i, RANGE_MARK_ASSIST, &trouble) &&
			trouble.goroutine != REF_NONE)
			add_assist(finder, &groups, &trouble);
	}
	for (group_ref i = 0; i < trace->group_count && is_fine; i++)
		is_fine = judge_assists(finder, i, &groups.sums[i]);
	group_sums_release(&groups);
	return is_fine;
}

/* ---- collections */

enum { RUNS_NAMED = 8 }; /* in the query */

struct collections {
	struct trouble_sum sum;
	int64_t whole_ns; /* of the runs */
	uint32_t runs;
	struct text query;
};

/* A run of collections [first, end) of the trace's. */
static void
add_run(struct finder *finder, struct collections *all, uint32_t first, uint32_t end)
{
	const struct cover *gc = &finder->trace->gc;
	struct trouble run = { REF_NONE, gc->start_ns[first], gc->end_ns[end - 1], STACK_NONE };
	if (end - first < FINDING_GC_RUN)
		return;
	for (uint32_t i = first; i < end; i++) {
		const struct range *range = trace_range(finder->trace, gc->range[i]);
		struct trouble trouble = { range_goroutine(range), gc->start_ns[i], gc->end_ns[i],
			range->start_stack };
		trouble_sum_add(&all->sum, finder, &trouble, true);
	}
	all->whole_ns += finder_clip(finder, &run);
	if (all->runs++ < RUNS_NAMED)
		text_format(&all->query, "%send>%" PRId64 "ns start<%" PRId64 "ns ",
			all->runs > 1 ? "| " : "gc=worker (", run.start_ns, run.end_ns);
}

static bool
judge_collections(struct finder *finder, struct collections *all)
{
	struct finding finding = finding_of(&all->sum, FINDING_GC);
	if (!finder_matters(finder, finding.lost_ns)) {
		text_release(&all->query);
		return true;
	}
	finding.lane = (struct lane){ LANE_GC, 0 };
	finding.whole_ns = all->whole_ns;
	finding.is_query_whole = all->runs <= RUNS_NAMED;
	all->query.length -= all->query.length > 0; /* the blank */
	text_add_string(&all->query, ")");
	return finder_add(finder, &finding, &all->query);
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

bool
find_collections(struct finder *finder)
{
	const struct cover *gc = &finder->trace->gc;
	struct collections all = { 0 };
	uint32_t first = 0, end;
	if (finder->scope->only != NULL)
		return true; /* a collection is no span that a query could match */
	while (first < gc->count && gc->end_ns[first] <= finder->t0_ns)
		first++;
	for (; first < gc->count && gc->start_ns[first] < finder->t1_ns; first = end) {
		for (end = first + 1; end < gc->count && gc->start_ns[end] < finder->t1_ns; end++)
			if (!goes_on(finder, end))
				break;
		add_run(finder, &all, first, end);
	}
	return judge_collections(finder, &all);
}
