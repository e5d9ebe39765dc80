/*
 * What reading a trace comes to, beside its events.
 */
#ifndef TTRACE_SOURCE_GO_RESULT_H
#define TTRACE_SOURCE_GO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/damage.h"

struct go_read_result {
	uint32_t go_minor;        /* the N of "go 1.N trace", once the header was read */
	uint64_t read_bytes;      /* taken from the input in all */
	bool is_packed;           /* the places below count unpacked bytes */
	bool is_ended_early;      /* more generations may follow; they were not wanted */
	uint64_t generations;     /* whose events were delivered; leniently as far as they go */
	uint64_t events;          /* delivered, Syncs and synthetic ones included */
	uint64_t first_generation;
	int64_t start_ns;         /* of the opening Sync, whether it is delivered or not */
	uint64_t wire_events;     /* timed events and CPU samples put in order */
	/* The same by id; before 1.22, what was delivered by the id it has from 1.22 on. */
	uint64_t event_counts[256];
	uint64_t experimental_batches, experimental_bytes; /* by the batch */

	struct damage_map damage; /* times by the trace's clock */
};

#endif
