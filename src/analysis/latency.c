/* Gathers a duration and a place for each span; in order of duration the rest is looked up. */
#include "analysis/latency.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/state_scan.h"
#include "analysis/task_index.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "trace/task_times.h"
#include "trace/words.h"

/* ---- building */

struct building {
	struct latency *latency;
	const struct latency_scope *scope;
	size_t capacity;
};

static bool
add(void *context, const struct latency_found *found, struct error *err)
{
	struct building *building = context;
	struct latency *latency = building->latency;
	struct span span = { .start_ns = found->start_ns, .end_ns = found->end_ns };
	int64_t within_ns = span_within(&span, building->scope->t0_ns, building->scope->t1_ns);
	int64_t duration_ns = found->end_ns - found->start_ns;
	if (!array_reserve(&latency->items, &building->capacity, latency->count + 1,
		    sizeof *latency->items, err))
		return false;
	latency->items[latency->count++] =
		(struct radix_item){ (uint64_t)duration_ns, found->place };
	latency->total_ns = saturating_add_i64(latency->total_ns, duration_ns);
	if (within_ns > 0)
		latency->within_ns = saturating_add_i64(latency->within_ns, within_ns);
	latency->cut_count += found->is_cut;
	return true;
}

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
	struct building building = { .latency = latency, .scope = scope };
	struct latency_gather gather = {
		.trace = trace,
		.kind = kind,
		.scope = scope,
		.watch = watch,
		.tell = add,
		.context = &building,
	};
	*latency = (struct latency){
		.trace = trace, .type = kind->type, .interval_ns = loaded_within(trace, scope)
	};
	if (latency_gather(&gather, err) && radix_sort(latency->items, latency->count, search_watch_cancel_flag(watch), err)) {
		latency->skipped = gather.skipped;
		return true;
	}
	latency_release(latency);
	return false;
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
	if (latency_is_of_states(latency->type))
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
	if (latency_is_of_states(latency->type))
		PREFETCH(&trace_segment(latency->trace, at.segment)->start[at.state]);
	else if (latency->type != LATENCY_TASK)
		PREFETCH(trace_range(latency->trace, (range_ref)item->value));
}

static void
describe_state(const struct latency *latency, struct scan_place at, struct latency_span *span)
{
	const struct segment *segment = trace_segment(latency->trace, at.segment);
	enum state state = scan_place_kind(latency->trace, at)->state;
	span->actor = segment_run_of(segment, at.state)->actor;
	if (state == STATE_READY || state == STATE_BLOCKED || state == STATE_SYSCALL)
		span->stack = segment_site(segment, at.state)->place;
}

static void
describe_range(const struct latency *latency, struct latency_span *span)
{
	const struct range *range = trace_range(latency->trace, span->range);
	span->actor = range_actor(range);
	span->stack = range->start_stack;
}

static void
describe_task(const struct latency *latency, struct latency_span *span)
{
	const struct task *task = trace_task(latency->trace, span->task);
	span->actor = task_actor(task);
	span->stack = task->start_stack;
}

void
latency_span(const struct latency *latency, size_t index, struct latency_span *span)
{
	const struct radix_item *item = &latency->items[index];
	bool is_state = latency_is_of_states(latency->type), is_task = latency->type == LATENCY_TASK;
	*span = (struct latency_span){
		.start_ns = latency_start_ns(latency, index),
		.duration_ns = (int64_t)item->key,
		.actor = REF_NONE,
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
		       ? latency_duration_ns(latency, sorted_rank(latency->count, part, whole) - 1)
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

/* ---- words */

void
latency_kind_add_name(struct text *text, const struct latency_kind *kind)
{
	if (kind->name == NULL)
		return;
	text_add_string(text, kind->type == LATENCY_BLOCK ? ": " : " ");
	if (kind->name[0] == '\0')
		text_add_string(text, "without a name");
	else
		text_add_safe(text, kind->name, strlen(kind->name), false);
}

void
latency_kind_add_whose(struct text *text, const struct words *words,
	const struct latency_kind *kind, const struct latency_scope *scope)
{
	struct latency_scope other = *scope;
	other.with_runtime = !scope->with_runtime;
	if (latency_is_of_all(kind, scope) == latency_is_of_all(kind, &other))
		return;
	text_add_string(text, ", of ");
	text_add_whose(text, words, scope->with_runtime);
}
