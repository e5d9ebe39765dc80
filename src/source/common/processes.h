/*
 * Threads of one process as groups of actors. Processes of which one thread alone was seen have none: their
 * threads stand with those of the same name.
 */
#ifndef TTRACE_SOURCE_COMMON_PROCESSES_H
#define TTRACE_SOURCE_COMMON_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/builder.h"
#include "trace/trace.h"

struct process_thread {
	int64_t id;       /* of the actor */
	int64_t process;  /* the id of its first thread; 0 and less: not known */
	string_id name;
};

/*
 * Names the groups of all actors that the trace has, as "nginx 1000": by the first thread, or where that is not
 * among the threads by what others have in common, or "process". The finish of the builder needs *groups, which the caller frees, NULL or not. False
 * for want of memory. O(threads + actors).
 */
bool processes_group(struct builder *builder, struct trace *trace, const struct process_thread *threads,
	size_t count, string_id **groups, struct error *err);

#endif
