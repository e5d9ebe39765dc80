/* What the tables of differences share. Only for report/diff*.c. */
#ifndef TTRACE_REPORT_DIFF_INTERNAL_H
#define TTRACE_REPORT_DIFF_INTERNAL_H

#include "report/diff.h"
#include "report/grid.h"

/* Facts about what is compared, and what of it. */
void diff_add_sources(struct grid *grid, const struct diff_source sources[DIFF_SIDES]);

#endif
