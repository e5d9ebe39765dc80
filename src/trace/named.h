/* What options name, found in a trace: by id, or by name. */
#ifndef TTRACE_TRACE_NAMED_H
#define TTRACE_TRACE_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* False with ERROR_USAGE, which names the nearest ids, where the trace has none. O(those). */
bool named_actor(
	const struct trace *trace, int64_t id, actor_ref *ref, struct error *err);
bool named_task(const struct trace *trace, int64_t id, task_ref *ref, struct error *err);

/* What has names: functions that actors start with, user regions, and types of user tasks. */
enum named_type { NAMED_FUNCTION, NAMED_REGION, NAMED_TASK, NAMED_TYPE_COUNT };

/*
 * False with err set where the trace has nothing of the type with that name: ERROR_USAGE, which
 * tells the names that are most like it. O(those).
 */
bool named_find(const struct trace *trace, enum named_type type, const char *wanted,
	string_id *name, struct error *err);

#endif
