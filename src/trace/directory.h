/* Where in the segments goroutines, procs and threads are. */
#ifndef TTRACE_TRACE_DIRECTORY_H
#define TTRACE_TRACE_DIRECTORY_H

#include <stdint.h>

/* A run within a segment: of a goroutine, a proc or a thread. */
struct run_ref {
	uint32_t segment, run; /* index in that segment's runs */
};

/* The runs of each key, in time order. */
struct run_list {
	uint32_t *first; /* key -> index into runs; one more at the end */
	struct run_ref *runs;
	uint32_t key_count;
};

struct directory {
	struct run_list goroutines, procs, threads;
};

#endif
