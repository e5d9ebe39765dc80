/* What touched one actor: rows of the timeline when it is in focus. */
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

/* An actor and what touched it: see rows_focus(). */
struct row_focus {
	actor_ref actor;    /* REF_NONE while there is no focus */
	struct ref_list wakers, woken, processors; /* most often first */
};

/* Looks at every state of the trace, once. On failure nothing is held. */
bool row_focus_build(struct row_focus *focus, const struct trace *trace, actor_ref actor,
	struct error *err);
void row_focus_release(struct row_focus *focus);

#endif
