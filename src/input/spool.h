/*
 * Pipes that are read more than once: what comes through is kept, while it is read for
 * the first time, in a file without a name.
 */
#ifndef TTRACE_INPUT_SPOOL_H
#define TTRACE_INPUT_SPOOL_H

#include <stdbool.h>

#include "base/error.h"
#include "input/input.h"

/* Not to be moved between begin and end. */
struct spool {
	struct input reading; /* for the first reading: all that it takes goes to the file too */
	struct input *in;
	int fd;
};

/*
 * Makes a file in $TMPDIR or /tmp for what comes through `in`, an opener's input of which
 * nothing was taken. Unless it fails, spool_end() has to follow.
 */
bool spool_begin(struct spool *spool, struct input *in, struct error *err);
/*
 * From now on the file is the input: it stands where the first reading began, ends where
 * that ended, and can be rewound.
 */
bool spool_end(struct spool *spool, struct error *err);

#endif
