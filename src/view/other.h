/* Another trace that the session's is compared with; the app loads it beside. */
#ifndef TTRACE_VIEW_OTHER_H
#define TTRACE_VIEW_OTHER_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

struct other_trace {
	const char *name;          /* of its file, safe text, without the folder */
	const char *file;          /* as the command line has it */
	const struct trace *trace; /* whole; NULL while it is not there */
	int percent;               /* how far it is loaded, 0 to 99 */
	struct error failure;      /* why it cannot be had; ERROR_NONE: it is being loaded, or there */
	/* Begins to load it, again where that has failed, or gives that up. */
	void (*load)(void *context, bool is_wanted);
	void *context;
};

/* Whether it is not there yet, but will be. */
static inline bool
other_is_awaited(const struct other_trace *other)
{
	return other->trace == NULL && other->failure.kind == ERROR_NONE;
}

#endif
