/*
 * Lock convoys: actors that wait for a mutex in one function, each woken by one that had
 * waited there itself.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/watch.h"
#include "trace/own_code.h"
#include "trace/runtime.h"

enum { CANDIDATES_MOST = 16 }; /* functions, those with most time */

/* An actor that waited for a lock. */
struct wait {
	struct trouble trouble;
	actor_ref waker;     /* REF_NONE while it waits, or where no actor ended it */
	bool is_told;        /* it is of a convoy that was found */
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
	string_id told[CANDIDATES_MOST]; /* functions whose convoys were found */
	size_t told_count;
};

/* ---- who waited */

static actor_ref
find_waker(const struct trace *trace, struct scan_place after)
{
	if (after.segment == REF_NONE)
		return REF_NONE;
	return waker_actor(scan_place_kind(trace, after), scan_place_site(trace, after)->origin);
}

/* Whether what is lost of the trace would tell if that wait was for a lock. */
static bool
is_nameless(const struct finder *finder, const struct scanned *blocked)
{
	return scan_place_site(finder->trace, blocked->at)->place == STACK_NONE &&
	       blocked->start_ns > finder->t0_ns &&
	       (blocked->time_class == CLASS_SYNC ||
		       scan_place_kind(finder->trace, blocked->at)->reason == STRING_EMPTY) &&
	       !trace_is_runtime(finder->trace, blocked->actor);
}

static bool
gather(struct convoys *convoys)
{
	struct finder *finder = convoys->finder;
	struct state_scan scan;
	struct scanned blocked;
	bool is_fine = true;
	int64_t nameless_ns = 0;
	struct scan_scope scope = {
		CLASS_BIT(CLASS_SYNC) | CLASS_BIT(CLASS_OTHER), finder->t0_ns, finder->t1_ns,
		finder->watch
	};
	if (!state_scan_init(&scan, finder->trace, &scope, finder->err))
		return false;
	while (is_fine && state_scan_next(&scan, &blocked)) {
		stack_id stack = scan_place_site(finder->trace, blocked.at)->place;
		if (is_nameless(finder, &blocked))
			nameless_ns = saturating_add_i64(
				nameless_ns, blocked.end_ns - blocked.start_ns);
		if (blocked.time_class != CLASS_SYNC || !bits_has(&convoys->mutexes, stack) ||
			!finder_is_known(finder, blocked.start_ns, blocked.end_ns) ||
			!finder_asks_for(finder, blocked.at.segment, blocked.at.state))
			continue;
		is_fine = array_reserve(&convoys->waits, &convoys->wait_capacity,
			convoys->wait_count + 1, sizeof *convoys->waits, finder->err);
		if (!is_fine)
			break;
		struct trouble trouble = { blocked.actor, blocked.start_ns, blocked.end_ns, 0,
			stack };
		trouble.lost_ns = finder_clip(finder, &trouble);
		convoys->waits[convoys->wait_count++] = (struct wait){
			.trouble = trouble, .waker = find_waker(finder->trace, blocked.after)
		};
	}
	state_scan_release(&scan);
	if (finder_matters(finder, nameless_ns))
		finder->findings->unknown_kinds |= 1U << FINDING_CONVOY;
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
			total_ns[wait->trouble.stack], wait->trouble.lost_ns);
	}
	for (stack_id i = STACK_NONE + 1; i < stack_limit && is_fine; i++)
		is_fine = total_ns[i] == 0 || add_candidate(convoys, &index_of, i, total_ns[i]);
	map_release(&index_of);
	array_release(&total_ns);
	const struct sort by_total = { convoys->candidates, convoys->candidate_count,
		sizeof *convoys->candidates, compare_candidates };
	return is_fine &&
	       sort_items(&by_total, search_watch_cancel_flag(finder->watch), finder->err);
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

/* The waits in one function, but those that are told already. */
struct queue {
	struct convoys *convoys;
	string_id function;
	struct bits stacks;  /* that wait for a mutex in it */
	struct bits members; /* actors that waited there */
	bool leaves_told;    /* some waits of those stacks are of another convoy, ... */
	bool leaves_stuck;   /* ... or are told as actors that are blocked to the end */
};

/* Whether an actor that waits there is told as one that is blocked to the end. */
static bool
has_stuck(const struct queue *queue)
{
	const struct finder *finder = queue->convoys->finder;
	for (size_t i = 0; i < queue->convoys->wait_count; i++) {
		const struct trouble *trouble = &queue->convoys->waits[i].trouble;
		if (bits_has(&queue->stacks, trouble->stack) && trouble->end_ns >= finder->t1_ns &&
			bits_has(&finder->stuck, trouble->actor))
			return true;
	}
	return false;
}

static bool
is_of_queue(const struct queue *queue, const struct wait *wait)
{
	return bits_has(&queue->stacks, wait->trouble.stack) && !wait->is_told &&
	       !(queue->leaves_stuck && wait->trouble.end_ns >= queue->convoys->finder->t1_ns);
}

/* Sums up who waited there, and for how long at least one did. */
static bool
sum_waits(struct queue *queue, struct trouble_sums *sums, int64_t *covered_ns)
{
	struct convoys *convoys = queue->convoys;
	const struct finder *finder = convoys->finder;
	int64_t until_ns = finder->t0_ns;
	*covered_ns = 0;
	for (size_t i = 0; i < convoys->wait_count; i++) {
		const struct wait *wait = &convoys->waits[i];
		int64_t end_ns = wait->trouble.end_ns < finder->t1_ns ? wait->trouble.end_ns
								      : finder->t1_ns;
		queue->leaves_told = queue->leaves_told ||
				     (wait->is_told && bits_has(&queue->stacks, wait->trouble.stack));
		if (!is_of_queue(queue, wait))
			continue;
		bits_add(&queue->members, wait->trouble.actor);
		if (!trouble_sums_add(sums, 0, &wait->trouble))
			return false;
		if (end_ns <= until_ns)
			continue;
		*covered_ns += end_ns - (wait->trouble.start_ns > until_ns ? wait->trouble.start_ns
									   : until_ns);
		until_ns = end_ns;
	}
	return true;
}

static uint32_t
count_handed(const struct queue *queue)
{
	uint32_t count = 0;
	for (size_t i = 0; i < queue->convoys->wait_count; i++) {
		const struct wait *wait = &queue->convoys->waits[i];
		count += is_of_queue(queue, wait) && wait->waker < queue->members.limit &&
			 bits_has(&queue->members, wait->waker);
	}
	return count;
}

/* All that the query finds is what was counted. */
static void
add_query(const struct queue *queue, struct finding *finding, struct text *query)
{
	const struct convoys *convoys = queue->convoys;
	const struct finder *finder = convoys->finder;
	text_add_string(query, "class=sync func~\"sync.+Mutex\" ");
	finding->is_query_whole = query_add_string(query, finder->trace, "func", queue->function);
	for (size_t i = 0; queue->leaves_told && i < convoys->told_count; i++)
		finding->is_query_whole =
			query_add_string(query, finder->trace, "func!", convoys->told[i]) &&
			finding->is_query_whole;
	if (queue->leaves_stuck)
		text_format(query, "end<%" PRId64 "ns ", finder->t1_ns);
	if (finding->is_query_whole)
		query_add_interval(query, finder);
	else
		query_add_longest(query, finder->trace, finding);
}

static bool
judge(struct queue *queue, struct trouble_sums *sums)
{
	struct convoys *convoys = queue->convoys;
	struct finder *finder = convoys->finder;
	struct text query = { 0 };
	int64_t covered_ns;
	queue->leaves_stuck = has_stuck(queue);
	if (!sum_waits(queue, sums, &covered_ns))
		return false;
	struct finding finding = trouble_sums_finding(sums, 0, FINDING_CONVOY);
	finding.whole_ns = covered_ns;
	finding.handed = count_handed(queue);
	if (finding.actors < FINDING_CONVOY_ACTORS ||
		finding.handed < finding.count * FINDING_CONVOY_PERCENT / 100 ||
		!finder_matters(finder, finding.lost_ns))
		return true;
	finding.name = trace_actor(finder->trace, finding.actor)->name;
	add_query(queue, &finding, &query);
	for (size_t i = 0; i < convoys->wait_count; i++)
		if (is_of_queue(queue, &convoys->waits[i]))
			convoys->waits[i].is_told = true;
	convoys->told[convoys->told_count++] = queue->function;
	return finder_add(finder, &finding, &query);
}

static bool
look_at(struct convoys *convoys, const struct candidate *candidate)
{
	struct finder *finder = convoys->finder;
	struct queue queue = { .convoys = convoys, .function = candidate->function };
	struct trouble_sums sums;
	bool is_fine = trouble_sums_init(&sums, finder) &&
		       find_stacks(convoys, candidate->function, &queue.stacks) &&
		       bits_init(&queue.members, trace_actor_count(finder->trace), finder->err) &&
		       judge(&queue, &sums);
	bits_release(&queue.stacks);
	bits_release(&queue.members);
	trouble_sums_release(&sums);
	return is_fine;
}

/* By when they began, which is how sums of what they cover are made. */
static int
compare_waits(const void *left, const void *right)
{
	const struct trouble *a = &((const struct wait *)left)->trouble;
	const struct trouble *b = &((const struct wait *)right)->trouble;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

bool
find_convoys(struct finder *finder)
{
	struct convoys convoys = { .finder = finder };
	bool is_fine = find_stacks(&convoys, STRING_EMPTY, &convoys.mutexes) &&
		       gather(&convoys) && find_candidates(&convoys);
	const struct sort by_start = { convoys.waits, convoys.wait_count, sizeof *convoys.waits,
		compare_waits };
	is_fine = is_fine &&
		  sort_items(&by_start, search_watch_cancel_flag(finder->watch), finder->err);
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
