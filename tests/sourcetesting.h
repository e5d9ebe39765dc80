/* Traces of samples and of ready tables: loaded from memory, compared with what is known of them. */
#ifndef TTRACE_TESTS_SOURCETESTING_H
#define TTRACE_TESTS_SOURCETESTING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

/* What that source makes of the bytes. NULL with err set where there is nothing to show. */
struct trace *sourcetesting_load(const char *source, const char *bytes, size_t size,
	struct error *err);

/* The samples of a type as folded stacks, sorted by bytes, equal stacks added up. */
bool sourcetesting_folded(const struct trace *trace, unsigned type, struct text *out);

/*
 * Each number that stands at the top of the oracle, a JSON object, is a fact of the trace. False
 * with what is not in `out`.
 */
bool sourcetesting_agrees(const struct trace *trace, const struct text *oracle, struct text *out);

/* What is wrong with ids and counts of such a trace, however damaged its input was; NULL: nothing. */
const char *sourcetesting_fault(const struct trace *trace);

#endif
