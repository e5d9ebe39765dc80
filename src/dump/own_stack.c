/* The stack of the goroutine itself. */
#include "dump/own_stack.h"

bool
own_stack_is_present(const struct go_event *event, bool is_go123)
{
	enum go_state from = event->u.goroutine.from, to = event->u.goroutine.to;
	if (from == GO_NOT_EXIST && (to == GO_RUNNABLE || to == GO_WAITING))
		return true;
	if (is_go123 && (from == GO_UNDETERMINED || from == to))
		return false;
	return event->u.goroutine.stack != STACK_NONE;
}
