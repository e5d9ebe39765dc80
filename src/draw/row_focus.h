/* What touched one goroutine: rows of the timeline when it is in focus. */
#ifndef TTRACE_DRAW_ROW_FOCUS_H
#define TTRACE_DRAW_ROW_FOCUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct ref_list {
	uint32_t *items;
	size_t count, capacity;
};

/* A goroutine and what touched it: see rows_focus(). */
struct row_focus {
	goroutine_ref goroutine;    /* REF_NONE while there is no focus */
	struct ref_list wakers, woken, procs; /* most often first */
};

/* Looks at every state of the trace, once. On failure nothing is held. */
bool row_focus_build(struct row_focus *focus, const struct trace *trace, goroutine_ref goroutine,
	struct error *err);
void row_focus_release(struct row_focus *focus);

#endif
