/* A table with a row for each function or region, then one of measures for each of them. */
#include "report/actors_internal.h"

#include <string.h>

#include "analysis/regions.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/measure_words.h"
#include "draw/names.h"
#include "report/words.h"
#include "trace/lane.h"
#include "trace/words.h"

/* ---- words */

static const char *
state_of(const struct actors_report *report, uint32_t measure)
{
	bool is_whole = measure == MEASURE_LIFE;
	return is_whole && report->request->is_of_regions ? "took" : measure_word(measure);
}

const char *
actors_reason(const struct actors_report *report, uint32_t measure, size_t *length)
{
	static const char none[] = MEASURE_NO_REASON;
	string_id reason = report->times.reasons[measure - MEASURE_REASONS];
	if (reason != STRING_EMPTY)
		return trace_text(report->trace, reason, length);
	*length = sizeof none - 1;
	return none;
}

/* The order in which measures are told: parts right behind what they are parts of. */
static uint32_t
measure_at(const struct actors_report *report, uint32_t place)
{
	uint32_t reasons = report->times.reason_count;
	if (place == MEASURE_RUNNING + 1)
		return MEASURE_ASSISTING;
	if (place > MEASURE_RUNNING)
		place--;
	if (place <= MEASURE_BLOCKED)
		return place;
	if (place <= MEASURE_BLOCKED + reasons)
		return MEASURE_REASONS + place - MEASURE_BLOCKED - 1;
	return place - reasons;
}

void
actors_columns(const struct actors_report *report, const struct grid_column *all,
	int count, struct grid_column chosen[TABLE_MAX_COLUMNS])
{
	bool has_assists = false;
	for (uint32_t i = 0; i < report->times.function_count; i++)
		has_assists = has_assists || report->times.functions[i].has[MEASURE_ASSISTING];
	for (int i = 0; i < count; i++) {
		chosen[i] = all[i];
		if (!has_assists && all[i].key != NULL && strcmp(all[i].key, "assisting_ns") == 0)
			chosen[i].look.title = NULL;
	}
}

static uint32_t
measure_count(const struct actors_report *report)
{
	return MEASURE_REASONS + report->times.reason_count;
}

static void
add_name(struct actors_report *report, const struct actor_function *function)
{
	struct text *line = &report->line;
	const struct report_options *options = report->grid.options;
	words_string(line, options, report->trace, function->name);
	if (function->name == STRING_EMPTY)
		text_add_string(line, report->request->is_of_regions ? "(no name)" : NAME_START_UNKNOWN);
	if (function->place == NULL)
		return;
	text_add_string(line, ", ");
	words_string(line, options, report->trace, function->place->function);
	text_add_string(line, " ");
	text_add_place(line, report->trace, function->place, options->ascii);
}

const char *
actors_title(struct actors_report *report, const struct actor_function *function)
{
	char count[UNITS_TEXT], share[UNITS_TEXT];
	units_count(count, function->count);
	units_share(share, function->running_ns, report->running_ns);
	text_clear(&report->line);
	add_name(report, function);
	const char *what = report->request->is_of_regions
				   ? function->count == 1 ? "region" : "regions"
			   : function->count == 1 ? "{actor}" : "{actors}";
	text_format(&report->line, ": %s ", count);
	text_add_words(&report->line, report->trace->words, what);
	text_format(&report->line, ", %s of all time running", share);
	return text_string(&report->line);
}

/* ---- totals */

/* The columns of measures, behind those that name things. */
#define TOTALS(life, life_key)                                                                     \
	{ { .title = "count", .is_right = true }, "count" },                                            \
		{ { .title = life, .is_right = true, .rank = 1 }, life_key },                      \
		{ { .title = "running", .is_right = true }, "running_ns" },                        \
		{ { .title = "assisting", .is_right = true, .rank = 2 }, "assisting_ns" },         \
		{ { .title = "ready", .is_right = true }, "ready_ns" },                            \
		{ { .title = "syscall", .is_right = true }, "syscall_ns" },                        \
		{ { .title = "blocked", .is_right = true }, "blocked_ns" },                        \
		{ { .title = "unknown", .is_right = true, .rank = 5 }, "unknown_ns" },             \
		{ { .title = "GC assist", .is_right = true, .rank = 3 }, "assist_ns" },            \
		{ { .title = "sweep", .is_right = true, .rank = 4 }, "sweep_ns" },

static const struct grid_column function_columns[] = {
	{ { .title = "function", .is_name = true, .least_cells = 12 }, "function" },
	TOTALS("life", "life_ns")
};

static const struct grid_column region_columns[] = {
	{ { .title = "region", .least_cells = 8 }, "region" },
	{ { .title = "in", .is_name = true, .least_cells = 12, .rank = 2 }, "function" },
	{ { .title = "", .rank = 6 }, "place" },
	TOTALS("took", "duration_ns")
};

/* Who it is about, as both tables have it. */
static void
put_name(struct actors_report *report, const struct actor_function *function)
{
	grid_string(&report->grid, function->name);
	if (report->request->is_of_regions)
		grid_frame(&report->grid, function->place);
	grid_count(&report->grid, function->count);
}

static void
put_totals(struct actors_report *report, const struct actor_function *function)
{
	int64_t totals_ns[MEASURE_REASONS] = { 0 };
	const struct actor_times *times = &report->times;
	for (uint32_t i = function->first; i < function->first + function->count; i++) {
		const struct actor_row *row = &times->rows[i];
		for (size_t n = row->first; n < row->first + row->count; n++) {
			uint32_t measure = times->times[n].measure;
			if (measure < MEASURE_REASONS)
				totals_ns[measure] = saturating_add_i64(
					totals_ns[measure], times->times[n].ns);
		}
	}
	put_name(report, function);
	for (uint32_t i = MEASURE_LIFE; i <= MEASURE_SWEEP; i++) {
		grid_duration(&report->grid, totals_ns[i]);
		if (i == MEASURE_RUNNING)
			grid_duration(&report->grid, totals_ns[MEASURE_ASSISTING]);
	}
}

static void
print_totals(struct actors_report *report)
{
	bool is_of_regions = report->request->is_of_regions;
	struct grid_column columns[TABLE_MAX_COLUMNS];
	int count = is_of_regions ? (int)ARRAY_LENGTH(region_columns)
				  : (int)ARRAY_LENGTH(function_columns);
	actors_columns(
		report, is_of_regions ? region_columns : function_columns, count, columns);
	grid_table(&report->grid, is_of_regions ? "regions" : "functions", "In all", columns, count);
	for (uint32_t i = 0; i < report->times.function_count; i++)
		put_totals(report, &report->times.functions[i]);
	grid_table_end(&report->grid, "none");
}

/* ---- spreads */

enum { NAME_COLUMNS = 4, SPREAD_COLUMNS = 14 };

/* Who it is about people read only where functions are mixed; else above. */
static const struct grid_column spread_columns[SPREAD_COLUMNS] = {
	{ { .title = "", .is_name = true, .least_cells = 12 }, "function" },
	{ { .title = NULL }, "region_function" },
	{ { .title = NULL }, "place" },
	{ { .title = NULL }, "count" },
	{ { .title = NULL }, "state" },
	{ { .title = NULL }, "reason" },
	{ { .title = "" }, NULL },
	{ { .title = "total", .is_right = true }, "total_ns" },
	{ { .title = "mean", .is_right = true }, "mean_ns" },
	{ { .title = "p50", .is_right = true, .rank = 2 }, "p50_ns" },
	{ { .title = "p90", .is_right = true, .rank = 3 }, "p90_ns" },
	{ { .title = "p99", .is_right = true, .rank = 4 }, "p99_ns" },
	{ { .title = "max", .is_right = true }, "max_ns" },
	{ { .title = "of", .rank = 5 }, "max_g" },
};

/* Those that apply; returns how many. */
static int
choose_columns(const struct actors_report *report, bool is_mixed,
	struct grid_column chosen[SPREAD_COLUMNS])
{
	bool is_of_regions = report->request->is_of_regions;
	int count = 0;
	for (int i = 0; i < SPREAD_COLUMNS; i++) {
		if (!is_of_regions && (i == 1 || i == 2))
			continue;
		chosen[count] = spread_columns[i];
		if (i == 0 && is_of_regions)
			chosen[count].key = "region";
		if (i == 1)
			chosen[count].key = "function";
		if (!is_mixed && i < NAME_COLUMNS)
			chosen[count].look.title = NULL;
		count++;
	}
	return count;
}

static void
put_measure(struct actors_report *report, uint32_t measure)
{
	struct grid *grid = &report->grid;
	bool is_reason = measure >= MEASURE_REASONS;
	const char *state = state_of(report, measure);
	size_t length = 0;
	const char *reason = is_reason ? actors_reason(report, measure, &length) : "";
	grid_text(grid, state, strlen(state));
	grid_text(grid, reason, length);
	text_clear(&report->line);
	text_add_string(&report->line, measure == MEASURE_ASSISTING ? "  of which assist"
				       : is_reason		    ? "  "
								    : state);
	text_add(&report->line, reason, length);
	grid_text(grid, report->line.bytes, report->line.length);
}

static void
put_spread(struct actors_report *report, const struct actor_function *function,
	uint32_t measure)
{
	struct grid *grid = &report->grid;
	struct spread spread = report->spreads.spreads[measure];
	uint32_t longest = report->spreads.longest[measure];
	if (grid_is_text(grid) && spread.total_ns == 0)
		return;
	put_name(report, function);
	put_measure(report, measure);
	grid_duration(grid, spread.total_ns);
	grid_duration(grid, spread.mean_ns);
	grid_duration(grid, spread.p50_ns);
	grid_duration(grid, spread.p90_ns);
	grid_duration(grid, spread.p99_ns);
	grid_duration(grid, spread.max_ns);
	grid_actor_id(grid, report->times.rows[longest].actor);
}

static bool
put_spreads(struct actors_report *report, uint32_t index, struct error *err)
{
	const struct actor_function *function = &report->times.functions[index];
	if (!actors_spread(&report->times, function, &report->spreads, err))
		return false;
	for (uint32_t i = 0; i < measure_count(report); i++)
		put_spread(report, function, measure_at(report, i));
	return true;
}

/* One table, of some functions or of all. */
static bool
print_mixed(struct actors_report *report, const uint32_t *functions, size_t count,
	struct error *err)
{
	bool is_fine = true;
	struct grid_column columns[SPREAD_COLUMNS];
	int column_count = choose_columns(report, true, columns);
	if (functions != NULL)
		grid_as_made(&report->grid);
	grid_table(&report->grid, "spreads", "Each measure", columns, column_count);
	for (size_t i = 0; is_fine && i < count; i++)
		is_fine = put_spreads(
			report, functions != NULL ? functions[i] : (uint32_t)i, err);
	grid_table_end(&report->grid, "none");
	return is_fine;
}

/* For people a table for each function. */
static bool
print_parted(struct actors_report *report, const uint32_t *functions, size_t count,
	struct error *err)
{
	bool is_fine = true;
	struct grid_column columns[SPREAD_COLUMNS];
	int column_count = choose_columns(report, false, columns);
	for (size_t i = 0; is_fine && i < count; i++) {
		const char *title =
			actors_title(report, &report->times.functions[functions[i]]);
		grid_as_made(&report->grid);
		grid_table(&report->grid, "spreads", title, columns, column_count);
		is_fine = put_spreads(report, functions[i], err);
		grid_table_end(&report->grid, "none");
	}
	return is_fine;
}

/* Whether --sort is about single measures. */
static bool
is_sorted_by_measure(struct actors_report *report)
{
	struct grid_column columns[SPREAD_COLUMNS];
	int count = choose_columns(report, true, columns);
	bool is_of_regions = report->request->is_of_regions;
	return grid_sorts_by(&report->grid, columns, count) &&
	       !grid_sorts_by(&report->grid, is_of_regions ? region_columns : function_columns,
		       is_of_regions ? (int)ARRAY_LENGTH(region_columns)
				     : (int)ARRAY_LENGTH(function_columns));
}

static bool
print_spreads(struct actors_report *report, struct error *err)
{
	size_t count;
	if (is_sorted_by_measure(report))
		return print_mixed(report, NULL, report->times.function_count, err);
	uint32_t *functions = grid_take_shown(&report->grid, &count);
	bool is_fine = (grid_is_text(&report->grid) ? print_parted : print_mixed)(
		report, functions, count, err);
	memory_free(functions);
	return is_fine;
}

/* ---- the whole */

/* What the shares are of. */
static void
add_up_running(struct actors_report *report, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(report->trace, (struct lane){ LANE_ALL, 0 }, t0_ns, t1_ns, totals_ns);
	report->running_ns =
		saturating_add_i64(totals_ns[CLASS_RUNNING], totals_ns[CLASS_GC_WORKER]);
}

static bool
print(struct actors_report *report, struct error *err)
{
	const struct actors_request *request = report->request;
	text_clear(&report->line);
	text_add_words(&report->line, report->trace->words,
		request->is_of_regions   ? "Regions"
		: request->is_one_by_one ? "{Actors}"
					 : "All {actors}");
	grid_heading(&report->grid, text_string(&report->line));
	grid_usual_facts(&report->grid);
	if (request->is_one_by_one) {
		actors_print_rows(report);
		return true;
	}
	print_totals(report);
	return print_spreads(report, err);
}

static bool
build(struct actors_report *report, const struct report_options *options, struct error *err)
{
	const struct actors_request *request = report->request;
	struct actors_scope scope = { .only = options->only };
	words_interval(options, report->trace, &scope.t0_ns, &scope.t1_ns);
	add_up_running(report, scope.t0_ns, scope.t1_ns);
	if (request->is_one_by_one && request->is_of_regions)
		scope.region = &request->name;
	else if (request->is_one_by_one)
		scope.function = request->name;
	return (request->is_of_regions ? regions_build : actors_build)(
		&report->times, report->trace, &scope, err);
}

bool
report_actors(const struct trace *trace, const struct actors_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct actors_report report = { .request = request, .trace = trace };
	struct report_options sorted = *options;
	if (sorted.sort == NULL && request->is_of_regions && request->is_one_by_one)
		sorted.sort = "took"; /* not place by place */
	bool is_fine = build(&report, options, err) &&
		       grid_begin(&report.grid, trace, &sorted, out, err);
	if (is_fine) {
		is_fine = print(&report, err);
		is_fine = grid_end(&report.grid) && is_fine;
	}
	if (is_fine && report.line.failed)
		is_fine = error_set_memory(err, "the report");
	actors_release(&report.times);
	text_release(&report.line);
	return is_fine;
}
