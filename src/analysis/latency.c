/* Gathers a duration and a place for each span; in order of duration the rest is looked up. */
#include "analysis/latency.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
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

/* ---- the longest, as a table */

static const struct {
	const char *words; /* what is told, before the name that the kind may have */
	enum result_hue hue;
} looks[LATENCY_TYPE_COUNT] = {
	[LATENCY_SCHED] = { "Waits for a P", HUE_READY },
	[LATENCY_STW] = { "Stops of the world", HUE_STOP },
	[LATENCY_GC] = { "Mark phases", HUE_COLLECTION },
	[LATENCY_ASSIST] = { "Mark assists", HUE_COLLECTOR },
	[LATENCY_SWEEP] = { "Sweeps", HUE_COLLECTOR },
	[LATENCY_SYSCALL] = { "System calls", HUE_SYSCALL },
	[LATENCY_BLOCK] = { "Blocked", HUE_SYNC },
	[LATENCY_REGION] = { "Regions", HUE_RUNNING },
	[LATENCY_TASK] = { "Tasks", HUE_RUNNING },
	[LATENCY_QUERY] = { "Spans", HUE_RUNNING },
};

static bool
read_kind(const char *parameter, struct latency_kind *kind, struct error *err)
{
	return latency_kind_parse(kind, parameter, 0, strlen(parameter), err);
}

static bool
accepts(const char *parameter)
{
	struct latency_kind kind;
	struct error ignored;
	error_clear(&ignored);
	if (!read_kind(parameter, &kind, &ignored))
		return false;
	latency_kind_release(&kind);
	return true;
}

enum longest_column { OF_WHOM, HOW_LONG, SINCE_WHEN, WHAT, WHERE, LONGEST_COLUMNS };

static const struct result_column longest_columns[LONGEST_COLUMNS] = {
	[OF_WHOM] = DIMENSION("{actor}", "{actor}", FIGURE_ACTOR),
	[HOW_LONG] = MEASURE("duration_ns", "for", FIGURE_DURATION),
	[SINCE_WHEN] = DIMENSION("start_ns", "from", FIGURE_MOMENT),
	[WHAT] = DIMENSION("reason", "what", FIGURE_STRING),
	[WHERE] = MEASURE("function", "where", FIGURE_FRAME, .least_cells = 12, .rank = 1),
};

/* Why the world was stopped, or the actor blocked. */
static string_id
what_of(const struct trace *trace, const struct latency_span *span)
{
	struct span state;
	if (span->range != REF_NONE)
		return trace_range(trace, span->range)->name;
	if (span->actor == REF_NONE ||
		!lane_span_at(trace, (struct lane){ LANE_ACTOR, span->actor }, span->start_ns, &state) ||
		state.kind == NULL)
		return STRING_EMPTY;
	return state.kind->reason;
}

/* The lane that shows it. */
static struct lane
lane_of(enum latency_type type, const struct latency_span *span)
{
	if (type == LATENCY_STW)
		return (struct lane){ LANE_STW, 0 };
	if (type == LATENCY_TASK)
		return (struct lane){ LANE_TASK, span->task };
	if (type == LATENCY_GC || span->actor == REF_NONE)
		return (struct lane){ LANE_GC, 0 };
	return (struct lane){ LANE_ACTOR, span->actor };
}

static bool
add_longest(struct result_sink *sink, const struct latency *latency, bool has_what, size_t index,
	struct error *err)
{
	struct latency_span span;
	latency_span(latency, index, &span);
	int64_t cells[LONGEST_COLUMNS], *cell = cells;
	*cell++ = latency->type == LATENCY_TASK ? span.task : span.actor;
	*cell++ = span.duration_ns;
	*cell++ = span.start_ns;
	if (has_what)
		*cell++ = what_of(latency->trace, &span);
	*cell = own_code_stack(latency->trace, span.stack, span.actor);
	const struct result_place place = { lane_of(latency->type, &span), span.start_ns,
		span.start_ns + span.duration_ns };
	return sink->row(sink, cells, &place, err);
}

static bool
fill_longest(struct result_sink *sink, const struct latency *latency, const struct latency_kind *kind,
	uint64_t limit, struct error *err)
{
	/* Only some kinds have one more name for what they are. */
	bool has_what = kind->type == LATENCY_STW || (kind->type == LATENCY_BLOCK && kind->name == NULL);
	struct result_column columns[LONGEST_COLUMNS];
	int count = 0;
	for (int i = 0; i < LONGEST_COLUMNS; i++) {
		if (i != WHAT || has_what)
			columns[count++] = longest_columns[i];
	}
	columns[HOW_LONG].hue = (uint8_t)looks[kind->type].hue;
	if (kind->type == LATENCY_TASK) {
		columns[OF_WHOM].type = FIGURE_TASK;
		columns[OF_WHOM].key = columns[OF_WHOM].title = "{task}";
	}
	const struct result_table table = {
		.name = "longest",
		.title = "The longest first, at times that --at takes",
		.columns = columns,
		.column_count = count,
		.usual_column = HOW_LONG,
		.none = "none",
		.none_on_screen = "there is none",
		.is_exact = true,
		.all_count = latency->count,
	};
	size_t most = limit > 0 && limit < latency->count ? (size_t)limit : latency->count;
	size_t found, *longest = latency_longest(latency, most, &found, err);
	bool is_fine = longest != NULL && sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < found; i++)
		is_fine = add_longest(sink, latency, has_what, longest[i], err);
	memory_free(longest);
	return is_fine && sink->end(sink, err);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct latency_kind kind;
	struct latency latency;
	const struct latency_scope scope = { work->scope.t0_ns, work->scope.t1_ns,
		work->scope.actor, work->only, work->scope.with_runtime };
	if (!read_kind(work->parameter, &kind, err))
		return false;
	search_watch_expect(&work->watch, latency_work(work->trace, &kind));
	bool is_fine = latency_build(&latency, work->trace, &kind, &scope, &work->watch, err);
	if (is_fine) {
		is_fine = fill_longest(sink, &latency, &kind, work->sort == NULL ? work->limit : 0, err);
		latency_release(&latency);
	}
	latency_kind_release(&kind);
	return is_fine;
}

/* "Waits for a P, the longest, of the program's goroutines" */
static void
title_of(const struct analysis_scope *scope, const struct words *words, const char *parameter,
	struct text *out)
{
	const struct latency_scope latency_scope = { .actor = scope->actor,
		.with_runtime = scope->with_runtime };
	struct latency_kind kind;
	struct error ignored;
	error_clear(&ignored);
	if (!read_kind(parameter, &kind, &ignored))
		return;
	text_add_string(out, looks[kind.type].words);
	latency_kind_add_name(out, &kind);
	text_add_string(out, ", the longest");
	latency_kind_add_whose(out, words, &kind, &latency_scope);
	latency_kind_release(&kind);
}

const struct analysis_kind longest_kind = {
	.name = "longest",
	.help = "spans of a kind one by one, the longest first",
	.parameters = "KIND, such as sched",
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.accepts = accepts,
	.title_of = title_of,
	.fill = fill,
};
