/* What there is to tell of a collection or a stop of the world. */
#include "view/range_page.h"

#include <inttypes.h>

#include "analysis/go/cycles.h"
#include "base/checked.h"
#include "base/units.h"
#include "draw/names.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { PROCESSOR_COLUMN = 3, RAN_COLUMN = 10 };

static const struct lane all_lane = { LANE_ALL, 0 };
static const struct lane gc_lane = { LANE_GC, 0 };
static const struct lane stw_lane = { LANE_STW, 0 };

static const struct range *
range_of(const struct sheet *sheet, const struct span *span)
{
	return trace_range(sheet->trace, span->range);
}

/* ---- both */

static void
add_kind(struct sheet *sheet, struct lane lane, const struct span *span)
{
	const struct range *range = range_of(sheet, span);
	char number[UNITS_TEXT], count[UNITS_TEXT];
	sheet_value(sheet, "what");
	if (range->name != STRING_EMPTY)
		name_string(sheet->scratch, sheet->trace, range->name, sheet->ascii);
	else
		text_add_string(sheet->scratch,
			lane.type == LANE_GC ? "the collector marks" : "the world is stopped");
	sheet_scratch(
		sheet, (struct cell_style){ .fg = lane.type == LANE_GC ? STYLE_GC : STYLE_STW });
	units_count(number, (uint64_t)span->ordinal + 1);
	units_count(count, lane_count(sheet->trace, lane, 0, sheet->trace->end_ns + 1));
	text_format(sheet->scratch, ", %s of %s in the trace", number, count);
	sheet_scratch(sheet, prose_dim);
}

static void
add_beginner(struct sheet *sheet, const char *word, const struct range *range)
{
	const struct trace *trace = sheet->trace;
	struct lane lane = { LANE_ACTOR, range_actor(range) };
	struct span running;
	if (range->began_before) {
		sheet_value(sheet, "begun");
		sheet_string(sheet, prose_plain,
			trace->start_ns > 0 ? "before what is loaded" : "before the trace");
	}
	if (range_actor(range) == REF_NONE)
		return;
	sheet_value(sheet, word);
	name_actor(sheet->scratch, trace, range_actor(range), sheet->ascii);
	if (lane_span_at(trace, lane, range->start_ns, &running) && running.processor != REF_NONE) {
		text_add_string(sheet->scratch, " on ");
		name_processor(sheet->scratch, trace, running.processor);
	}
	sheet_scratch(sheet, prose_plain);
}

/*
 * "27 in all 3.2 ms, the longest 400 µs" of the ranges of a type that touch [from, until], as far
 * as they lie within, which is what a row of the collections says too.
 */
static void
add_sum_of(struct sheet *sheet, const char *word, enum range_type type, int64_t from_ns,
	int64_t until_ns)
{
	const struct trace *trace = sheet->trace;
	int64_t sum_ns = 0, longest_ns = 0;
	uint64_t count = 0;
	char number[UNITS_TEXT];
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t start_ns = range->start_ns, end_ns = trace_range_end_ns(trace, range);
		if (range->type != type || start_ns > until_ns || end_ns < from_ns)
			continue;
		start_ns = start_ns > from_ns ? start_ns : from_ns;
		int64_t length_ns = (end_ns < until_ns ? end_ns : until_ns) - start_ns;
		longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
		sum_ns = saturating_add_i64(sum_ns, length_ns);
		count++;
	}
	units_count(number, count);
	sheet_value(sheet, word);
	sheet_string(sheet, prose_plain, count > 0 ? number : "none");
	if (count == 0)
		return;
	sheet_string(sheet, prose_dim, " in all ");
	sheet_duration(sheet, prose_plain, sum_ns);
	sheet_string(sheet, prose_dim, ", the longest ");
	sheet_duration(sheet, prose_plain, longest_ns);
}

/* ---- a collection */

/* "mark termination for 41 µs, at 1.203411 s" for the collector's own that the mark phase touches. */
static void
add_stops(struct sheet *sheet, const struct span *cycle)
{
	const struct trace *trace = sheet->trace;
	struct span stop, next;
	bool is_there = lane_span_at(trace, stw_lane, cycle->start_ns, &stop) ||
			lane_next(trace, stw_lane, cycle->start_ns, CLASS_MASK_ALL, &stop);
	for (; is_there && stop.start_ns <= cycle->end_ns; stop = next) {
		is_there = lane_after(trace, stw_lane, &stop, &next);
		if (!gc_is_own_stop(trace, range_of(sheet, &stop)->name))
			continue;
		sheet_value(sheet, "stopped");
		name_string(sheet->scratch, trace, range_of(sheet, &stop)->name, sheet->ascii);
		sheet_scratch(sheet, (struct cell_style){ .fg = STYLE_STW });
		sheet_string(sheet, prose_dim, " for ");
		sheet_duration(sheet, prose_plain, stop.end_ns - stop.start_ns);
		sheet_string(sheet, prose_dim, " at ");
		sheet_moment(sheet, prose_plain, stop.start_ns);
	}
}

/* What all actors together did meanwhile, of what a collection costs. */
static void
add_work(struct sheet *sheet, const struct span *cycle)
{
	static const struct {
		enum time_class time_class;
		bool is_on_processor;
		const char *word, *more;
	} rows[] = {
		{ CLASS_WORKER, true, "workers", "" },
		{ CLASS_RUNNING, true, "program", "" },
		{ CLASS_RUNTIME, false, "waiting", " for the collector" },
	};
	int64_t totals_ns[CLASS_COUNT], length_ns = cycle->end_ns - cycle->start_ns;
	uint64_t processors = 0;
	char share[UNITS_TEXT];
	lane_totals(sheet->trace, all_lane, cycle->start_ns, cycle->end_ns, totals_ns);
	bool has_processors =
		counter_at(sheet->trace, COUNTER_GOMAXPROCS, cycle->start_ns, &processors) &&
		processors > 0 && processors <= INT32_MAX;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		sheet_value(sheet, rows[i].word);
		sheet_duration(sheet, prose_plain, totals_ns[rows[i].time_class]);
		sheet_string(sheet, prose_dim, rows[i].more);
		if (!has_processors || !rows[i].is_on_processor)
			continue;
		units_share(share, totals_ns[rows[i].time_class] / (int64_t)processors, length_ns);
		text_format_words(sheet->scratch, sheet->trace->words,
			", %s of %" PRIu64 " {processors}", share, processors);
		sheet_scratch(sheet, prose_dim);
	}
}

static void
add_size(struct sheet *sheet, const char *words, enum counter_type type, int64_t t_ns)
{
	char size[UNITS_TEXT];
	uint64_t bytes;
	if (!counter_at(sheet->trace, type, t_ns, &bytes))
		return;
	units_bytes(size, bytes);
	sheet_string(sheet, prose_dim, words);
	sheet_string(sheet, prose_plain, size);
}

/* Sweeping goes on until the next collection: the least heap up to there is what was left. */
static void
add_heap(struct sheet *sheet, const struct span *cycle, int64_t next_ns)
{
	uint64_t least, greatest;
	char size[UNITS_TEXT];
	if (!counter_at(sheet->trace, COUNTER_HEAP_ALLOC, cycle->end_ns, &least))
		return;
	bool has_before = counter_at(sheet->trace, COUNTER_HEAP_ALLOC, cycle->start_ns, &greatest);
	if (cycle->is_open && !has_before)
		return;
	sheet_value(sheet, "heap");
	if (has_before) {
		add_size(sheet, "before ", COUNTER_HEAP_ALLOC, cycle->start_ns);
		add_size(sheet, ", goal ", COUNTER_HEAP_GOAL, cycle->start_ns);
	}
	if (cycle->is_open)
		return;
	add_size(sheet, has_before ? "; at the end " : "at the end ", COUNTER_HEAP_ALLOC,
		cycle->end_ns);
	if (!counter_range(
		    sheet->trace, COUNTER_HEAP_ALLOC, cycle->end_ns, next_ns, &least, &greatest))
		return;
	units_bytes(size, least);
	sheet_value(sheet, "after it");
	sheet_string(sheet, prose_dim, "least ");
	sheet_string(sheet, prose_plain, size);
	add_size(sheet, ", next goal ", COUNTER_HEAP_GOAL, next_ns - 1);
}

static void
write_cycle(struct sheet *sheet, const struct span *cycle)
{
	const struct trace *trace = sheet->trace;
	struct span next;
	int64_t next_ns = trace->end_ns + 1;
	if (lane_after(trace, gc_lane, cycle, &next))
		next_ns = next.start_ns;
	add_beginner(sheet, "begun by", range_of(sheet, cycle));
	add_stops(sheet, cycle);
	add_work(sheet, cycle);
	add_sum_of(sheet, "assists", RANGE_MARK_ASSIST, cycle->start_ns, cycle->end_ns);
	if (!cycle->is_open)
		add_sum_of(sheet, "sweeps", RANGE_SWEEP, cycle->end_ns, next_ns - 1);
	add_heap(sheet, cycle, next_ns);
	sheet_titled_stack(sheet, "begun at", range_of(sheet, cycle)->start_stack);
}

/* ---- a stop */

/* "; then G9 main.worker, 12 µs after it" of what the processor runs when the world goes on. */
static void
add_resumed(struct sheet *sheet, struct lane processor, const struct span *stop, int64_t from_ns)
{
	struct span next;
	if (!lane_next(sheet->trace, processor, from_ns, CLASS_MASK_ALL, &next))
		return;
	sheet_string(sheet, prose_dim, "; then ");
	name_actor(sheet->scratch, sheet->trace, next.actor, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	bool is_within = next.start_ns < stop->end_ns;
	sheet_string(sheet, prose_dim, is_within ? " at +" : ", ");
	sheet_duration(
		sheet, prose_dim, next.start_ns - (is_within ? stop->start_ns : stop->end_ns));
	if (!is_within)
		sheet_string(sheet, prose_dim, " after it");
}

/* What a processor ran when the stop began, how long it took to give way, what it runs next. */
static void
add_processor(struct sheet *sheet, resource_ref ref, const struct span *stop)
{
	const struct trace *trace = sheet->trace;
	struct lane processor = { LANE_PROCESSOR, ref };
	struct span ran;
	sheet_line(sheet, PROCESSOR_COLUMN);
	name_processor(sheet->scratch, trace, ref);
	sheet_scratch(sheet, prose_plain);
	sheet->column = sheet->column < RAN_COLUMN ? RAN_COLUMN : sheet->column + 1;
	if (!lane_span_at(trace, processor, stop->start_ns, &ran)) {
		sheet_string(sheet, prose_dim, "nothing");
		add_resumed(sheet, processor, stop, stop->start_ns);
		return;
	}
	name_actor(sheet->scratch, trace, ran.actor, sheet->ascii);
	sheet_scratch(sheet, prose_class_style(ran.time_class));
	if (ran.end_ns >= stop->end_ns) {
		sheet_string(sheet, prose_dim, " all through");
		return;
	}
	sheet_string(sheet, prose_dim, " until +");
	sheet_duration(sheet, prose_plain, ran.end_ns - stop->start_ns);
	add_resumed(sheet, processor, stop, ran.end_ns);
}

static void
write_stop(struct sheet *sheet, const struct span *stop)
{
	const struct range *range = range_of(sheet, stop);
	struct span cycle;
	add_beginner(sheet, "stopped by", range);
	if (lane_span_at(sheet->trace, gc_lane, stop->start_ns, &cycle) ||
		lane_span_at(sheet->trace, gc_lane, stop->end_ns, &cycle)) {
		sheet_value(sheet, "in");
		text_format(sheet->scratch, "collection %" PRIu32, cycle.ordinal + 1);
		sheet_scratch(sheet, prose_plain);
		sheet_string(sheet, prose_dim, ", marking for ");
		sheet_duration(sheet, prose_plain, cycle.end_ns - cycle.start_ns);
	}
	sheet_titled_stack(sheet, "stopped at", range->start_stack);
	sheet_heading(sheet, "what the {processors} ran when it began");
	resource_ref processors[SHEET_MOST_PROCESSORS];
	size_t count = sheet_processors(sheet, processors);
	for (size_t i = 0; i < count; i++)
		add_processor(sheet, processors[i], stop);
	sheet_more(sheet, PROCESSOR_COLUMN, trace_processor_count(sheet->trace) - count);
}

void
range_page_write(struct sheet *sheet, struct lane lane, const struct span *span)
{
	add_kind(sheet, lane, span);
	sheet_times(sheet, span);
	if (lane.type == LANE_GC)
		write_cycle(sheet, span);
	else
		write_stop(sheet, span);
}
