/*
 * Lines of styled text that can be scrolled and searched: what the help view
 * shows, and any other view that is a page of text.
 */
#ifndef TTRACE_VIEW_LINES_H
#define TTRACE_VIEW_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "view/view.h"

struct pattern; /* query/pattern.h */

/* A run of text in one style, on one line. */
struct lines_piece {
	size_t offset, length; /* in the text */
	int column;            /* where it begins */
	struct cell_style style;
};

/* Zero-initialised is empty. */
struct lines {
	struct text text; /* all pieces, safe text, a newline behind each line */
	struct lines_piece *pieces;
	size_t piece_count, piece_capacity;
	size_t *first_piece; /* of each line */
	size_t *first_byte;  /* of each line in the text */
	size_t count, first_piece_capacity, first_byte_capacity;
	size_t top;              /* the first line shown */
	size_t page;             /* lines that fit on the screen, as last drawn; at least 1 */
	struct pattern *pattern; /* what is searched, NULL for nothing */
	size_t match;            /* the line of the match where we are, while there is a search */
};

void lines_release(struct lines *lines);
/* Takes all lines away; where it stands and what it searches stay. */
void lines_clear(struct lines *lines);

/* Begins a line. Without memory the line is missing; text.failed tells. */
void lines_begin(struct lines *lines);
/* Adds safe text to the last line, at a column. */
void lines_add(
	struct lines *lines, int column, struct cell_style style, const char *safe, size_t length);

/*
 * Carries out the commands that such a page has: up and down by lines and pages, first and last,
 * searching. Others are VIEW_NOTHING. CLEAR_SEARCH is VIEW_NOTHING without a search.
 */
struct view_answer lines_command(struct lines *lines, struct session *session, enum command command,
	long count, const char *argument);

/* Where it stands, and going there once there are so many lines; false for the beginning. */
bool lines_place(const struct lines *lines, struct view_place *place);
void lines_go_to_place(struct lines *lines, const struct view_place *place);

/* Fills the canvas but for the title on its first row; lines that match are marked. */
void lines_draw(struct lines *lines, struct canvas *canvas);

#endif
