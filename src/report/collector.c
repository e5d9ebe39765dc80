/* Collections, stops and averages, each a table. */
#include "report/collector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/class_times.h"
#include "analysis/cycles.h"
#include "analysis/mutator.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/search.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { PARTS = 50, PARTS_MOST = 100000, WHOLE = 1000000000 };

static const struct lane all_lane = { LANE_ALL, 0 };

/* ---- collections */

static void
put_counter(struct grid *grid, enum counter_type type, int64_t time_ns)
{
	uint64_t value;
	if (counter_at(grid->trace, type, time_ns, &value))
		grid_bytes(grid, value);
	else
		grid_none(grid);
}

static void
put_duration(struct grid *grid, int64_t duration_ns)
{
	if (duration_ns >= 0)
		grid_duration(grid, duration_ns);
	else
		grid_none(grid);
}

static void
put_share(struct grid *grid, double share)
{
	if (share >= 0)
		grid_share(grid, share);
	else
		grid_none(grid);
}

static void
print_cycle(struct grid *grid, const struct gc_cycle *cycle)
{
	const struct span *span = &cycle->span;
	const char *trigger = gc_trigger_name(cycle->trigger), *cut = gc_cut_words(cycle->cut);
	uint64_t after;
	grid_count(grid, (uint64_t)span->ordinal + 1);
	grid_moment(grid, span->start_ns);
	grid_duration(grid, span->end_ns - span->start_ns);
	grid_duration(grid, cycle->stops_ns);
	put_duration(grid, cycle->sweep_term_ns);
	put_duration(grid, cycle->mark_term_ns);
	grid_duration(grid, cycle->workers_ns);
	put_share(grid, gc_cycle_share(cycle, grid->trace));
	grid_duration(grid, cycle->assists_ns);
	put_share(grid, cycle->assist_share);
	grid_count(grid, cycle->assists);
	put_duration(grid, cycle->sweeps_ns);
	put_counter(grid, COUNTER_HEAP_ALLOC, span->start_ns);
	put_counter(grid, COUNTER_HEAP_GOAL, span->start_ns);
	if (gc_cycle_heap_after(cycle, grid->trace, &after))
		grid_bytes(grid, after);
	else
		grid_none(grid);
	if (cycle->trigger != GC_TRIGGER_UNKNOWN)
		grid_text(grid, trigger, strlen(trigger));
	else
		grid_none(grid);
	grid_actor(grid, gc_cycle_beginner(cycle, grid->trace));
	if (cycle->cut != 0)
		grid_text(grid, cut, strlen(cut));
	else
		grid_none(grid);
}

static const struct grid_column cycle_columns[] = {
	{ { .title = "", .is_right = true }, "cycle" },
	{ { .title = "from", .is_right = true }, "start_ns" },
	{ { .title = "mark", .is_right = true }, "mark_ns" },
	{ { .title = "stopped", .is_right = true }, "stw_ns" },
	{ { .title = "at begin", .is_right = true, .rank = 9 }, "sweep_term_ns" },
	{ { .title = "at end", .is_right = true, .rank = 10 }, "mark_term_ns" },
	{ { .title = "workers", .is_right = true, .rank = 6 }, "workers_ns" },
	{ { .title = "background", .is_right = true, .rank = 2 }, "workers_share" },
	{ { .title = "assists", .is_right = true }, "assists_ns" },
	{ { .title = "assisting", .is_right = true, .rank = 3 }, "assists_share" },
	{ { .title = "count", .is_right = true, .rank = 8 }, "assist_count" },
	{ { .title = "sweeps", .is_right = true, .rank = 7 }, "sweeps_ns" },
	{ { .title = "heap", .is_right = true, .rank = 1 }, "heap_start_bytes" },
	{ { .title = "goal", .is_right = true, .rank = 5 }, "heap_goal_bytes" },
	{ { .title = "after", .is_right = true, .rank = 1 }, "heap_end_bytes" },
	{ { .title = "for", .rank = 4 }, "trigger" },
	{ { .title = "begun by", .is_name = true, .least_cells = 10, .rank = 6 }, "goroutine" },
	{ { .title = "" }, "cut" },
};

/* A report of one table begins. */
static bool
begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
	const char *heading, struct text *out, struct error *err)
{
	if (!grid_begin(grid, trace, options, out, err))
		return false;
	text_add_words(&grid->line, trace->words, heading);
	grid_heading(grid, text_string(&grid->line));
	grid_usual_facts(grid);
	return true;
}

/*
 * What the collector had of all processors by these parts, in parts of WHOLE; -1 where nobody
 * knows.
 */
static bool
find_cost(const struct grid *grid, unsigned parts, int64_t *cost, struct error *err)
{
	struct mutator mutator;
	struct mutator_scope scope = { .parts = parts };
	words_interval(grid->options, grid->trace, &scope.from_ns, &scope.until_ns);
	bool is_fine = mutator_build(&mutator, grid->trace, &scope, err);
	*cost = -1;
	if (is_fine && mutator.count > 0)
		*cost = llround(
			(1 - mutator_mean(&mutator, scope.from_ns, scope.until_ns)) * WHOLE);
	mutator_release(&mutator);
	return is_fine;
}

/* "8.9% of all procs: stops 3.8%, ...": each part is what it adds to those before it. */
static bool
print_cost(struct grid *grid, struct error *err)
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
	struct text words = { 0 };
	char share[UNITS_TEXT];
	unsigned taken = 0;
	int64_t cost = 0;
	bool is_fine = true;
	for (size_t i = 0; i < ARRAY_LENGTH(parts) && is_fine && cost >= 0; i++) {
		int64_t before = cost;
		taken |= parts[i].part;
		is_fine = find_cost(grid, taken, &cost, err);
		units_share(share, cost - before, WHOLE);
		text_format(&words, "%s %s %s", i == 0 ? ":" : ",", parts[i].word, share);
	}
	if (is_fine && cost > 0 && !words.failed) {
		units_share(share, cost, WHOLE);
		page_fact(&grid->page, "cost", &grid->line);
		text_format_words(&grid->line, grid->trace->words, "%s of all {processors}%s",
			share, words.bytes);
		page_fact_end(&grid->page, STYLE_DEFAULT, &grid->line);
	}
	text_release(&words);
	return is_fine;
}

bool
report_gc(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct gc_cycles cycles;
	struct grid grid;
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	if (!gc_cycles_build(&cycles, trace, t0_ns, t1_ns, NULL, err))
		return false;
	gc_cycles_leave(&cycles, trace, options->only);
	bool is_fine = begin(&grid, trace, options, "Collections", out, err);
	if (is_fine) {
		bool tells_cost = grid_is_text(&grid) && options->only == NULL;
		is_fine = !tells_cost || print_cost(&grid, err);
		grid_table(&grid, "gc", "Mark phases", cycle_columns,
			(int)ARRAY_LENGTH(cycle_columns));
		for (size_t i = 0; i < cycles.count; i++)
			print_cycle(&grid, &cycles.items[i]);
		grid_table_end(&grid, "none");
		is_fine = grid_end(&grid) && is_fine;
	}
	gc_cycles_release(&cycles);
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
find_stops(struct stops *stops, const struct trace *trace, const struct report_options *options,
	struct error *err)
{
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		const struct range *range = trace_range(trace, ref);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (range->type != RANGE_STW || range->start_ns >= t1_ns || end_ns < t0_ns ||
			!search_asks_for(options->only, range_actor(range), range->start_ns, end_ns))
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
	grid_actor(grid, range_actor(range));
	grid_stack(grid, range->start_stack, range_actor(range));
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
	bool is_fine = find_stops(&stops, trace, options, err) &&
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
	{ { .title = "{processors}", .is_right = true }, "procs" },
	{ { .title = "busy", .is_right = true }, "running" },
	{ { .title = "" }, NULL },
	{ { .title = "collector", .is_right = true }, "gc_workers" },
	{ { .title = "ready", .is_right = true }, "ready" },
	{ { .title = "syscalls", .is_right = true }, "syscalls" },
};

/* How many there were on the average; processors are those that GOMAXPROCS allows at the end. */
static void
print_part(struct grid *grid, int64_t start_ns, int64_t end_ns, const int64_t *totals_ns)
{
	double length_ns = end_ns > start_ns ? (double)(end_ns - start_ns) : 1;
	double workers = (double)totals_ns[CLASS_GC_WORKER] / length_ns;
	double running = (double)totals_ns[CLASS_RUNNING] / length_ns + workers;
	uint64_t processors;
	bool has_processors =
		counter_at(grid->trace, COUNTER_GOMAXPROCS, end_ns, &processors) && processors > 0;
	grid_moment(grid, start_ns);
	grid_duration(grid, end_ns - start_ns);
	if (has_processors)
		grid_count(grid, processors);
	else
		grid_none(grid);
	grid_number(grid, running, 2);
	grid_bar(grid, has_processors ? running / (double)processors : 0);
	grid_number(grid, workers, 2);
	grid_number(grid, (double)totals_ns[CLASS_READY] / length_ns, 2);
	grid_number(grid, (double)totals_ns[CLASS_SYSCALL] / length_ns, 2);
}

/* How long actors were in each class, part by part; with a query, in states that match. */
static bool
add_up_parts(const struct trace *trace, const struct report_options *options, int parts,
	int64_t (*totals_ns)[CLASS_COUNT], struct error *err)
{
	struct class_times_scope scope = { .mask = CLASS_BIT(CLASS_RUNNING) |
						   CLASS_BIT(CLASS_GC_WORKER) |
						   CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL),
		.only = options->only };
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	if (options->only == NULL) {
		lane_cells(trace, all_lane, scope.t0_ns, scope.t1_ns, parts, totals_ns);
		return true;
	}
	return class_times_fill(trace, &scope, parts, totals_ns, err);
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
	bool is_fine = totals_ns != NULL && add_up_parts(trace, options, parts, totals_ns, err) &&
		       begin(&grid, trace, options, "Utilisation of the {processors}", out, err);
	if (is_fine) {
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
