/* What probably happened to a trace, from what the damage looks like. */
#ifndef TTRACE_GOTRACE_CAUSE_H
#define TTRACE_GOTRACE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/damage.h"

/* What is known of one damaged place. */
struct cause_signs {
	bool is_tail;            /* the input ends there */
	bool is_between_batches; /* and does so behind a whole batch */
	bool is_other_trace;     /* another trace follows */
	bool has_repeats;        /* batches that were read before came again */
	bool is_packed;          /* offsets do not count bytes of the file */
	uint64_t end_bytes;      /* where the input ends */
	uint64_t lost_bytes, zero_bytes; /* not used; how many of them are 0 */
	bool is_disorder;        /* the bytes are fine, but the events contradict each other */
};

enum damage_cause cause_of(const struct cause_signs *signs);

#endif
