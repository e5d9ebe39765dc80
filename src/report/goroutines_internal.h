/* What both forms of the report of goroutines share. Only for report/goroutine*.c. */
#ifndef TTRACE_REPORT_GOROUTINES_INTERNAL_H
#define TTRACE_REPORT_GOROUTINES_INTERNAL_H

#include "analysis/goroutines.h"
#include "report/goroutines.h"
#include "report/grid.h"

struct goroutines_report {
	struct grid grid;
	const struct goroutines_request *request;
	const struct trace *trace;
	struct goroutine_times times;
	struct goroutine_spreads spreads; /* of the function that is told of */
	int64_t running_ns; /* of all goroutines */
	struct text line;   /* a text being made */
};

/* The reason of a measure, as bytes of the trace. */
const char *goroutines_reason(
	const struct goroutines_report *report, uint32_t measure, size_t *length);
/* "main.worker: 12 goroutines, 30% of all time running", safe text until report->line changes. */
const char *goroutines_title(
	struct goroutines_report *report, const struct goroutine_function *function);

/* Columns of a table; people do not see what of running was assist where nobody assists. */
void goroutines_columns(const struct goroutines_report *report, const struct grid_column *all,
	int count, struct grid_column chosen[TABLE_MAX_COLUMNS]);
/* All of them one by one. */
void goroutines_print_rows(struct goroutines_report *report);

#endif
