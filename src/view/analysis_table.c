/* The page of any analysis of the registry: its tables, kept as figures. */
#include "draw/canvas.h"
#include "result/figures.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

enum { MOST_ROWS = 10000 };

static const uint8_t styles[HUE_COUNT] = {
	[HUE_NONE] = STYLE_DEFAULT,
	[HUE_RUNNING] = STYLE_RUNNING,
	[HUE_READY] = STYLE_READY,
	[HUE_SYNC] = STYLE_SYNC,
	[HUE_SYSCALL] = STYLE_SYSCALL,
	[HUE_COLLECTION] = STYLE_GC,
	[HUE_COLLECTOR] = STYLE_GC_WORKER,
	[HUE_STOP] = STYLE_STW,
	[HUE_UNKNOWN] = STYLE_UNKNOWN,
	[HUE_LESS] = STYLE_LESS_LAST,
	[HUE_MORE] = STYLE_MORE_LAST,
};

void
figure_page_color(struct figures *figures)
{
	for (struct figures *it = figures; it != NULL; it = it->next)
		for (int i = 0; i < it->column_count; i++)
			it->columns[i].style = styles[it->columns[i].style];
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct figures_sink keep;
	if (!figures_sink_begin(&keep, work->trace, false, err))
		return NULL;
	work->limit = MOST_ROWS;
	struct figures *tables = figures_sink_end(&keep, work->kind->fill(work, &keep.sink, err), err);
	figure_page_color(tables);
	return tables;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	const struct analysis_kind *kind = analysis->kind;
	if (kind->title_of != NULL)
		kind->title_of(&analysis->scope, analysis->words, analysis_parameter(analysis), out);
	else
		text_add_safe(out, analysis_parameter(analysis), analysis->parameter.length, false);
}

const struct analysis_ops table_analysis = {
	.build = build,
	.title = title,
	FIGURE_PAGE_FUNCTIONS,
};
