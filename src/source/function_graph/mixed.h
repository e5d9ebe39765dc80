/*
 * A function_graph with events of the kernel between its calls: the rules of source/common/kernel.h make
 * states, interrupts and the rest of these, and the calls lie on the same tasks.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_MIXED_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_MIXED_H

#include "source/common/kernel.h"
#include "source/function_graph/records.h"

/*
 * Whether there are time stamps and CPUs, and an event that says more than that it happened. The trace is for names and
 * stays without anything else.
 */
bool mixed_is(const struct fgraph *graph, const struct records *records, struct trace *trace, bool *is_mixed,
	struct error *err);

/*
 * Hands all records to the kernel's rules, and finds marks and jobs. Own events are the ends of jobs, numbered
 * as these; from graph->job_count on the records that are calls, signs of interrupts and marks; and behind all
 * others one as if it were a record more. The strings of the graph are the trace's by now.
 */
bool mixed_add(struct fgraph *graph, const struct records *records, struct trace *trace, struct kernel *kernel,
	struct error *err);

#endif
