/*
 * A user task with all that descend from it, and how they are drawn: doc/format/
 * cmd-trace-views.md, section 4.7.
 */
#ifndef TTRACE_DUMP_JSON_TASKS_H
#define TTRACE_DUMP_JSON_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "dump/json_events.h"
#include "dump/json_pass.h"
#include "dump/json_scope.h"

struct json_task;

/* Zero-initialised has no tasks. */
struct json_tasks {
	struct map by_id; /* to the index, until json_tasks_find() has put them in order */
	struct json_task *items;
	size_t count, capacity;
};

void json_tasks_release(struct json_tasks *tasks);
/*
 * Reads the trace once. The scope becomes the task's interval and, where only goroutines
 * that took part are wanted, those. ERROR_USAGE when the trace does not mention the task.
 */
bool json_tasks_find(struct json_tasks *tasks, struct json_scope *scope, struct json_pass *pass,
	int64_t task, bool wants_goroutines, struct error *err);

bool json_tasks_has(const struct json_tasks *tasks, int64_t task);
/* The colour of a task, NULL of the background task. */
const char *json_task_color(int64_t task);

/* The slices and arrows of all of them, and what names their lanes. */
void json_tasks_draw(const struct json_tasks *tasks, struct json_events *out);
void json_tasks_lanes(const struct json_tasks *tasks, struct json_events *out);

#endif
