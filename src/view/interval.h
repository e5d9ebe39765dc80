/*
 * Moving the session's cursor and interval of time over so many cells, as all pictures of time do.
 * Only for view/.
 */
#ifndef TTRACE_VIEW_INTERVAL_H
#define TTRACE_VIEW_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "view/session.h"

enum { INTERVAL_LARGEST_COUNT = 1000000 }; /* of steps; more are as many */

/* The moment, or the one of the trace that is next to it. */
int64_t interval_clamp(const struct session *session, int64_t t_ns);
/* To the start of the cell so many cells away; beyond the edge the interval moves along. */
void interval_move_cursor(struct session *session, int cells, int64_t steps);
/*
 * Half an interval, so many times, to either side. The cursor stays in its column; at the ends of
 * the trace it moves alone.
 */
void interval_pan(struct session *session, int cells, int64_t halves);
/*
 * Halves the time that is shown so often, or doubles it for negative steps;
 * false where it is as it was.
 */
bool interval_zoom(struct session *session, int cells, int64_t steps);

#endif
