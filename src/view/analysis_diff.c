/* Two traces side by side: how long actors of a function, or regions of a name, were in which state. */
#include <string.h>

#include "analysis/diff_states.h"
#include "analysis/regions.h"
#include "draw/canvas.h"
#include "view/analysis_kinds.h"
#include "view/figure_page.h"

enum {
	NAME, STATE, CHANGE, BEFORE, AFTER, SHARE, COUNT_CHANGE, COUNT_BEFORE, COUNT_AFTER, COLUMNS
};
enum { BAR_WIDTH = 100 };

static const struct figures_column columns[COLUMNS] = {
	[NAME] = { .title = "function", .type = FIGURE_FUNCTION, .style = STYLE_DEFAULT },
	[STATE] = { .title = "state", .type = FIGURE_STRING, .style = STYLE_DEFAULT },
	[CHANGE] = { .title = "change", .type = FIGURE_CHANGE, .style = STYLE_DEFAULT },
	[BEFORE] = { .title = "before", .type = FIGURE_DURATION, .style = STYLE_LESS_LAST },
	[AFTER] = { .title = "after", .type = FIGURE_DURATION, .style = STYLE_MORE_LAST },
	[SHARE] = { .title = "%", .type = FIGURE_CHANGE_SHARE, .style = STYLE_DEFAULT },
	[COUNT_CHANGE] = { .title = "n change", .type = FIGURE_CHANGE_COUNT, .style = STYLE_DEFAULT },
	[COUNT_BEFORE] = { .title = "n before", .type = FIGURE_COUNT, .style = STYLE_LESS_LAST },
	[COUNT_AFTER] = { .title = "n after", .type = FIGURE_COUNT, .style = STYLE_MORE_LAST },
};

/* ---- rows */

/* What people read: of what is blocked the reasons, which sum up to it. */
static bool
is_shown(const struct diff_row *row)
{
	return row->measure != MEASURE_BLOCKED && diff_row_has_changed(row);
}

static void
fill_layer(struct figures *figures, int layer, size_t at, int64_t before, int64_t after)
{
	*figures_cell(figures, layer, at, CHANGE) = after - before;
	*figures_cell(figures, layer, at, BEFORE) = before;
	*figures_cell(figures, layer, at, AFTER) = after;
	*figures_cell(figures, layer, at, SHARE) = figures_change_share(before, after);
}

static void
fill_row(struct figures *figures, size_t at, const struct diff_row *row, string_id state)
{
	int64_t before = (int64_t)row->count[DIFF_BEFORE], after = (int64_t)row->count[DIFF_AFTER];
	int64_t before_ns[MEASURE_LAYERS], after_ns[MEASURE_LAYERS];
	measure_layers(&row->spread[DIFF_BEFORE], before_ns);
	measure_layers(&row->spread[DIFF_AFTER], after_ns);
	for (int layer = 0; layer < MEASURE_LAYERS; layer++) {
		*figures_cell(figures, layer, at, NAME) = row->name.id;
		*figures_cell(figures, layer, at, STATE) = state;
		*figures_cell(figures, layer, at, COUNT_CHANGE) = after - before;
		*figures_cell(figures, layer, at, COUNT_BEFORE) = before;
		*figures_cell(figures, layer, at, COUNT_AFTER) = after;
		fill_layer(figures, layer, at, before_ns[layer], after_ns[layer]);
	}
}

/* "chan receive", or "running". */
static bool
name_state(struct diff_states *diff, const struct diff_row *row, string_id *state, struct error *err)
{
	const char *word = row->measure == MEASURE_REASONS ? MEASURE_NO_REASON
							   : measure_word(row->measure);
	*state = row->reason.id;
	return row->reason.length > 0 ||
	       intern_add(&diff->texts, word, strlen(word), state, err);
}

static bool
fill(struct figures *figures, struct diff_states *diff, struct error *err)
{
	size_t at = 0;
	for (uint32_t i = 0; i < diff->row_count; i++) {
		const struct diff_row *row = &diff->rows[i];
		string_id state;
		if (!is_shown(row))
			continue;
		if (!name_state(diff, row, &state, err))
			return false;
		fill_row(figures, at++, row, state);
	}
	return true;
}

/* Of rows that are in order, which stays that of equals. */
static struct figures *
figures_of(struct diff_states *diff, struct error *err)
{
	size_t count = 0;
	for (uint32_t i = 0; i < diff->row_count; i++)
		count += is_shown(&diff->rows[i]);
	struct figures *figures = figures_new(count, COLUMNS, MEASURE_LAYERS, err);
	if (figures == NULL)
		return NULL;
	memcpy(figures->columns, columns, sizeof columns);
	figures->layer_names = measure_layer_names;
	figures->usual_column = CHANGE;
	figures->bar_width = BAR_WIDTH;
	figures->all_count = diff->row_count;
	figures->none = diff->row_count > 0 ? "nothing has changed" : "neither trace has any";
	if (fill(figures, diff, err) && figures_take_texts(figures, &diff->texts, err))
		return figures;
	figures_free(figures);
	return NULL;
}

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
compare(struct analysis_work *work, actor_times_build *build, struct error *err)
{
	struct diff_states diff;
	struct figures *figures = NULL;
	if (!diff_states_init(&diff, err))
		return NULL;
	if (add_side(&diff, DIFF_BEFORE, work->other, build, err) &&
		add_side(&diff, DIFF_AFTER, work, build, err)) {
		diff_states_sort(&diff);
		figures = figures_of(&diff, err);
	}
	diff_states_release(&diff);
	return figures;
}

/* To those of this trace, where there are any. */
static struct view_answer
open_row(const struct analysis *analysis, struct session *session, size_t row, const char *page)
{
	const struct figures *figures = analysis->numbers;
	string_id name = (string_id)*figures_cell(figures, 0, row, NAME);
	size_t length;
	const char *bytes = intern_text(figures->texts, name, &length);
	if (*figures_cell(figures, 0, row, COUNT_AFTER) > 0)
		return analysis_open_parameter(session, page, bytes, length);
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
	if (*figures_cell(figures, 0, row, NAME) != STRING_EMPTY)
		return open_row(analysis, session, row, "function");
	session_status(session, false, "nobody knows which {actors} these are");
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static void *
build_functions(struct analysis_work *work, struct error *err)
{
	return compare(work, actors_build, err);
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
	struct figures *figures = compare(work, regions_build, err);
	if (figures == NULL)
		return NULL;
	figures->columns[NAME] = (struct figures_column){ .title = "region", .type = FIGURE_STRING, .style = STYLE_DEFAULT };
	return figures;
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
