/* Names of states and classes; the class of each reason that the runtime writes. */
#include "trace/state.h"

#include <string.h>

#include "base/compiler.h"

static const char *const state_names[STATE_COUNT] = {
	[STATE_GONE] = "gone",       [STATE_UNKNOWN] = "unknown", [STATE_RUNNING] = "running",
	[STATE_READY] = "ready",     [STATE_BLOCKED] = "blocked", [STATE_SYSCALL] = "syscall",
};

static const char *const class_names[CLASS_COUNT] = {
	[CLASS_GONE] = "gone",
	[CLASS_UNKNOWN] = "unknown",
	[CLASS_RUNNING] = "running",
	[CLASS_GC_WORKER] = "gc worker",
	[CLASS_READY] = "ready",
	[CLASS_SYSCALL] = "syscall",
	[CLASS_CHANNEL] = "channel",
	[CLASS_SELECT] = "select",
	[CLASS_SYNC] = "sync",
	[CLASS_NETWORK] = "network",
	[CLASS_SLEEP] = "sleep",
	[CLASS_GC_WAIT] = "gc wait",
	[CLASS_IDLE] = "idle",
	[CLASS_FOREVER] = "forever",
	[CLASS_OTHER] = "blocked",
};

/* go-trace-semantics.md, section 7.1, and the texts of the older format. */
static const struct {
	const char *reason;
	enum time_class time_class;
} reason_classes[] = {
	{ "chan receive", CLASS_CHANNEL },
	{ "chan send", CLASS_CHANNEL },
	{ "select", CLASS_SELECT },
	{ "sync", CLASS_SYNC },
	{ "sync.(*Cond).Wait", CLASS_SYNC },
	{ "synctest", CLASS_SYNC },
	{ "network", CLASS_NETWORK },
	{ "sleep", CLASS_SLEEP },
	{ "forever", CLASS_FOREVER },
	{ "GC mark assist wait for work", CLASS_GC_WAIT },
	{ "GC weak to strong wait", CLASS_GC_WAIT },
	{ "wait until GC ends", CLASS_GC_WAIT },
	{ "GC background sweeper wait", CLASS_IDLE },
	{ "system goroutine wait", CLASS_IDLE },
	{ "preempted", CLASS_OTHER },
	{ "wait for debug call", CLASS_OTHER },
};

const char *
state_name(enum state state)
{
	return state_names[state];
}

const char *
class_name(enum time_class time_class)
{
	return class_names[time_class];
}

/* Its place in the table, beyond the end of it if it is not there. */
static size_t
find_reason(const char *reason, size_t length)
{
	size_t i = 0;
	while (i < ARRAY_LENGTH(reason_classes) &&
		(strlen(reason_classes[i].reason) != length ||
			memcmp(reason_classes[i].reason, reason, length) != 0))
		i++;
	return i;
}

/* The class of a blocked state by its reason as the runtime writes it (an open set). */
static enum time_class
class_of_reason(const char *reason, size_t length)
{
	size_t i = find_reason(reason, length);
	return i < ARRAY_LENGTH(reason_classes) ? reason_classes[i].time_class : CLASS_OTHER;
}

bool
reason_is_known(const char *reason, size_t length)
{
	return find_reason(reason, length) < ARRAY_LENGTH(reason_classes);
}

enum time_class
state_class(enum state state, bool is_gc_worker, const char *reason, size_t length)
{
	switch (state) {
	case STATE_GONE:
		return CLASS_GONE;
	case STATE_UNKNOWN:
		return CLASS_UNKNOWN;
	case STATE_RUNNING:
		return is_gc_worker ? CLASS_GC_WORKER : CLASS_RUNNING;
	case STATE_READY:
		return CLASS_READY;
	case STATE_SYSCALL:
		return CLASS_SYSCALL;
	case STATE_BLOCKED:
	case STATE_COUNT:
		break;
	}
	return class_of_reason(reason, length);
}

bool
state_is_gc_worker_name(const char *name, size_t length)
{
	static const char worker[] = "runtime.gcBgMarkWorker";

	return length == sizeof(worker) - 1 && memcmp(name, worker, length) == 0;
}
