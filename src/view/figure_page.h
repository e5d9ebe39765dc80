/*
 * The page of an analysis whose numbers are struct figures: a table that is sorted by any
 * column, of which only rows that match a pattern are shown, and whose columns scroll behind the
 * first one. Only for view/.
 */
#ifndef TTRACE_VIEW_FIGURE_PAGE_H
#define TTRACE_VIEW_FIGURE_PAGE_H

#include "view/analysis.h"
#include "view/figure_table.h"

/* For struct analysis_ops. */
#define FIGURE_PAGE_FUNCTIONS \
	.release = figure_page_release, .state_size = sizeof(struct figure_page), \
	.end = figure_page_end, .made = figure_page_made, .command = figure_page_command, \
	.lacks = figure_page_lacks, .mouse = figure_page_mouse, .lay_out = figure_page_lay_out, \
	.draw = figure_page_draw, .position = figure_page_position, .place = figure_page_place, \
	.go_to_place = figure_page_go_to_place, .name_settings = figure_page_name_settings, \
	.set = figure_page_set

/* What an analysis filled in gets its colours, once. */
void figure_page_color(struct figures *figures);
void figure_page_release(void *numbers);
void figure_page_end(void *state);
void figure_page_made(struct analysis *analysis);
struct view_answer figure_page_command(struct analysis *analysis, struct session *session,
	enum command command, long count, const char *argument);
bool figure_page_lacks(const struct analysis *analysis, enum command command);
struct view_answer figure_page_mouse(
	struct analysis *analysis, struct session *session, const struct screen_mouse *mouse);
void figure_page_lay_out(
	struct analysis *analysis, struct session *session, const struct canvas *canvas);
void figure_page_draw(
	const struct analysis *analysis, const struct session *session, struct canvas *canvas);
void figure_page_place(const struct analysis *analysis, struct view_place *place);
void figure_page_go_to_place(
	struct analysis *analysis, struct session *session, const struct view_place *place);
/*
 * sort=COLUMN (from 1, - before it: the other way round), statistic=, column=,
 * only= and search=PATTERN.
 */
void figure_page_name_settings(const struct analysis *analysis, const struct setting_sink *sink);
bool figure_page_set(struct analysis *analysis, struct session *session, const char *setting);
void figure_page_position(const struct analysis *analysis, struct text *out);

#endif
