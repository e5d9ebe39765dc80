/* What the tests and the fuzzer of function_graph share: reading text, and what must hold of it. */
#ifndef TTRACE_TESTS_GRAPHTESTING_H
#define TTRACE_TESTS_GRAPHTESTING_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/slice_times.h"
#include "base/error.h"
#include "source/function_graph/fgraph.h"
#include "trace/trace.h"

/* Reads a text, which may be got in pieces of so many bytes (0: whole). */
bool graphtesting_read(struct fgraph *graph, const char *bytes, size_t size, size_t piece_bytes,
	struct error *err);

/* The calls by name; to be released. */
bool graphtesting_functions(
	const struct fgraph *graph, struct slice_times *times, struct error *err);
/*
 * What of a graph is not so whatever was read, NULL where all is: sums, depths, times that are
 * negative or behind the end, slices that overlap or stand outside of the one around them.
 */
const char *graphtesting_fault(const struct fgraph *graph);

/* As a trace; NULL as function_graph_load() has it. */
struct trace *graphtesting_load(const char *bytes, size_t size, struct error *err);
/* What of the trace is not as the graph of the same text says; NULL where all is. */
const char *graphtesting_trace_fault(const struct trace *trace, const struct fgraph *graph);

#endif
