/* Caches in memory, for tests and the fuzzer. */
#ifndef TTRACE_TESTS_CACHETESTING_H
#define TTRACE_TESTS_CACHETESTING_H

#include "base/text.h"
#include "cache/cache.h"

/* Of every cache that is made here. */
extern const struct cache_key cachetesting_key;

/* Appends the cache of a trace; false without memory. */
bool cachetesting_write(const struct trace *trace, struct text *out, struct error *err);

#endif
