/* What the repairs of resources (repair.c) and of ranges (repair_ranges.c) share. */
#ifndef TTRACE_SOURCE_GO_REPAIR_INTERNAL_H
#define TTRACE_SOURCE_GO_REPAIR_INTERNAL_H

#include "source/go/repair.h"
#include "source/go/rules.h"

/* ---- repair.c */

/* Appends an event of nobody to the queue. */
struct go_event *repair_push(struct state *state, enum go_event_kind kind);

/* ---- repair_ranges.c */

/* Makes true what the event takes for granted beyond its context. */
typedef void meet_more(struct state *state, struct machine *machine,
                       const struct wire_event *wire);

meet_more repair_meet_gc, repair_meet_range_begin, repair_meet_range_active,
	repair_meet_region_end;

/* What is in progress ends, for all that will be told of it. */
void repair_close_gc(struct state *state);
void repair_close_stops(struct state *state, struct goroutine *goroutine);
void repair_close_assist(struct state *state, struct goroutine *goroutine);
void repair_close_sweep(struct state *state, struct proc *proc);

#endif
