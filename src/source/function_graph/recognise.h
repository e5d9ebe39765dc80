/*
 * Whether a file is a function_graph, told by its beginning.
 *
 * Each line gives points: a header 10, a record 3. The source with the most points has it, if
 * these are RECOGNISED_POINTS at least. Prose around the data is normal and costs nothing.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_RECOGNISE_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_RECOGNISE_H

#include "source/common/scan.h"

enum {
	RECOGNISE_BYTES = 64 * 1024, /* of a file are looked at, unpacked */
	RECOGNISED_POINTS = 4
};

/*
 * The points of the beginning of a file. trace-cmd's form looks like any trace of the kernel: one
 * event of a function graph makes all of its records ours. It takes some milliseconds.
 */
unsigned fgraph_recognise(struct scan head);

#endif
