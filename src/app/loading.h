/* The screen while nothing of the trace can be shown yet. */
#ifndef TTRACE_APP_LOADING_H
#define TTRACE_APP_LOADING_H

#include <stdbool.h>
#include <stdint.h>

#include "app/loader.h"
#include "base/error.h"
#include "draw/canvas.h"
#include "draw/palette.h"
#include "draw/screen.h"
#include "trace/trace.h"

struct loading {
	struct screen *screen;
	const struct palette *palette;
	bool ascii;
	const char *name;      /* what is loaded, safe text */
	struct loader *loader; /* started */
	/* Whether a trace of which more may come will do; NULL: any. */
	bool (*suffices)(const void *context, const struct trace *trace);
	const void *context;
};

/*
 * Shows how far it is until there is a trace that will do, or the whole one: what the
 * loader shows then. False when it could not be loaded, or the user gives up
 * (ERROR_CANCELLED, as when a signal asks us to leave: then *is_terminated is true as well).
 */
bool loading_run(const struct loading *loading, bool *is_terminated, struct error *err);

/*
 * Asks before it is loaded again, in a way that the user has to agree to: true where they do. Else err is set
 * where the screen failed, and *is_terminated is true where a signal asks us to leave.
 */
bool loading_ask(const struct loading *loading, const char *question, bool *is_terminated, struct error *err);

/* What is shown, at one moment. */
struct loading_picture {
	const char *name;
	uint64_t done_bytes, total_bytes; /* total 0: unknown */
	uint64_t events;
	int64_t elapsed_ns;
	uint64_t read_bytes; /* no less than what is done */
};

void loading_draw(const struct loading_picture *picture, struct canvas *canvas);

#endif
