/* The last row of the screen: hints, or what there is to say; and where we are. */
#ifndef TTRACE_APP_FOOTER_H
#define TTRACE_APP_FOOTER_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/canvas.h"
#include "view/command.h"

struct key_map; /* app/keys.h */

struct footer {
	const struct key_map *keys;
	unsigned context; /* of the view on top, for its hints */
	/*
	 * Whether the view does nothing with a command, as struct view_ops has
	 * it; NULL: there is none.
	 */
	bool (*lacks)(const void *state, enum command command);
	const void *state;
	bool has_search, has_mark, has_damage;
	bool has_filter;   /* and it is what CLEAR_SEARCH drops next */
	bool has_way_back; /* CLOSE in the timeline does not quit */
	bool has_causes; /* the trace tells of waits, and what ended them */
	bool lacks_part; /* under the cursor nothing is loaded */
	const char *status; /* safe text, "" for none: then hints are shown */
	bool status_is_alert;
	long count;           /* typed so far, 0 for none */
	const char *position; /* safe text for the right end, "" for none */
};

/* Cells of the row that stand for a command. */
struct footer_spot {
	int x, end_x;
	enum command command;
};

enum { FOOTER_SPOTS = 64 };

struct footer_spots {
	struct footer_spot items[FOOTER_SPOTS];
	size_t count;
};

/*
 * Fills row y: the hints that matter most of those that fit, in their usual
 * order. Notes where they are.
 */
void footer_draw(
	const struct footer *footer, struct canvas *canvas, int y, struct footer_spots *spots);

#endif
