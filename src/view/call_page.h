/*
 * A tree of calls on the screen, as lines that fold or as a flame graph: what of it is selected,
 * unfolded, zoomed into and searched. Only for view/call_*, view/flame_page.c and
 * view/profile_page.*.
 */
#ifndef TTRACE_VIEW_CALL_PAGE_H
#define TTRACE_VIEW_CALL_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "analysis/diff_profile.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/flame.h"
#include "view/view.h"

struct pattern; /* query/pattern.h */

/* Zero-initialised has no tree. */
struct call_page {
	const struct call_tree *tree;
	const struct diff_profile *diff; /* that the tree is of; NULL: of one trace */
	/* Of a flame graph: the same nodes; of one trace both are the tree. */
	const struct call_tree *boxes[DIFF_SIDES];
	struct measure measure;      /* of its values */
	uint8_t style;               /* of its bars */
	int64_t whole;               /* what shares are of; the tree may be of less */
	bool is_beneath;             /* its names are of the trace beneath, which stays as long */
	uint32_t selected;           /* a node */
	uint8_t *matches;            /* by node, whether it matches the search; NULL: nothing is searched */
	size_t match_count;
	int64_t matched;             /* the values of what matches or is called by that ... */
	int64_t matched_before;      /* ... and what they were */
	struct text scratch;
	/* As lines. */
	uint8_t *is_open;            /* by node, whether what it calls is shown */
	uint32_t *lines;             /* the nodes that are */
	size_t line_count, top, page;
	bool has_lines;              /* else they are to be made */
	/* As a flame graph. */
	uint32_t zoomed;             /* a node */
	uint32_t first_row;
	int rows, width;             /* as laid out last; no rows: that failed */
	struct flame flame;
};

/* A tree takes the place of the one before; nothing of that is kept. False without memory. */
bool call_page_set(struct call_page *page, const struct call_tree *tree, struct error *err);
/* The same of a difference, whose boxes are as wide as what was or what is, by side. */
bool call_page_set_changes(struct call_page *page, const struct diff_profile *diff,
	const struct call_tree *const boxes[DIFF_SIDES], struct error *err);
void call_page_release(struct call_page *page);

/* Marks what a pattern matches; NULL: nothing is searched any more. Selects the first match. */
void call_page_search(
	struct call_page *page, const struct session *session, struct pattern *pattern);
/* Selects the next match, in the order in which an unfolded tree has them; false for none. */
bool call_page_next_match(struct call_page *page, bool forward);
/* Selects the first node of a function right below the root, else anywhere. */
void call_page_select(
	struct call_page *page, const struct trace *trace, const char *function, size_t length);
/* What a node's function is called, raw bytes. */
const char *call_page_name(
	const struct call_page *page, const struct trace *trace, uint32_t node, size_t *length);
/* Appends that to the page's scratch text, within so many cells. */
void call_page_add_name(struct call_page *page, const struct trace *trace, size_t cells, bool ascii,
	uint32_t node);

/* "1.22 s", or "34" samples; "45%" of the whole. */
void call_page_add_value(const struct call_page *page, int64_t value, bool ascii, struct text *out);
void call_page_add_share(const struct call_page *page, int64_t value, struct text *out);
/* "+1.22 s" or "=": of a difference, by how much a value changed. */
void call_page_add_change(const struct call_page *page, int64_t change, bool ascii, struct text *out);
/* How much of the whole matches; of a difference by how much that changed. */
void call_page_add_matched(const struct call_page *page, bool ascii, struct text *out);

/* ---- how it was left, in words: view/call_setting.c; nodes by number, parents before their children */

/*
 * calls=main, none or all (which calls are unfolded: where most time went, none, all), with a comma
 * and a number for each node that is the other way; zoom=NUMBER.
 */
void call_page_name_settings(const struct call_page *page, const struct setting_sink *sink);
bool call_page_set_one(struct call_page *page, const char *setting);
/* The line is the selected node, 0 for the one that is selected at first. */
void call_page_place(const struct call_page *page, size_t top, struct view_place *place);
/* Selects it; where it has no such node nothing happens. */
void call_page_go_to_place(struct call_page *page, const struct view_place *place);
/* Whether most of what a node took went on into that one: at first both are unfolded. */
bool call_page_goes_on(const struct call_page *page, uint32_t node, uint32_t into);

/* ---- as lines: view/call_lines.c */

struct view_answer call_lines_command(struct call_page *page, enum command command, long count);
struct view_answer call_lines_mouse(struct call_page *page, const struct screen_mouse *mouse);
void call_lines_lay_out(struct call_page *page, const struct canvas *canvas);
/* Of the page only the scratch text is written. */
void call_lines_draw(
	struct call_page *page, const struct session *session, struct canvas *canvas);

/* ---- as a flame graph: view/flame_page.c */

struct view_answer flame_page_command(
	struct call_page *page, struct session *session, enum command command, long count);
struct view_answer flame_page_mouse(struct call_page *page, const struct screen_mouse *mouse);
/* With boxes as wide as what was or what is; drawing writes the scratch text alone. */
void flame_page_lay_out(struct call_page *page, enum diff_side side, const struct canvas *canvas);
void flame_page_draw(struct call_page *page, enum diff_side side, const struct session *session,
	struct canvas *canvas);

#endif
