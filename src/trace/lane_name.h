/* Names for lanes that people write and that lead back to them. */
#ifndef TTRACE_TRACE_LANE_NAME_H
#define TTRACE_TRACE_LANE_NAME_H

#include <stdbool.h>

#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"

/*
 * In Go's words "G42", "P3", "M7" (a thread), "T9" (a task); "all", "gc", "stw", else the name of a group's
 * function, which may hold any bytes; of a group that is not by function that of its first
 * actor.
 */
void lane_name_add(struct text *out, const struct trace *trace, struct lane lane);
/* The lane of such a name; false where the trace has none. O(actors). */
bool lane_name_find(const struct trace *trace, const char *name, struct lane *lane);
/* The first task with an id from the file, REF_NONE for none. O(tasks). */
task_ref lane_find_task(const struct trace *trace, int64_t id);

#endif
