/* What is so of every table of times, be it of goroutines or of regions. */
#ifndef TTRACE_TESTS_TIMESTESTING_H
#define TTRACE_TESTS_TIMESTESTING_H

#include "analysis/actors.h"

/* The times of a row equal what the index has of its goroutine within [t0, t1). */
void times_check_row(const char *name, const struct trace *trace,
	const struct actor_times *times, uint32_t row, int64_t t0_ns, int64_t t1_ns);

/* Functions that ran most come first, equals by name; of a function the rows that lived longest. */
void times_check_order(const struct trace *trace, const struct actor_times *times);

#endif
