/*
 * Actors by start function and regions by name and place, summed up; and those of a function or of a
 * name one by one. Each measure is a column: on the screen those that occur, with the reasons for
 * which actors were blocked; printed always the same ones, and the reasons in a table of their own.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/regions.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/units.h"
#include "result/figures.h"
#include "trace/lane.h"
#include "trace/named.h"
#include "trace/words.h"

/* MAIN_REASON: no measure, but for what an actor was blocked longest, and how long; a text. */
enum { MAIN_REASON = MEASURE_MOST, NO_MEASURE, MOST_NAMES = 5, SPREAD_COLUMNS = 13 };

struct telling {
	struct analysis_work *work;
	struct result_sink *sink;
	bool is_of_regions, is_one_by_one;
	string_id name;             /* of those that are told one by one */
	struct actor_times times;
	int64_t running_ns;         /* of all actors */
	class_mask classes;         /* that such a trace can tell of */
	struct result_table table;  /* the first one, its columns, and which measure each of them is */
	struct result_column columns[MOST_NAMES + MEASURE_MOST + 3];
	uint32_t measures[MOST_NAMES + MEASURE_MOST + 3];
	int column_count;
	struct text line;           /* being made */
};

const char *const measure_layer_names[MEASURE_LAYERS] = {
	"total", "mean", "p50", "p90", "p99", "longest"
};

void
measure_layers(const struct spread *spread, int64_t values_ns[MEASURE_LAYERS])
{
	const int64_t values[MEASURE_LAYERS] = { spread->total_ns, spread->mean_ns, spread->p50_ns,
		spread->p90_ns, spread->p99_ns, spread->max_ns };
	memcpy(values_ns, values, sizeof values);
}

static const char *
reason_of(const struct telling *telling, uint32_t measure, size_t *length)
{
	static const char none[] = MEASURE_NO_REASON;
	string_id reason = telling->times.reasons[measure - MEASURE_REASONS];
	if (reason != STRING_EMPTY)
		return trace_text(telling->work->trace, reason, length);
	*length = sizeof none - 1;
	return none;
}

/* Whether such a trace can tell of it: of others nobody is to read. */
static bool
is_told(const struct telling *telling, uint32_t measure)
{
	switch (measure) {
	case MEASURE_LIFE:
	case MEASURE_RUNNING:
	case MEASURE_UNKNOWN:
		return true;
	case MEASURE_READY:
		return (telling->classes & CLASS_BIT(CLASS_READY)) != 0;
	case MEASURE_SYSCALL:
		return (telling->classes & CLASS_BIT(CLASS_SYSCALL)) != 0;
	case MEASURE_ASSISTING:
	case MEASURE_ASSIST:
	case MEASURE_SWEEP:
		return (telling->classes & CLASS_BIT(CLASS_WORKER)) != 0;
	default:
		return (telling->classes & CLASS_MASK_BLOCKED) != 0;
	}
}

/* The line as a cell. */
static bool
line_cell(struct telling *telling, int64_t *cell, struct error *err)
{
	if (telling->line.failed)
		return error_set_memory(err, "the analysis");
	return result_text(telling->sink, text_string(&telling->line), telling->line.length, cell, err);
}

/* ---- columns of the first table */

/* What a row is about. Ids of actors mean nothing in another trace. */
static const struct result_column function_names[] = {
	DIMENSION("function", "{function}", FIGURE_FUNCTION, .least_cells = 12),
	MEASURE("count", "count", FIGURE_COUNT),
};
static const struct result_column place_names[] = {
	DIMENSION("region", "region", FIGURE_STRING, .least_cells = 8),
	DIMENSION("function", "in", FIGURE_FRAME, .is_printed_only = true, .least_cells = 12, .rank = 2,
		.place_rank = 6),
	MEASURE("count", "count", FIGURE_COUNT),
	DIMENSION(NULL, NULL, FIGURE_CALLED, .on_screen = "in"),
};
static const struct result_column actor_names[] = {
	MEASURE("{id}", "", FIGURE_ACTOR, .on_screen = "{actor}", .is_id = true),
	MEASURE("start_ns", "from", FIGURE_MOMENT, .is_printed_only = true, .rank = 1),
};
static const struct result_column region_names[] = {
	DIMENSION("{id}", "on", FIGURE_ACTOR, .on_screen = "{actor}", .least_cells = 10),
	MEASURE("task", "task", FIGURE_TASK, .is_printed_only = true),
	DIMENSION("function", NULL, FIGURE_FRAME, .is_printed_only = true),
	MEASURE("start_ns", "from", FIGURE_MOMENT),
};

/* Behind them; the reasons stand before the collector's. */
static const struct {
	uint32_t measure;
	struct result_column column;
} columns[] = {
	{ MEASURE_LIFE, MEASURE("life_ns", "life", FIGURE_DURATION) },
	{ MEASURE_RUNNING, MEASURE("running_ns", "running", FIGURE_DURATION, .hue = HUE_RUNNING) },
	{ MEASURE_ASSISTING,
		MEASURE("assisting_ns", "assisting", FIGURE_DURATION, .rank = 2, .hue = HUE_COLLECTOR) },
	{ MEASURE_READY, MEASURE("ready_ns", "ready", FIGURE_DURATION, .hue = HUE_READY) },
	{ MEASURE_SYSCALL, MEASURE("syscall_ns", "syscall", FIGURE_DURATION, .hue = HUE_SYSCALL) },
	{ MEASURE_BLOCKED, MEASURE("blocked_ns", "blocked", FIGURE_DURATION, .hue = HUE_SYNC) },
	{ MAIN_REASON, MEASURE(NULL, "most of it", FIGURE_TEXT, .is_printed_only = true, .rank = 2) },
	{ MEASURE_UNKNOWN,
		MEASURE("unknown_ns", "unknown", FIGURE_DURATION, .is_printed_only = true, .rank = 5) },
	{ MEASURE_ASSIST, MEASURE("assist_ns", "GC assist", FIGURE_DURATION, .on_screen = "assist",
				  .rank = 3, .hue = HUE_COLLECTOR) },
	{ MEASURE_SWEEP, MEASURE("sweep_ns", "sweep", FIGURE_DURATION, .rank = 4, .hue = HUE_COLLECTOR) },
	{ MEASURE_UNKNOWN, MEASURE(NULL, NULL, FIGURE_DURATION, .on_screen = "unknown", .hue = HUE_UNKNOWN) },
};

static struct result_column *
add_column(struct telling *telling, const struct result_column *column, uint32_t measure)
{
	struct result_column *added = &telling->columns[telling->column_count];
	*added = *column;
	telling->measures[telling->column_count++] = measure;
	return added;
}

/* The one that took longest first. */
static bool
add_reasons(struct telling *telling, int64_t *sums_ns, struct error *err)
{
	for (;;) {
		struct result_column column = MEASURE(NULL, NULL, FIGURE_DURATION, .on_screen = "no reason");
		uint32_t most = NO_MEASURE;
		char title[FIGURES_TITLE];
		size_t length;
		int64_t cell;
		for (uint32_t i = 0; i < telling->times.reason_count; i++) {
			uint32_t measure = MEASURE_REASONS + i;
			if (sums_ns[measure] > 0 && (most == NO_MEASURE || sums_ns[measure] > sums_ns[most]))
				most = measure;
		}
		if (most == NO_MEASURE)
			return true;
		sums_ns[most] = 0;
		if (telling->times.reasons[most - MEASURE_REASONS] != STRING_EMPTY) {
			const char *reason = reason_of(telling, most, &length);
			text_excerpt(title, sizeof title, reason, length);
			if (!result_text(telling->sink, title, strlen(title), &cell, err))
				return false;
			column.on_screen = intern_text(&telling->sink->texts, (string_id)cell, NULL);
		}
		add_column(telling, &column, most);
	}
}

/* On the screen are those that occur; the life, and what everyone looks for, in any case. */
static bool
add_measures(struct telling *telling, struct error *err)
{
	const struct actor_times *times = &telling->times;
	int64_t sums_ns[MEASURE_MOST + 1] = { 0 };
	for (size_t i = 0; i < times->time_count; i++) {
		int64_t *sum_ns = &sums_ns[times->times[i].measure];
		*sum_ns = saturating_add_i64(*sum_ns, times->times[i].ns);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
		uint32_t measure = columns[i].measure;
		if (measure == MEASURE_ASSIST && telling->sink->is_screen && !add_reasons(telling, sums_ns, err))
			return false;
		if (!is_told(telling, measure) || (measure == MAIN_REASON && !telling->is_one_by_one))
			continue;
		struct result_column *column = add_column(telling, &columns[i].column, measure);
		bool occurs = sums_ns[measure] > 0;
		column->is_printed_only |= !occurs && measure > MEASURE_READY;
		if (measure == MEASURE_ASSISTING && !occurs)
			column->title = NULL;
		if (measure == MEASURE_LIFE && telling->is_of_regions) {
			column->key = "duration_ns";
			column->title = "took";
			column->on_screen = "time";
		}
		if (measure == MEASURE_LIFE && !telling->is_one_by_one)
			column->rank = 1;
	}
	return true;
}

static bool
begin_first(struct telling *telling, const struct result_table *like, const struct result_column *names,
	int count, struct error *err)
{
	struct result_table *table = &telling->table;
	for (int i = 0; i < count; i++)
		add_column(telling, &names[i], NO_MEASURE);
	if (!add_measures(telling, err))
		return false;
	*table = *like;
	table->none = "none";
	/* Of actors, which live long, what ran most; else what took longest. */
	table->usual_column = count + (!telling->is_of_regions && !telling->is_one_by_one);
	table->columns = telling->columns;
	table->column_count = telling->column_count;
	return telling->sink->begin(telling->sink, table, err);
}

/* ---- summed up */

static bool
begin_functions(struct telling *telling, struct error *err)
{
	const struct words *words = telling->work->trace->words;
	static const struct result_table functions = { .name = "functions", .title = "In all",
		.none_on_screen = "no {actor} lived then",
		.opens = "function",
		.layers = measure_layer_names, .layer_count = MEASURE_LAYERS };
	const struct result_table regions = { .name = "regions", .title = "In all",
		.none_on_screen = words->no_regions != NULL ? words->no_regions : "no regions",
		.opens = "region",
		.layers = measure_layer_names, .layer_count = MEASURE_LAYERS };
	return telling->is_of_regions
		       ? begin_first(telling, &regions, place_names, ARRAY_LENGTH(place_names), err)
		       : begin_first(telling, &functions, function_names, ARRAY_LENGTH(function_names), err);
}

static bool
add_function(struct telling *telling, const struct actor_function *function, struct error *err)
{
	const struct stack_table *stacks = &telling->work->trace->stacks;
	int64_t cells[MEASURE_LAYERS * ARRAY_LENGTH(telling->columns)];
	int names = 0, count = telling->column_count;
	struct actor_spreads all;
	if (!actors_spread(&telling->times, function, &all, err))
		return false;
	cells[names++] = function->name;
	if (telling->is_of_regions)
		cells[names++] = function->stack;
	cells[names++] = function->count;
	if (telling->is_of_regions)
		cells[names++] = function->stack != STACK_NONE ? stack_leaf(stacks, function->stack)->function
							       : STRING_EMPTY;
	for (int layer = 1; layer < MEASURE_LAYERS; layer++)
		memcpy(&cells[layer * count], cells, (size_t)names * sizeof *cells);
	for (int i = names; i < count; i++) {
		int64_t values_ns[MEASURE_LAYERS];
		measure_layers(&all.spreads[telling->measures[i]], values_ns);
		for (int layer = 0; layer < MEASURE_LAYERS; layer++)
			cells[layer * count + i] = values_ns[layer];
	}
	return telling->sink->row(telling->sink, cells, NULL, err);
}

/* "main.worker: 12 goroutines, 30% of all time running". */
static bool
add_title(const struct telling *telling, const struct actor_function *function, struct text *line,
	struct error *err)
{
	const struct trace *trace = telling->work->trace;
	bool ascii = telling->sink->ascii;
	char count[UNITS_TEXT], share[UNITS_TEXT];
	size_t length;
	const char *name = trace_text(trace, function->name, &length);
	units_count(count, function->count);
	units_share(share, function->running_ns, telling->running_ns);
	text_add_safe(line, name, length, ascii);
	if (function->name == STRING_EMPTY)
		text_add_string(line, telling->is_of_regions ? "(no name)" : NAME_START_UNKNOWN);
	if (telling->is_of_regions && function->stack != STACK_NONE) {
		const struct stack_frame *place = stack_leaf(&trace->stacks, function->stack);
		name = trace_text(trace, place->function, &length);
		text_add_string(line, ", ");
		text_add_safe(line, name, length, ascii);
		text_add_string(line, " ");
		text_add_place(line, trace, place, ascii);
	}
	text_format(line, ": %s ", count);
	text_add_words(line, trace->words,
		telling->is_of_regions ? function->count == 1 ? "region" : "regions"
		: function->count == 1 ? "{actor}"
				       : "{actors}");
	text_format(line, ", %s of all time running", share);
	return !line->failed || error_set_memory(err, "the analysis");
}

static const struct result_column spread_columns[SPREAD_COLUMNS] = {
	DIMENSION("function", NULL, FIGURE_FUNCTION, .least_cells = 12),
	DIMENSION("function", NULL, FIGURE_FRAME), /* of regions */
	MEASURE("count", NULL, FIGURE_COUNT),
	DIMENSION("state", NULL, FIGURE_TEXT),
	DIMENSION("reason", NULL, FIGURE_TEXT),
	MEASURE(NULL, "", FIGURE_TEXT),
	MEASURE("total_ns", "total", FIGURE_DURATION),
	MEASURE("mean_ns", "mean", FIGURE_DURATION),
	MEASURE("p50_ns", "p50", FIGURE_DURATION, .rank = 2),
	MEASURE("p90_ns", "p90", FIGURE_DURATION, .rank = 3),
	MEASURE("p99_ns", "p99", FIGURE_DURATION, .rank = 4),
	MEASURE("max_ns", "max", FIGURE_DURATION),
	MEASURE(NULL, "of", FIGURE_ACTOR, .is_id = true, .rank = 5), /* "max_g" */
};

/* The order in which measures are told: parts right behind what they are parts of. */
static uint32_t
measure_at(const struct telling *telling, uint32_t place)
{
	uint32_t reasons = telling->times.reason_count;
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

static bool
add_spread(struct telling *telling, const struct actor_function *function,
	const struct actor_spreads *all, uint32_t measure, struct error *err)
{
	int64_t cells[SPREAD_COLUMNS];
	bool is_reason = measure >= MEASURE_REASONS;
	const char *state = measure == MEASURE_LIFE && telling->is_of_regions ? "took" : measure_word(measure);
	size_t length = 0, at = 0;
	const char *reason = is_reason ? reason_of(telling, measure, &length) : "";
	cells[at++] = function->name;
	if (telling->is_of_regions)
		cells[at++] = function->stack;
	cells[at++] = function->count;
	text_clear(&telling->line);
	text_add_string(&telling->line, measure == MEASURE_ASSISTING ? "  of which assist"
					: is_reason		     ? "  "
								     : state);
	text_add(&telling->line, reason, length);
	if (!result_text(telling->sink, state, strlen(state), &cells[at++], err) ||
		!result_text(telling->sink, reason, length, &cells[at++], err) ||
		!line_cell(telling, &cells[at++], err))
		return false;
	measure_layers(&all->spreads[measure], &cells[at]);
	cells[at + MEASURE_LAYERS] = telling->times.rows[all->longest[measure]].actor;
	return telling->sink->row(telling->sink, cells, NULL, err);
}

/* What there is none of people do not read. */
static bool
add_spreads(struct telling *telling, const struct actor_function *function, struct error *err)
{
	struct actor_spreads all;
	bool is_fine = actors_spread(&telling->times, function, &all, err);
	for (uint32_t i = 0; is_fine && i < MEASURE_REASONS + telling->times.reason_count; i++) {
		uint32_t measure = measure_at(telling, i);
		bool is_wanted = !telling->sink->wants_parts || all.spreads[measure].total_ns > 0;
		if (is_wanted && is_told(telling, measure))
			is_fine = add_spread(telling, function, &all, measure, err);
	}
	return is_fine;
}

/* Of each measure of the functions that are told. People read of each of them apart; sorted, of all in one. */
static bool
tell_spreads(struct telling *telling, struct error *err)
{
	struct result_sink *sink = telling->sink;
	struct result_column of[SPREAD_COLUMNS];
	struct result_table table = { .name = "spreads", .title = "Each measure", .columns = of, .none = "none" };
	bool is_of_all = sink->awaits_sort || sink->shown == NULL, is_fine = true;
	bool is_parted = sink->wants_parts && !sink->awaits_sort;
	size_t count = is_of_all ? telling->times.function_count : sink->shown_count;
	int64_t key;
	for (int i = 0; i < SPREAD_COLUMNS; i++) {
		if (telling->is_of_regions || spread_columns[i].type != FIGURE_FRAME)
			of[table.column_count++] = spread_columns[i];
	}
	text_clear(&telling->line);
	text_format(&telling->line, "max_%s", words_key(telling->work->trace->words, "{id}"));
	if (!line_cell(telling, &key, err))
		return false;
	of[table.column_count - 1].key = intern_text(&sink->texts, (string_id)key, NULL);
	of[0].title = is_parted ? NULL : "";
	if (telling->is_of_regions)
		of[0].key = "region"; /* which is cut as the name of a function is */
	table.is_as_made = !sink->awaits_sort;
	if (!is_parted && !sink->begin(sink, &table, err))
		return false;
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct actor_function *function =
			&telling->times.functions[is_of_all ? (uint32_t)i : sink->shown[i]];
		struct text title = { 0 };
		if (is_parted) {
			is_fine = add_title(telling, function, &title, err);
			table.title = text_string(&title);
			is_fine = is_fine && sink->begin(sink, &table, err);
		}
		is_fine = is_fine && add_spreads(telling, function, err) && (!is_parted || sink->end(sink, err));
		text_release(&title);
	}
	return is_fine && (is_parted || sink->end(sink, err));
}

static bool
tell_functions(struct telling *telling, struct error *err)
{
	struct result_sink *sink = telling->sink;
	bool is_fine = begin_functions(telling, err);
	for (uint32_t i = 0; is_fine && i < telling->times.function_count; i++)
		is_fine = search_watch_check(&telling->work->watch, 0, err) &&
			  add_function(telling, &telling->times.functions[i], err);
	return is_fine && sink->end(sink, err) && (sink->is_screen || tell_spreads(telling, err));
}

/* ---- one by one */

/* Actors lead to the part of their life that is analysed. */
static struct result_place
place_of(const struct telling *telling, const struct actor_row *row)
{
	const struct trace *trace = telling->work->trace;
	const struct analysis_scope *scope = &telling->work->scope;
	struct result_place place = { .lane = { LANE_ACTOR, row->actor } };
	if (row->region != REF_NONE) {
		const struct range *region = trace_range(trace, row->region);
		place.from_ns = region->start_ns;
		place.until_ns = trace_range_end_ns(trace, region);
		return place;
	}
	const struct actor *actor = trace_actor(trace, row->actor);
	place.from_ns = actor->first_ns > scope->t0_ns ? actor->first_ns : scope->t0_ns;
	place.until_ns = actor->end_ns < scope->t1_ns ? actor->end_ns : scope->t1_ns;
	if (place.until_ns > trace->end_ns)
		place.until_ns = trace->end_ns;
	return place;
}

static int64_t
start_of(const struct telling *telling, const struct actor_row *row)
{
	const struct trace *trace = telling->work->trace;
	return row->region != REF_NONE ? trace_range(trace, row->region)->start_ns
				       : trace_actor(trace, row->actor)->first_ns;
}

/* For what the actor was blocked longest: "chan receive 1.2 ms". */
static bool
main_reason(struct telling *telling, const struct actor_row *row, int64_t *cell, struct error *err)
{
	const struct actor_time *most = NULL;
	char duration[UNITS_TEXT];
	size_t length;
	*cell = FIGURE_NONE;
	for (size_t i = row->first; i < row->first + row->count; i++) {
		const struct actor_time *time = &telling->times.times[i];
		if (time->measure >= MEASURE_REASONS && (most == NULL || time->ns > most->ns))
			most = time;
	}
	if (most == NULL || telling->sink->is_screen)
		return true;
	const char *reason = reason_of(telling, most->measure, &length);
	units_duration(duration, most->ns, telling->sink->ascii);
	text_clear(&telling->line);
	text_add(&telling->line, reason, length);
	text_format(&telling->line, " %s", duration);
	return line_cell(telling, cell, err);
}

static bool
add_row(struct telling *telling, uint32_t index, struct error *err)
{
	const struct actor_row *row = &telling->times.rows[index];
	const struct result_place place = place_of(telling, row);
	int64_t cells[ARRAY_LENGTH(telling->columns)];
	int at = 0;
	cells[at++] = row->actor;
	if (row->region != REF_NONE) {
		const struct range *region = trace_range(telling->work->trace, row->region);
		cells[at++] = region->task;
		cells[at++] = region->start_stack;
	}
	cells[at++] = start_of(telling, row);
	for (; at < telling->column_count; at++) {
		if (telling->measures[at] != MAIN_REASON)
			cells[at] = actors_time(&telling->times, index, telling->measures[at]);
		else if (!main_reason(telling, row, &cells[at], err))
			return false;
	}
	return telling->sink->row(telling->sink, cells, &place, err);
}

static const struct result_column reason_columns[] = {
	MEASURE("{id}", NULL, FIGURE_ACTOR, .is_id = true),
	MEASURE("start_ns", NULL, FIGURE_MOMENT),
	DIMENSION("reason", NULL, FIGURE_TEXT),
	MEASURE("blocked_ns", NULL, FIGURE_DURATION),
};

/* For programs: for what and how long each of those was blocked that are told. */
static bool
tell_reasons(struct telling *telling, struct error *err)
{
	struct result_sink *sink = telling->sink;
	const struct result_table table = { .name = "blocked", .title = "", .columns = reason_columns,
		.column_count = ARRAY_LENGTH(reason_columns), .is_as_made = true, .none = "" };
	size_t count = sink->shown != NULL ? sink->shown_count : telling->times.row_count;
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct actor_row *row =
			&telling->times.rows[sink->shown != NULL ? sink->shown[i] : (uint32_t)i];
		for (size_t n = row->first; is_fine && n < row->first + row->count; n++) {
			const struct actor_time *time = &telling->times.times[n];
			size_t length;
			if (time->measure < MEASURE_REASONS)
				continue;
			const char *reason = reason_of(telling, time->measure, &length);
			int64_t cells[] = { row->actor, start_of(telling, row), 0, time->ns };
			is_fine = result_text(sink, reason, length, &cells[2], err) &&
				  sink->row(sink, cells, NULL, err);
		}
	}
	return is_fine && sink->end(sink, err);
}

static bool
tell_rows(struct telling *telling, struct error *err)
{
	struct result_sink *sink = telling->sink;
	const struct actor_times *times = &telling->times;
	struct actor_function all = { .name = telling->name, .count = times->row_count };
	for (uint32_t i = 0; i < times->function_count; i++)
		all.running_ns = saturating_add_i64(all.running_ns, times->functions[i].running_ns);
	struct text title = { 0 };
	bool is_fine = add_title(telling, &all, &title, err);
	const struct result_table actors = { .name = "{actors}", .title = text_string(&title),
		.none_on_screen = "none of its {actors} lived then" };
	const struct result_table regions = { .name = "regions", .title = text_string(&title),
		.none_on_screen = "there is none then" };
	is_fine = is_fine &&
		  (telling->is_of_regions
				  ? begin_first(telling, &regions, region_names, ARRAY_LENGTH(region_names), err)
				  : begin_first(telling, &actors, actor_names, ARRAY_LENGTH(actor_names), err));
	for (uint32_t i = 0; is_fine && i < times->row_count; i++)
		is_fine = add_row(telling, i, err);
	is_fine = is_fine && sink->end(sink, err);
	text_release(&title);
	return is_fine && (sink->is_screen || sink->wants_parts || !is_told(telling, MEASURE_BLOCKED) ||
			  tell_reasons(telling, err));
}

/* ---- the whole */

static bool
find_name(struct telling *telling, struct error *err)
{
	const struct trace *trace = telling->work->trace;
	const char *wanted = telling->work->parameter;
	uint32_t count = telling->is_of_regions ? trace->ranges.count : trace_actor_count(trace);
	for (uint32_t i = 0; i < count; i++) {
		if (telling->is_of_regions && trace_range(trace, i)->type != RANGE_REGION)
			continue;
		telling->name = telling->is_of_regions ? trace_range(trace, i)->name : trace_actor(trace, i)->name;
		if (trace_text_is(trace, telling->name, wanted))
			return true;
	}
	if (telling->is_of_regions)
		return error_set(err, ERROR_USAGE, "there is no region %s", wanted);
	return error_set_words(err, ERROR_USAGE, trace->words, "no {actor} starts with %s", wanted);
}

struct actors_scope
actors_scope_of(struct analysis_work *work)
{
	const struct trace *trace = work->trace;
	search_watch_expect(&work->watch, trace_state_count(trace) + trace->ranges.count);
	return (struct actors_scope){ .t0_ns = work->scope.t0_ns,
		.t1_ns = work->scope.t1_ns,
		.only = work->only,
		.watch = &work->watch };
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct telling telling = { .work = work,
		.sink = sink,
		.is_of_regions = work->kind == &regions_kind || work->kind == &region_kind,
		.is_one_by_one = work->kind == &function_kind || work->kind == &region_kind };
	struct actors_scope scope = actors_scope_of(work);
	int64_t totals_ns[CLASS_COUNT];
	if (telling.is_one_by_one && !find_name(&telling, err))
		return false;
	if (telling.is_one_by_one && telling.is_of_regions)
		scope.region = &telling.name;
	else if (telling.is_one_by_one)
		scope.function = telling.name;
	scope.is_by_name = telling.is_one_by_one;
	if (!(telling.is_of_regions ? regions_build : actors_build)(&telling.times, work->trace, &scope, err))
		return false;
	lane_totals(work->trace, (struct lane){ LANE_ALL, 0 }, scope.t0_ns, scope.t1_ns, totals_ns);
	telling.running_ns = saturating_add_i64(totals_ns[CLASS_RUNNING], totals_ns[CLASS_WORKER]);
	telling.classes = words_classes(work->trace->words);
	bool is_fine = (telling.is_one_by_one ? tell_rows : tell_functions)(&telling, err);
	actors_release(&telling.times);
	text_release(&telling.line);
	return is_fine;
}

static void *
read_name(const char *text, size_t from, struct error *why)
{
	size_t size = strlen(text + from) + 1;
	char *name = array_new(size, 1, why);
	if (name != NULL)
		memcpy(name, text + from, size);
	return name;
}

/* A start function is known by its name; regions may have none. */
static void *
read_function(const char *text, size_t from, struct error *why)
{
	return text[from] != '\0' ? read_name(text, from, why) : NULL;
}

static bool
finds_function(const struct trace *trace, const void *parameter, struct error *err)
{
	string_id name;
	return named_find(trace, NAMED_FUNCTION, parameter, &name, err);
}

static bool
finds_region(const struct trace *trace, const void *parameter, struct error *err)
{
	string_id name;
	return named_find(trace, NAMED_REGION, parameter, &name, err);
}

const struct analysis_kind goroutines_kind = {
	.name = "goroutines",
	.needs = NEEDS_TIME,
	.help = "by {function}: how long they ran and waited",
	.heading = "All {actors}",
	.title = "All {actors} by {function}",
	.limits = ANALYSIS_BY_QUERY,
	.fill = fill,
};

const struct analysis_kind function_kind = {
	.name = "function",
	.needs = NEEDS_TIME,
	.help = "one by one: how long they ran and waited",
	.heading = "{Actors}",
	.title = "{Actors} of ",
	.limits = ANALYSIS_BY_QUERY,
	.parameters = "NAME",
	.read = read_function,
	.forget = memory_free,
	.finds = finds_function,
	.fill = fill,
};

const struct analysis_kind regions_kind = {
	.name = "regions",
	.needs = NEEDS_WAITS, /* whoever has regions tells of them too */
	.help = "regions by name: what went on in them",
	.heading = "Regions",
	.title = "Regions by name and place",
	.limits = ANALYSIS_BY_QUERY,
	.fill = fill,
};

const struct analysis_kind region_kind = {
	.name = "region",
	.needs = NEEDS_WAITS, /* whoever has regions tells of them too */
	.help = "regions of a name one by one",
	.heading = "Regions",
	.title = "Regions ",
	.limits = ANALYSIS_BY_QUERY,
	.parameters = "NAME",
	.read = read_name,
	.forget = memory_free,
	.finds = finds_region,
	.fill = fill,
};
