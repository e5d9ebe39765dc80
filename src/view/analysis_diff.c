/* Two traces side by side: how long actors of a function, or regions of a name, were in which state. */

#include "analysis/diff_states.h"
#include "analysis/regions.h"
#include "view/analyses.h"
#include "view/figure_page.h"

enum { BAR_WIDTH = 100 };

/* ---- both traces */

static bool
add_side(struct diff_states *diff, enum diff_side side, struct analysis_work *work,
	actor_times_build *build, struct error *err)
{
	if (work == NULL)
		return true;
	const struct actors_scope scope = actors_scope_of(work);
	return diff_states_add(diff, side, work->trace, build, &scope, err);
}

static struct figures *
compare(struct analysis_work *work, bool is_of_regions, struct error *err)
{
	actor_times_build *times = is_of_regions ? regions_build : actors_build;
	struct diff_states diff;
	struct figures_sink keep;
	struct figures *figures = NULL;
	if (!diff_states_init(&diff, err))
		return NULL;
	if (add_side(&diff, DIFF_BEFORE, work->other, times, err) &&
		add_side(&diff, DIFF_AFTER, work, times, err) &&
		figures_sink_begin(&keep, work->trace, false, err)) {
		diff_states_sort(&diff);
		figures = figures_sink_end(
			&keep, diff_states_tell(&diff, is_of_regions, "", &keep.sink, err), err);
	}
	diff_states_release(&diff);
	if (figures == NULL)
		return NULL;
	figure_page_color(figures);
	figures->bar_width = BAR_WIDTH;
	return figures;
}

/* To those of this trace, where there are any. */
static struct view_answer
open_row(const struct analysis *analysis, struct session *session, size_t row, const char *page)
{
	const struct figures *figures = analysis->numbers;
	string_id name = (string_id)*figures_cell(figures, 0, row, 0);
	int count_after = figures->column_count - 1;
	size_t length;
	const char *bytes = intern_text(figures->own_texts, name, &length);
	struct analysis_choice choice = analysis_choose(page);
	choice.parameter = bytes;
	choice.length = length;
	if (*figures_cell(figures, 0, row, count_after) > 0)
		return analysis_open(session, &choice);
	session_status(session, false, "this trace has none of them");
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

/* With the statistic, since the bars that it stands over need a wide screen. */
static void
add_title(const struct analysis *analysis, const char *by, struct text *out)
{
	const struct figure_page *page = analysis->state;
	text_format(out, "Difference by %s, %s", by, measure_layer_names[page->layer]);
}

/* ---- by function */

static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	if (*figures_cell(figures, 0, row, 0) != STRING_EMPTY)
		return open_row(analysis, session, row, "function");
	session_status(session, false, "nobody knows which {actors} these are");
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static void *
build_functions(struct analysis_work *work, struct error *err)
{
	return compare(work, false, err);
}

static void
title_functions(const struct analysis *analysis, struct text *out)
{
	add_title(analysis, "function", out);
}

const struct analysis_ops diff_functions_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.other = OTHER_NEEDED,
	.build = build_functions,
	.title = title_functions,
	.open = open_function,
	FIGURE_PAGE_FUNCTIONS,
};

/* ---- by region */

static struct view_answer
open_region(const struct analysis *analysis, struct session *session, size_t row)
{
	return open_row(analysis, session, row, "region");
}

static void *
build_regions(struct analysis_work *work, struct error *err)
{
	return compare(work, true, err);
}

static void
title_regions(const struct analysis *analysis, struct text *out)
{
	add_title(analysis, "region", out);
}

const struct analysis_ops diff_regions_analysis = {
	.limits = ANALYSIS_BY_QUERY,
	.other = OTHER_NEEDED,
	.build = build_regions,
	.title = title_regions,
	.open = open_region,
	FIGURE_PAGE_FUNCTIONS,
};
