/* What the files of the rows share. Only for draw/rows*.c. */
#ifndef TTRACE_DRAW_ROWS_INTERNAL_H
#define TTRACE_DRAW_ROWS_INTERNAL_H

#include "draw/rows.h"

/* Puts groups, procs and threads in order; all groups are folded. On failure some may be. */
bool rows_order(struct timeline_rows *rows, struct error *err);
/* Makes the list anew from what the rows hold. O(rows). On failure it is as it was. */
bool rows_list(struct timeline_rows *rows, struct error *err);

#endif
