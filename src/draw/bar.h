/* Bars from left to right, in tables and histograms. */
#ifndef TTRACE_DRAW_BAR_H
#define TTRACE_DRAW_BAR_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Appends a bar of a share of so many cells, cut at 1: blocks to the nearest eighth of a cell, in
 * ASCII signs to the nearest cell.
 */
void bar_add(struct text *out, double share, int cells, bool ascii);
/* A bar of a share from -1 to 1; where colours do not tell the two apart, of signs as long. */
void bar_add_change(struct text *out, double share, int cells, bool has_colors);

#endif
