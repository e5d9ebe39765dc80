/* The summary for programs. */
#ifndef TTRACE_REPORT_SUMMARY_ROWS_H
#define TTRACE_REPORT_SUMMARY_ROWS_H

#include "report/report.h"

struct summary; /* analysis/summary.h */

/* Writes the summary as tables: "summary", which is one row, "functions", and of allocations. */
bool summary_rows(const struct summary *summary, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err);

#endif
