/* The difference of two profiles: by function, and as trees of calls with what they were and are. */
#include "analysis/diff_profile.h"
#include "base/memory.h"
#include "view/analyses.h"
#include "view/profile_page.h"

enum { BAR_WIDTH = 100 };

struct numbers {
	struct profile_numbers shown; /* first: the page knows no more */
	struct diff_profile diffs[2];
	struct call_tree boxes[2][DIFF_SIDES];
};

/* ---- by function */

static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	const struct figures *figures = analysis->numbers;
	size_t length;
	const char *function = intern_text(
		figures->own_texts, (string_id)*figures_cell(figures, 0, row, 0), &length);
	return profile_page_open(analysis, session, "diff-tree", function, length);
}

static struct figures *
figures_of(const struct trace *trace, const struct diff_profile *diff, struct error *err)
{
	struct figures_sink keep;
	if (!figures_sink_begin(&keep, trace, false, err))
		return NULL;
	bool is_fine = diff_profile_tell_top(diff, true, &keep.sink, err);
	struct figures *figures = figures_sink_end(&keep, is_fine, err);
	figure_page_color(figures);
	if (figures != NULL)
		figures->bar_width = BAR_WIDTH;
	return figures;
}

/* ---- both traces */

static bool
add_side(struct numbers *numbers, enum diff_side side, struct analysis_work *work,
	struct error *err)
{
	struct profile profile;
	if (work == NULL)
		return true;
	if (!profile_page_build(&profile, work, err))
		return false;
	numbers->shown.kind = profile.kind;
	numbers->shown.measure = profile.measure;
	bool is_fine = true;
	for (int i = 0; i < 2 && is_fine; i++)
		is_fine = diff_profile_add(&numbers->diffs[i], side, &profile, i > 0, err);
	profile_release(&profile);
	return is_fine;
}

/* Boxes for what was and what is; in the picture that is exported they are of the latter. */
static bool
build_boxes(struct numbers *numbers, int turned, struct error *err)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct call_tree *boxes = &numbers->boxes[turned][side];
		if (!diff_profile_side(&numbers->diffs[turned], (enum diff_side)side, boxes, err))
			return false;
		numbers->shown.boxes[turned][side] = boxes;
	}
	return true;
}

static bool
finish(struct numbers *numbers, const struct trace *trace, struct error *err)
{
	struct profile_numbers *shown = &numbers->shown;
	for (int i = 0; i < 2; i++) {
		struct diff_profile *diff = &numbers->diffs[i];
		if (!diff_profile_sort(diff, err) || !build_boxes(numbers, i, err))
			return false;
		shown->diffs[i] = diff;
		shown->trees[i] = &diff->tree;
	}
	shown->whole = numbers->diffs[0].total[DIFF_AFTER];
	shown->top = figures_of(trace, &numbers->diffs[0], err);
	return shown->top != NULL;
}

static void
release(void *made)
{
	struct numbers *numbers = made;
	figures_free(numbers->shown.top);
	for (int i = 0; i < 2; i++) {
		call_tree_release(&numbers->boxes[i][DIFF_BEFORE]);
		call_tree_release(&numbers->boxes[i][DIFF_AFTER]);
		diff_profile_release(&numbers->diffs[i]);
	}
	memory_free(numbers);
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct numbers *numbers = array_new(1, sizeof *numbers, err);
	if (numbers == NULL)
		return NULL;
	bool is_fine = diff_profile_init(&numbers->diffs[0], err) &&
		       diff_profile_init(&numbers->diffs[1], err) &&
		       add_side(numbers, DIFF_BEFORE, work->other, err) &&
		       add_side(numbers, DIFF_AFTER, work, err) && finish(numbers, work->trace, err);
	if (is_fine)
		return numbers;
	release(numbers);
	return NULL;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	const struct profile_page *page = analysis->state;
	text_add_string(out, "Difference: ");
	profile_page_title(analysis, out);
	if (analysis->form == PROFILE_AS_FLAME && page->shows_before)
		text_add_string(out, ", as wide as before");
}

const struct analysis_ops diff_profile_analysis = {
	.other = OTHER_NEEDED,
	.build = build,
	.release = release,
	.title = title,
	.open = open_function,
	PROFILE_PAGE_FUNCTIONS,
};
