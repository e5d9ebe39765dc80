/*
 * Goroutines that were ready for long: while all procs were busy, which are scheduling delays, or
 * although one was idle.
 */
#include <stdlib.h>

#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "trace/lane.h"
#include "trace/runtime.h"

enum {
	QUESTIONS_MOST = 200000, /* about idle procs; of shorter delays it is not asked */
	NAMED_MOST = 8,          /* spans that a query names one by one */
};

/* A ready state of FINDING_DELAY_NS or more. */
struct late {
	struct trouble trouble;
	int64_t part_ns;    /* within the interval ... */
	int64_t idle_ns;    /* ... of the idlest proc then, without time that the world stood still */
	proc_ref idle_proc; /* which one; REF_NONE for one that never ran */
};

struct lateness {
	struct finder *finder;
	struct late *items; /* the longest first */
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
		struct trouble trouble = { ready.goroutine, ready.start_ns, ready.end_ns, STACK_NONE };
		if (ready.end_ns - ready.start_ns < FINDING_DELAY_NS ||
			!finder_is_known(finder, ready.start_ns, ready.end_ns) ||
			trace_is_runtime(finder->trace, ready.goroutine) ||
			!finder_asks_for(finder, ready.at.segment, ready.at.state))
			continue;
		is_fine = array_reserve(&lateness->items, &lateness->capacity, lateness->count + 1,
			sizeof *lateness->items, finder->err);
		if (is_fine)
			lateness->items[lateness->count++] = (struct late){
				.trouble = trouble,
				.part_ns = finder_clip(finder, &trouble),
				.idle_proc = REF_NONE,
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
	int64_t a_ns = a->end_ns - a->start_ns, b_ns = b->end_ns - b->start_ns;
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->goroutine > b->goroutine) - (a->goroutine < b->goroutine);
}

/* ---- which proc was idle meanwhile */

static int64_t
time_in(const struct trace *trace, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns = 0;
	lane_totals(trace, lane, from_ns, until_ns, totals_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		sum_ns += totals_ns[i];
	return sum_ns;
}

/* The longest that a proc was idle in the interval; *proc is REF_NONE for one not in the trace. */
static int64_t
longest_idle(const struct trace *trace, int64_t from_ns, int64_t until_ns, proc_ref *proc)
{
	int64_t longest_ns = 0;
	uint64_t procs = 0, most, mentioned = 0;
	bool is_limited =
		counter_range(trace, COUNTER_GOMAXPROCS, from_ns, until_ns, &procs, &most);
	*proc = REF_NONE;
	for (proc_ref i = 0; i < trace_proc_count(trace); i++) {
		const struct proc *here = trace_proc(trace, i);
		if (is_limited ? (uint64_t)here->id >= procs : here->first_ns > from_ns)
			continue;
		int64_t idle_ns = until_ns - from_ns -
				  time_in(trace, (struct lane){ LANE_PROC, i }, from_ns, until_ns);
		mentioned++;
		if (idle_ns <= longest_ns)
			continue;
		longest_ns = idle_ns;
		*proc = i;
	}
	if (mentioned >= procs)
		return longest_ns;
	*proc = REF_NONE; /* procs have the ids below GOMAXPROCS; one of them never ran */
	return until_ns - from_ns;
}

static void
find_idle_proc(const struct finder *finder, struct late *late)
{
	struct lane stopped = { LANE_STW, 0 };
	int64_t from_ns = late->trouble.start_ns, until_ns = late->trouble.end_ns;
	from_ns = from_ns > finder->t0_ns ? from_ns : finder->t0_ns;
	until_ns = until_ns < finder->t1_ns ? until_ns : finder->t1_ns;
	late->idle_ns = longest_idle(finder->trace, from_ns, until_ns, &late->idle_proc) -
			time_in(finder->trace, stopped, from_ns, until_ns);
	if (late->idle_ns < 0)
		late->idle_ns = 0;
}

static bool
find_idle_procs(struct lateness *lateness)
{
	const struct trace *trace = lateness->finder->trace;
	size_t most = QUESTIONS_MOST / (trace_proc_count(trace) + 1);
	for (size_t i = 0; i < lateness->count && i < most; i++) {
		if (state_scan_is_cancelled(lateness->finder->watch))
			return false;
		find_idle_proc(lateness->finder, &lateness->items[i]);
	}
	return true;
}

static bool
is_idle(const struct late *late)
{
	return late->idle_ns > 0 && late->idle_ns >= late->part_ns / 2;
}

/* ---- findings */

static bool
add_idle(struct lateness *lateness)
{
	struct finder *finder = lateness->finder;
	struct trouble_sum sum = { 0 };
	struct text query = { 0 };
	struct bits seen;
	const struct late *longest = NULL;
	int64_t lost_ns = 0;
	if (!bits_init(&seen, trace_goroutine_count(finder->trace), finder->err))
		return false;
	for (size_t i = 0; i < lateness->count; i++) {
		const struct late *late = &lateness->items[i];
		if (!is_idle(late))
			continue;
		if (sum.count < NAMED_MOST) {
			text_add_string(&query, sum.count > 0 ? "| " : "");
			query_add_span(&query, finder->trace, late->trouble.goroutine,
				late->trouble.start_ns);
		}
		longest = longest == NULL ? late : longest;
		trouble_sum_add(&sum, finder, &late->trouble,
			bits_has(&seen, late->trouble.goroutine));
		bits_add(&seen, late->trouble.goroutine);
		lost_ns = saturating_add_i64(lost_ns, late->idle_ns);
	}
	bits_release(&seen);
	if (longest == NULL || !finder_matters(finder, lost_ns)) {
		text_release(&query);
		return true;
	}
	struct finding finding = finding_of(&sum, FINDING_IDLE);
	finding.lost_ns = lost_ns;
	finding.name = trace_goroutine(finder->trace, finding.goroutine)->name;
	finding.idle_proc = longest->idle_proc;
	finding.idle_ns = longest->idle_ns;
	finding.is_query_whole = sum.count <= NAMED_MOST;
	return finder_add(finder, &finding, &query);
}

static bool
add_delays(struct lateness *lateness)
{
	struct finder *finder = lateness->finder;
	struct group_sums groups;
	bool is_fine = true;
	if (!group_sums_init(&groups, finder))
		return false;
	for (size_t i = 0; i < lateness->count; i++) {
		const struct late *late = &lateness->items[i];
		group_ref group = trace_goroutine(finder->trace, late->trouble.goroutine)->group;
		int64_t lost_ns = groups.sums[group].lost_ns;
		int64_t idle_ns = is_idle(late) ? late->idle_ns : 0;
		group_sums_add(&groups, finder, &late->trouble)->lost_ns =
			saturating_add_i64(lost_ns, late->part_ns - idle_ns);
	}
	for (group_ref i = 0; i < finder->trace->group_count && is_fine; i++) {
		struct finding finding = finding_of(&groups.sums[i], FINDING_DELAY);
		struct text query = { 0 };
		if (!finder_matters(finder, finding.lost_ns))
			continue;
		finding.name = finder->trace->groups[i].name;
		query_add_group(&query, finder, &finding, "state=ready dur>=1ms");
		is_fine = finder_add(finder, &finding, &query);
	}
	group_sums_release(&groups);
	return is_fine;
}

bool
find_delays(struct finder *finder)
{
	struct lateness lateness = { .finder = finder };
	bool is_fine = gather(&lateness);
	if (is_fine && lateness.count > 0) {
		qsort(lateness.items, lateness.count, sizeof *lateness.items, compare_late);
		is_fine = find_idle_procs(&lateness) && add_idle(&lateness) &&
			  add_delays(&lateness);
	}
	array_release(&lateness.items);
	return is_fine;
}
