/*
 * A function_graph whose line breaks and runs of blanks became single blanks, as text copied from
 * a page of the web does. A record begins at a word "N)" that a duration or its bar follows; a
 * mark at a word "###". Indentation is gone, so depth is the number of braces that are open.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_ONELINE_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_ONELINE_H

#include <stdbool.h>

#include "source/common/scan.h"
#include "source/function_graph/line.h"

enum { ONELINE_MIN_BYTES = 4096 };

/* Whether a line is of that form: longer than 4 KiB, with more than four beginnings of records. */
bool oneline_is(struct scan line);

/*
 * Takes a piece: what is before the first beginning, if that is no blank, or one beginning and what
 * follows up to the next. False when nothing is left. O(length of the piece).
 */
bool oneline_piece(struct scan *line, struct scan *piece);

/*
 * Takes a record from a piece. Behind it may stand what is no beginning but was a line of its own:
 * a switch, a loss, a sign of an interrupt. False when nothing is left.
 */
bool oneline_record(struct scan *piece, struct graph_line *line);

#endif
