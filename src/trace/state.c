#include "trace/state.h"

static const char *const state_names[STATE_COUNT] = {
	[STATE_GONE] = "gone",       [STATE_UNKNOWN] = "unknown", [STATE_RUNNING] = "running",
	[STATE_READY] = "ready",     [STATE_BLOCKED] = "blocked", [STATE_SYSCALL] = "syscall",
};

const char *
state_name(enum state state)
{
	return state_names[state];
}
