/*
 * Whether what stands in a cache can be read without harm: every number that leads to another
 * item leads to one, what is ordered is in order, times lie within the trace. Nothing of this can
 * be wrong in a cache that ttrace wrote; checksums tell damage, this tells malice.
 */
#ifndef TTRACE_CACHE_CHECK_H
#define TTRACE_CACHE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace.h"

/* All tables of the trace. O(their size). */
bool check_tables(const struct trace *trace);

/* The columns of a segment; the tables are fine. */
bool check_segment(const struct trace *trace, const struct segment *segment);
/* Fills them with what is not wrong and tells nothing. */
void check_empty_segment(const struct trace *trace, struct segment *segment);

/* A slice of a change list; its table of blocks is fine. */
bool check_slice(const struct trace *trace, const struct change_list *list, size_t slice);
void check_empty_slice(const struct change_list *list, size_t slice);

#endif
