/* What the processors did during an interval, while something waited. Only for view/. */
#ifndef TTRACE_VIEW_MEANWHILE_H
#define TTRACE_VIEW_MEANWHILE_H

#include "view/sheet.h"

/*
 * A heading and a line per processor: which actors it ran most, with their shares of the
 * time, and how much it ran nothing. Looks at so many spans of a processor at most; where
 * there are more it tells of the longest one and the sum alone. Nothing for an empty interval.
 */
void meanwhile_write(struct sheet *sheet, int64_t from_ns, int64_t until_ns);

#endif
