/*
 * Looks at a trace in all the ways the program has: reports, pictures at any zoom, search.
 * For traces that nobody would write, so that whatever can be loaded can be looked at.
 */
#ifndef TTRACE_TESTS_LOOKING_H
#define TTRACE_TESTS_LOOKING_H

#include <stdint.h>

#include "trace/trace.h"

/* The same seed looks at the same places. NULL when all was well, else what was not. */
const char *look_everywhere(const struct trace *trace, uint64_t seed);

#endif
