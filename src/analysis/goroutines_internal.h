/* How the times of goroutines and regions are gathered. Only for analysis/goroutines.c and regions.c. */
#ifndef TTRACE_ANALYSIS_GOROUTINES_INTERNAL_H
#define TTRACE_ANALYSIS_GOROUTINES_INTERNAL_H

#include "analysis/goroutines.h"

struct gathering {
	struct measures measures;
	struct goroutine_times *times;
	const struct goroutines_scope *scope;
	size_t row_capacity, time_capacity, function_capacity;
};

/* Begins; goroutines_end() is needed only after success. */
bool goroutines_begin(struct gathering *gathering, const struct trace *trace, struct error *err);
/* Adds a row, whose times are the sums that are not 0, unless there is a query and nothing matches. */
bool goroutines_keep_row(struct gathering *gathering, const struct goroutine_row *row,
                         const int64_t *sums_ns, struct error *err);
/* Sorts rows into functions, if all went well so far; else nothing is left. */
bool goroutines_end(struct gathering *gathering, bool is_fine, struct error *err);

#endif
