/* What probably happened to a trace, from what the damage looks like. */
#ifndef TTRACE_SOURCE_GO_CAUSE_H
#define TTRACE_SOURCE_GO_CAUSE_H

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
	uint64_t lost_bytes;     /* not used */
	uint64_t zero_run_bytes; /* the longest run of zeros among them */
	bool is_missing;         /* what follows belongs further behind what is before */
	bool has_wrong_times;    /* times among them cannot be true */
	bool is_disorder;        /* the bytes are fine, but the events contradict each other */
};

enum damage_cause cause_of(const struct cause_signs *signs);

#endif
