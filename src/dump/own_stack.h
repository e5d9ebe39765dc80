/* Whether a transition comes with a stack of the goroutine itself, for all that tell one. */
#ifndef TTRACE_DUMP_OWN_STACK_H
#define TTRACE_DUMP_OWN_STACK_H

#include <stdbool.h>

#include "source/go/event.h"

/*
 * Of a transition of a goroutine. The stack counts as present where there is none if the
 * goroutine was just created; Go 1.22 and 1.23 have none for what status events tell
 * (doc/format/go-trace-semantics.md, section 3.4).
 */
bool own_stack_is_present(const struct go_event *event, bool is_go123);

#endif
