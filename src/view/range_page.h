/* The detail page of a collection or a stop of the world. Only for view/. */
#ifndef TTRACE_VIEW_RANGE_PAGE_H
#define TTRACE_VIEW_RANGE_PAGE_H

#include "view/sheet.h"

/*
 * Writes about a span of LANE_GC or LANE_STW. A collection: its stops of the world, the
 * work in it, the heap around it. A stop: who stopped what, and what went on after.
 * O(ranges of the trace + processors * log n).
 */
void range_page_write(struct sheet *sheet, struct lane lane, const struct span *span);

#endif
