/* What --cache does around loading: looks for the cache of a trace before, and keeps one after. */
#ifndef TTRACE_APP_KEEPER_H
#define TTRACE_APP_KEEPER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "app/cachefile.h"
#include "app/environment.h"
#include "app/options.h"
#include "base/error.h"
#include "input/input.h"
#include "trace/trace.h"

/* Zero-initialised does nothing. */
struct keeper {
	int fd;
	bool is_wanted;
	bool has_file;         /* the trace can have a cache: */
	struct cachefile file;
	struct error note;     /* why it can not, or why its cache was not taken */
};

/* Takes a line, safe text, that the user is to see. */
typedef void (*keeper_tell)(void *context, bool is_alert, const char *line);

/* For the trace in an open input that nothing was taken of. */
void keeper_init(struct keeper *keeper, const struct options *options,
	const struct environment *environment, const struct input *in);
void keeper_release(struct keeper *keeper);

/* The trace out of its cache; NULL where it has to be loaded. */
struct trace *keeper_open(struct keeper *keeper);
/*
 * The same, with all of it checked at once, so that it is sound; what is not is distrusted. It takes
 * as long as reading the cache.
 */
struct trace *keeper_open_whole(struct keeper *keeper);
/* The trace turned out not to be sound. It has to be loaded now; nothing of the input was taken. */
void keeper_distrust(struct keeper *keeper);
/*
 * Tells what is to be told, then, where a trace does not come from a cache already, how large its
 * cache will be, and writes that. ascii: of the lines.
 */
void keeper_keep(struct keeper *keeper, const struct trace *trace,
	const atomic_bool *is_cancelled, bool ascii, keeper_tell tell, void *context);

#endif
