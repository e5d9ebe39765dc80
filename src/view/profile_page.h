/*
 * The page of an analysis that is a profile, or the difference of two: by function, as a tree of
 * calls and as a flame graph, three forms of the same numbers. Only for view/.
 */
#ifndef TTRACE_VIEW_PROFILE_PAGE_H
#define TTRACE_VIEW_PROFILE_PAGE_H

#include "analysis/diff_profile.h"
#include "analysis/profile_request.h"
#include "view/analysis.h"
#include "view/call_page.h"
#include "view/figure_page.h"

struct pattern; /* query/pattern.h */

/* As view/analyses.c has them. */
enum { PROFILE_BY_FUNCTION, PROFILE_AS_TREE, PROFILE_AS_FLAME };

/* What such numbers begin with; the analysis owns what it points to. */
struct profile_numbers {
	enum profile_kind kind;
	struct measure measure;
	int64_t whole; /* of the profile, also of what is not in focus */
	int64_t open_ns; /* of that what has not ended */
	bool is_beneath; /* of samples of the trace beneath, which stays as long */
	struct figures *top;
	/* From the outermost functions, and from the leaves: a profile ... */
	const struct call_tree *trees[2];
	/* ... or, where these are not NULL, a difference and the widths of its boxes, by side. */
	const struct diff_profile *diffs[2];
	const struct call_tree *boxes[2][DIFF_SIDES];
};

/* The state of such an analysis. */
struct profile_page {
	struct figure_page top;    /* first: its rows lead to what is behind it */
	struct call_page calls[2]; /* of the trees */
	bool is_inverted;          /* the second one is shown */
	bool shows_before;         /* flames of a difference are as wide as what was */
	struct pattern *pattern;   /* searched in the trees; NULL: nothing */
	bool is_searched;          /* else the trees do not know of it yet */
};

/* For struct analysis_ops. */
#define PROFILE_PAGE_FUNCTIONS \
	.limits = PROFILE_LIMITS, .state_size = sizeof(struct profile_page), \
	.end = profile_page_end, .made = profile_page_made, .command = profile_page_command, \
	.lacks = profile_page_lacks, .mouse = profile_page_mouse, \
	.lay_out = profile_page_lay_out, .draw = profile_page_draw, \
	.position = profile_page_position, .place = profile_page_place, \
	.go_to_place = profile_page_go_to_place, .name_settings = profile_page_name_settings, \
	.set = profile_page_set

/*
 * The profile that the work asks for, within all its limits. Release with
 * profile_release() after success.
 */
bool profile_page_build(struct profile *profile, struct analysis_work *work, struct error *err);
/* The colour of a kind's bars. */
uint8_t profile_page_style(enum profile_kind kind);
/* "Scheduling waits, callers" */
void profile_page_title(const struct analysis *analysis, struct text *out);
/* For a row of the table: opens the tree, an analysis of this name, at what calls a function. */
struct view_answer profile_page_open(const struct analysis *analysis, struct session *session,
	const char *tree, const char *function, size_t length);

void profile_page_made(struct analysis *analysis);
void profile_page_end(void *state);
struct view_answer profile_page_command(struct analysis *analysis, struct session *session,
	enum command command, long count, const char *argument);
bool profile_page_lacks(const struct analysis *analysis, enum command command);
struct view_answer profile_page_mouse(
	struct analysis *analysis, struct session *session, const struct screen_mouse *mouse);
void profile_page_lay_out(
	struct analysis *analysis, struct session *session, const struct canvas *canvas);
void profile_page_draw(
	const struct analysis *analysis, const struct session *session, struct canvas *canvas);
void profile_page_position(const struct analysis *analysis, struct text *out);
void profile_page_place(const struct analysis *analysis, struct view_place *here);
void profile_page_go_to_place(
	struct analysis *analysis, struct session *session, const struct view_place *there);

/*
 * reverse=on, widths=before; then those of the table (view/figure_page.h), or search=PATTERN and
 * those of the tree.
 */
void profile_page_name_settings(const struct analysis *analysis, const struct setting_sink *sink);
bool profile_page_set(struct analysis *analysis, struct session *session, const char *setting);

#endif
