/*
 * Another trace than the one that is on the screen first, that of --diff or one that stands beside it: loaded on a
 * thread of its own, and kept until the end.
 */
#ifndef TTRACE_APP_OTHER_H
#define TTRACE_APP_OTHER_H

#include <stdbool.h>
#include <stdint.h>

#include "app/environment.h"
#include "app/keeper.h"
#include "app/loader.h"
#include "app/options.h"
#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"
#include "draw/screen.h"
#include "input/input.h"
#include "view/other.h"

/* May not be moved while it is open. Zero-initialised is closed. */
struct other {
	struct other_trace shown; /* what views see of it */
	const struct options *options;
	bool ascii;
	struct input input;
	struct keeper keeper; /* of its cache */
	struct text path, name; /* of the file, safe text: as it was given, and without its folder */
	struct progress progress;
	struct loader loader;
	bool is_started; /* there is a thread, which may be done */
	bool is_wanted;  /* else it is not begun again once it was cancelled */
	bool is_read;    /* something of the input was taken */
};

/* Opens a file that the options name; false with err set where that cannot be. To be released in any case. */
bool other_open(struct other *other, const char *file, const struct options *options,
	const struct environment *environment, struct error *err);
/* Begins to load it; the screen is woken when it is there. */
void other_begin(struct other *other, struct screen *screen);
/* Takes in what has become of it since. */
void other_look(struct other *other);
/* Gives up loading it, and frees it; nobody may look at it any more. */
void other_release(struct other *other);

/* What each of the traces on the screen may take of --memory; 0: as much as it wants. */
uint64_t other_memory_bytes(const struct options *options);

#endif
