/* Who belongs to which user task: children, regions, logs; whom each actor created. */
#ifndef TTRACE_ANALYSIS_TASK_INDEX_H
#define TTRACE_ANALYSIS_TASK_INDEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* Of a frozen trace; refs within each list ascend, which is the order in which they began. */
struct task_index {
	struct ref_index children; /* task -> tasks whose parent it is */
	struct ref_index regions;  /* task -> its regions */
	struct ref_index logs;     /* task -> its logs, instants */
	struct ref_index created;  /* actor -> actors that it created, by first_ns */
	struct ref_index assists;  /* actor -> its mark assists, disjoint */
};

/*
 * O(tasks + ranges + instants + actors). ERROR_CANCELLED soon after is_cancelled (NULL: never)
 * was set. Release with task_index_release() after success.
 */
bool task_index_build(struct task_index *index, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err);
void task_index_release(struct task_index *index);

/* Who began it, else who ended it; REF_NONE where nobody knows. */
actor_ref task_actor(const struct task *task);

/*
 * The tasks that no other one in the trace is the parent of, those that took longest first; among
 * equals the first one. NULL without memory; the caller frees with memory_free(). O(n log n).
 */
task_ref *task_index_roots(const struct trace *trace, size_t *count, struct error *err);

#endif
