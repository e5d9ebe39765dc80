/* What it costs, about, to write cells over others: for choosing what is moved instead. */
#ifndef TTRACE_TERM_REWRITE_H
#define TTRACE_TERM_REWRITE_H

#include <stdbool.h>

#include "draw/canvas.h"

/* Whether one cell may stand for the other: blanks have no colour of text. */
bool rewrite_is_same(const struct cell *a, const struct cell *b);

/*
 * About how many bytes make `count` cells that look like `before` look like `after`. NULL: like
 * blanks on the terminal's own ground.
 */
int rewrite_bytes(const struct cell *before, const struct cell *after, int count);

#endif
