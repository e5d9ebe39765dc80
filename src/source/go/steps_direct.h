/*
 * The short way from a change of state to its step: in line for the merge, without an event
 * between them. What it cannot do, step_writer_sink() can.
 */
#ifndef TTRACE_SOURCE_GO_STEPS_DIRECT_H
#define TTRACE_SOURCE_GO_STEPS_DIRECT_H

#include "source/go/change.h"
#include "source/go/steps_internal.h"

/*
 * Writes a change at its time, if everything that it refers to is marked. False without a
 * step where it is not, or where there is no room: then it is to be told as an event.
 */
static ALWAYS_INLINE bool
step_write_change(struct step_writer *writer, const struct go_change *change, int64_t time_ns)
{
	unsigned told = step_told(change->from, change->to);
	const struct go_mark *mark = &change->goroutine->mark;
	struct step_change words = {
		.goroutine = mark->number - 1,
		.waker = REF_NONE,
		.proc = REF_NONE,
		.thread = change->machine->mark.number - 1,
		.stack = change->stack,
		.own_stack = change->own_stack,
		.reason = change->reason,
		.is_by_timer = change->proc != NULL && change->proc->id == GO_PROC_TIMERS,
	};

	if (UNLIKELY(!step_writer_has_room(writer) || change->from == GO_NOT_EXIST))
		return false;
	if (UNLIKELY(words.goroutine == REF_NONE || words.thread == REF_NONE))
		return false;
	if (change->own_stack != STACK_NONE && UNLIKELY(!mark->is_named))
		return false;
	if ((told & STEP_WOKEN) != 0) {
		if (UNLIKELY(change->actor == NULL || change->actor->mark.number == 0))
			return false;
		words.waker = change->actor->mark.number - 1;
	}
	if ((told & STEP_EXECUTING) != 0) {
		if (UNLIKELY(change->proc == NULL || change->proc->mark.number == 0))
			return false;
		words.proc = change->proc->mark.number - 1;
	}
	step_put_change(writer, change->from, change->to, &words, time_ns);
	return true;
}

#endif
