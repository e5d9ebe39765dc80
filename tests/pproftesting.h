/* What the tests of sources of profiles share: samples as folded text, and what must hold of them. */
#ifndef TTRACE_TESTS_PPROFTESTING_H
#define TTRACE_TESTS_PPROFTESTING_H

#include <stddef.h>

#include "base/text.h"
#include "input/unpack.h"
#include "source/source.h"

/* Loads bytes with a source. */
struct trace *pproftesting_load(const struct source *source, const void *bytes, size_t size,
	struct error *err);

/*
 * The stacks of a type as folded text, sorted, each once: without those whose weights sum up to 0.
 * False for want of memory.
 */
bool pproftesting_folded(const struct trace *trace, unsigned type, struct text *out);

/* NULL when all that the trace says of its samples holds together, else what does not. */
const char *pproftesting_fault(const struct trace *trace);

/* The fact of that key; UINT64_MAX for none. */
uint64_t pproftesting_fact(const struct trace *trace, const char *key);

#endif
