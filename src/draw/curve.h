/* Curves in braille dots, two columns and four rows of them to a cell. */
#ifndef TTRACE_DRAW_CURVE_H
#define TTRACE_DRAW_CURVE_H

#include <stdint.h>

#include "draw/area.h"

enum { CURVE_DOTS_ACROSS = 2, CURVE_DOTS_DOWN = 4 };

/*
 * Draws a curve over an area, of which it needs no layers: shares has its height, within [0, 1],
 * for each column of dots, which are joined without gaps. Only in cells that are empty or have
 * dots, which then take the style of the last curve. In ASCII each cell that would have dots has
 * a sign.
 */
void curve_draw(const struct area *area, const double *shares, uint8_t style);

#endif
