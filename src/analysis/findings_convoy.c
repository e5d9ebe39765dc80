/*
 * Lock convoys: goroutines that wait for a mutex in one function, each woken by one that had
 * waited there itself.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/own_code.h"

enum { CANDIDATES_MOST = 16 }; /* functions, those with most time */

/* A goroutine that waited for a lock. */
struct wait {
	struct trouble trouble;
	goroutine_ref waker; /* REF_NONE while it waits, or where no goroutine ended it */
};

/* A function and all waits in stacks of which it is the telling one. */
struct candidate {
	string_id function;
	int64_t total_ns;
};

struct convoys {
	struct finder *finder;
	struct bits mutexes; /* stacks that wait for one */
	struct wait *waits;
	size_t wait_count, wait_capacity;
	struct candidate *candidates; /* most time first */
	size_t candidate_count, candidate_capacity;
};

/* ---- who waited */

static goroutine_ref
find_waker(const struct trace *trace, struct scan_place after)
{
	if (after.segment == REF_NONE)
		return REF_NONE;
	return waker_goroutine(scan_place_kind(trace, after), scan_place_site(trace, after)->origin);
}

static bool
gather(struct convoys *convoys)
{
	struct finder *finder = convoys->finder;
	struct state_scan scan;
	struct scanned blocked;
	bool is_fine = true;
	struct scan_scope scope = {
		CLASS_BIT(CLASS_SYNC), finder->t0_ns, finder->t1_ns, finder->watch
	};
	if (!state_scan_init(&scan, finder->trace, &scope, finder->err))
		return false;
	while (is_fine && state_scan_next(&scan, &blocked)) {
		stack_id stack = scan_place_site(finder->trace, blocked.at)->place;
		if (!bits_has(&convoys->mutexes, stack) ||
			!finder_is_known(finder, blocked.start_ns, blocked.end_ns) ||
			!finder_asks_for(finder, blocked.at.segment, blocked.at.state))
			continue;
		is_fine = array_reserve(&convoys->waits, &convoys->wait_capacity,
			convoys->wait_count + 1, sizeof *convoys->waits, finder->err);
		if (is_fine)
			convoys->waits[convoys->wait_count++] = (struct wait){
				.trouble = { blocked.goroutine, blocked.start_ns, blocked.end_ns,
					stack },
				.waker = find_waker(finder->trace, blocked.after),
			};
	}
	state_scan_release(&scan);
	return is_fine;
}

/* ---- where */

static int
compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static bool
add_candidate(struct convoys *convoys, struct map *index_of, stack_id stack, int64_t total_ns)
{
	const struct stack_frame *frame = own_code_frame(convoys->finder->trace, stack, REF_NONE);
	uint32_t index = map_find(index_of, frame->function);
	if (index == MAP_NONE) {
		index = (uint32_t)convoys->candidate_count;
		if (!array_reserve(&convoys->candidates, &convoys->candidate_capacity,
			    convoys->candidate_count + 1, sizeof *convoys->candidates,
			    convoys->finder->err) ||
			!map_put(index_of, frame->function, index, convoys->finder->err))
			return false;
		convoys->candidates[convoys->candidate_count++] =
			(struct candidate){ frame->function, 0 };
	}
	struct candidate *candidate = &convoys->candidates[index];
	candidate->total_ns = saturating_add_i64(candidate->total_ns, total_ns);
	return true;
}

/* What func~"sync.+Mutex" matches, of which queries are made. */
static bool
is_mutex(const struct trace *trace, string_id function)
{
	size_t length;
	const char *name = trace_text(trace, function, &length);
	size_t from = 0;
	while (from < length && !text_has_prefix(name + from, length - from, "sync"))
		from++;
	for (from += strlen("sync."); from < length; from++)
		if (text_has_prefix(name + from, length - from, "Mutex"))
			return true;
	return false;
}

/* The functions in which time was lost, each stack looked at once. */
static bool
find_candidates(struct convoys *convoys)
{
	struct finder *finder = convoys->finder;
	uint32_t stack_limit = stack_count(&finder->trace->stacks);
	int64_t *total_ns = array_new(stack_limit, sizeof *total_ns, finder->err);
	struct map index_of = { 0 };
	bool is_fine = total_ns != NULL;
	for (size_t i = 0; i < convoys->wait_count && is_fine; i++) {
		const struct wait *wait = &convoys->waits[i];
		total_ns[wait->trouble.stack] = saturating_add_i64(
			total_ns[wait->trouble.stack], finder_clip(finder, &wait->trouble));
	}
	for (stack_id i = STACK_NONE + 1; i < stack_limit && is_fine; i++)
		is_fine = total_ns[i] == 0 || add_candidate(convoys, &index_of, i, total_ns[i]);
	map_release(&index_of);
	array_release(&total_ns);
	if (is_fine && convoys->candidate_count > 0)
		qsort(convoys->candidates, convoys->candidate_count, sizeof *convoys->candidates,
			compare_candidates);
	return is_fine;
}

/* ---- who waited there in turn */

/*
 * The stacks of a mutex that have the function anywhere, as queries ask for it; with
 * STRING_EMPTY all stacks of a mutex.
 */
static bool
find_stacks(const struct convoys *convoys, string_id function, struct bits *stacks)
{
	const struct trace *trace = convoys->finder->trace;
	const struct stack_table *table = &trace->stacks;
	uint32_t limit = stack_count(table);
	if (!bits_init(stacks, limit, convoys->finder->err))
		return false;
	/* A caller has a lower number than those that it calls. */
	for (stack_id i = STACK_NONE + 1; i < limit; i++) {
		string_id here = stack_leaf(table, i)->function;
		bool is_it = function == STRING_EMPTY ? is_mutex(trace, here) : here == function;
		if (is_it || bits_has(stacks, stack_caller(table, i)))
			bits_add(stacks, i);
	}
	for (size_t i = 0; function != STRING_EMPTY && i <= limit / 64; i++)
		stacks->words[i] &= convoys->mutexes.words[i];
	return true;
}

/* Of the waits on those stacks: their sum, and who they were. */
static void
sum_waits(const struct convoys *convoys, const struct bits *stacks, struct bits *members,
	struct trouble_sum *sum)
{
	for (size_t i = 0; i < convoys->wait_count; i++) {
		const struct wait *wait = &convoys->waits[i];
		if (!bits_has(stacks, wait->trouble.stack))
			continue;
		trouble_sum_add(sum, convoys->finder, &wait->trouble,
			bits_has(members, wait->trouble.goroutine));
		bits_add(members, wait->trouble.goroutine);
	}
}

static uint32_t
count_handed(const struct convoys *convoys, const struct bits *stacks, const struct bits *members)
{
	uint32_t count = 0;
	for (size_t i = 0; i < convoys->wait_count; i++) {
		const struct wait *wait = &convoys->waits[i];
		count += bits_has(stacks, wait->trouble.stack) && wait->waker < members->limit &&
			 bits_has(members, wait->waker);
	}
	return count;
}

static void
add_query(struct finder *finder, struct finding *finding, string_id function, struct text *query)
{
	text_add_string(query, "class=sync func~\"sync.+Mutex\" ");
	finding->is_query_whole = query_add_string(query, finder->trace, "func", function);
	if (finding->is_query_whole)
		query_add_interval(query, finder);
	else
		query_add_longest(query, finder->trace, finding);
}

static bool
judge(struct convoys *convoys, const struct candidate *candidate, const struct bits *stacks,
	struct bits *members)
{
	struct finder *finder = convoys->finder;
	struct trouble_sum sum = { 0 };
	struct text query = { 0 };
	sum_waits(convoys, stacks, members, &sum);
	struct finding finding = finding_of(&sum, FINDING_CONVOY);
	finding.handed = count_handed(convoys, stacks, members);
	finding.name = trace_goroutine(finder->trace, finding.goroutine)->name;
	if (finding.goroutines < FINDING_CONVOY_GOROUTINES ||
		finding.handed < finding.count * FINDING_CONVOY_PERCENT / 100)
		return true;
	add_query(finder, &finding, candidate->function, &query);
	return finder_add(finder, &finding, &query);
}

static bool
look_at(struct convoys *convoys, const struct candidate *candidate)
{
	const struct finder *finder = convoys->finder;
	struct bits stacks = { 0 }, members = { 0 };
	bool is_fine =
		find_stacks(convoys, candidate->function, &stacks) &&
		bits_init(&members, trace_goroutine_count(finder->trace), finder->err) &&
		judge(convoys, candidate, &stacks, &members);
	bits_release(&stacks);
	bits_release(&members);
	return is_fine;
}

bool
find_convoys(struct finder *finder)
{
	struct convoys convoys = { .finder = finder };
	bool is_fine = find_stacks(&convoys, STRING_EMPTY, &convoys.mutexes) &&
		       gather(&convoys) && find_candidates(&convoys);
	for (size_t i = 0; is_fine && i < convoys.candidate_count && i < CANDIDATES_MOST; i++) {
		const struct candidate *candidate = &convoys.candidates[i];
		if (!finder_matters(finder, candidate->total_ns))
			break;
		is_fine = !state_scan_is_cancelled(finder->watch) && look_at(&convoys, candidate);
	}
	bits_release(&convoys.mutexes);
	array_release(&convoys.waits);
	array_release(&convoys.candidates);
	return is_fine;
}
