/*
 * A text with parts that are inputs of their own: a page with a flame graph, histograms and words
 * around them. Its trace has nothing else; each part is loaded as a trace when it is asked for.
 */
#ifndef TTRACE_TRACE_DOCUMENT_H
#define TTRACE_TRACE_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct document_part {
	size_t from, until;             /* bytes [from, until) of the text */
	uint64_t first_line, last_line; /* counted from 1 */
	const char *source;             /* the name of the source that reads it; of static storage */
	unsigned points;                /* that it gives the part */
};

struct document {
	char *bytes; /* owned, as are the parts: in order, apart */
	size_t size;
	struct document_part *parts;
	size_t part_count, part_capacity;
};

/* NULL with err set for want of memory; NULL is fine to free. A trace frees its own. */
struct document *document_new(struct error *err);
void document_free(struct document *document);

#endif
