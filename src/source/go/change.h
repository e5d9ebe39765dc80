/*
 * A change of state of a goroutine, as the rules tell it: with the records of those who take
 * part. Nearly all events are such changes, so the one who writes steps takes them as they
 * are; for everybody else they become events.
 */
#ifndef TTRACE_SOURCE_GO_CHANGE_H
#define TTRACE_SOURCE_GO_CHANGE_H

#include "source/go/state.h"

struct go_change {
	struct goroutine *goroutine; /* whose state changes; may be out of use by now */
	struct machine *machine;     /* the context before it: thread, */
	struct proc *proc;           /* proc or NULL, */
	struct goroutine *actor;     /* and the record of g, NULL where it is not at hand */
	int64_t g;
	stack_id stack;              /* of the context */
	stack_id own_stack;          /* of the goroutine */
	string_id reason;
	enum go_state from, to;
};

/* A change without stacks and a reason. To be called before the machine's binding changes. */
static ALWAYS_INLINE void
go_change_set(struct go_change *change, struct machine *machine, struct goroutine *goroutine,
              enum go_state from, enum go_state to)
{
	change->goroutine = goroutine;
	change->machine = machine;
	change->proc = machine->p;
	change->actor = NULL;
	change->g = machine->g;
	change->reason = STRING_EMPTY;
	change->stack = STACK_NONE;
	change->own_stack = STACK_NONE;
	change->from = from;
	change->to = to;
}

/*
 * Fills the event that tells of the change, but for its time. wire_id: of where it comes from.
 * What its kind has no use for is left alone.
 */
static inline void
go_change_tell(const struct go_change *change, uint8_t wire_id, struct go_event *event)
{
	const struct machine *machine = change->machine;
	event->kind = GO_EVENT_GOROUTINE;
	event->wire_id = wire_id;
	event->is_synthetic = false;
	event->m = machine->id;
	event->m_mark = &change->machine->mark;
	event->p = change->proc != NULL ? change->proc->id : GO_ID_NONE;
	event->p_mark = change->proc != NULL ? &change->proc->mark : NULL;
	event->g = change->g;
	event->g_mark = change->actor != NULL ? &change->actor->mark : NULL;
	event->stack = change->stack;
	event->u.goroutine.id = change->goroutine->id;
	event->u.goroutine.mark = &change->goroutine->mark;
	event->u.goroutine.from = change->from;
	event->u.goroutine.to = change->to;
	event->u.goroutine.reason = change->reason;
	event->u.goroutine.stack = change->own_stack;
}

#endif
