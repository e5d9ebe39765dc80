/*
 * Inputs that are read more than once: a file goes back to where it was opened, and what
 * comes through a pipe is kept in a file without a name.
 */
#ifndef TTRACE_INPUT_SPOOL_H
#define TTRACE_INPUT_SPOOL_H

#include <stdbool.h>

#include "base/error.h"
#include "input/input.h"

/*
 * Makes sure that input_rewind() works: reads all of a pipe into a file in $TMPDIR or
 * /tmp, from where it is read on. The input is an opener's, of which nothing was taken.
 */
bool spool_input(struct input *in, struct error *err);

#endif
