/* The longest spans of a kind, one by one. */
#include <stdio.h>
#include <string.h>

#include "analysis/latency.h"
#include "base/memory.h"
#include "draw/canvas.h"
#include "draw/latency_words.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

enum { MOST_ROWS = 10000, MOST_COLUMNS = 5 };

static const struct {
	const char *words; /* what is told, before the name that the kind may have */
	uint8_t style;
} kinds[LATENCY_TYPE_COUNT] = {
	[LATENCY_SCHED] = { "Waits for a P", STYLE_READY },
	[LATENCY_STW] = { "Stops of the world", STYLE_STW },
	[LATENCY_GC] = { "Mark phases", STYLE_GC },
	[LATENCY_ASSIST] = { "Mark assists", STYLE_GC_WORKER },
	[LATENCY_SWEEP] = { "Sweeps", STYLE_GC_WORKER },
	[LATENCY_SYSCALL] = { "System calls", STYLE_SYSCALL },
	[LATENCY_BLOCK] = { "Blocked", STYLE_SYNC },
	[LATENCY_REGION] = { "Regions", STYLE_RUNNING },
	[LATENCY_TASK] = { "Tasks", STYLE_RUNNING },
	[LATENCY_QUERY] = { "Spans", STYLE_RUNNING },
};

static bool
read_kind(const char *parameter, struct latency_kind *kind)
{
	struct error ignored;
	error_clear(&ignored);
	return latency_kind_parse(kind, parameter, 0, strlen(parameter), &ignored);
}

static bool
accepts(const char *parameter)
{
	struct latency_kind kind;
	if (!read_kind(parameter, &kind))
		return false;
	latency_kind_release(&kind);
	return true;
}

/* ---- columns */

/* What a column tells. */
enum longest_column { OF_WHOM, HOW_LONG, SINCE_WHEN, WHAT, WHERE };

static void
add_column(struct figures_column *columns, enum longest_column tells[], int *count,
	enum longest_column column, enum latency_type type)
{
	static const struct {
		const char *title;
		enum figure_type type;
	} looks[MOST_COLUMNS] = {
		[OF_WHOM] = { "", FIGURE_ACTOR },
		[HOW_LONG] = { "for", FIGURE_DURATION },
		[SINCE_WHEN] = { "from", FIGURE_MOMENT },
		[WHAT] = { "what", FIGURE_STRING },
		[WHERE] = { "where", FIGURE_FRAME },
	};
	bool is_task = column == OF_WHOM && type == LATENCY_TASK;
	struct figures_column *it = &columns[*count];
	snprintf(it->title, sizeof it->title, "%s", is_task ? "task" : looks[column].title);
	it->type = is_task ? FIGURE_TASK : looks[column].type;
	it->style = column == HOW_LONG ? kinds[type].style : STYLE_DEFAULT;
	tells[(*count)++] = column;
}

/* Only some kinds have one more name for what they are. */
static bool
has_what(const struct latency_kind *kind)
{
	return kind->type == LATENCY_STW || (kind->type == LATENCY_BLOCK && kind->name == NULL);
}

/* ---- rows */

/* Why the world was stopped, or the actor blocked. */
static string_id
what_of(const struct trace *trace, const struct latency_span *span)
{
	struct span state;
	if (span->range != REF_NONE)
		return trace_range(trace, span->range)->name;
	if (span->actor == REF_NONE ||
		!lane_span_at(trace, (struct lane){ LANE_ACTOR, span->actor },
			span->start_ns, &state) ||
		state.kind == NULL)
		return STRING_EMPTY;
	return state.kind->reason;
}

static int64_t
cell_of(const struct trace *trace, enum latency_type type, const struct latency_span *span,
	enum longest_column column)
{
	switch (column) {
	case OF_WHOM:
		return type == LATENCY_TASK ? span->task : span->actor;
	case HOW_LONG:
		return span->duration_ns;
	case SINCE_WHEN:
		return span->start_ns;
	case WHAT:
		return what_of(trace, span);
	case WHERE:
		return own_code_stack(trace, span->stack, span->actor);
	}
	return 0;
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

static void
fill(struct figures *figures, const struct latency *latency, const size_t *longest,
	const enum longest_column tells[])
{
	for (size_t row = 0; row < figures->row_count; row++) {
		struct latency_span span;
		latency_span(latency, longest[row], &span);
		for (int column = 0; column < figures->column_count; column++)
			*figures_cell(figures, 0, row, column) =
				cell_of(latency->trace, latency->type, &span, tells[column]);
		figures->places[row] = (struct figures_place){ lane_of(latency->type, &span),
			span.start_ns, span.start_ns + span.duration_ns };
	}
}

static int
choose_columns(struct figures_column *columns, enum longest_column tells[],
	const struct latency_kind *kind)
{
	int count = 0;
	add_column(columns, tells, &count, OF_WHOM, kind->type);
	add_column(columns, tells, &count, HOW_LONG, kind->type);
	add_column(columns, tells, &count, SINCE_WHEN, kind->type);
	if (has_what(kind))
		add_column(columns, tells, &count, WHAT, kind->type);
	add_column(columns, tells, &count, WHERE, kind->type);
	return count;
}

static struct figures *
figures_of(const struct latency *latency, const struct latency_kind *kind, struct error *err)
{
	struct figures_column columns[MOST_COLUMNS] = { 0 };
	enum longest_column tells[MOST_COLUMNS];
	int column_count = choose_columns(columns, tells, kind);
	size_t count;
	size_t *longest = latency_longest(latency, MOST_ROWS, &count, err);
	if (longest == NULL)
		return NULL;
	struct figures *figures = figures_new_with(columns, column_count, count, err);
	if (figures != NULL) {
		if (columns[OF_WHOM].type == FIGURE_ACTOR)
			figures->columns[OF_WHOM] = figures_actor_column(latency->trace);
		figures->usual_column = HOW_LONG;
		figures->none = "there is none";
		figures->all_count = latency->count;
		fill(figures, latency, longest, tells);
	}
	memory_free(longest);
	return figures;
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct latency_kind kind;
	struct latency latency;
	const struct latency_scope scope = { work->scope.t0_ns, work->scope.t1_ns,
		work->scope.actor, work->only, work->scope.with_runtime };
	struct figures *figures = NULL;
	if (!latency_kind_parse(&kind, work->parameter, 0, strlen(work->parameter), err))
		return NULL;
	search_watch_expect(&work->watch, latency_work(work->trace, &kind));
	if (latency_build(&latency, work->trace, &kind, &scope, &work->watch, err)) {
		figures = figures_of(&latency, &kind, err);
		latency_release(&latency);
	}
	latency_kind_release(&kind);
	return figures;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	struct latency_kind kind;
	if (!read_kind(analysis_parameter(analysis), &kind))
		return;
	text_add_string(out, kinds[kind.type].words);
	latency_words_name(out, &kind);
	text_add_string(out, ", the longest");
	latency_words_whose(out, analysis->words, &kind,
		&(struct latency_scope){ .actor = analysis->scope.actor,
			.with_runtime = analysis->scope.with_runtime });
	latency_kind_release(&kind);
}

const struct analysis_ops longest_analysis = {
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.accepts = accepts,
	.build = build,
	.title = title,
	FIGURE_PAGE_FUNCTIONS,
};
