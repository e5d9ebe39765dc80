/* Stops and averages, each a table. */
#include "report/collector.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/class_times.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/search.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { PARTS = 50, PARTS_MOST = 100000 };

static const struct lane all_lane = { LANE_ALL, 0 };

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
	{ { .title = "by", .is_name = true, .least_cells = 10 }, "{actor}" },
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
	{ { .title = "{processors}", .is_right = true }, "{processors}" },
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
