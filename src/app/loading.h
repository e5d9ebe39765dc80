/* Loads a trace on a thread of its own, with a screen that shows how far it is. */
#ifndef TTRACE_APP_LOADING_H
#define TTRACE_APP_LOADING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "draw/canvas.h"
#include "draw/palette.h"
#include "draw/screen.h"
#include "trace/trace.h"

/* The work: reads the trace, tells its progress, ends soon once that is cancelled. */
typedef struct trace *(*loading_function)(
	void *context, struct progress *progress, struct error *err);

struct loading {
	struct screen *screen;
	const struct palette *palette;
	bool ascii;
	const char *name; /* what is loaded, safe text */
	loading_function load;
	void *context; /* of load */
	struct progress *progress;
};

/*
 * Runs load on a thread until it ends or the user gives up (ERROR_CANCELLED, as
 * when a signal asks us to leave: then *is_terminated is true as well). The trace is
 * the caller's.
 */
struct trace *loading_run(const struct loading *loading, bool *is_terminated, struct error *err);

/* What is shown, at one moment. */
struct loading_picture {
	const char *name;
	uint64_t done_bytes, total_bytes; /* total 0: unknown */
	uint64_t events;
	int64_t elapsed_ns;
};

void loading_draw(const struct loading_picture *picture, struct canvas *canvas);

#endif
