/* Which tasks or regions last as long as a term asks. For the evaluation of queries. */
#ifndef TTRACE_QUERY_QUERY_LENGTH_H
#define TTRACE_QUERY_QUERY_LENGTH_H

#include "query/query_match.h"

struct query_lengths {
	const struct trace *trace;
	const struct query_term *term;
	int64_t *bounds_ns; /* of a quantile, by name: that of all that have the name; else NULL */
};

/* O(n), of a quantile with a sort. Release with query_lengths_release() in any case. */
bool query_lengths_init(struct query_lengths *lengths, const struct query_run *run,
                        const struct query_term *term, struct error *err);
void query_lengths_release(struct query_lengths *lengths);
bool query_lengths_has_task(const struct query_lengths *lengths, task_ref task);
/* False for what is no region. */
bool query_lengths_has_region(const struct query_lengths *lengths, const struct range *range);

#endif
