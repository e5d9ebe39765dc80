/* The part of --report=summary that tells of allocations. */
#ifndef TTRACE_REPORT_ALLOCS_H
#define TTRACE_REPORT_ALLOCS_H

#include <stdbool.h>

#include "report/page.h"
#include "trace/trace.h"

/*
 * Tables of allocations by kind and of objects by type, of the whole trace. Nothing where
 * the trace does not tell of any. Fails for want of memory.
 */
bool report_allocs(struct page *page, const struct trace *trace, struct error *err);

#endif
