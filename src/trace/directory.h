/* Where in the segments actors, processors and threads are. */
#ifndef TTRACE_TRACE_DIRECTORY_H
#define TTRACE_TRACE_DIRECTORY_H

#include <stdint.h>

/* A run within a segment: of an actor, a processor or a thread. */
struct run_ref {
	uint32_t segment, run; /* index in that segment's runs */
};

/* The runs of each key, in time order. */
struct run_list {
	uint32_t *first; /* key -> index into runs; one more at the end */
	struct run_ref *runs;
	uint32_t key_count;
};

/*
 * The first run of a key in a segment or a later one, as an index into the runs; that behind the
 * key's last for none. O(log runs of the key).
 */
static inline uint32_t
run_list_from(const struct run_list *list, uint32_t key, uint32_t segment)
{
	uint32_t low = list->first[key], high = list->first[key + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list->runs[middle].segment < segment)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct directory {
	struct run_list actors, processors, threads;
};

#endif
