/*
 * Facts: numbers that a source tells of its whole input and that the model has no place for, such
 * as how many lines were damaged. They stand in the order in which they are to be shown.
 */
#ifndef TTRACE_TRACE_FACTS_H
#define TTRACE_TRACE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct trace_fact {
	const char *key; /* of static storage, as JSON shows it: "lost_events" */
	uint64_t value;
};

/* Zero-initialised has none. */
struct trace_facts {
	struct trace_fact *items;
	size_t count, capacity;
};

struct trace;

/* Behind those that are there; the trace is not frozen yet. Fails for want of memory. */
bool trace_add_fact(struct trace *trace, const char *key, uint64_t value, struct error *err);

#endif
