/* Mark phases from the index, and what ranges add to them, each looked at once. */
#include "analysis/go/cycles.h"

#include <math.h>
#include <string.h>

#include "analysis/go/mutator.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "base/text.h"
#include "base/units.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { WHOLE = 1000000000 };

static const struct lane gc_lane = { LANE_GC, 0 };
static const struct lane all_lane = { LANE_ALL, 0 };

static bool
find_cycles(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct search_watch *watch, struct error *err)
{
	struct span span;
	bool has_span = lane_span_at(trace, gc_lane, t0_ns, &span) ||
			lane_next(trace, gc_lane, t0_ns, CLASS_MASK_ALL, &span);
	for (; has_span && span.start_ns < t1_ns;
		has_span = lane_after(trace, gc_lane, &span, &span)) {
		int64_t totals_ns[CLASS_COUNT];
		if (!search_watch_check(watch, 0, err) ||
			!array_reserve(&cycles->items, &cycles->capacity, cycles->count + 1,
				sizeof *cycles->items, err))
			return false;
		lane_totals(trace, all_lane, span.start_ns, span.end_ns, totals_ns);
		bool began_before = trace_range(trace, span.range)->began_before;
		cycles->items[cycles->count++] = (struct gc_cycle){ .span = span,
			.cut = (began_before ? GC_CUT_BEGIN : 0U) | (span.is_open ? GC_CUT_END : 0U),
			.workers_ns = totals_ns[CLASS_WORKER] };
	}
	return true;
}

static bool
has_prefix(const struct trace *trace, string_id string, const char *prefix)
{
	size_t length;
	const char *name = trace_text(trace, string, &length);
	return text_has_prefix(name, length, prefix);
}

/* How many cycles begin at or before a moment, or end before it. */
static size_t
cycles_until(const struct gc_cycles *cycles, int64_t time_ns, bool is_end)
{
	return sorted_until_field(cycles->items, cycles->count, sizeof *cycles->items,
		is_end ? offsetof(struct gc_cycle, span.end_ns)
		       : offsetof(struct gc_cycle, span.start_ns),
		is_end ? time_ns - 1 : time_ns);
}

bool
gc_is_own_stop(const struct trace *trace, string_id kind)
{
	return has_prefix(trace, kind, "GC ");
}

static void
add_stop(struct gc_cycle *cycle, const struct trace *trace, const struct range *range, int64_t ns)
{
	cycle->stops_ns = saturating_add_i64(cycle->stops_ns, ns);
	if (trace_text_is(trace, range->name, "GC sweep termination"))
		cycle->sweep_term_ns = saturating_add_i64(cycle->sweep_term_ns, ns);
	if (trace_text_is(trace, range->name, "GC mark termination"))
		cycle->mark_term_ns = saturating_add_i64(cycle->mark_term_ns, ns);
}

/* What of a range lies within a mark phase that it touches; of a stop all. */
static void
add_to_cycle(struct gc_cycle *cycle, const struct trace *trace, const struct range *range,
	int64_t end_ns)
{
	int64_t start_ns = range->start_ns;
	if (range->type == RANGE_STW) {
		add_stop(cycle, trace, range, end_ns - start_ns);
		return;
	}
	start_ns = start_ns > cycle->span.start_ns ? start_ns : cycle->span.start_ns;
	end_ns = end_ns < cycle->span.end_ns ? end_ns : cycle->span.end_ns;
	cycle->assists_ns = saturating_add_i64(cycle->assists_ns, end_ns - start_ns);
	cycle->assists++;
}

/*
 * An assist may go on over any number of phases: those between its first and its last one are
 * only counted, and added up at the end.
 */
static void
add_range(struct gc_cycles *cycles, const struct trace *trace, const struct range *range,
	int64_t end_ns)
{
	size_t first = cycles_until(cycles, range->start_ns, true);
	size_t until = cycles_until(cycles, end_ns, false);
	if (first >= until)
		return;
	add_to_cycle(&cycles->items[first], trace, range, end_ns);
	if (until - first == 1)
		return;
	add_to_cycle(&cycles->items[until - 1], trace, range, end_ns);
	if (range->type == RANGE_MARK_ASSIST) {
		cycles->items[first + 1].around++;
		cycles->items[until - 1].around--;
	}
}

/* Sweeping after a mark phase is told of that one. */
static void
add_sweep(struct gc_cycles *cycles, const struct range *range, int64_t end_ns)
{
	size_t ended = cycles_until(cycles, range->start_ns, false);
	if (ended < cycles->count && cycles->items[ended].span.end_ns == range->start_ns)
		ended++;
	if (ended == 0)
		return;
	int64_t *sum_ns = &cycles->items[ended - 1].sweeps_ns;
	*sum_ns = saturating_add_i64(*sum_ns, end_ns - range->start_ns);
}

static bool
add_ranges(struct gc_cycles *cycles, const struct trace *trace, struct search_watch *watch,
	struct error *err)
{
	int64_t around = 0;
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		if (!search_watch_check_item(watch, ref, err))
			return false;
		bool is_own_stop = range->type == RANGE_STW && gc_is_own_stop(trace, range->name);
		if (is_own_stop || range->type == RANGE_MARK_ASSIST)
			add_range(cycles, trace, range, trace_range_end_ns(trace, range));
		if (range->type == RANGE_SWEEP)
			add_sweep(cycles, range, trace_range_end_ns(trace, range));
	}
	for (size_t i = 0; i < cycles->count; i++) {
		struct gc_cycle *cycle = &cycles->items[i];
		int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
		around += cycle->around;
		bool fits = around == 0 || length_ns <= INT64_MAX / around;
		cycle->assists_ns = saturating_add_i64(
			cycle->assists_ns, fits ? around * length_ns : INT64_MAX);
		cycle->assists += (uint32_t)around;
		if ((cycle->cut & GC_CUT_BEGIN) != 0 && cycle->sweep_term_ns == 0)
			cycle->sweep_term_ns = -1;
		if ((cycle->cut & GC_CUT_END) != 0 && cycle->mark_term_ns == 0)
			cycle->mark_term_ns = -1;
		if ((cycle->cut & GC_CUT_END) != 0)
			cycle->sweeps_ns = -1;
	}
	return true;
}

/* ---- what assists took */

static bool
add_assist_shares(struct gc_cycles *cycles, const struct trace *trace, struct search_watch *watch,
	struct error *err)
{
	struct mutator mutator = { 0 };
	if (cycles->count == 0)
		return true;
	const struct mutator_scope scope = {
		.parts = MUTATOR_ASSIST,
		.from_ns = cycles->items[0].span.start_ns,
		.until_ns = cycles->items[cycles->count - 1].span.end_ns,
		.watch = watch,
	};
	bool is_fine = mutator_build(&mutator, trace, &scope, err);
	for (size_t i = 0; i < cycles->count && is_fine; i++) {
		const struct span *span = &cycles->items[i].span;
		bool is_told = mutator.count > 0 && mutator.series[0].count > 0 &&
			       span->end_ns > span->start_ns;
		cycles->items[i].assist_share =
			is_told ? 1 - mutator_mean(&mutator, span->start_ns, span->end_ns) : -1;
	}
	mutator_release(&mutator);
	return is_fine;
}

/* ---- why they began */

/* Who calls for a collection allocates on the way, so that counts only where nobody called. */
enum gc_trigger
gc_trigger_of(const struct trace *trace, const struct range *range)
{
	enum gc_trigger trigger = GC_TRIGGER_UNKNOWN;
	for (stack_id stack = range->start_stack; stack != STACK_NONE;
		stack = stack_caller(&trace->stacks, stack)) {
		string_id function = stack_leaf(&trace->stacks, stack)->function;
		if (trace_text_is(trace, function, "runtime.GC"))
			return GC_TRIGGER_CALL;
		if (trace_text_is(trace, function, "runtime.forcegchelper"))
			return GC_TRIGGER_TIMER;
		if (has_prefix(trace, function, "runtime.mallocgc"))
			trigger = GC_TRIGGER_HEAP;
	}
	bool is_helper = range_actor(range) != REF_NONE &&
			 trace_text_is(trace, trace_actor(trace, range_actor(range))->name,
				 "runtime.forcegchelper");
	return trigger == GC_TRIGGER_UNKNOWN && is_helper ? GC_TRIGGER_TIMER : trigger;
}

static void
find_triggers(struct gc_cycles *cycles, const struct trace *trace)
{
	for (size_t i = 0; i < cycles->count; i++)
		if (cycles->items[i].span.range != REF_NONE)
			cycles->items[i].trigger = gc_trigger_of(
				trace, trace_range(trace, cycles->items[i].span.range));
}

const char *
gc_cut_words(unsigned cut)
{
	static const char *const words[] = { "", "began before", "not ended",
		"began before, not ended" };
	return words[cut & (GC_CUT_BEGIN | GC_CUT_END)];
}

bool
gc_cycle_heap_after(const struct gc_cycle *cycle, const struct trace *trace, uint64_t *bytes)
{
	return (cycle->cut & GC_CUT_END) == 0 &&
	       counter_at(trace, COUNTER_HEAP_ALLOC, cycle->span.end_ns, bytes);
}

const char *
gc_trigger_name(enum gc_trigger trigger)
{
	static const char *const names[GC_TRIGGER_COUNT] = {
		[GC_TRIGGER_UNKNOWN] = "",
		[GC_TRIGGER_HEAP] = "heap",
		[GC_TRIGGER_CALL] = "runtime.GC",
		[GC_TRIGGER_TIMER] = "timer",
	};
	return names[trigger];
}

bool
gc_cycles_build(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct search_watch *watch, struct error *err)
{
	*cycles = (struct gc_cycles){ 0 };
	if (!find_cycles(cycles, trace, t0_ns, t1_ns, watch, err) ||
		!add_assist_shares(cycles, trace, watch, err) ||
		!add_ranges(cycles, trace, watch, err)) {
		gc_cycles_release(cycles);
		return false;
	}
	find_triggers(cycles, trace);
	return true;
}

/* Those of the mutator's, and the ranges once more. */
uint64_t
gc_cycles_work(const struct trace *trace)
{
	return mutator_work(trace) + trace->ranges.count;
}

void
gc_cycles_release(struct gc_cycles *cycles)
{
	memory_free(cycles->items);
	*cycles = (struct gc_cycles){ 0 };
}

double
gc_cycle_share(const struct gc_cycle *cycle, const struct trace *trace)
{
	int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
	uint64_t processors;
	if (length_ns <= 0 ||
		!counter_at(trace, COUNTER_GOMAXPROCS, cycle->span.end_ns, &processors) ||
		processors == 0)
		return -1;
	return (double)cycle->workers_ns / (double)length_ns / (double)processors;
}

actor_ref
gc_cycle_beginner(const struct gc_cycle *cycle, const struct trace *trace)
{
	range_ref range = cycle->span.range;
	return range == REF_NONE ? REF_NONE : range_actor(trace_range(trace, range));
}

void
gc_cycles_leave(struct gc_cycles *cycles, const struct trace *trace, struct search *only)
{
	size_t kept = 0;
	for (size_t i = 0; i < cycles->count; i++) {
		const struct gc_cycle *cycle = &cycles->items[i];
		if (search_asks_for(only, gc_cycle_beginner(cycle, trace), cycle->span.start_ns,
			    cycle->span.end_ns))
			cycles->items[kept++] = *cycle;
	}
	cycles->count = kept;
}

/* ---- as a table */

static const struct result_column columns[] = {
	DIMENSION("cycle", "", FIGURE_NUMBER, .on_screen = "cycle"),
	MEASURE("start_ns", "from", FIGURE_MOMENT),
	MEASURE("mark_ns", "mark", FIGURE_DURATION, .hue = HUE_COLLECTION),
	MEASURE("stw_ns", "stopped", FIGURE_DURATION, .hue = HUE_STOP),
	MEASURE("sweep_term_ns", "at begin", FIGURE_DURATION, .rank = 9, .hue = HUE_STOP),
	MEASURE("mark_term_ns", "at end", FIGURE_DURATION, .rank = 10, .hue = HUE_STOP),
	MEASURE("workers_ns", "workers", FIGURE_DURATION, .rank = 6, .hue = HUE_COLLECTOR),
	MEASURE("workers_share", "background", FIGURE_SHARE, .rank = 2, .hue = HUE_COLLECTOR),
	MEASURE("assists_ns", "assists", FIGURE_DURATION, .hue = HUE_COLLECTOR),
	MEASURE("assists_share", "assisting", FIGURE_SHARE, .rank = 3, .hue = HUE_COLLECTOR),
	MEASURE("assist_count", "count", FIGURE_COUNT, .rank = 8),
	MEASURE("sweeps_ns", "sweeps", FIGURE_DURATION, .rank = 7, .hue = HUE_COLLECTOR),
	MEASURE("heap_start_bytes", "heap", FIGURE_BYTES, .rank = 1, .hue = HUE_COLLECTION),
	MEASURE("heap_goal_bytes", "goal", FIGURE_BYTES, .rank = 5, .hue = HUE_COLLECTION),
	MEASURE("heap_end_bytes", "after", FIGURE_BYTES, .rank = 1, .hue = HUE_COLLECTION),
	MEASURE("trigger", "for", FIGURE_TEXT, .rank = 4),
	MEASURE("{actor}", "begun by", FIGURE_ACTOR, .least_cells = 10, .rank = 6),
	MEASURE("cut", "", FIGURE_TEXT),
};

static int64_t
cell_of_duration(int64_t duration_ns)
{
	return duration_ns >= 0 ? duration_ns : FIGURE_NONE;
}

static int64_t
cell_of_share(double share)
{
	return share >= 0 ? figure_of_share(share) : FIGURE_NONE;
}

static int64_t
cell_of_counter(const struct trace *trace, enum counter_type type, int64_t time_ns)
{
	uint64_t value;
	return counter_at(trace, type, time_ns, &value) ? (int64_t)value : FIGURE_NONE;
}

/* No cell for the empty text. */
static bool
cell_of_word(struct result_sink *sink, const char *word, int64_t *cell, struct error *err)
{
	*cell = FIGURE_NONE;
	return *word == '\0' || result_text(sink, word, strlen(word), cell, err);
}

static bool
add_row(struct result_sink *sink, const struct trace *trace, const struct gc_cycle *cycle,
	struct error *err)
{
	const struct span *span = &cycle->span;
	int64_t trigger, cut;
	uint64_t after;
	bool has_after = gc_cycle_heap_after(cycle, trace, &after);
	if (!cell_of_word(sink, gc_trigger_name(cycle->trigger), &trigger, err) ||
		!cell_of_word(sink, gc_cut_words(cycle->cut), &cut, err))
		return false;
	const int64_t cells[ARRAY_LENGTH(columns)] = {
		(int64_t)span->ordinal + 1,
		span->start_ns,
		span->end_ns - span->start_ns,
		cycle->stops_ns,
		cell_of_duration(cycle->sweep_term_ns),
		cell_of_duration(cycle->mark_term_ns),
		cycle->workers_ns,
		cell_of_share(gc_cycle_share(cycle, trace)),
		cycle->assists_ns,
		cell_of_share(cycle->assist_share),
		cycle->assists,
		cell_of_duration(cycle->sweeps_ns),
		cell_of_counter(trace, COUNTER_HEAP_ALLOC, span->start_ns),
		cell_of_counter(trace, COUNTER_HEAP_GOAL, span->start_ns),
		has_after ? (int64_t)after : FIGURE_NONE,
		trigger,
		gc_cycle_beginner(cycle, trace),
		cut,
	};
	const struct result_place place = { { LANE_GC, 0 }, span->start_ns, span->end_ns };
	return sink->row(sink, cells, &place, err);
}

/*
 * What the collector had of all processors by these parts, in parts of WHOLE; -1 where nobody
 * knows.
 */
static bool
find_cost(const struct analysis_work *work, unsigned parts, int64_t *cost, struct error *err)
{
	struct mutator mutator;
	const struct mutator_scope scope = { .parts = parts,
		.from_ns = work->scope.t0_ns, .until_ns = work->scope.t1_ns };
	bool is_fine = mutator_build(&mutator, work->trace, &scope, err);
	*cost = -1;
	if (is_fine && mutator.count > 0)
		*cost = llround(
			(1 - mutator_mean(&mutator, scope.from_ns, scope.until_ns)) * WHOLE);
	mutator_release(&mutator);
	return is_fine;
}

/* "8.9% of all procs: stops 3.8%, ...": each part is what it adds to those before it. */
static bool
tell_cost(const struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	static const struct {
		unsigned part;
		const char *word;
	} parts[] = {
		{ MUTATOR_STW, "stops" },
		{ MUTATOR_BACKGROUND, "background" },
		{ MUTATOR_ASSIST, "assists" },
		{ MUTATOR_SWEEP, "sweeps" },
	};
	struct text words = { 0 }, line = { 0 };
	char share[UNITS_TEXT];
	unsigned taken = 0;
	int64_t cost = 0;
	bool is_fine = true;
	for (size_t i = 0; i < ARRAY_LENGTH(parts) && is_fine && cost >= 0; i++) {
		int64_t before = cost;
		taken |= parts[i].part;
		is_fine = find_cost(work, taken, &cost, err);
		units_share(share, cost - before, WHOLE);
		text_format(&words, "%s %s %s", i == 0 ? ":" : ",", parts[i].word, share);
	}
	if (is_fine && cost > 0) {
		units_share(share, cost, WHOLE);
		text_format_words(&line, work->trace->words, "%s of all {processors}%s", share,
			text_string(&words));
		sink->fact(sink, "cost", text_string(&line));
	}
	text_release(&words);
	text_release(&line);
	return is_fine;
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "gc",
		.title = "Mark phases",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 2,
		.none = "none",
		.none_on_screen = "no collection",
	};
	const struct trace *trace = work->trace;
	struct gc_cycles cycles;
	analysis_clip_to_subject(work);
	search_watch_expect(&work->watch, gc_cycles_work(trace));
	if (!gc_cycles_build(&cycles, trace, work->scope.t0_ns, work->scope.t1_ns, &work->watch, err))
		return false;
	gc_cycles_leave(&cycles, trace, work->only);
	bool tells_cost = sink->fact != NULL && work->only == NULL;
	bool is_fine = (!tells_cost || tell_cost(work, sink, err)) && sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < cycles.count; i++)
		is_fine = add_row(sink, trace, &cycles.items[i], err);
	gc_cycles_release(&cycles);
	return is_fine && sink->end(sink, err);
}

static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter,
	struct text *out)
{
	(void)words;
	(void)parameter;
	bool has_subject = scope->actor != REF_NONE || scope->task != REF_NONE;
	text_add_string(out, has_subject ? " in the time" : "");
}

const struct analysis_kind gc_kind = {
	.name = "gc",
	.needs = NEEDS_COLLECTOR,
	.help = "each collection: mark phase, workers, heap",
	.heading = "Collections",
	.title = "Collections",
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_TASK | ANALYSIS_BY_QUERY,
	.title_of = title_of,
	.fill = fill,
};
