/* What a source counted, by the key that --report=input tells it by. */
#ifndef TTRACE_TESTS_FACTTESTING_H
#define TTRACE_TESTS_FACTTESTING_H

#include <stdint.h>
#include <string.h>

#include "trace/trace.h"

/* -1 where there is no such fact. */
static inline int64_t
fact(const struct trace *trace, const char *key)
{
	for (size_t i = 0; i < trace->facts.count; i++)
		if (strcmp(trace->facts.items[i].key, key) == 0)
			return (int64_t)trace->facts.items[i].value;
	return -1;
}

#endif
