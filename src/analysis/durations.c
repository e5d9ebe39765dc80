/* What is asked of the durations of a kind: how they are distributed, which are the longest, and when. */
#include "analysis/latency.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/heat.h"
#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/named.h"
#include "trace/own_code.h"
#include "trace/words.h"

static const struct {
	const char *words; /* what is told, before the name that the kind may have; a pattern */
	enum result_hue hue;
} looks[LATENCY_TYPE_COUNT] = {
	[LATENCY_SCHED] = { "Waits for {an slot}", HUE_READY },
	[LATENCY_STW] = { "Stops of the world", HUE_STOP },
	[LATENCY_GC] = { "Mark phases", HUE_COLLECTION },
	[LATENCY_ASSIST] = { "Mark assists", HUE_COLLECTOR },
	[LATENCY_SWEEP] = { "Sweeps", HUE_COLLECTOR },
	[LATENCY_SYSCALL] = { "System calls", HUE_SYSCALL },
	[LATENCY_BLOCK] = { "Blocked", HUE_SYNC },
	[LATENCY_REGION] = { "Regions", HUE_RUNNING },
	[LATENCY_TASK] = { "{Tasks}", HUE_RUNNING },
	[LATENCY_QUERY] = { "Spans", HUE_RUNNING },
};

static void *
read_kind(const char *text, size_t from, struct error *why)
{
	struct latency_kind *kind = array_new(1, sizeof *kind, why);
	if (kind == NULL || latency_kind_parse(kind, text, from, strlen(text), why))
		return kind;
	memory_free(kind);
	return NULL;
}

static void
forget_kind(void *kind)
{
	latency_kind_release(kind);
	memory_free(kind);
}

static bool
has_reason(const struct trace *trace, const char *reason)
{
	for (uint32_t i = 0; i < trace->kind_count; i++)
		if (trace_text_is(trace, trace->kinds[i].reason, reason))
			return true;
	return words_have_reason(trace->words, reason, strlen(reason));
}

/* That nothing was blocked for a reason that is known is an answer, for any other word it is a slip. */
static bool
check_reason(const char *reason, const struct trace *trace, struct error *err)
{
	return has_reason(trace, reason) ||
	       error_set(err, ERROR_USAGE,
		       "the trace has no reason %s, and none is known by that name", reason);
}

/* What durations are of, as far as it is a name: what has none may be asked for always. */
static bool
finds(const struct trace *trace, const void *parameter, struct error *err)
{
	const struct latency_kind *kind = parameter;
	string_id name;
	if (kind->type == LATENCY_BLOCK && kind->name != NULL)
		return check_reason(kind->name, trace, err);
	if ((kind->type == LATENCY_REGION || kind->type == LATENCY_TASK) && kind->name[0] != '\0')
		return named_find(trace, kind->type == LATENCY_REGION ? NAMED_REGION : NAMED_TASK,
			kind->name, &name, err);
	return true;
}

static void
add_whose(struct text *out, const struct analysis_scope *scope, const struct words *words,
	const struct latency_kind *kind)
{
	const struct latency_scope of = { .actor = scope->actor, .with_runtime = scope->with_runtime };
	latency_kind_add_whose(out, words, kind, &of);
}

/* "block=select, of the program's goroutines" */
static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter,
	struct text *out)
{
	struct text name = { 0 };
	latency_kind_add(&name, parameter);
	text_add_safe(out, name.bytes, name.length, false);
	add_whose(out, scope, words, parameter);
	out->failed = out->failed || name.failed;
	text_release(&name);
}

/* ---- the longest */

/* What can be told of one of them. */
enum fact { OF_WHOM, OF_TASK, HOW_LONG, SINCE_WHEN, WHAT, WHERE, FACTS };

struct listed {
	enum fact fact;
	struct result_column column;
};

/* Of the page and the report of the longest, where a task stands for who did it. */
static const struct listed longest_columns[] = {
	{ OF_WHOM, DIMENSION("{actor}", "{actor}", FIGURE_ACTOR) },
	{ OF_TASK, DIMENSION("{task}", "{task}", FIGURE_TASK) },
	{ HOW_LONG, MEASURE("duration_ns", "for", FIGURE_DURATION) },
	{ SINCE_WHEN, DIMENSION("start_ns", "from", FIGURE_MOMENT) },
	{ WHAT, DIMENSION("reason", "what", FIGURE_STRING) },
	{ WHERE, MEASURE("function", "where", FIGURE_FRAME, .least_cells = 12, .rank = 1) },
};

/* Below percentiles, where two traces have long ones of the same in common. */
static const struct listed latency_columns[] = {
	{ SINCE_WHEN, MEASURE("start_ns", "at", FIGURE_MOMENT) },
	{ HOW_LONG, MEASURE("duration_ns", "for", FIGURE_DURATION) },
	{ OF_WHOM, DIMENSION("{actor}", "of", FIGURE_ACTOR) },
	{ WHERE, DIMENSION("function", "where", FIGURE_FRAME, .least_cells = 12, .rank = 1) },
	{ OF_TASK, MEASURE("task", "task", FIGURE_TASK, .is_left = true) },
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
add_longest(struct result_sink *sink, const struct latency *latency, const enum fact *facts,
	int count, size_t index, struct error *err)
{
	struct latency_span span;
	int64_t cells[FACTS];
	latency_span(latency, index, &span);
	const int64_t known[FACTS] = {
		[OF_WHOM] = span.actor,
		[OF_TASK] = span.task,
		[HOW_LONG] = span.duration_ns,
		[SINCE_WHEN] = span.start_ns,
		[WHERE] = own_code_stack(latency->trace, span.stack, span.actor),
	};
	for (int i = 0; i < count; i++)
		cells[i] = facts[i] == WHAT ? what_of(latency->trace, &span) : known[facts[i]];
	const struct result_place place = { lane_of(latency->type, &span), span.start_ns,
		span.start_ns + span.duration_ns };
	return sink->row(sink, cells, &place, err);
}

/* As many as `most`, of the columns those whose facts are in `told`, a bit for each. */
static bool
put_longest(struct result_sink *sink, const struct latency *latency, const struct listed *listed,
	unsigned told, uint64_t most, struct error *err)
{
	struct result_column columns[FACTS];
	enum fact facts[FACTS];
	int count = 0, usual = 0;
	for (; told != 0; listed++) {
		if ((told >> listed->fact & 1) == 0)
			continue;
		told &= ~(1U << listed->fact);
		usual = listed->fact == HOW_LONG ? count : usual;
		columns[count] = listed->column;
		facts[count++] = listed->fact;
	}
	columns[usual].hue = (uint8_t)looks[latency->type].hue;
	const struct result_table table = {
		.name = "longest",
		.title = "The longest first, at times that --at takes",
		.columns = columns,
		.column_count = count,
		.usual_column = usual,
		.none = "none",
		.none_on_screen = "there is none",
		.is_exact = true,
		.all_count = latency->count,
	};
	size_t found, *longest = latency_longest(latency,
		most < latency->count ? (size_t)most : latency->count, &found, err);
	bool is_fine = longest != NULL && sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < found; i++)
		is_fine = add_longest(sink, latency, facts, count, longest[i], err);
	memory_free(longest);
	return is_fine && sink->end(sink, err);
}

static struct latency_scope
scope_of(const struct analysis_work *work)
{
	return (struct latency_scope){ work->scope.t0_ns, work->scope.t1_ns, work->scope.actor,
		work->only, work->scope.with_runtime };
}

static bool
build(struct latency *latency, struct analysis_work *work, struct error *err)
{
	const struct latency_scope scope = scope_of(work);
	search_watch_expect(&work->watch, latency_work(work->trace, work->parameter));
	return latency_build(latency, work->trace, work->parameter, &scope, &work->watch, err);
}

static bool
fill_longest(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct latency_kind *kind = work->parameter;
	struct latency latency;
	if (!build(&latency, work, err))
		return false;
	/* Only some kinds have one more name for what they are. */
	bool has_what = kind->type == LATENCY_STW || (kind->type == LATENCY_BLOCK && kind->name == NULL);
	unsigned told = 1U << HOW_LONG | 1U << SINCE_WHEN | 1U << WHERE |
			1U << (kind->type == LATENCY_TASK ? OF_TASK : OF_WHOM) |
			(unsigned)has_what << WHAT;
	bool is_some = work->limit > 0 && work->sort == NULL;
	bool is_fine = put_longest(sink, &latency, longest_columns, told,
		is_some ? work->limit : UINT64_MAX, err);
	latency_release(&latency);
	return is_fine;
}

/* "Waits for a P, the longest, of the program's goroutines" */
static void
longest_title_of(const struct analysis_scope *scope, const struct words *words,
	const void *parameter, struct text *out)
{
	const struct latency_kind *kind = parameter;
	text_add_words(out, words, looks[kind->type].words);
	latency_kind_add_name(out, kind);
	text_add_string(out, ", the longest");
	add_whose(out, scope, words, kind);
}

const struct analysis_kind longest_kind = {
	.name = "longest",
	.needs = NEEDS_TIME,
	.help = "spans of a kind one by one, the longest first",
	.parameters = "KIND, such as longest:sched",
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.read = read_kind,
	.forget = forget_kind,
	.finds = finds,
	.title_of = longest_title_of,
	.fill = fill_longest,
};

/* ---- how they are distributed */

static const struct result_column bucket_columns[] = {
	DIMENSION("low_ns", NULL, FIGURE_DURATION),
	DIMENSION("high_ns", NULL, FIGURE_DURATION),
	MEASURE("count", NULL, FIGURE_COUNT),
};

/* People read microseconds, unless half of the durations are too short for that. */
static bool
put_histogram(struct result_sink *sink, const struct latency *latency, struct error *err)
{
	enum { LEAST_US_NS = 10000, US = 1000 };
	bool is_long = sink->chart_columns > 0 && latency_quantile(latency, 1, 2) >= LEAST_US_NS;
	const int64_t unit_ns = is_long ? US : 1, count = (int64_t)latency->count;
	const char *unit = is_long ? "usecs" : "nsecs";
	uint64_t counts[LATENCY_BUCKETS];
	int used = latency_log2(latency, unit_ns, counts);
	struct text caption = { 0 };
	if (count > 0)
		text_format(&caption, "avg = %" PRId64 " %s, total: %" PRId64 " %s, count: %" PRId64,
			latency->total_ns / count / unit_ns, unit, latency->total_ns / unit_ns,
			unit, count);
	const struct result_chart chart = { .caption = text_string(&caption), .unit = unit };
	const struct result_table table = {
		.name = "histogram",
		.title = "",
		.columns = bucket_columns,
		.column_count = ARRAY_LENGTH(bucket_columns),
		.is_as_made = true,
		.none = "There is none.",
		.chart = &chart,
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < used; i++) {
		uint64_t low = i == 0 ? 0 : UINT64_C(1) << i, high = (UINT64_C(2) << i) - 1;
		int64_t cells[] = { (int64_t)low, (int64_t)high, (int64_t)counts[i] };
		is_fine = sink->row(sink, cells, NULL, err);
	}
	is_fine = is_fine && sink->end(sink, err);
	text_release(&caption);
	return is_fine;
}

static const struct result_column sum_columns[] = {
	MEASURE("count", "count", FIGURE_COUNT),
	MEASURE("total_ns", "total", FIGURE_DURATION, .rank = 3),
	MEASURE("share", "share", FIGURE_SHARE, .rank = 4),
	MEASURE("mean_ns", "mean", FIGURE_DURATION, .rank = 5),
	MEASURE("p50_ns", "p50", FIGURE_DURATION),
	MEASURE("p75_ns", "p75", FIGURE_DURATION, .rank = 7),
	MEASURE("p90_ns", "p90", FIGURE_DURATION, .rank = 1),
	MEASURE("p95_ns", "p95", FIGURE_DURATION, .rank = 6),
	MEASURE("p99_ns", "p99", FIGURE_DURATION),
	MEASURE("p99.9_ns", "p99.9", FIGURE_DURATION, .rank = 2),
	MEASURE("max_ns", "max", FIGURE_DURATION),
	MEASURE("cut_count", NULL, FIGURE_COUNT), /* people are told in words */
};

static bool
put_sums(struct result_sink *sink, const struct latency *latency, struct error *err)
{
	static const struct {
		uint64_t part, whole;
	} quantiles[] = {
		{ 50, 100 }, { 75, 100 }, { 90, 100 }, { 95, 100 }, { 99, 100 }, { 999, 1000 },
		{ 1, 1 },
	};
	const struct result_table table = {
		.name = "latency",
		.title = "Percentiles",
		.columns = sum_columns,
		.column_count = ARRAY_LENGTH(sum_columns),
		.is_as_made = true,
		.none = "",
	};
	int64_t count = (int64_t)latency->count;
	int64_t cells[ARRAY_LENGTH(sum_columns)], *cell = cells;
	*cell++ = count;
	*cell++ = latency->total_ns;
	*cell++ = figure_of_share(latency_share(latency));
	*cell++ = count > 0 ? latency->total_ns / count : FIGURE_NONE;
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++)
		*cell++ = count > 0 ? latency_quantile(latency, quantiles[i].part, quantiles[i].whole)
				    : FIGURE_NONE;
	*cell = (int64_t)latency->cut_count;
	return sink->begin(sink, &table, err) && sink->row(sink, cells, NULL, err) &&
	       sink->end(sink, err);
}

/* What people are told above the tables. */
static void
tell_facts(struct result_sink *sink, const struct latency *latency)
{
	struct text line = { 0 };
	char count[UNITS_TEXT];
	units_count(count, latency->cut_count);
	text_format(&line, "of %s the trace does not have all: they took longer", count);
	if (latency->cut_count > 0)
		sink->fact(sink, "cut", text_string(&line));
	text_clear(&line);
	units_count(count, latency->skipped);
	text_format(&line, "%s texts, for which a pattern takes too long", count);
	if (latency->skipped > 0)
		sink->fact(sink, "skipped", text_string(&line));
	text_release(&line);
}

static bool
fill_latency(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	enum { LONGEST = 10 };
	const struct latency_kind *kind = work->parameter;
	struct latency latency;
	if (!build(&latency, work, err))
		return false;
	unsigned told = 1U << SINCE_WHEN | 1U << HOW_LONG | 1U << OF_WHOM | 1U << WHERE |
			(unsigned)(kind->type == LATENCY_TASK) << OF_TASK;
	if (sink->fact != NULL)
		tell_facts(sink, &latency);
	bool is_fine = put_histogram(sink, &latency, err);
	/* Where there is none, people were told so by the chart. */
	if (is_fine && (latency.count > 0 || sink->chart_columns == 0))
		is_fine = put_sums(sink, &latency, err) &&
			  put_longest(sink, &latency, latency_columns, told,
				  work->limit > 0 ? work->limit : LONGEST, err);
	latency_release(&latency);
	return is_fine;
}

const struct analysis_kind latency_kind = {
	.name = "latency",
	.needs = NEEDS_TIME,
	.help = "percentiles of a kind, and the longest",
	.heading = "Latency of ",
	.parameters = "KIND, such as latency:sched",
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.read = read_kind,
	.forget = forget_kind,
	.finds = finds,
	.title_of = title_of,
	.fill = fill_latency,
};

/* ---- how long they were over time */

static const struct result_column heat_columns[] = {
	DIMENSION("start_ns", NULL, FIGURE_MOMENT),
	DIMENSION("end_ns", NULL, FIGURE_MOMENT),
	DIMENSION("from_ns", NULL, FIGURE_DURATION),
	DIMENSION("below_ns", NULL, FIGURE_DURATION),
	MEASURE("count", NULL, FIGURE_COUNT),
};

static bool
add_to_tally(void *context, const struct latency_found *found, struct error *err)
{
	(void)err;
	heat_tally_add(context, found->start_ns, found->end_ns - found->start_ns);
	return true;
}

static bool
add_cell(struct result_sink *sink, const struct heat *heat, int64_t most_ns, int column, int row,
	struct error *err)
{
	bool is_last = row + 1 == heat->scale.rows;
	int64_t cells[ARRAY_LENGTH(heat_columns)] = {
		lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column),
		lane_edge(heat->t0_ns, heat->t1_ns, heat->columns, column + 1),
		heat_row_start_ns(&heat->scale, row),
		is_last ? most_ns + (most_ns < INT64_MAX) : heat_row_start_ns(&heat->scale, row + 1),
		heat_at(heat, column, row),
	};
	return cells[4] == 0 || sink->row(sink, cells, NULL, err);
}

static bool
put_map(struct result_sink *sink, const struct heat_tally *tally, int rows, struct error *err)
{
	const struct result_chart chart = {
		.t0_ns = tally->t0_ns, .t1_ns = tally->t1_ns, .columns = tally->columns,
		.least_ns = tally->least_ns, .most_ns = tally->most_ns, .rows = rows,
	};
	const struct result_table table = {
		.name = "heat",
		.title = "",
		.columns = heat_columns,
		.column_count = ARRAY_LENGTH(heat_columns),
		.none = "There is none.",
		.chart = &chart,
	};
	struct heat heat = { 0 };
	bool is_fine = true;
	if (tally->count > 0) {
		struct heat_scale scale = heat_scale_for(tally->least_ns, tally->most_ns, rows);
		is_fine = heat_from_tally(&heat, tally, &scale, err);
	}
	is_fine = is_fine && sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < heat.columns * heat.scale.rows; i++)
		is_fine = add_cell(sink, &heat, tally->most_ns, i / heat.scale.rows,
			i % heat.scale.rows, err);
	heat_release(&heat);
	return is_fine && sink->end(sink, err);
}

static bool
fill_heat(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	enum { COLUMNS = 100, ROWS = 64 };
	const struct heat_columns columns = { work->scope.t0_ns, work->scope.t1_ns,
		sink->chart_columns > 0 ? sink->chart_columns : COLUMNS };
	const struct latency_scope scope = scope_of(work);
	struct heat_tally tally;
	struct latency_gather gather = {
		.trace = work->trace,
		.kind = work->parameter,
		.scope = &scope,
		.watch = &work->watch,
		.tell = add_to_tally,
		.context = &tally,
	};
	search_watch_expect(&work->watch, latency_work(work->trace, work->parameter));
	bool is_fine = heat_tally_init(&tally, columns, err);
	if (is_fine) {
		is_fine = latency_gather(&gather, err) &&
			  put_map(sink, &tally, sink->chart_rows > 0 ? sink->chart_rows : ROWS, err);
		heat_tally_release(&tally);
	}
	return is_fine;
}

const struct analysis_kind heat_kind = {
	.name = "heat",
	.needs = NEEDS_TIME,
	.help = "when spans of a kind began, and how long they took",
	.heading = "Durations over time of ",
	.parameters = "KIND, such as heat:sched",
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.read = read_kind,
	.forget = forget_kind,
	.finds = finds,
	.title_of = title_of,
	.fill = fill_heat,
};
