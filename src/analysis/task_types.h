/* User tasks by type: how many, how long they took. */
#ifndef TTRACE_ANALYSIS_TASK_TYPES_H
#define TTRACE_ANALYSIS_TASK_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/spread.h"
#include "base/error.h"
#include "trace/trace.h"

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

/* Tasks of one name: tasks [first, first + count) of the list. */
struct task_type {
	string_id name; /* STRING_EMPTY where nobody knows, or it has none */
	uint32_t first, count;
	uint32_t complete;      /* that begin and end within the trace: the first of them, the longest first */
	struct spread spread;   /* of how long the complete ones took */
};

struct task_types {
	task_ref *tasks;
	int64_t *durations_ns;   /* of each of them, what is not known cut at the ends of the trace */
	uint32_t task_count;
	struct task_type *types; /* whose complete tasks took longest in all first, equals by name */
	uint32_t type_count;
};

/* What is asked. */
struct task_scope {
	int64_t t0_ns, t1_ns; /* tasks that overlap [t0, t1), with all of their time */
	/*
	 * On whose actor it matches a state meanwhile: that which began the task or, where
	 * nobody knows, which ended it. NULL: any.
	 */
	struct search *only;
	struct search_watch *watch; /* a unit of work is a task; NULL is fine */
};

/*
 * O(n log n). ERROR_CANCELLED where the watch says so. Release with task_types_release() after
 * success.
 */
bool task_types_build(struct task_types *types, const struct trace *trace,
	const struct task_scope *scope, struct error *err);
void task_types_release(struct task_types *types);

/* Whether both ends of a task are in the trace. */
bool task_is_complete(const struct task *task);

#endif
