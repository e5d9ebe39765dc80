/*
 * A state of an actor in its context: what came before and after on the same
 * actor, and which stacks tell where it began and where it ended.
 */
#ifndef TTRACE_DRAW_SPAN_STORY_H
#define TTRACE_DRAW_SPAN_STORY_H

#include <stdbool.h>

#include "trace/span.h"
#include "trace/trace.h"

struct span_story {
	struct span span;          /* as a state of its actor */
	struct span before, after; /* only if there are such */
	bool has_before, has_after;
	stack_id start_stack, end_stack;     /* STACK_NONE where unknown */
	const char *start_title, *end_title; /* what they are: "blocked at", "woken at" */
	range_ref region;                    /* innermost one at its start, REF_NONE for none */
};

/* `of` may be a span of an actor, a processor or a thread. O(log n). */
void span_story_tell(struct span_story *story, const struct trace *trace, const struct span *of);

#endif
