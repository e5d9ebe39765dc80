/* The numbers of a profile: by function, and as trees of calls. */
#include <stdio.h>

#include "analysis/calltree.h"
#include "analysis/profile_top.h"
#include "base/memory.h"
#include "view/analysis_kinds.h"
#include "view/profile_page.h"

struct numbers {
	struct profile_numbers shown; /* first: the page knows no more */
	struct call_tree trees[2];
};

static void
set_column(struct figures *figures, int column, const char *title, enum figure_type type,
	uint8_t style)
{
	struct figures_column *it = &figures->columns[column];
	snprintf(it->title, sizeof it->title, "%s", title);
	it->type = type;
	it->style = style;
}

static int64_t
share_of(int64_t part, int64_t whole)
{
	return figure_of_share(whole > 0 ? (double)part / (double)whole : 0);
}

static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	size_t length;
	const char *function = profile_function_name(
		session->trace, (string_id)*figures_cell(figures, 0, row, 0), &length);
	return profile_page_open(analysis, session, "tree", function, length);
}

static struct figures *
figures_of(const struct profile *profile, const struct profile_top *top, struct error *err)
{
	enum figure_type type = profile->kind == PROFILE_CPU ? FIGURE_COUNT : FIGURE_DURATION;
	uint8_t style = profile_page_style(profile->kind);
	bool has_open = profile->sum.open_count > 0;
	struct figures *figures = figures_new(top->row_count, 5 + has_open, 1, err);
	if (figures == NULL)
		return NULL;
	set_column(figures, 0, "function", FIGURE_CALLED, STYLE_DEFAULT);
	set_column(figures, 1, "flat", type, style);
	set_column(figures, 2, "flat%", FIGURE_SHARE, STYLE_DEFAULT);
	set_column(figures, 3, "cum", type, style);
	set_column(figures, 4, "cum%", FIGURE_SHARE, STYLE_DEFAULT);
	if (has_open)
		set_column(figures, 5, "not ended", FIGURE_DURATION, style);
	figures->usual_column = 1;
	figures->none = "nothing of the kind";
	for (uint32_t i = 0; i < top->row_count; i++) {
		const struct top_row *row = &top->rows[i];
		int64_t total = profile_total(profile);
		*figures_cell(figures, 0, i, 0) = row->function;
		*figures_cell(figures, 0, i, 1) = row->flat;
		*figures_cell(figures, 0, i, 2) = share_of(row->flat, total);
		*figures_cell(figures, 0, i, 3) = row->cum;
		*figures_cell(figures, 0, i, 4) = share_of(row->cum, total);
		if (has_open)
			*figures_cell(figures, 0, i, 5) = row->open;
	}
	return figures;
}

static bool
fill(struct numbers *numbers, const struct analysis_work *work, const struct profile *profile,
	struct error *err)
{
	struct profile_top top;
	for (int i = 0; i < 2; i++) {
		if (!call_tree_build(&numbers->trees[i], work->trace, profile, i > 0, err))
			return false;
		numbers->shown.trees[i] = &numbers->trees[i];
	}
	if (!profile_top_build(&top, work->trace, profile, TOP_BY_FLAT, err))
		return false;
	numbers->shown.kind = profile->kind;
	numbers->shown.whole = profile_total(profile);
	numbers->shown.open_ns = profile->sum.open_ns;
	numbers->shown.top = figures_of(profile, &top, err);
	profile_top_release(&top);
	return numbers->shown.top != NULL;
}

static void
release(void *made)
{
	struct numbers *numbers = made;
	figures_free(numbers->shown.top);
	call_tree_release(&numbers->trees[0]);
	call_tree_release(&numbers->trees[1]);
	memory_free(numbers);
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct profile profile;
	if (!profile_page_build(&profile, work, err))
		return NULL;
	struct numbers *numbers = array_new(1, sizeof *numbers, err);
	bool is_fine = numbers != NULL && fill(numbers, work, &profile, err);
	profile_release(&profile);
	if (is_fine)
		return numbers;
	if (numbers != NULL)
		release(numbers);
	return NULL;
}

const struct analysis_ops profile_analysis = {
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_TASK | ANALYSIS_BY_FUNCTION |
		  ANALYSIS_BY_QUERY | ANALYSIS_BY_RUNTIME,
	.build = build,
	.release = release,
	.title = profile_page_title,
	.open = open_function,
	PROFILE_PAGE_FUNCTIONS,
};
