/*
 * Actors that were ready for long: while all processors were busy, which are scheduling delays, or
 * although one was idle. Each such wait is one of the two.
 */

#include <inttypes.h>

#include "analysis/findings_internal.h"
#include "analysis/sched.h"
#include "analysis/standstills.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/runtime.h"
#include "trace/words.h"

enum {
	QUESTIONS_MOST = 200000, /* about idle processors; of shorter delays it is not asked */
	NAMED_MOST = 8,          /* spans that a query names one by one */
};

/* A ready state of FINDING_DELAY_NS or more. */
struct late {
	struct trouble trouble;
	group_ref group;    /* of its actor */
	int64_t idle_ns;    /* of the idlest processor meanwhile, without time that the world stood still */
	resource_ref idle_processor; /* which one; REF_NONE for one that never ran */
	actor_ref holder;   /* of a trace of the kernel, who had the CPU for the longest part; or REF_NONE */
};

struct lateness {
	struct finder *finder;
	struct late *items; /* the longest first; in the end by what they become, see compare_told() */
	size_t count, capacity;
};

/* ---- who was late */

static bool
gather(struct lateness *lateness)
{
	struct finder *finder = lateness->finder;
	struct state_scan scan;
	struct scanned ready;
	bool is_fine = true;
	struct scan_scope scope = {
		CLASS_BIT(CLASS_READY), finder->t0_ns, finder->t1_ns, finder->watch
	};
	if (!state_scan_init(&scan, finder->trace, &scope, finder->err))
		return false;
	while (is_fine && state_scan_next(&scan, &ready)) {
		/* No line of the program is to blame: where it waited before is another matter. */
		struct trouble trouble = { ready.actor, ready.start_ns, ready.end_ns, 0,
			STACK_NONE };
		if (ready.end_ns - ready.start_ns < FINDING_DELAY_NS ||
			!finder_is_known(finder, ready.start_ns, ready.end_ns) ||
			trace_is_runtime(finder->trace, ready.actor) ||
			(ready.end_ns - ready.start_ns >= STANDSTILL_LEAST_NS &&
				bits_has(&finder->throttled, trace_actor(finder->trace, ready.actor)->group)) ||
			!finder_asks_for(finder, ready.at.segment, ready.at.state))
			continue;
		is_fine = array_reserve(&lateness->items, &lateness->capacity, lateness->count + 1,
			sizeof *lateness->items, finder->err);
		trouble.lost_ns = finder_clip(finder, &trouble);
		if (is_fine)
			lateness->items[lateness->count++] = (struct late){
				.trouble = trouble,
				.group = trace_actor(finder->trace, ready.actor)->group,
				.idle_processor = REF_NONE,
			};
	}
	state_scan_release(&scan);
	return is_fine;
}

static int
compare_late(const void *left, const void *right)
{
	const struct trouble *a = &((const struct late *)left)->trouble;
	const struct trouble *b = &((const struct late *)right)->trouble;
	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

/* ---- which processor was idle meanwhile */

static int64_t
time_in(const struct trace *trace, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns = 0;
	lane_totals(trace, lane, from_ns, until_ns, totals_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		sum_ns += totals_ns[i];
	return sum_ns;
}

/*
 * The longest that a processor was idle in the interval; *processor is REF_NONE for one not in the
 * trace.
 */
static int64_t
longest_idle(const struct trace *trace, int64_t from_ns, int64_t until_ns, resource_ref *processor)
{
	int64_t longest_ns = 0;
	uint64_t processors = 0, most, mentioned = 0;
	bool is_limited =
		counter_range(trace, COUNTER_GOMAXPROCS, from_ns, until_ns, &processors, &most);
	*processor = REF_NONE;
	for (resource_ref i = 0; i < trace_processor_count(trace); i++) {
		const struct resource *here = trace_processor(trace, i);
		if (is_limited ? (uint64_t)here->id >= processors : here->first_ns > from_ns)
			continue;
		int64_t idle_ns =
			until_ns - from_ns -
			time_in(trace, (struct lane){ LANE_PROCESSOR, i }, from_ns, until_ns);
		mentioned++;
		if (idle_ns <= longest_ns)
			continue;
		longest_ns = idle_ns;
		*processor = i;
	}
	if (mentioned >= processors)
		return longest_ns;
	*processor = REF_NONE; /* processors have the ids below GOMAXPROCS; one of them never ran */
	return until_ns - from_ns;
}

static void
find_idle_processor(const struct finder *finder, struct late *late)
{
	struct lane stopped = { LANE_STW, 0 };
	int64_t from_ns = late->trouble.start_ns, until_ns = late->trouble.end_ns;
	from_ns = from_ns > finder->t0_ns ? from_ns : finder->t0_ns;
	until_ns = until_ns < finder->t1_ns ? until_ns : finder->t1_ns;
	late->idle_ns = longest_idle(finder->trace, from_ns, until_ns, &late->idle_processor) -
			time_in(finder->trace, stopped, from_ns, until_ns);
	if (late->idle_ns < 0)
		late->idle_ns = 0;
}

static bool
find_idle_processors(struct lateness *lateness)
{
	const struct trace *trace = lateness->finder->trace;
	size_t most = QUESTIONS_MOST / (trace_processor_count(trace) + 1);
	for (size_t i = 0; i < lateness->count && i < most; i++) {
		if (state_scan_is_cancelled(lateness->finder->watch))
			return false;
		find_idle_processor(lateness->finder, &lateness->items[i]);
	}
	return true;
}

static bool
is_idle(const struct late *late)
{
	return late->idle_ns > 0 && late->idle_ns >= late->trouble.lost_ns / 2;
}

/* ---- findings */

/* Those that become one finding stand together, the longest first: all idle ones, then each group. */
static int
compare_told(const void *left, const void *right)
{
	const struct late *a = left, *b = right;
	if (is_idle(a) != is_idle(b))
		return is_idle(a) ? -1 : 1;
	if (!is_idle(a) && a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return compare_late(left, right);
}

/* Those from first to end are one finding. */
static size_t
end_of_told(const struct lateness *lateness, size_t first)
{
	const struct late *items = lateness->items;
	size_t end = first + 1;
	while (end < lateness->count && is_idle(&items[end]) == is_idle(&items[first]) &&
		(is_idle(&items[first]) || items[end].group == items[first].group))
		end++;
	return end;
}

/* Names the longest of those, which no condition tells from others. Says whether they are all. */
static void
name_longest(const struct lateness *lateness, size_t first, size_t end, struct finding *finding,
	struct text *query)
{
	for (size_t i = first; i < end && i - first < NAMED_MOST; i++) {
		const struct trouble *trouble = &lateness->items[i].trouble;
		text_add_string(query, i > first ? "| " : "");
		query_add_span(query, lateness->finder->trace, trouble->actor, trouble->start_ns);
	}
	finding->is_query_whole = end - first <= NAMED_MOST;
}

static bool
add_idle(struct lateness *lateness, const struct trouble_sums *idle, size_t end)
{
	struct finder *finder = lateness->finder;
	const struct late *longest = &lateness->items[0];
	struct finding finding = trouble_sums_finding(idle, 0, FINDING_IDLE);
	struct text query = { 0 };
	if (!finder_matters(finder, finding.lost_ns))
		return true;
	finding.idle_processor = longest->idle_processor;
	finding.idle_ns = longest->idle_ns;
	finding.name = trace_actor(finder->trace, finding.actor)->name;
	name_longest(lateness, 0, end, &finding, &query);
	return finder_add(finder, &finding, &query);
}

static bool
add_delay(struct lateness *lateness, struct finding finding, size_t first, size_t end, bool has_idle)
{
	struct finder *finder = lateness->finder;
	struct text query = { 0 };
	if (!finder_matters(finder, finding.lost_ns))
		return true;
	finding.name = finder->trace->groups[lateness->items[first].group].name;
	if (has_idle)
		name_longest(lateness, first, end, &finding, &query);
	else
		query_add_group(&query, finder, &finding,
			bits_has(&finder->throttled, lateness->items[first].group)
				? "state=ready dur>=1ms dur<5ms"
				: "state=ready dur>=1ms");
	return finder_add(finder, &finding, &query);
}

/* Each wait is one or the other, whole. */
static bool
add_all(struct lateness *lateness, struct trouble_sums *idle, struct trouble_sums *delays)
{
	struct finder *finder = lateness->finder;
	struct bits beside_idle = { 0 }; /* groups with waits beside an idle processor, found by queries too */
	bool is_fine = bits_init(&beside_idle, finder->trace->group_count, finder->err);
	for (size_t i = 0; i < lateness->count && is_fine; i++) {
		const struct late *late = &lateness->items[i];
		is_fine = is_idle(late) ? trouble_sums_add(idle, 0, &late->trouble)
					: trouble_sums_add(delays, late->group, &late->trouble);
		if (is_idle(late))
			bits_add(&beside_idle, late->group);
	}
	for (size_t first = 0, end; first < lateness->count && is_fine; first = end) {
		const struct late *late = &lateness->items[first];
		end = end_of_told(lateness, first);
		is_fine = is_idle(late)
				  ? add_idle(lateness, idle, end)
				  : add_delay(lateness,
					    trouble_sums_finding(delays, late->group, FINDING_DELAY),
					    first, end, bits_has(&beside_idle, late->group));
	}
	bits_release(&beside_idle);
	return is_fine;
}

/* ---- who keeps others off a CPU */

/* The one that held most, if that is half of all long waits. */
static actor_ref
find_hog(struct lateness *lateness, int64_t *held_ns)
{
	const struct trace *trace = lateness->finder->trace;
	actor_ref most = 0;
	int64_t all_ns = 0;
	for (size_t i = 0; i < lateness->count; i++) {
		struct late *late = &lateness->items[i];
		const struct trouble *trouble = &late->trouble;
		struct span holder;
		all_ns = saturating_add_i64(all_ns, trouble->lost_ns);
		late->holder = REF_NONE;
		if (!sched_find_holder(trace, trouble->actor, trouble->start_ns, trouble->end_ns, &holder))
			continue;
		late->holder = holder.actor;
		held_ns[late->holder] = saturating_add_i64(held_ns[late->holder],
			span_within(&holder, trouble->start_ns, trouble->end_ns));
		if (held_ns[late->holder] > held_ns[most])
			most = late->holder;
	}
	return held_ns[most] > 0 && held_ns[most] >= all_ns / 2 ? most : REF_NONE;
}

static bool
add_hog(const struct lateness *lateness, actor_ref hog, int64_t held_ns)
{
	struct finder *finder = lateness->finder;
	struct trouble_sums sums;
	struct text query = { 0 };
	int64_t totals_ns[CLASS_COUNT];
	bool is_fine = trouble_sums_init(&sums, finder);
	for (size_t i = 0; is_fine && i < lateness->count; i++)
		if (lateness->items[i].holder == hog)
			is_fine = trouble_sums_add(&sums, 0, &lateness->items[i].trouble);
	struct finding finding = { 0 };
	if (is_fine)
		finding = trouble_sums_finding(&sums, 0, FINDING_HOG);
	trouble_sums_release(&sums);
	if (!is_fine || finding.count < FINDING_HOG_WAITS || !finder_matters(finder, held_ns))
		return is_fine;
	lane_totals(finder->trace, (struct lane){ LANE_ACTOR, hog }, finder->t0_ns, finder->t1_ns, totals_ns);
	finding.lost_ns = held_ns;
	finding.whole_ns = totals_ns[CLASS_RUNNING];
	finding.holder = hog;
	text_format(&query, "g=%" PRId64 " state=running ", trace_actor(finder->trace, hog)->id);
	query_add_interval(&query, finder);
	return finder_add(finder, &finding, &query);
}

static bool
add_holders(struct lateness *lateness)
{
	const struct trace *trace = lateness->finder->trace;
	if (!trace->words->is_scheduled)
		return true;
	int64_t *held_ns = array_new(trace_actor_count(trace), sizeof *held_ns, lateness->finder->err);
	if (held_ns == NULL)
		return false;
	actor_ref hog = find_hog(lateness, held_ns);
	bool is_fine = hog == REF_NONE || add_hog(lateness, hog, held_ns[hog]);
	memory_free(held_ns);
	return is_fine;
}

static bool
sort_late(const struct lateness *lateness, int (*compare)(const void *left, const void *right))
{
	const struct sort sort = { lateness->items, lateness->count, sizeof *lateness->items, compare };
	return sort_items(&sort, search_watch_cancel_flag(lateness->finder->watch),
		lateness->finder->err);
}

bool
find_delays(struct finder *finder)
{
	struct lateness lateness = { .finder = finder };
	struct trouble_sums idle = { 0 }, delays = { 0 };
	bool is_fine = gather(&lateness);
	if (is_fine && lateness.count > 0)
		is_fine = sort_late(&lateness, compare_late) && find_idle_processors(&lateness) &&
			  sort_late(&lateness, compare_told) && trouble_sums_init(&idle, finder) &&
			  trouble_sums_init(&delays, finder) && add_all(&lateness, &idle, &delays) &&
			  add_holders(&lateness);
	trouble_sums_release(&idle);
	trouble_sums_release(&delays);
	array_release(&lateness.items);
	return is_fine;
}
