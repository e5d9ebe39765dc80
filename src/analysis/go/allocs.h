/* What a trace of the AllocFree experiment says of allocations, in an order to read. */
#ifndef TTRACE_ANALYSIS_ALLOCS_H
#define TTRACE_ANALYSIS_ALLOCS_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

/* Whether the trace tells of any allocation. */
bool allocs_are_known(const struct trace *trace);

/*
 * The types of objects (trace->alloc_types.count of them) by the bytes allocated while
 * the trace was taken, most first. The caller frees with memory_free(); NULL with err
 * set without memory.
 */
struct alloc_type *allocs_by_type(const struct trace *trace, struct error *err);

/* For people. */
#define ALLOC_TYPE_UNKNOWN "(type not known)"
extern const char *const alloc_kind_words[ALLOC_KIND_COUNT]; /* patterns of text_add_words() */

/* Adds the sums of one flow to another. */
void allocs_add(struct alloc_flow *sum, const struct alloc_flow *flow);

#endif
