/* The mark phases of the collector, a row each. */
#include "analysis/cycles.h"
#include "base/compiler.h"
#include "draw/canvas.h"
#include "trace/lane.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

static const struct figures_column columns[] = {
	{ "cycle", FIGURE_NUMBER, STYLE_DEFAULT },
	{ "from", FIGURE_MOMENT, STYLE_DEFAULT },
	{ "mark", FIGURE_DURATION, STYLE_GC },
	{ "stopped", FIGURE_DURATION, STYLE_STW },
	{ "at begin", FIGURE_DURATION, STYLE_STW },
	{ "at end", FIGURE_DURATION, STYLE_STW },
	{ "workers", FIGURE_DURATION, STYLE_GC_WORKER },
	{ "background", FIGURE_SHARE, STYLE_GC_WORKER },
	{ "assists", FIGURE_DURATION, STYLE_GC_WORKER },
	{ "assisting", FIGURE_SHARE, STYLE_GC_WORKER },
	{ "count", FIGURE_COUNT, STYLE_DEFAULT },
	{ "sweeps", FIGURE_DURATION, STYLE_GC_WORKER },
	{ "heap", FIGURE_BYTES, STYLE_GC },
	{ "goal", FIGURE_BYTES, STYLE_GC },
	{ "after", FIGURE_BYTES, STYLE_GC },
	{ "for", FIGURE_TRIGGER, STYLE_DEFAULT },
	{ "begun by", FIGURE_ACTOR, STYLE_DEFAULT },
	{ "", FIGURE_CUT, STYLE_DEFAULT },
};

enum { MARK_COLUMN = 2, MILLION = 1000000 };

static int64_t
counter_of(const struct trace *trace, enum counter_type type, int64_t t_ns)
{
	uint64_t value;
	return counter_at(trace, type, t_ns, &value) ? (int64_t)value : FIGURE_NONE;
}

static int64_t
figure_of_duration(int64_t duration_ns)
{
	return duration_ns >= 0 ? duration_ns : FIGURE_NONE;
}

static int64_t
figure_of_share(double share)
{
	return share >= 0 ? (int64_t)(share * MILLION) : FIGURE_NONE;
}

static void
fill(struct figures *figures, const struct trace *trace, size_t row, const struct gc_cycle *cycle)
{
	const struct span *span = &cycle->span;
	uint64_t after;
	bool has_after = gc_cycle_heap_after(cycle, trace, &after);
	const int64_t cells[ARRAY_LENGTH(columns)] = {
		(int64_t)span->ordinal + 1,
		span->start_ns,
		span->end_ns - span->start_ns,
		cycle->stops_ns,
		figure_of_duration(cycle->sweep_term_ns),
		figure_of_duration(cycle->mark_term_ns),
		cycle->workers_ns,
		figure_of_share(gc_cycle_share(cycle, trace)),
		cycle->assists_ns,
		figure_of_share(cycle->assist_share),
		cycle->assists,
		figure_of_duration(cycle->sweeps_ns),
		counter_of(trace, COUNTER_HEAP_ALLOC, span->start_ns),
		counter_of(trace, COUNTER_HEAP_GOAL, span->start_ns),
		has_after ? (int64_t)after : FIGURE_NONE,
		cycle->trigger,
		gc_cycle_beginner(cycle, trace),
		cycle->cut,
	};
	for (int i = 0; i < figures->column_count; i++)
		*figures_cell(figures, 0, row, i) = cells[i];
	figures->places[row] =
		(struct figures_place){ { LANE_GC, 0 }, span->start_ns, span->end_ns };
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct gc_cycles cycles;
	analysis_clip_to_subject(work);
	search_watch_expect(&work->watch, gc_cycles_work(work->trace));
	if (!gc_cycles_build(
		    &cycles, work->trace, work->scope.t0_ns, work->scope.t1_ns, &work->watch, err))
		return NULL;
	gc_cycles_leave(&cycles, work->trace, work->only);
	struct figures *figures =
		figures_new_with(columns, (int)ARRAY_LENGTH(columns), cycles.count, err);
	for (size_t i = 0; figures != NULL && i < cycles.count; i++)
		fill(figures, work->trace, i, &cycles.items[i]);
	if (figures != NULL) {
		figures->usual_column = MARK_COLUMN;
		figures->none = "no collection";
	}
	gc_cycles_release(&cycles);
	return figures;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	const struct analysis_scope *scope = &analysis->scope;
	bool has_subject = scope->actor != REF_NONE || scope->task != REF_NONE;
	text_add_string(out, has_subject ? "Collections in the time" : "Collections");
}

const struct analysis_ops gc_analysis = {
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_TASK | ANALYSIS_BY_QUERY,
	.build = build,
	.title = title,
	FIGURE_PAGE_FUNCTIONS,
};
