/*
 * Texts (draw/prose.h) on the sheet of a page to walk on: what leads somewhere is a step. Only for
 * view/.
 */
#ifndef TTRACE_VIEW_WALK_TEXT_H
#define TTRACE_VIEW_WALK_TEXT_H

#include "draw/prose.h"
#include "view/walk.h"

struct walk_text {
	struct prose prose;
	struct walk *walk;
	struct sheet *sheet;
	const struct prose_column *columns;
	int column_count;
	int column;      /* of the row, the next one */
	bool has_cell;   /* the row has words that a joint can follow */
	size_t joint;    /* bytes of the next cell that are not its own */
	int left;        /* where lines begin */
	int indent;      /* of the row */
	bool is_item;    /* lines belong to an item, which leads from its first one */
	size_t led_line; /* of what leads somewhere */
};

/* The text is begun on the sheet; what comes back is its, to be written on. */
struct prose *walk_text_begin(struct walk_text *text, struct walk *walk, struct sheet *sheet);

#endif
