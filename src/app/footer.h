/* The last row of the screen: hints, or what there is to say; and where we are. */
#ifndef TTRACE_APP_FOOTER_H
#define TTRACE_APP_FOOTER_H

#include <stdbool.h>

#include "draw/canvas.h"

struct key_map; /* app/keys.h */

struct footer {
	const struct key_map *keys;
	unsigned context; /* of the view on top, for its hints */
	bool has_search, has_mark, has_damage;
	bool lacks_part; /* under the cursor nothing is loaded */
	const char *status; /* safe text, "" for none: then hints are shown */
	bool status_is_alert;
	long count;           /* typed so far, 0 for none */
	const char *position; /* safe text for the right end, "" for none */
};

/* Fills row y: the hints that matter most of those that fit, in their usual order. */
void footer_draw(const struct footer *footer, struct canvas *canvas, int y);

#endif
