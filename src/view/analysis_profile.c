/* The numbers of a profile: by function, and as trees of calls. */
#include "analysis/calltree.h"
#include "analysis/profile_top.h"
#include "base/memory.h"
#include "view/analyses.h"
#include "view/profile_page.h"

struct numbers {
	struct profile_numbers shown; /* first: the page knows no more */
	struct call_tree trees[2];
};

static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	size_t length;
	const char *function = intern_text(
		figures->own_texts, (string_id)*figures_cell(figures, 0, row, 0), &length);
	return profile_page_open(analysis, session, "tree", function, length);
}

static struct figures *
figures_of(const struct trace *trace, const struct profile *profile, const struct profile_top *top,
	struct error *err)
{
	struct figures_sink keep;
	if (!figures_sink_begin(&keep, trace, false, err))
		return NULL;
	bool is_fine = profile_top_tell(top, top->row_count, profile, &keep.sink, err);
	struct figures *figures = figures_sink_end(&keep, is_fine, err);
	for (int i = 0; figures != NULL && i < figures->column_count; i++) {
		enum figure_type type = figures->columns[i].type;
		bool has_bars = type == profile->measure.type;
		figures->columns[i].style = has_bars ? profile_page_style(profile->kind) : STYLE_DEFAULT;
	}
	return figures;
}

static bool
fill(struct numbers *numbers, const struct analysis_work *work, const struct profile *profile,
	struct error *err)
{
	struct profile_top top;
	for (int i = 0; i < 2; i++) {
		if (!call_tree_build(&numbers->trees[i], profile, i > 0, err))
			return false;
		numbers->shown.trees[i] = &numbers->trees[i];
	}
	if (!profile_top_build(&top, profile, NULL, err))
		return false;
	numbers->shown.kind = profile->kind;
	numbers->shown.measure = profile->measure;
	numbers->shown.whole = profile_total(profile);
	numbers->shown.open_ns = profile->sum.open_ns;
	numbers->shown.is_beneath = profile->trace != work->trace;
	numbers->shown.top = figures_of(work->trace, profile, &top, err);
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
	.build = build,
	.release = release,
	.title = profile_page_title,
	.open = open_function,
	PROFILE_PAGE_FUNCTIONS,
};
