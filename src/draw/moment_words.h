/*
 * Actors at a moment in the words of Go's own dump of actors. All functions append
 * safe text.
 */
#ifndef TTRACE_DRAW_MOMENT_WORDS_H
#define TTRACE_DRAW_MOMENT_WORDS_H

#include <stdbool.h>

#include "analysis/moment.h"
#include "base/text.h"
#include "trace/trace.h"

/* "3 goroutines alike: 18, 19, 20"; nothing for a group of one. */
void moment_add_alike(struct text *out, const struct trace *trace, const struct moment *moment,
                      const struct moment_group *group);
/* "goroutine 18 [chan receive, 1.2 ms]:"; "over 1.2 ms" where it began before the trace. */
void moment_add_header(struct text *out, const struct trace *trace, const struct moment *moment,
                       const struct moment_actor *actor, bool ascii);
/* "main.worker(...)" */
void moment_add_call(struct text *out, const struct trace *trace, const struct stack_frame *frame,
                     bool ascii);
/* "/src/main.go:12" */
void moment_add_place(struct text *out, const struct trace *trace, const struct stack_frame *frame,
                      bool ascii);
/*
 * "created by main.main in goroutine 1", of which the place is that of the frame; false, and
 * nothing, where the trace does not tell. The frame may be NULL then.
 */
bool moment_add_creation(struct text *out, const struct trace *trace, actor_ref actor,
                         bool ascii, const struct stack_frame **frame);

#endif
