/*
 * From records to calls. Where the input has no events of the scheduler, what tasks did is told by
 * their calls alone (lanes_build()). Where it has, the kernel's own rules (source/common/kernel.h)
 * tell who runs, and ask for the calls one after another (lanes_take()).
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_LANES_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_LANES_H

#include "source/function_graph/records.h"
#include "trace/builder.h"
#include "trace/trace.h"

struct lanes;

/*
 * Finds the task of each record and the smallest time, from which times count then. The records may be
 * put into another order. Both must live as long. NULL for want of memory.
 */
struct lanes *lanes_new(struct fgraph *graph, struct records *records, struct error *err);
void lanes_free(struct lanes *lanes); /* NULL is fine */

/* Builds calls, runs and the rest of the graph. */
bool lanes_build(struct lanes *lanes, struct error *err);

/*
 * A call, or the sign of an interrupt, whose task is that actor; REF_NONE: of a CPU without a task. They come
 * in the order of time. The strings of the graph are the trace's by now.
 */
bool lanes_take(struct lanes *lanes, struct trace *trace, struct builder *builder, uint32_t index,
	actor_ref actor, struct error *err);
/* No more will come. */
bool lanes_end(struct lanes *lanes, const struct trace *trace, struct error *err);

#endif
