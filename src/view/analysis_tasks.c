/* User tasks by type. */
#include <string.h>

#include "analysis/latency_kind.h"
#include "analysis/task_types.h"
#include "base/compiler.h"
#include "draw/canvas.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

static const struct figures_column columns[] = {
	{ "task", FIGURE_STRING, STYLE_DEFAULT },
	{ "count", FIGURE_COUNT, STYLE_DEFAULT },
	{ "complete", FIGURE_COUNT, STYLE_DEFAULT },
	{ "total", FIGURE_DURATION, STYLE_DEFAULT },
	{ "mean", FIGURE_DURATION, STYLE_DEFAULT },
	{ "p50", FIGURE_DURATION, STYLE_DEFAULT },
	{ "p90", FIGURE_DURATION, STYLE_DEFAULT },
	{ "p99", FIGURE_DURATION, STYLE_DEFAULT },
	{ "longest", FIGURE_DURATION, STYLE_DEFAULT },
};

enum { TOTAL_COLUMN = 3 };

/* The tasks of a type, the longest first. */
static struct view_answer
open_type(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	size_t length;
	const char *name = trace_text(
		session->trace, (string_id)*figures_cell(figures, 0, row, 0), &length);
	struct text copy = { 0 }, parameter = { 0 };
	text_add(&copy, name, length);
	const struct latency_kind kind = { .type = LATENCY_TASK, .name = copy.bytes };
	if (!copy.failed && strlen(copy.bytes) == length)
		latency_kind_add(&parameter, &kind);
	else
		text_add(&parameter, name, length); /* which will be refused */
	struct view_answer answer = analysis_open_parameter(session, "longest", parameter.bytes,
		parameter.length);
	text_release(&copy);
	text_release(&parameter);
	return answer;
}

static void
fill(struct figures *figures, const struct task_type *type, size_t row)
{
	const struct spread *spread = &type->spread;
	const int64_t cells[ARRAY_LENGTH(columns)] = { type->name, type->count, type->complete,
		spread->total_ns, spread->mean_ns, spread->p50_ns, spread->p90_ns, spread->p99_ns,
		spread->max_ns };
	for (int i = 0; i < figures->column_count; i++)
		*figures_cell(figures, 0, row, i) = cells[i];
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct task_types types;
	const struct task_scope scope = { work->scope.t0_ns, work->scope.t1_ns, work->only,
		&work->watch };
	search_watch_expect(&work->watch, work->trace->tasks.count);
	if (!task_types_build(&types, work->trace, &scope, err))
		return NULL;
	struct figures *figures =
		figures_new_with(columns, (int)ARRAY_LENGTH(columns), types.type_count, err);
	for (uint32_t i = 0; figures != NULL && i < types.type_count; i++)
		fill(figures, &types.types[i], i);
	if (figures != NULL) {
		figures->usual_column = TOTAL_COLUMN;
		figures->open = open_type;
		figures->none = "no user tasks (trace.NewTask)";
	}
	task_types_release(&types);
	return figures;
}

const struct analysis_ops tasks_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.build = build,
	.heading = "Tasks by type",
	FIGURE_PAGE_FUNCTIONS,
};
