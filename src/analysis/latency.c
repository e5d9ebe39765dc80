/* Gathers a duration and a place for each span; in order of duration the rest is looked up. */
#include "analysis/latency.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/spread.h"
#include "analysis/state_scan.h"
#include "analysis/task_index.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "query/query.h"
#include "query/search.h"
#include "query/watch.h"

struct gathering {
	struct latency *latency;
	const struct trace *trace;
	const struct latency_kind *kind;
	const struct latency_scope *scope;
	struct search_watch *watch;
	size_t capacity;
	struct search *search; /* of a query */
	string_id name;        /* of the regions or tasks, once one was found */
	bool kinds[KIND_MAX + 1]; /* of state, that are meant */
	struct error *err;
};

/* ---- what they have in common */

/* As state_scan_next() has it of states. */
static bool
is_within(const struct gathering *gathering, int64_t start_ns, int64_t end_ns)
{
	const struct latency_scope *scope = gathering->scope;
	bool is_before = end_ns <= scope->t0_ns && scope->t0_ns > gathering->trace->start_ns;
	bool is_behind = start_ns >= scope->t1_ns && scope->t1_ns < gathering->trace->end_ns;
	return !is_before && !is_behind;
}

/* Whether a state of the goroutine that holds within the time is asked for. O(log n). */
static bool
is_asked_for(const struct gathering *gathering, goroutine_ref goroutine, int64_t start_ns,
	int64_t end_ns)
{
	const struct latency_scope *scope = gathering->scope;
	return (scope->goroutine == REF_NONE || goroutine == scope->goroutine) &&
	       search_asks_for(scope->only, goroutine, start_ns, end_ns);
}

static bool
add(struct gathering *gathering, uint64_t value, int64_t start_ns, int64_t end_ns, bool is_cut)
{
	struct latency *latency = gathering->latency;
	struct span span = { .start_ns = start_ns, .end_ns = end_ns };
	int64_t within_ns = span_within(&span, gathering->scope->t0_ns, gathering->scope->t1_ns);
	if (!array_reserve(&latency->items, &gathering->capacity, latency->count + 1,
		    sizeof *latency->items, gathering->err))
		return false;
	latency->items[latency->count++] =
		(struct radix_item){ (uint64_t)(end_ns - start_ns), value };
	latency->total_ns = saturating_add_i64(latency->total_ns, end_ns - start_ns);
	if (within_ns > 0)
		latency->within_ns = saturating_add_i64(latency->within_ns, within_ns);
	latency->cut_count += is_cut;
	return true;
}

/* Most of a table have another name; which one it is needs to be found out once. */
static bool
is_named(struct gathering *gathering, string_id name)
{
	if (gathering->name == STRING_EMPTY &&
		trace_text_is(gathering->trace, name, gathering->kind->name))
		gathering->name = name;
	return name == gathering->name && name != STRING_EMPTY;
}

/* ---- states */

static bool
is_meant_kind(const struct gathering *gathering, const struct state_kind *kind)
{
	static const enum state meant[LATENCY_TYPE_COUNT] = {
		[LATENCY_SCHED] = STATE_READY,
		[LATENCY_SYSCALL] = STATE_SYSCALL,
		[LATENCY_BLOCK] = STATE_BLOCKED,
	};
	const struct latency_kind *wanted = gathering->kind;
	if (wanted->type == LATENCY_QUERY)
		return true;
	return kind->state == meant[wanted->type] &&
	       (wanted->name == NULL ||
		       trace_text_is(gathering->trace, kind->reason, wanted->name));
}

/* Finds out which kinds of state are meant, and the classes that those are of. */
static class_mask
mean_kinds(struct gathering *gathering)
{
	class_mask mask = 0;
	for (uint32_t i = 0; i < gathering->trace->kind_count; i++) {
		const struct state_kind *kind = &gathering->trace->kinds[i];
		gathering->kinds[i] = is_meant_kind(gathering, kind);
		if (gathering->kinds[i])
			mask |= CLASS_BIT(kind->time_class);
	}
	return mask & CLASS_MASK_ALL;
}

/* Whether the trace does not have all of it. */
static bool
is_cut_state(const struct gathering *gathering, const struct scanned *scanned)
{
	const struct trace *trace = gathering->trace;
	if (scan_place_kind(trace, scanned->at)->entry == ENTRY_STATUS)
		return true;
	if (scanned->after.segment == REF_NONE)
		return trace_goroutine(trace, scanned->goroutine)->end_ns == TIME_OPEN;
	return scan_place_kind(trace, scanned->after)->entry == ENTRY_LOST;
}

static bool
is_meant_state(const struct gathering *gathering, const struct scanned *scanned)
{
	const struct latency_scope *scope = gathering->scope;
	struct scan_place at = scanned->at;
	uint8_t kind = trace_segment(gathering->trace, at.segment)->kind[at.state] & KIND_MASK;
	return gathering->kinds[kind] &&
	       (scope->goroutine == REF_NONE || scanned->goroutine == scope->goroutine) &&
	       (scope->only == NULL || search_matches(scope->only, at.segment, at.state)) &&
	       (gathering->search == NULL ||
		       search_matches(gathering->search, at.segment, at.state));
}

static bool
gather_states(struct gathering *gathering)
{
	struct state_scan scan;
	struct scanned scanned;
	bool is_fine = true;
	if (!state_scan_init(&scan, gathering->trace, mean_kinds(gathering),
		    gathering->scope->t0_ns, gathering->scope->t1_ns, gathering->watch,
		    gathering->err))
		return false;
	while (is_fine && state_scan_next(&scan, &scanned)) {
		uint64_t value = (uint64_t)scanned.at.segment << 32 | scanned.at.state;
		if (is_meant_state(gathering, &scanned))
			is_fine = add(gathering, value, scanned.start_ns, scanned.end_ns,
				is_cut_state(gathering, &scanned));
	}
	state_scan_release(&scan);
	return is_fine;
}

static bool
gather_matches(struct gathering *gathering)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(gathering->kind->name, &note);
	if (query == NULL) {
		*gathering->err = note;
		return false;
	}
	gathering->search =
		search_with(gathering->trace, query, gathering->watch, gathering->err);
	gathering->latency->skipped = query_skipped(query);
	query_free(query);
	search_watch_expect(gathering->watch, trace_state_count(gathering->trace));
	bool is_fine = gathering->search != NULL && gather_states(gathering);
	search_free(gathering->search);
	return is_fine;
}

/* ---- ranges and tasks */

static bool
is_meant_range(struct gathering *gathering, const struct range *range)
{
	static const enum range_type meant[LATENCY_TYPE_COUNT] = {
		[LATENCY_STW] = RANGE_STW,
		[LATENCY_GC] = RANGE_GC_MARK,
		[LATENCY_ASSIST] = RANGE_MARK_ASSIST,
		[LATENCY_SWEEP] = RANGE_SWEEP,
		[LATENCY_REGION] = RANGE_REGION,
	};
	return range->type == meant[gathering->kind->type] &&
	       (gathering->kind->name == NULL || is_named(gathering, range->name));
}

static bool
gather_ranges(struct gathering *gathering)
{
	const struct trace *trace = gathering->trace;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (!search_watch_check_item(gathering->watch, i, gathering->err))
			return false;
		if (!is_within(gathering, range->start_ns, end_ns) ||
			!is_meant_range(gathering, range) ||
			!is_asked_for(gathering, range->goroutine, range->start_ns, end_ns))
			continue;
		bool is_cut = range->began_before || range->end_ns == TIME_OPEN ||
			      range->ended_after;
		if (!add(gathering, i, range->start_ns, end_ns, is_cut))
			return false;
	}
	return true;
}

static bool
gather_tasks(struct gathering *gathering)
{
	const struct trace *trace = gathering->trace;
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		int64_t start_ns = task_start_ns(trace, i), end_ns = task_end_ns(trace, i);
		if (!search_watch_check_item(gathering->watch, i, gathering->err))
			return false;
		if (!is_within(gathering, start_ns, end_ns) || !is_named(gathering, task->name) ||
			!is_asked_for(gathering, task_goroutine(task), start_ns, end_ns))
			continue;
		bool is_cut = task->began_before || task->end_ns == TIME_OPEN;
		if (!add(gathering, i, start_ns, end_ns, is_cut))
			return false;
	}
	return true;
}

/* ---- building */

static bool (*const gather[LATENCY_TYPE_COUNT])(struct gathering *gathering) = {
	[LATENCY_SCHED] = gather_states,
	[LATENCY_STW] = gather_ranges,
	[LATENCY_GC] = gather_ranges,
	[LATENCY_ASSIST] = gather_ranges,
	[LATENCY_SWEEP] = gather_ranges,
	[LATENCY_SYSCALL] = gather_states,
	[LATENCY_BLOCK] = gather_states,
	[LATENCY_REGION] = gather_ranges,
	[LATENCY_TASK] = gather_tasks,
	[LATENCY_QUERY] = gather_matches,
};

static int64_t
loaded_within(const struct trace *trace, const struct latency_scope *scope)
{
	struct span loaded = { .start_ns = trace->start_ns, .end_ns = trace->end_ns };
	int64_t within_ns = span_within(&loaded, scope->t0_ns, scope->t1_ns);
	return within_ns > 0 ? within_ns : 1;
}

bool
latency_build(struct latency *latency, const struct trace *trace, const struct latency_kind *kind,
	const struct latency_scope *scope, struct search_watch *watch, struct error *err)
{
	struct gathering gathering = {
		.latency = latency,
		.trace = trace,
		.kind = kind,
		.scope = scope,
		.watch = watch,
		.err = err,
	};
	*latency = (struct latency){
		.trace = trace, .type = kind->type, .interval_ns = loaded_within(trace, scope)
	};
	if (gather[kind->type](&gathering) && search_watch_check(watch, 0, err) &&
		radix_sort(latency->items, latency->count, err))
		return true;
	latency_release(latency);
	return false;
}

static bool
is_of_states(enum latency_type type)
{
	return gather[type] == gather_states || gather[type] == gather_matches;
}

uint64_t
latency_work(const struct trace *trace, const struct latency_kind *kind)
{
	if (is_of_states(kind->type))
		return trace_state_count(trace);
	return kind->type == LATENCY_TASK ? trace->tasks.count : trace->ranges.count;
}

void
latency_release(struct latency *latency)
{
	memory_free(latency->items);
	*latency = (struct latency){ 0 };
}

/* ---- asking */

static struct scan_place
state_of(const struct radix_item *item)
{
	return (struct scan_place){ (uint32_t)(item->value >> 32), (uint32_t)item->value };
}

int64_t
latency_start_ns(const struct latency *latency, size_t index)
{
	const struct radix_item *item = &latency->items[index];
	struct scan_place at = state_of(item);
	if (is_of_states(latency->type))
		return segment_start_ns(trace_segment(latency->trace, at.segment), at.state);
	if (latency->type == LATENCY_TASK)
		return task_start_ns(latency->trace, (task_ref)item->value);
	return trace_range(latency->trace, (range_ref)item->value)->start_ns;
}

void
latency_prefetch_start(const struct latency *latency, size_t index)
{
	const struct radix_item *item = &latency->items[index];
	struct scan_place at = state_of(item);
	if (is_of_states(latency->type))
		PREFETCH(&trace_segment(latency->trace, at.segment)->start[at.state]);
	else if (latency->type != LATENCY_TASK)
		PREFETCH(trace_range(latency->trace, (range_ref)item->value));
}

static void
describe_state(const struct latency *latency, struct scan_place at, struct latency_span *span)
{
	const struct segment *segment = trace_segment(latency->trace, at.segment);
	enum state state = scan_place_kind(latency->trace, at)->state;
	span->goroutine = segment_run_of(segment, at.state)->goroutine;
	if (state == STATE_READY || state == STATE_BLOCKED || state == STATE_SYSCALL)
		span->stack = segment_site(segment, at.state)->place;
}

static void
describe_range(const struct latency *latency, struct latency_span *span)
{
	const struct range *range = trace_range(latency->trace, span->range);
	span->goroutine = range->goroutine;
	span->stack = range->start_stack;
}

static void
describe_task(const struct latency *latency, struct latency_span *span)
{
	const struct task *task = trace_task(latency->trace, span->task);
	span->goroutine = task_goroutine(task);
	span->stack = task->start_stack;
}

void
latency_span(const struct latency *latency, size_t index, struct latency_span *span)
{
	const struct radix_item *item = &latency->items[index];
	bool is_state = is_of_states(latency->type), is_task = latency->type == LATENCY_TASK;
	*span = (struct latency_span){
		.start_ns = latency_start_ns(latency, index),
		.duration_ns = (int64_t)item->key,
		.goroutine = REF_NONE,
		.range = is_state || is_task ? REF_NONE : (range_ref)item->value,
		.task = is_task ? (task_ref)item->value : REF_NONE,
		.stack = STACK_NONE,
	};
	if (is_state)
		describe_state(latency, state_of(item), span);
	else if (is_task)
		describe_task(latency, span);
	else
		describe_range(latency, span);
}

int64_t
latency_quantile(const struct latency *latency, uint64_t part, uint64_t whole)
{
	return latency->count > 0
		       ? latency_duration_ns(latency, spread_rank(latency->count, part, whole) - 1)
		       : 0;
}

/* How many are shorter. */
static size_t
count_below(const struct latency *latency, uint64_t duration_ns)
{
	return radix_below(latency->items, latency->count, duration_ns);
}

int
latency_log2(const struct latency *latency, int64_t unit_ns, uint64_t counts[LATENCY_BUCKETS])
{
	size_t below = 0;
	int used = 0;
	memset(counts, 0, LATENCY_BUCKETS * sizeof *counts);
	for (; below < latency->count; used++) {
		int64_t edge_ns = unit_ns <= INT64_MAX >> (used + 1) ? unit_ns << (used + 1) : INT64_MAX;
		size_t until = edge_ns == INT64_MAX ? latency->count
						    : count_below(latency, (uint64_t)edge_ns);
		counts[used] = until - below;
		below = until;
	}
	return used;
}

struct long_one {
	int64_t start_ns, duration_ns;
	size_t index;
};

static int
compare_long_ones(const void *a, const void *b)
{
	const struct long_one *x = a, *y = b;
	if (x->duration_ns != y->duration_ns)
		return x->duration_ns > y->duration_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

size_t *
latency_longest(const struct latency *latency, size_t most, size_t *count, struct error *err)
{
	size_t wanted = most < latency->count ? most : latency->count;
	size_t first = latency->count;
	if (wanted > 0)
		first = count_below(latency, latency->items[latency->count - wanted].key);
	size_t candidates = latency->count - first;
	size_t *indices = array_new_unset(wanted, sizeof *indices, err);
	struct long_one *all = array_new_unset(candidates, sizeof *all, err);
	if (indices == NULL || all == NULL) {
		memory_free(indices);
		memory_free(all);
		return NULL;
	}
	for (size_t i = 0; i < candidates; i++)
		all[i] = (struct long_one){ latency_start_ns(latency, first + i),
			latency_duration_ns(latency, first + i), first + i };
	if (candidates > 0)
		qsort(all, candidates, sizeof *all, compare_long_ones);
	for (size_t i = 0; i < wanted; i++)
		indices[i] = all[i].index;
	memory_free(all);
	*count = wanted;
	return indices;
}
