/* Pictures that the real program shows in a terminal, and when. */
#ifndef TTRACE_TESTS_BENCH_PICTURE_H
#define TTRACE_TESTS_BENCH_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

struct ptyterm;

/*
 * Waits for the first picture with data of a trace, or until all of the trace is in it.
 * False with err where the program ends before, or takes minutes.
 */
bool picture_wait(struct ptyterm *term, bool is_whole, struct error *err);
/* Milliseconds from the start of `program` to either picture; false as above. */
bool picture_time(const char *program, const char *trace, double *first_ms, double *whole_ms,
	struct error *err);

#endif
