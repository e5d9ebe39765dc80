/*
 * What lenient reading does where the rules of the state machine say no: it believes the
 * event, makes true what the event takes for granted, and lets what contradicts it become
 * unknown. doc/DESIGN.md, "Damage".
 */
#ifndef TTRACE_SOURCE_GO_REPAIR_H
#define TTRACE_SOURCE_GO_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/go/state.h"

/*
 * Prepares for an event that failed or waits in vain; the rules are then to be tried once
 * more. If they still refuse, the event tells nothing without what was lost before it.
 * The queue gets the events that say what became unknown. Fails only for want of memory.
 */
bool repair_prepare(struct state *state, struct machine *machine,
                    const struct wire_event *wire, struct error *err);
/* The event advanced after all: corrects in the queue what it says of the state before. */
void repair_finish(struct state *state, const struct wire_event *wire);

/* Events of the thread are lost from here on: what it is bound to becomes unknown. */
void repair_doubt_thread(struct state *state, struct machine *machine);

/* Events of the goroutine are lost from here on. The queue gets that. */
void repair_doubt_goroutine(struct state *state, struct goroutine *goroutine);

/*
 * Events of all threads are lost: one more resource becomes unknown, each call, by what
 * the queue gets; false when there is no more. *at is 0 at first.
 */
bool repair_doubt_next(struct state *state, size_t *at);
/*
 * The first whole generation after a loss tells of every goroutine that is there. One that
 * is unknown and that it did not tell of, each call, is gone; false when there is no more.
 */
bool repair_forget_next(struct state *state, size_t *at);

#endif
