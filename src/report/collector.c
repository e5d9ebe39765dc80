/* Collections, stops and averages, each a table. */
#include "report/collector.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/lane.h"

enum { PARTS = 50, PARTS_MOST = 100000 };

static const struct lane gc_lane = { LANE_GC, 0 };
static const struct lane all_lane = { LANE_ALL, 0 };

/* ---- collections */

/* Who did what within a mark phase, or began and ended it. */
struct cycle {
	struct span span;
	int64_t stops_ns; /* the sum of the stops at its begin and end */
	int64_t assists_ns, workers_ns;
	uint32_t assists;
	int64_t around; /* assists that cover this one and those that follow, as a difference */
};

struct cycles {
	struct cycle *items;
	size_t count, capacity;
};

static bool
find_cycles(struct cycles *cycles, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct error *err)
{
	struct span span;
	bool has_span = lane_span_at(trace, gc_lane, t0_ns, &span) ||
			lane_next(trace, gc_lane, t0_ns, CLASS_MASK_ALL, &span);
	for (; has_span && span.start_ns < t1_ns;
		has_span = lane_after(trace, gc_lane, &span, &span)) {
		int64_t totals_ns[CLASS_COUNT];
		if (!array_reserve(&cycles->items, &cycles->capacity, cycles->count + 1,
			    sizeof *cycles->items, err))
			return false;
		lane_totals(trace, all_lane, span.start_ns, span.end_ns, totals_ns);
		cycles->items[cycles->count++] = (struct cycle){
			.span = span, .workers_ns = totals_ns[CLASS_GC_WORKER]
		};
	}
	return true;
}

/* How many cycles begin at or before a moment, or end before it. */
static size_t
cycles_until(const struct cycles *cycles, int64_t time_ns, bool is_end)
{
	size_t low = 0, high = cycles->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct span *span = &cycles->items[middle].span;
		if (is_end ? span->end_ns < time_ns : span->start_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What of a range lies within a mark phase that it touches; of a stop all. */
static void
add_to_cycle(struct cycle *cycle, const struct range *range, int64_t end_ns)
{
	int64_t start_ns = range->start_ns;
	if (range->type == RANGE_STW) {
		cycle->stops_ns = saturating_add_i64(cycle->stops_ns, end_ns - start_ns);
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
add_range(struct cycles *cycles, const struct range *range, int64_t end_ns)
{
	size_t first = cycles_until(cycles, range->start_ns, true);
	size_t until = cycles_until(cycles, end_ns, false);
	if (first >= until)
		return;
	add_to_cycle(&cycles->items[first], range, end_ns);
	if (until - first == 1)
		return;
	add_to_cycle(&cycles->items[until - 1], range, end_ns);
	if (range->type == RANGE_MARK_ASSIST) {
		cycles->items[first + 1].around++;
		cycles->items[until - 1].around--;
	}
}

static void
add_ranges(struct cycles *cycles, const struct trace *trace)
{
	int64_t around = 0;
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		if (range->type == RANGE_STW || range->type == RANGE_MARK_ASSIST)
			add_range(cycles, range, trace_range_end_ns(trace, range));
	}
	for (size_t i = 0; i < cycles->count; i++) {
		struct cycle *cycle = &cycles->items[i];
		int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
		around += cycle->around;
		bool fits = around == 0 || length_ns <= INT64_MAX / around;
		cycle->assists_ns = saturating_add_i64(
			cycle->assists_ns, fits ? around * length_ns : INT64_MAX);
		cycle->assists += (uint32_t)around;
	}
}

static void
put_counter(struct grid *grid, enum counter_type type, int64_t time_ns)
{
	uint64_t value;
	if (counter_at(grid->trace, type, time_ns, &value))
		grid_bytes(grid, value);
	else
		grid_none(grid);
}

/* The part of all procs that the collector's workers had. */
static void
put_worker_share(struct grid *grid, const struct cycle *cycle)
{
	int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
	uint64_t procs;
	if (length_ns > 0 &&
		counter_at(grid->trace, COUNTER_GOMAXPROCS, cycle->span.end_ns, &procs) && procs > 0)
		grid_share(grid, (double)cycle->workers_ns / (double)length_ns / (double)procs);
	else
		grid_none(grid);
}

static void
print_cycle(struct grid *grid, const struct cycle *cycle)
{
	const struct span *span = &cycle->span;
	goroutine_ref beginner = span->range == REF_NONE
					 ? REF_NONE
					 : trace_range(grid->trace, span->range)->goroutine;
	grid_count(grid, (uint64_t)span->ordinal + 1);
	grid_moment(grid, span->start_ns);
	grid_duration(grid, span->end_ns - span->start_ns);
	grid_duration(grid, cycle->stops_ns);
	grid_duration(grid, cycle->workers_ns);
	put_worker_share(grid, cycle);
	grid_duration(grid, cycle->assists_ns);
	grid_count(grid, cycle->assists);
	put_counter(grid, COUNTER_HEAP_ALLOC, span->start_ns);
	put_counter(grid, COUNTER_HEAP_GOAL, span->start_ns);
	put_counter(grid, COUNTER_HEAP_ALLOC, span->end_ns);
	grid_goroutine(grid, beginner);
}

static const struct grid_column cycle_columns[] = {
	{ { .title = "", .is_right = true }, "cycle" },
	{ { .title = "from", .is_right = true }, "start_ns" },
	{ { .title = "mark", .is_right = true }, "mark_ns" },
	{ { .title = "stopped", .is_right = true }, "stw_ns" },
	{ { .title = "workers", .is_right = true, .rank = 2 }, "workers_ns" },
	{ { .title = "procs", .is_right = true, .rank = 3 }, "workers_share" },
	{ { .title = "assists", .is_right = true }, "assists_ns" },
	{ { .title = "count", .is_right = true, .rank = 5 }, "assist_count" },
	{ { .title = "heap", .is_right = true, .rank = 1 }, "heap_start_bytes" },
	{ { .title = "goal", .is_right = true, .rank = 4 }, "heap_goal_bytes" },
	{ { .title = "at end", .is_right = true, .rank = 1 }, "heap_end_bytes" },
	{ { .title = "begun by", .is_name = true, .least_cells = 10, .rank = 6 }, "goroutine" },
};

/* A report of one table begins. */
static bool
begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
	const char *heading, struct text *out, struct error *err)
{
	if (!grid_begin(grid, trace, options, out, err))
		return false;
	grid_heading(grid, heading);
	grid_usual_facts(grid);
	return true;
}

bool
report_gc(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct cycles cycles = { 0 };
	struct grid grid;
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	bool is_fine = find_cycles(&cycles, trace, t0_ns, t1_ns, err) &&
		       begin(&grid, trace, options, "Collections", out, err);
	if (is_fine) {
		add_ranges(&cycles, trace);
		grid_table(&grid, "gc", "Mark phases", cycle_columns,
			(int)ARRAY_LENGTH(cycle_columns));
		for (size_t i = 0; i < cycles.count; i++)
			print_cycle(&grid, &cycles.items[i]);
		grid_table_end(&grid, "none");
		is_fine = grid_end(&grid);
	}
	memory_free(cycles.items);
	return is_fine;
}

/* ---- stops of the world */

struct stop {
	range_ref range;
	int64_t duration_ns;
};

struct stops {
	struct stop *items;
	size_t count, capacity;
};

static bool
find_stops(struct stops *stops, const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	struct error *err)
{
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (range->type != RANGE_STW || range->start_ns >= t1_ns || end_ns < t0_ns)
			continue;
		if (!array_reserve(&stops->items, &stops->capacity, stops->count + 1,
			    sizeof *stops->items, err))
			return false;
		stops->items[stops->count++] = (struct stop){ ref, end_ns - range->start_ns };
	}
	return true;
}

static int
compare_stops(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;
	if (x->duration_ns != y->duration_ns)
		return x->duration_ns > y->duration_ns ? -1 : 1;
	return (x->range > y->range) - (x->range < y->range);
}

static void
print_stop(struct grid *grid, const struct stop *stop)
{
	const struct range *range = trace_range(grid->trace, stop->range);
	grid_moment(grid, range->start_ns);
	grid_duration(grid, stop->duration_ns);
	grid_string(grid, range->name);
	grid_goroutine(grid, range->goroutine);
	grid_frame(grid, range->start_stack);
}

static const struct grid_column stop_columns[] = {
	{ { .title = "from", .is_right = true }, "start_ns" },
	{ { .title = "for", .is_right = true }, "duration_ns" },
	{ { .title = "why" }, "reason" },
	{ { .title = "by", .is_name = true, .least_cells = 10 }, "goroutine" },
	{ { .title = "where", .is_name = true, .least_cells = 12, .rank = 1 }, "function" },
	{ { .title = "", .rank = 2 }, "place" },
};

bool
report_stw(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct stops stops = { 0 };
	struct grid grid;
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	bool is_fine = find_stops(&stops, trace, t0_ns, t1_ns, err) &&
		       begin(&grid, trace, options, "Stops of the world", out, err);
	if (is_fine) {
		if (stops.count > 0)
			qsort(stops.items, stops.count, sizeof *stops.items, compare_stops);
		grid_table(&grid, "stw", "The longest first", stop_columns,
			(int)ARRAY_LENGTH(stop_columns));
		for (size_t i = 0; i < stops.count; i++)
			print_stop(&grid, &stops.items[i]);
		grid_table_end(&grid, "none");
		is_fine = grid_end(&grid);
	}
	memory_free(stops.items);
	return is_fine;
}

/* ---- utilisation */

static const struct grid_column part_columns[] = {
	{ { .title = "from", .is_right = true }, "start_ns" },
	{ { .title = "for", .is_right = true }, "duration_ns" },
	{ { .title = "procs", .is_right = true }, "procs" },
	{ { .title = "busy", .is_right = true }, "running" },
	{ { .title = "" }, NULL },
	{ { .title = "collector", .is_right = true }, "gc_workers" },
	{ { .title = "ready", .is_right = true }, "ready" },
	{ { .title = "syscalls", .is_right = true }, "syscalls" },
};

/* How many there were on the average; procs are those that GOMAXPROCS allows at the end. */
static void
print_part(struct grid *grid, int64_t start_ns, int64_t end_ns, const int64_t *totals_ns)
{
	double length_ns = end_ns > start_ns ? (double)(end_ns - start_ns) : 1;
	double workers = (double)totals_ns[CLASS_GC_WORKER] / length_ns;
	double running = (double)totals_ns[CLASS_RUNNING] / length_ns + workers;
	uint64_t procs;
	bool has_procs = counter_at(grid->trace, COUNTER_GOMAXPROCS, end_ns, &procs) && procs > 0;
	grid_moment(grid, start_ns);
	grid_duration(grid, end_ns - start_ns);
	if (has_procs)
		grid_count(grid, procs);
	else
		grid_none(grid);
	grid_number(grid, running, 2);
	grid_bar(grid, has_procs ? running / (double)procs : 0, STYLE_RUNNING);
	grid_number(grid, workers, 2);
	grid_number(grid, (double)totals_ns[CLASS_READY] / length_ns, 2);
	grid_number(grid, (double)totals_ns[CLASS_SYSCALL] / length_ns, 2);
}

bool
report_utilisation(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	uint64_t limit = options->limit;
	int parts = limit == 0 ? PARTS : limit > PARTS_MOST ? PARTS_MOST : (int)limit;
	int64_t(*totals_ns)[CLASS_COUNT] = array_new((size_t)parts, sizeof *totals_ns, err);
	struct grid grid;
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	bool is_fine = totals_ns != NULL &&
		       begin(&grid, trace, options, "Utilisation of the procs", out, err);
	if (is_fine) {
		lane_cells(trace, all_lane, t0_ns, t1_ns, parts, totals_ns);
		grid_table(&grid, "utilisation", "How many on the average", part_columns,
			(int)ARRAY_LENGTH(part_columns));
		for (int i = 0; i < parts; i++)
			print_part(&grid, lane_edge(t0_ns, t1_ns, parts, i),
				lane_edge(t0_ns, t1_ns, parts, i + 1), totals_ns[i]);
		grid_table_end(&grid, "none");
		is_fine = grid_end(&grid);
	}
	memory_free(totals_ns);
	return is_fine;
}
